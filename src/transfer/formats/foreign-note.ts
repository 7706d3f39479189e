/** A note of another tool, and the interface of a foreign format. Knows no particular tool. */
import { BrainError } from '../../core/errors.ts'
import { isCalendarDay } from '../../core/instant.ts'
import { memberOf } from '../../core/json.ts'
import { firstMoment, lastMoment } from '../../core/moments.ts'
import type { ForeignDatabase } from '../../store/foreign.ts'
import type { ForeignFormatName } from './names.ts'

/** A note of another tool, ready to be added. */
export interface ForeignNote {
  readonly text: string
  /** The source's identifier for it with this text; absent where it has none. */
  readonly id?: string | undefined
  /** The commit that it describes. */
  readonly commit?: string
  /** Tags from its source. */
  readonly tags?: readonly string[]
  /** Milliseconds since the epoch; absent if the source has no time. */
  readonly createdAt?: number | undefined
  /** When it ceases to hold, in milliseconds since the epoch. */
  readonly expiresAt?: number
  /** Who kept it; absent for whoever imports it. */
  readonly agent?: string
  /** 0..1; absent or 0 makes an ordinary memory. */
  readonly caution?: number
  /** Its position in the source, for people. */
  readonly origin: string
}

/** A file of a source. Its content is read on demand. */
export interface ForeignFile {
  /** For people. */
  readonly path: string
  /** When it was last changed, in milliseconds. */
  readonly changedAt: number | undefined
  /** Its first characters, by which most formats are recognised. */
  readonly beginning: string
  /**
   * The first of its values; of an object in one piece that object, with the first of each of its lists. None where it
   * is no JSON.
   */
  readonly leading: readonly unknown[]
  /** Whether it is an SQLite database. */
  readonly isDatabase: boolean
  /** Whether that is a brain, as `brain backup` writes one. */
  readonly isBrain: boolean
  /** Its rows, where it is one and was opened as one. */
  readonly database?: ForeignDatabase | undefined
  /** All of its text. @throws BrainError `invalid` when it is too long or no UTF-8. */
  text(): string
  /**
   * Its values as JSON: lines, elements of its list, or of an object as often that object as its lists have elements, each
   * time with one of them. @throws BrainError `invalid` naming a line that is none.
   */
  values(): Iterable<unknown>
}

export interface ForeignFormat {
  /** The name for `--format`. */
  readonly name: ForeignFormatName
  /** Short description, with the supported version. */
  readonly about: string
  /** Names of files that may be of it: others in a folder are not even read. A database is one by any name. */
  readonly files: readonly RegExp[]
  /** Whether a file is of this format, by its name and beginning. */
  recognises(file: ForeignFile): boolean
  /**
   * Its notes, in order; `leave` is called for every record that no note can be made of, with its kind.
   * @throws BrainError `invalid` naming what is wrong, or a version that is not known.
   */
  read(file: ForeignFile, leave: (kind: string) => void): Iterable<ForeignNote>
}

export const jsonFiles = /\.jsonl?$/i
export const databaseFiles = /\.(?:db|sqlite3?|vscdb)$/i

/** Characters of a note: longer ones are found less well, since a vector then stands for several things. */
export const maxNoteCharacters = 2_000

/**
 * A time as other tools write it: seconds, milliseconds, microseconds or nanoseconds since the epoch, or a complete
 * date; undefined for what is none that a note could have.
 */
export function readTime(value: unknown): number | undefined {
  const time = timeOf(value)
  return time !== undefined && time >= firstMoment && time <= lastMoment ? time : undefined
}

function timeOf(value: unknown): number | undefined {
  // A number of seconds reaches what milliseconds were in 1973 only in the year 5138, and so on.
  if (typeof value === 'number' && Number.isFinite(value) && value > 0)
    return value < 1e11
      ? value * 1_000
      : value < 1e14
        ? value
        : Math.round(value / (value < 1e17 ? 1e3 : 1e6))
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || !isCalendarDay(text)) return undefined
  // Without a zone a time is taken for UTC, so that the same file means the same everywhere.
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10))
    ? text
    : `${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`
  const time = Date.parse(zoned)
  return Number.isNaN(time) ? undefined : time
}

/** The first of some members that is a text with something in it. */
export function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const member = memberOf(value, name)
    if (typeof member === 'string' && member.trim() !== '') return member.trim()
  }
  return undefined
}

/** JSON, or undefined where the text is none. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The texts in a list, or in a text that is one as JSON; those with something in them. */
export function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' && value.startsWith('[') ? tryJson(value) : value
  return listOf(list).flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []))
}

/** The records of a file: of lines each, of JSON in one piece its list, or the list that one of its members holds. */
export function* recordsIn(values: Iterable<unknown>, ...members: readonly string[]): Generator<unknown> {
  for (const value of values) {
    const held = members.map((member) => memberOf(value, member)).find(Array.isArray)
    yield* Array.isArray(value) ? value : (held ?? [value])
  }
}

/** Whether one of the first records of a file is as a format's are. */
export function someRecord(
  file: ForeignFile,
  members: readonly string[],
  isOne: (record: unknown) => boolean,
): boolean {
  let looked = 0
  for (const record of recordsIn(file.leading, ...members)) {
    if (isOne(record)) return true
    looked += 1
    if (looked >= 64) return false
  }
  return false
}

/** Paragraphs with something in them, put together. */
export const paragraphs = (...parts: readonly (string | undefined | false)[]): string =>
  parts.filter((part) => part !== undefined && part !== false && part !== '').join('\n\n')

/** Error: an unsupported version. */
export const unknownVersion = (file: ForeignFile, what: string, known: string): BrainError =>
  new BrainError(
    'invalid',
    `${file.path} is ${what}, which is not known here (read: ${known}): export from that tool as Markdown or JSON, or ask for it in an issue`,
  )
