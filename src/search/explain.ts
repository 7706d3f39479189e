/** Explains the rank of a result and how the question was interpreted, for people. */
import { toInstant } from '../core/instant.ts'
import type { WordMatch } from './comparison.ts'
import type { Found } from './index.ts'
import type { Scored } from './score.ts'
import type { Correction } from './typos.ts'

/** The parts of a score. */
export interface Explanation {
  /** Cosine, less a share of the memory's similarity to everything; null without a vector. */
  readonly cosine: number | null
  readonly soft: number | null
  readonly coverage: number
  readonly codes: number | null
  readonly names: number | null
  readonly time: number | null
  readonly words: readonly WordMatch[]
}

/** How a question was interpreted. */
export interface QuestionReading {
  readonly corrections: readonly Correction[]
  /** Days the question asks about, as ISO dates, both inclusive; `yearly` ones apply to any year. */
  readonly times: readonly { readonly from: string; readonly to: string; readonly yearly: boolean }[]
  /** Whether memories were read as turns of a conversation, with those written around them. */
  readonly conversation: boolean
}

const millisecondsInDay = 86_400_000

const toDate = (day: number): string =>
  toInstant(day * millisecondsInDay)
    .toISOString()
    .slice(0, 10)

export function explain({ id, features }: Scored, found: Found): Explanation {
  const { cosine, maxSim: soft, coverage, codes, names, time } = features
  return { cosine, soft, coverage, codes, names, time, words: found.words(id) }
}

export const readingOf = ({ corrections, spans, conversation }: Found): QuestionReading => ({
  corrections,
  conversation,
  times: spans.map(({ from, to, yearly }) => ({ from: toDate(from), to: toDate(to), yearly })),
})
