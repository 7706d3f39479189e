/**
 * What notes do, read on a second thread while the night's own is busy with what comes before. A thread that fails, or is
 * not there yet, is missed by nobody: whoever finds nothing reads for himself, and gets the same.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Roles } from './night-model.ts'

export interface NoteToRead {
  readonly text: string
  /** The built-in encoder's, where it is known. */
  readonly vector: Float32Array | undefined
}

export interface ReadingAhead {
  /** What a note of this text does; undefined where it was not read yet. */
  rolesOf(text: string): Roles | undefined
  close(): Promise<unknown>
}

/** Megabytes; the models themselves are outside the heap. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64, stackSizeMb: 1 }

/** The program of the thread, in the same directory as this one where it was built; run from source there is none. */
const builtProgram = (): string => fileURLToPath(new URL('./reading-thread.js', import.meta.url))

/** Begins to read notes, in this order. */
export function readAhead(notes: readonly NoteToRead[], program = builtProgram()): ReadingAhead {
  const known = new Map<string, Roles>()
  // A vector may be a part of a buffer with all others in it, which would go with it.
  const toRead = notes.map(({ text, vector }) => ({ text, vector: vector?.slice() }))
  const worker =
    notes.length > 0 && existsSync(program)
      ? new Worker(program, { workerData: toRead, env: {}, execArgv: [], resourceLimits })
      : undefined
  worker?.on('message', ({ text, roles }: { text: string; roles: Roles }) => known.set(text, roles))
  worker?.on('error', () => {})
  worker?.unref()
  return {
    rolesOf: (text) => known.get(text),
    close: async () => worker?.terminate(),
  }
}
