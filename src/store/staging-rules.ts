/** Consistency rules for the records of an import, with the error messages that every store uses. Pure. */
import { BrainError } from '../core/errors.ts'
import type { RecordKind } from '../core/records.ts'
import type { Receiving, RecordCounts, TransferKind } from './transfer.ts'

/** Ids above it are renumbered: later ones must still be numbers that every interface can represent exactly. */
export const maxKeptId = 2 ** 31 - 1

/** Tolerance for the sum of a trail that is added in another order. */
export const sameSum = 1e-6

const wrong = (line: number, why: string): BrainError => new BrainError('invalid', `line ${line}: ${why}`)

export const isTaken = (line: number, { kind, id }: { kind: TransferKind; id: number }): BrainError =>
  wrong(line, `${kind} ${id} is there already`)

export const leadsNowhere = (line: number, { kind, id }: { kind: RecordKind; id: number }): BrainError =>
  wrong(line, `${kind} ${id} is not above it in the same project`)

export const lacksSuccessor = (line: number, id: number): BrainError =>
  wrong(line, `belief ${id}, its successor, is missing`)

export const lacksEvents = (
  line: number,
  { id, count, events }: { id: number; count: number; events: number },
): BrainError => wrong(line, `belief ${id} has evidence_count ${count} and ${events} events`)

export const addsUpOtherwise = (
  line: number,
  { id, ratio, sum }: { id: number; ratio: number; sum: number },
): BrainError => wrong(line, `belief ${id} has sprt_log_ratio ${ratio} and its events add up to ${sum}`)

/** Error: a former id belongs to another memory by now. */
export const hasFormerId = (id: number): BrainError =>
  new BrainError('invalid', `memory ${id} is there, and cannot be the former id of another`)

/** Error: a dream with the same kind and sources exists. */
export const isDreamt = (id: number): BrainError => new BrainError('invalid', `dream ${id} is there already`)

/** A dream's origin in the ids of a brain: those that `idOf` does not know keep theirs, and `mark` stands before them. */
export const originIn = (
  origin: string,
  { idOf, mark }: { idOf: (id: number) => number | undefined; mark: string },
): string => origin.replace(/(?<=[:,])\d+(?=,|$)/g, (id) => String(idOf(Number(id)) ?? `${mark}${id}`))

/** An origin without the marks of the imports by which it came. */
export const withoutMarks = (origin: string): string => origin.replace(/\bi[a-z0-9]+\./g, '.')

/** The setting that says whose copy is on its way in, and how far it has come. */
export const copyingSetting = 'copying'

/** The setting's content. */
export interface Copying {
  /** The brain that is copied. */
  readonly source: string
  readonly reached: Receiving['reached']
}

/** Error: a brain of which only a part is there. */
export const isPart = (): BrainError =>
  new BrainError(
    'storage',
    'this is a part of a copy that was interrupted: run the same `brain store copy` again to finish it, or copy into an empty brain',
  )

/**
 * What a copy of `source` goes on from, `kept` being the setting's content; undefined where a whole brain is there.
 * @throws BrainError `refused` where a part of another is.
 */
export function resumeCopy(
  source: string,
  { kept, untouched }: { kept: string | undefined; untouched: boolean },
): Copying | undefined {
  if (kept === undefined) return untouched ? { source, reached: null } : undefined
  // Written by the stores and by nobody else.
  const found = JSON.parse(kept) as Copying
  if (found.source === source) return found
  throw new BrainError(
    'refused',
    'a part of a copy of another brain is there: finish that one, or copy into an empty brain',
  )
}

/** @throws BrainError `busy` where another process took the copy further than `before`. */
export function requireSameCopy(kept: string | undefined, before: Copying): void {
  if (kept !== JSON.stringify(before))
    throw new BrainError('busy', 'another process copies into this brain: wait for it, or end it')
}

/** Tells an import from every other. */
export const createToken = (): string => `i${Math.random().toString(36).slice(2, 10)}`

export const noRecords = (): Record<keyof RecordCounts, number> => ({
  memory: 0,
  version: 0,
  dream: 0,
  belief: 0,
  evidence: 0,
  prediction: 0,
  observation: 0,
})
