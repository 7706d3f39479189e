/** What makes the records of an import one whole, in the words in which every store refuses what does not. Pure. */
import { BrainError } from '../core/errors.ts'
import type { RecordKind } from '../core/records.ts'
import type { RecordCounts, TransferKind } from './transfer.ts'

/** Ids above it are given anew: those that follow must still be numbers that every interface can tell apart. */
export const maxKeptId = 2 ** 31 - 1

/** By so much the sum of a trail may differ when it is added up another way. */
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

/** A former id that another memory has by now. */
export const hasFormerId = (id: number): BrainError =>
  new BrainError('invalid', `memory ${id} is there, and cannot be the former id of another`)

/** A dream whose kind and sources are there. */
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
