/** Files that exports write and imports read. Knows files and their errors; nothing about records. */
import { randomUUID } from 'node:crypto'
import { closeSync, constants, createReadStream, openSync, readSync } from 'node:fs'
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { pause } from '../clock.ts'
import { cannotRead, cannotWrite, isFileFault } from '../config/file-faults.ts'
import { msPerMinute } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import type { ImportSource } from './import.ts'

/** Who fills a draft writes more often than this, in milliseconds: one left alone for longer was left by a killed process. */
const leftAlone = 10 * msPerMinute

/** The file that a draft of this name is of; undefined where it is none. */
const fileOfDraft = (name: string): string | undefined => /^\.(.+)\.[0-9a-f]+\.draft$/.exec(name)?.[1]

/** Removes drafts of the files or folders of a directory that are chosen by their names. */
async function dropChosen(
  directory: string,
  { chosen, all }: { readonly chosen: (file: string) => boolean; readonly all: boolean },
): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const file = fileOfDraft(name)
    if (file === undefined || !chosen(file)) continue
    const path = join(directory, name)
    const written = (await lstat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (all || Date.now() - written > leftAlone)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Removes drafts of a file or folder that killed processes left: they are in plain text, and nobody would look for them.
 * Of what is to go altogether those that somebody may be writing, too.
 */
export const dropDrafts = (file: string, { all = false } = {}): Promise<void> =>
  dropChosen(dirname(file), { chosen: (name) => name === basename(file), all })

/** Removes drafts that killed processes left of any file in a directory where brain alone writes. */
export const dropAllDrafts = (directory: string): Promise<void> =>
  dropChosen(directory, { chosen: () => true, all: false })

/** Milliseconds to wait for the other end of a pipe. */
const timeout = 3_000

/** A pipe to write into, once somebody reads from it. @throws BrainError `failed` where nobody does. */
async function openPipe(file: string): Promise<FileHandle> {
  const deadline = Date.now() + timeout
  for (;;) {
    try {
      const first = await open(file, constants.O_WRONLY | constants.O_NONBLOCK)
      try {
        // Somebody reads: this neither waits nor, as the other would, gives up where the pipe is full.
        return await open(file, constants.O_WRONLY)
      } finally {
        await first.close()
      }
    } catch (error) {
      if (!isFileFault(error) || error.code !== 'ENXIO') throw error
      if (Date.now() > deadline) {
        throw new BrainError('failed', `cannot write ${file}: nobody reads from this pipe`, { cause: error })
      }
      await pause(50)
    }
  }
}

/** What a pipe has at once; undefined where somebody is still to write into it, empty where nobody has it open. */
function readAtOnce(descriptor: number): Buffer | undefined {
  const bytes = Buffer.alloc(65_536)
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, null))
  } catch (error) {
    if (isFileFault(error) && error.code === 'EAGAIN') return undefined
    throw error
  }
}

/** What comes out of a pipe. @throws BrainError `invalid` where nobody writes into it, and what an aborted signal throws. */
async function* readPipe(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const deadline = Date.now() + timeout
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  let rest: Socket | undefined
  try {
    let first = readAtOnce(descriptor)
    while (first?.length === 0) {
      if (Date.now() > deadline)
        throw new BrainError('invalid', `cannot read ${file}: nobody writes into this pipe`)
      await pause(50, signal)
      first = readAtOnce(descriptor)
    }
    if (first !== undefined) yield first
    rest = new Socket({ fd: descriptor, readable: true, writable: false })
    yield* addAbortSignal(signal, rest)
  } finally {
    // A socket closes its own.
    if (rest === undefined) closeSync(descriptor)
  }
}

/**
 * Writes a file that appears under its name only when complete. A device or a pipe is written to directly.
 * @throws BrainError `failed` naming the file.
 */
export async function fillFile(
  file: string,
  fill: (put: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory())
    throw new BrainError('failed', `cannot write ${file}: it is a directory: name a file`)
  const whole = found === undefined || found.isFile()
  const draft = whole ? join(dirname(file), `.${basename(file)}.${randomUUID().slice(0, 8)}.draft`) : file
  try {
    if (whole) await dropDrafts(file)
    // What is opened is new, and no link that leads elsewhere.
    const handle = found?.isFIFO() ? await openPipe(file) : await open(draft, whole ? 'wx' : 'w', 0o600)
    try {
      await fill((text) => handle.appendFile(text))
      if (whole) await handle.sync()
    } finally {
      await handle.close()
    }
    if (whole) await rename(draft, file)
  } catch (error) {
    // What could not be made need not go, and where it cannot go is no other fault.
    if (whole) await rm(draft, { force: true }).catch(() => {})
    throw isFileFault(error) ? cannotWrite(file, error) : error
  }
}

/** A file's bytes; errors name the file. */
async function* readBytes(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of createReadStream(file, { signal })) yield chunk
  } catch (error) {
    throw isFileFault(error) ? cannotRead(file, error) : error
  }
}

/** A file to import from; `bytes` is absent for what has no size. @throws BrainError naming the file. */
export async function openSource(file: string): Promise<{ source: ImportSource; bytes?: number }> {
  const found = await stat(file).catch((error: unknown) => {
    throw cannotRead(file, error)
  })
  if (found.isDirectory())
    throw new BrainError('invalid', `${file} is a directory: name a file, or - for standard input`)
  // A note may have no line yet; an export that a full disk cut to nothing must not pass for one that was taken in.
  if (found.isFile() && found.size === 0)
    throw new BrainError('invalid', `${file} is empty: if it was an export, make it again`)
  if (found.isFIFO()) return { source: { open: (signal) => readPipe(file, signal) } }
  const open = (signal: AbortSignal) => readBytes(file, signal)
  return found.isFile() ? { source: { name: file, open }, bytes: found.size } : { source: { open } }
}
