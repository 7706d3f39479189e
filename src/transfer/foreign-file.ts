/**
 * A file of another tool, opened once: its beginning, for recognition, and its text, JSON or rows, each read on demand
 * and parsed once. Knows files; nothing about formats.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { cannotRead, isFileFault } from '../config/file-faults.ts'
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { ForeignDatabase } from '../store/foreign.ts'
import { converterOf } from './encodings.ts'
import { type ForeignFile, tryJson } from './formats/foreign-note.ts'
import { splitJson } from './json-pieces.ts'

/** A whole text has to be held at once; JSON is read in lines or pieces, and may be as long as it is. */
const maxTextBytes = 64 * 1024 * 1024
/** A line of JSON, or an element of a list: of a conversation it may hold a picture. */
const maxLineBytes = 32 * 1024 * 1024
const beginningBytes = 262_144
const maxLeading = 64
const chunkBytes = 262_144
const lineFeed = 0x0a
const byteOrderMark = Buffer.from('\ufeff')

/** What does not begin as JSON does is not read to its end for it. */
const looksLikeJson = /^\s*[[{]/

const databaseMagic = 'SQLite format 3\0'
/** The `application_id` that stands in the header of a brain, and where. */
const brainMark = 'brai'
const markAt = 68

export interface OpenOptions {
  /** The file's name for people. */
  readonly name: string
  /** Opens a database; absent where none is expected. */
  readonly openDatabase?: (path: string) => Promise<ForeignDatabase>
}

class OpenFile implements ForeignFile {
  readonly path: string
  readonly changedAt: number
  readonly bytes: number
  readonly isDatabase: boolean
  readonly database: ForeignDatabase | undefined
  readonly #file: number
  readonly #name: string
  #beginning: string | undefined
  #text: string | undefined
  #leading: readonly unknown[] | undefined

  constructor(
    path: string,
    file: number,
    {
      name,
      isDatabase,
      database,
    }: { name: string; isDatabase: boolean; database: ForeignDatabase | undefined },
  ) {
    const found = fstatSync(file)
    this.#name = path
    this.#file = file
    this.path = name
    this.bytes = found.size
    this.changedAt = Math.round(found.mtimeMs)
    this.isDatabase = isDatabase
    this.database = database
  }

  #read(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.bytes - from)))
    let filled = 0
    while (filled < bytes.length) {
      const read = readSync(this.#file, bytes, filled, bytes.length - filled, from + filled)
      if (read === 0) break
      filled += read
    }
    return bytes.subarray(0, filled)
  }

  #decode(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch (error) {
      const hint = `\`${converterOf(bytes)}\` converts one.`
      throw new BrainError('invalid', `${this.#name} is not UTF-8 text`, { cause: error, hint })
    }
  }

  get isBrain(): boolean {
    return this.isDatabase && this.#read(markAt, brainMark.length).toString('latin1') === brainMark
  }

  get beginning(): string {
    this.#beginning ??= this.#read(0, beginningBytes)
      .toString('utf8')
      .replace(/^\ufeff/, '')
    return this.#beginning
  }

  text(): string {
    if (this.bytes > maxTextBytes)
      throw new BrainError('invalid', `${this.#name} is larger than ${maxTextBytes} bytes`)
    if (this.#text !== undefined) return this.#text
    const bytes = this.#read(0, this.bytes)
    const text = this.#decode(bytes)
    // As of UTF-16 without a mark, of which every other character would be lost.
    if (text.includes('\0')) {
      const hint = `If it is UTF-16, \`${converterOf(bytes)}\` converts it.`
      throw new BrainError('invalid', `${this.#name} contains NUL, as no text does`, { hint })
    }
    this.#text = text
    return text
  }

  /** Whether it is JSON Lines: the first non-empty line is JSON, and more follow. */
  get #inLines(): boolean {
    if (!looksLikeJson.test(this.beginning)) return false
    const [, first = '', rest = ''] = /^\s*([^\n]*)\n([\s\S]*)$/.exec(this.beginning) ?? []
    return /\.jsonl$/i.test(this.path) || (rest.trim() !== '' && tryJson(first) !== undefined)
  }

  get leading(): readonly unknown[] {
    this.#leading ??= this.#inLines
      ? this.beginning
          .split('\n', maxLeading)
          .flatMap((line) => (line.trim() === '' ? [] : [tryJson(line)]))
          .filter((value) => value !== undefined)
      : this.#outline()
    return this.#leading
  }

  *#chunks(): Generator<Buffer> {
    const mark = this.#read(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0
    for (let from = mark; from < this.bytes; from += chunkBytes) yield this.#read(from, chunkBytes)
  }

  /** The first elements of a list, or an object with the first of each of its lists; none where it is no JSON. */
  #outline(): unknown[] {
    if (!looksLikeJson.test(this.beginning)) return []
    const list: unknown[] = []
    const members = new Map<string, unknown>()
    const pieces = splitJson(this.#chunks(), maxLineBytes)
    for (let next = pieces.next(); ; next = pieces.next()) {
      if (next.done === true)
        return next.value ? (members.size > 0 ? [Object.fromEntries(members)] : list) : []
      const { member, element, bytes } = next.value
      const held = member === undefined ? list : members.get(member)
      if (element && Array.isArray(held) && held.length >= maxLeading) {
        // Of a list of records the first tell; an object may say more behind its lists.
        if (member === undefined) return list
        continue
      }
      const value = tryJson(Buffer.from(bytes).toString('utf8'))
      if (value === undefined) return []
      if (element && Array.isArray(held)) held.push(value)
      else if (member !== undefined) members.set(member, element ? [value] : value)
    }
  }

  /** What stands in lists, element by element, each with what the object around it says beside its lists. */
  *#elements(): Generator<unknown> {
    const [outline] = this.leading
    const around = Object.entries(isObject(outline) ? outline : {}).filter(
      ([, value]) => !Array.isArray(value),
    )
    const scalars: Readonly<Record<string, unknown>> = Object.fromEntries(around)
    let lists = false
    const pieces = splitJson(this.#chunks(), maxLineBytes)
    let next = pieces.next()
    for (; next.done !== true; next = pieces.next()) {
      const { member, element, bytes } = next.value
      if (!element) continue
      lists = true
      const value = tryJson(this.#decode(bytes))
      if (value === undefined) throw new BrainError('invalid', `${this.#name} is not valid JSON`)
      yield member === undefined ? value : { ...scalars, [member]: [value] }
    }
    if (!next.value) throw new BrainError('invalid', `${this.#name} is not valid JSON, or was cut short`)
    if (!lists) yield* this.leading
  }

  *values(): Generator<unknown, void, undefined> {
    if (!this.#inLines) {
      if (looksLikeJson.test(this.beginning)) yield* this.#elements()
      return
    }
    let number = 0
    for (const { bytes, last } of this.#lines()) {
      number += 1
      const line = this.#decode(bytes).trim()
      if (line === '') continue
      const value = tryJson(line)
      if (value !== undefined) yield value
      // The last line of what is still being written may be half there.
      else if (!last) throw new BrainError('invalid', `${this.#name}: line ${number} is not valid JSON`)
    }
  }

  *#lines(): Generator<{ bytes: Uint8Array; last: boolean }> {
    let rest: Buffer = Buffer.alloc(0)
    for (let from = 0; from < this.bytes; from += chunkBytes) {
      const chunk = this.#read(from, chunkBytes)
      if (chunk.length === 0) break
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      // What was left over holds no line end.
      for (let end = bytes.indexOf(lineFeed, rest.length); end >= 0; end = bytes.indexOf(lineFeed, start)) {
        yield { bytes: bytes.subarray(start, end), last: false }
        start = end + 1
      }
      rest = bytes.subarray(start)
      if (rest.length > maxLineBytes)
        throw new BrainError('invalid', `${this.#name} has a line of more than ${maxLineBytes} bytes`)
    }
    if (rest.length > 0) yield { bytes: rest, last: true }
  }
}

/** Opens a file, runs `work` on it, and closes it. @throws BrainError naming the file. */
export async function* withFile<T>(
  path: string,
  { name, openDatabase }: OpenOptions,
  work: (file: ForeignFile) => Iterable<T>,
): AsyncGenerator<T, void, undefined> {
  let file: number | undefined
  let database: ForeignDatabase | undefined
  try {
    // Not waiting for who writes to a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!fstatSync(file).isFile()) throw new BrainError('invalid', `${path} is no regular file`)
    const magic = Buffer.alloc(databaseMagic.length)
    readSync(file, magic, 0, magic.length, 0)
    const isDatabase = magic.toString('latin1') === databaseMagic
    if (isDatabase) database = await openDatabase?.(path)
    yield* work(new OpenFile(path, file, { name, isDatabase, database }))
  } catch (error) {
    throw isFileFault(error) ? cannotRead(path, error) : error
  } finally {
    database?.close()
    if (file !== undefined) closeSync(file)
  }
}
