/** Explains the rank of a result and how the question was interpreted, for people. */
import { moved, type Span, toDate } from './calendar.ts'
import type { WordMatch } from './comparison.ts'
import { firstDay, lastDay } from './dates.ts'
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
  /**
   * Days the question asks about, as ISO dates, both inclusive; null where there is no bound. `yearly` ones apply to any
   * year.
   */
  readonly times: readonly {
    readonly from: string | null
    readonly to: string | null
    readonly yearly: boolean
  }[]
  /** Whether memories were read as turns of a conversation, with those written around them. */
  readonly conversation: boolean
  /** Whether nothing but these times was asked for: the results are the notes of that time, newest first. */
  readonly only_time: boolean
  /** The agent whose notes of that time they are; null where none was asked for. */
  readonly agent: string | null
}

export function explain({ id, features }: Scored, found: Found): Explanation {
  const { cosine, maxSim: soft, coverage, codes, names, time } = features
  return { cosine, soft, coverage, codes, names, time, words: found.words(id) }
}

export const readingOf = ({ corrections, spans, conversation, onlyTime, agent }: Found): QuestionReading => ({
  corrections,
  conversation,
  only_time: onlyTime,
  agent: agent ?? null,
  times: spans.flatMap(datesTold).map(({ from, to, yearly }) => ({
    from: from === firstDay ? null : toDate(from),
    to: to === lastDay ? null : toDate(to),
    yearly,
  })),
})

/** A movable day by its dates of this and the last year. */
const datesTold = (span: Span): Span[] =>
  span.turn === undefined ? [span] : [0, -1].map((years) => ({ ...moved(span, years), yearly: false }))
