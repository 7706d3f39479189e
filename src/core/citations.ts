/**
 * Places in files that a record is based on, written `src/x.ts:10-40`. Knows how such a place is written and what its
 * states mean; reading files is done elsewhere.
 */
import { BrainError } from './errors.ts'

/** A path below the brain's directory, with `/` as separator, and a range of lines, from 1; the whole file without one. */
export interface Place {
  readonly path: string
  readonly firstLine: number | null
  readonly lastLine: number | null
}

/** A place with the hash of its content when it was last confirmed to support the record. */
export interface Citation extends Place {
  /** SHA-256, hexadecimal; empty if it could not be read. */
  readonly hash: string
  readonly stampedAt: number
}

export const citationStates = ['fresh', 'moved', 'changed', 'gone', 'unknown'] as const
/** The content of a place now: unchanged, moved to other lines, changed, gone, or not visible from here. */
export type CitationState = (typeof citationStates)[number]

/** Whether this makes a record stale. */
export const isStale = (state: CitationState): boolean => state !== 'fresh' && state !== 'moved'

/** Most places that one record names. */
export const maxCites = 20
const maxPathLength = 1_024
const maxLine = 10_000_000

/** The place that a text names; undefined if it names none, or leads out of the directory it starts from. */
export function toPlace(text: string): Place | undefined {
  const [, path = '', first, last] = /^(.*?)(?::(\d{1,8})(?:-(\d{1,8}))?)?$/s.exec(text.trim()) ?? []
  const parts = path.split('/').filter((part, at) => part !== '.' || at > 0)
  const strange = parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..')
  if (strange || path.length > maxPathLength || /[\p{Cc}\\]|^[A-Za-z]:/u.test(path)) return undefined
  if (first === undefined) return { path: parts.join('/'), firstLine: null, lastLine: null }
  const [from, to] = [Number(first), Number(last ?? first)]
  if (from < 1 || to < from || to > maxLine) return undefined
  return { path: parts.join('/'), firstLine: from, lastLine: to }
}

/** As it is written. */
export function fromPlace({ path, firstLine, lastLine }: Place): string {
  if (firstLine === null) return path
  return lastLine === null || lastLine === firstLine
    ? `${path}:${firstLine}`
    : `${path}:${firstLine}-${lastLine}`
}

/** The place that a text names. @throws BrainError `invalid` describing the syntax. */
export function requirePlace(text: string): Place {
  const place = toPlace(text)
  if (place !== undefined) return place
  throw new BrainError(
    'invalid',
    'cites must be paths inside the directory of the brain, with / between their parts and lines where some are meant: src/x.ts:10-40',
  )
}

/** The citations of a record that takes over another's: each place as it was stamped last, the latest of them. */
export function uniteCitations(citations: readonly Citation[]): Citation[] {
  const byPlace = new Map<string, Citation>()
  for (const citation of [...citations].sort((a, b) => a.stampedAt - b.stampedAt)) {
    const place = fromPlace(citation)
    byPlace.delete(place)
    byPlace.set(place, citation)
  }
  return [...byPlace.values()].slice(-maxCites)
}
