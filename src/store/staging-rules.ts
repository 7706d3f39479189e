/** Consistency rules for the records of an import, with the error messages that every store uses. Pure. */
import { BrainError } from '../core/errors.ts'
import type { RecordKind } from '../core/records.ts'
import type { RecordCounts, TransferKind } from './transfer.ts'

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
