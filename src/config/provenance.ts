/**
 * What this user's processes on this machine wrote for each brain: a small file per brain, kept outside every project,
 * so that no repository can supply it. Identifies files by inode and birth time; what to do about an unknown file is
 * the store's decision.
 */

import { closeSync, constants, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { msPerMinute } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import { fnv } from '../core/fnv.ts'
import { makeDirectories } from '../make-directories.ts'
import { runOfMachine, startOfMachine } from '../process-life.ts'
import { cannotWrite } from './file-faults.ts'
import { baseDirectory, type Environment } from './user-directories.ts'

/** Identities of the files; empty if there was none. */
export interface Written {
  readonly database: string
  readonly log: string
}

export interface Noted extends Written {
  /** Whether the user ran `brain trust` on this directory. */
  readonly trusted: boolean
  /** Whether the machine was rebooted since. */
  readonly earlier: boolean
}

/** Fixed size of a note in bytes: one that is overwritten in place is never seen half-written. */
const size = 512

/** Identifies the boot; changing the clock does not change it where the system counts boots. */
function machineRun(): string {
  return runOfMachine() ?? `since ${Math.round(startOfMachine() / msPerMinute)}`
}

/** A collision makes a note useless for both directories, since a note names its directory. */
const hashOf = (text: string, basis?: number): string => fnv(text, basis).toString(16).padStart(8, '0')

/** This user's notes of brains. */
export class Provenance {
  readonly #directory: string
  #run: string | undefined

  constructor(environment: Environment) {
    this.#directory = join(baseDirectory(environment, 'XDG_STATE_HOME', '.local/state'), 'brain', 'written')
  }

  #fileOf(directory: string): string {
    return join(this.#directory, hashOf(directory) + hashOf(directory, 0x2bf29ce4))
  }

  get #thisRun(): string {
    this.#run ??= machineRun()
    return this.#run
  }

  /** The last note about the brain in `directory`, a path without links; undefined if there is none. */
  find(directory: string): Noted | undefined {
    try {
      const descriptor = openSync(this.#fileOf(directory), constants.O_RDONLY)
      try {
        const bytes = Buffer.alloc(size + 6 * directory.length)
        const read = readSync(descriptor, bytes, 0, bytes.length, 0)
        // What follows the line may be left of an earlier note.
        const noted: unknown = JSON.parse(bytes.toString('utf8', 0, read).split('\n', 1)[0] ?? '')
        if (!Array.isArray(noted) || noted[0] !== directory) return undefined
        const [, database, log, trusted, run] = noted.map(String)
        if (database === undefined || log === undefined) return undefined
        return { database, log, trusted: trusted === 'true', earlier: run !== this.#thisRun }
      } finally {
        closeSync(descriptor)
      }
    } catch {
      // Whatever cannot be read was not noted.
      return undefined
    }
  }

  /**
   * Records the current files in `directory`. A new database's note is synced to disk; that of a log is not.
   * @throws BrainError `failed` naming the file that cannot be written, and the remedy.
   */
  note(directory: string, written: Written & { readonly trusted: boolean }): void {
    try {
      this.#write(directory, written)
    } catch (error) {
      const { message } = cannotWrite(this.#fileOf(directory), error)
      throw new BrainError(
        'failed',
        `${message}, or let XDG_STATE_HOME name a directory that you can write`,
        {
          cause: error,
        },
      )
    }
  }

  #write(directory: string, { database, log, trusted }: Written & { readonly trusted: boolean }): void {
    const line = JSON.stringify([directory, database, log, trusted, this.#thisRun])
    const bytes = Buffer.from(`${line}\n`.padEnd(size))
    makeDirectories(this.#directory)
    const before = this.find(directory)
    const file = this.#fileOf(directory)
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      writeSync(descriptor, bytes, 0, bytes.length, 0)
      if (before?.database !== database || before.trusted !== trusted) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  /** Whether a file was last changed, by the kernel's own account, before this run of the machine. */
  precedesRun(file: string): boolean {
    return (statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY) < startOfMachine()
  }
}
