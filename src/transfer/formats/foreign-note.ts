/** A note as another tool keeps it, and what a format of another tool is. Knows no tool. */

import type { ForeignFormatName } from './names.ts'

/** A note of another tool, ready to be remembered. */
export interface ForeignNote {
  readonly text: string
  /** Milliseconds since the epoch; absent where the source tells no time. */
  readonly createdAt?: number | undefined
  /** 0..1; absent or 0 makes an ordinary memory. */
  readonly caution?: number
  /** Where in the source it stands, for people. */
  readonly origin: string
}

/** A file of a source: its path for people, its text, and when it was last changed (milliseconds). */
export interface ForeignFile {
  readonly path: string
  readonly text: string
  readonly changedAt: number | undefined
}

export interface ForeignFormat {
  /** As `--format` takes it. */
  readonly name: ForeignFormatName
  /** What it is, in a few words, with the version that it was read from. */
  readonly about: string
  /** Whether a file is of this format, by its name and content. */
  recognises(file: ForeignFile): boolean
  /** Its notes, in order. @throws BrainError `invalid` naming what is wrong. */
  read(file: ForeignFile): ForeignNote[]
}

/** Characters of a note: longer ones are found less well, since a vector then stands for several things. */
export const maxNoteCharacters = 2_000

/** A time as other tools write it: seconds or milliseconds since the epoch, or a date that says so by itself. */
export function readTime(value: unknown): number | undefined {
  // A number of seconds reaches what milliseconds were in 1973 only in the year 5138.
  if (typeof value === 'number' && Number.isFinite(value) && value > 0)
    return value < 1e11 ? value * 1_000 : value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined
  // Without a zone a time is taken for UTC, so that the same file means the same everywhere.
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10))
    ? text
    : `${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`
  const time = Date.parse(zoned)
  return Number.isNaN(time) ? undefined : time
}

/** A value's member, where it is an object that has it. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined

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

/** The values of lines of JSON; undefined where a line is none. */
export function tryJsonLines(text: string): unknown[] | undefined {
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const value = tryJson(line)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}
