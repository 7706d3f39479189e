/**
 * Reads cited places below one directory only: no path or link leads out of it, only regular files are opened, and
 * nothing in `.brain` is, since closing a second handle on an open database drops its locks.
 */

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Citation, CitationState, Place } from '../core/citations.ts'
import { fromPlace } from '../core/citations.ts'
import { counted } from '../core/counts.ts'
import { BrainError, codeOf } from '../core/errors.ts'
import { direct } from '../direct-files.ts'
import { pathInside } from '../inside.ts'

/** Maximum bytes read from a file. */
const maxBytes = 1024 * 1024
/** Maximum bytes read in one call: beyond it states are unknown. */
const maxTotal = 64 * 1024 * 1024
/** Maximum bytes hashed to find moved lines. */
const maxSought = 8 * 1024 * 1024

type Why =
  | 'is not there'
  | 'is no plain file'
  | 'leads out of the directory'
  | 'cannot be read'
  | 'is too large'

type Content = { readonly bytes: Buffer } | { readonly why: Why }

async function readBounded(handle: FileHandle): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(maxBytes + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    length += bytesRead
    if (length > maxBytes) return undefined
    if (bytesRead === 0) return bytes.subarray(0, length)
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Start and end of each line of a text, including its line end. */
function lineStarts(bytes: Buffer): number[] {
  const starts = [0]
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  // What follows the last line end is a line only if there is something.
  if (starts.at(-1) === bytes.length) starts.pop()
  starts.push(bytes.length)
  return starts
}

/** The bytes of a range of lines, counted from 1, without the last line end; undefined if there are not that many. */
function linesOf(bytes: Buffer, starts: readonly number[], first: number, last: number): Buffer | undefined {
  const [from, to] = [starts[first - 1], starts[last]]
  if (from === undefined || to === undefined || last >= starts.length) return undefined
  const lines = bytes.subarray(from, to)
  return lines.at(-1) === 10 ? lines.subarray(0, -1) : lines
}

/** The files of one directory, each read once. */
export class CitedFiles {
  readonly #directory: string
  readonly #brain: string
  readonly #known = new Map<string, Promise<Content>>()
  #total = 0

  /** Paths are below `directory`; `brain` is the `.brain` directory, of which nothing is read. */
  constructor(directory: string, brain: string) {
    this.#directory = directory
    this.#brain = brain
  }

  /** The content of a place. @throws BrainError `invalid` if nothing can be cited there. */
  async stamp(place: Place, now: number): Promise<Citation> {
    const content = await this.#content(place.path)
    if ('why' in content)
      throw new BrainError('invalid', `cites ${fromPlace(place)}, which ${sentenceOf(content.why)}`)
    const { firstLine, lastLine } = place
    if (firstLine === null || lastLine === null)
      return { ...place, hash: hashOf(content.bytes), stampedAt: now }
    const starts = lineStarts(content.bytes)
    const lines = linesOf(content.bytes, starts, firstLine, lastLine)
    if (lines === undefined) {
      throw new BrainError(
        'invalid',
        `cites ${fromPlace(place)}, which has ${counted(starts.length - 1, 'line')}`,
      )
    }
    return { ...place, hash: hashOf(lines), stampedAt: now }
  }

  /** The state of a place since it was stamped, and its new lines if they moved. */
  async look(citation: Citation): Promise<{ state: CitationState; place: Place }> {
    const { path, firstLine, lastLine, hash } = citation
    const place = { path, firstLine, lastLine }
    if (hash === '') return { state: 'unknown', place }
    const content = await this.#content(path)
    if ('why' in content) return { state: stateOf(content.why), place }
    const { bytes } = content
    if (firstLine === null || lastLine === null) {
      return { state: hashOf(bytes) === hash ? 'fresh' : 'changed', place }
    }
    const starts = lineStarts(bytes)
    const lines = linesOf(bytes, starts, firstLine, lastLine)
    if (lines !== undefined && hashOf(lines) === hash) return { state: 'fresh', place }
    const count = lastLine - firstLine + 1
    const moved = findLines(bytes, starts, { count, hash })
    return moved === undefined
      ? { state: 'changed', place }
      : { state: 'moved', place: { path, firstLine: moved, lastLine: moved + count - 1 } }
  }

  #content(path: string): Promise<Content> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const content = this.#read(path).catch((error: unknown): Content => {
      const code = codeOf(error)
      if (code === 'ENOENT' || code === 'ENOTDIR') return { why: 'is not there' }
      return { why: code === 'ELOOP' ? 'leads out of the directory' : 'cannot be read' }
    })
    this.#known.set(path, content)
    return content
  }

  async #read(path: string): Promise<Content> {
    if (this.#total >= maxTotal) return { why: 'cannot be read' }
    const root = await realpath(this.#directory)
    const file = await realpath(join(root, ...path.split('/')))
    const brain = await realpath(this.#brain)
    if (!pathInside(root, file) || pathInside(brain, file) !== undefined)
      return { why: 'leads out of the directory' }
    // Looked at before it is opened: a pipe would wait for its writer, and a second name of the database must stay closed.
    const found = await lstat(file)
    if (!found.isFile()) return { why: 'is no plain file' }
    if (found.size > maxBytes) return { why: 'is too large' }
    if (found.nlink > 1 && (await this.#isOwn(found))) return { why: 'leads out of the directory' }
    const handle = await open(file, constants.O_RDONLY | direct)
    try {
      const opened = await handle.stat()
      // Another file than was looked at: somebody changes the way to it.
      if (opened.ino !== found.ino || opened.dev !== found.dev) return { why: 'cannot be read' }
      const bytes = await readBounded(handle)
      if (bytes === undefined) return { why: 'is too large' }
      this.#total += bytes.length
      return { bytes }
    } finally {
      await handle.close()
    }
  }

  async #isOwn({ ino, dev }: { ino: number; dev: number }): Promise<boolean> {
    const names = ['brain.db', 'brain.db-wal', 'brain.db-shm']
    const own = await Promise.all(names.map((name) => lstat(join(this.#brain, name)).catch(() => undefined)))
    return own.some((file) => file?.ino === ino && file.dev === dev)
  }
}

const sentenceOf = (why: Why): string =>
  why === 'is too large'
    ? 'is larger than 1 MiB: cite a smaller one'
    : why === 'is not there'
      ? 'is not there: check its name'
      : why

const stateOf = (why: Why): CitationState =>
  ({
    'is not there': 'gone',
    'is no plain file': 'changed',
    'leads out of the directory': 'changed',
    'is too large': 'changed',
    'cannot be read': 'unknown',
  })[why] as CitationState

/**
 * The first line of a range of the given length with this hash; undefined if there is none, or the search would take
 * too long.
 */
function findLines(
  bytes: Buffer,
  starts: readonly number[],
  { count, hash }: { count: number; hash: string },
): number | undefined {
  if (bytes.length * count > maxSought) return undefined
  for (let first = 1; first + count <= starts.length; first += 1) {
    const lines = linesOf(bytes, starts, first, first + count - 1)
    if (lines !== undefined && hashOf(lines) === hash) return first
  }
  return undefined
}
