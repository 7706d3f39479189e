/** Explains the rank of a result and the days that the question was read to ask about. */
import type { Misfit } from '../core/misfit.ts'
import { moved, type Span, toDate } from './calendar.ts'
import type { WordMatch } from './comparison.ts'
import { firstDay, lastDay } from './dates.ts'
import type { Found } from './index.ts'
import type { Result } from './score.ts'

/** The parts of a score. */
export interface Explanation {
  /** Cosine, less a share of the memory's similarity to everything; null without a vector. */
  readonly cosine: number | null
  readonly soft: number | null
  readonly coverage: number
  readonly codes: number | null
  readonly names: number | null
  readonly time: number | null
  /** What keeps it from being an answer; null where nothing is known to. */
  readonly misfit: Misfit | null
  readonly words: readonly WordMatch[]
}

/** Days, as ISO dates, both inclusive; null where there is no bound. `yearly` ones apply to any year. */
export interface Days {
  readonly from: string | null
  readonly to: string | null
  readonly yearly: boolean
}

export function explain({ id, features, misfit }: Result, found: Found): Explanation {
  const { cosine, maxSim: soft, coverage, codes, names, time } = features
  return { cosine, soft, coverage, codes, names, time, misfit: misfit ?? null, words: found.words(id) }
}

/** The days that a question was read to ask about. */
export const daysOf = ({ spans }: Found): Days[] =>
  spans.flatMap(datesTold).map(({ from, to, yearly }) => ({
    from: from === firstDay ? null : toDate(from),
    to: to === lastDay ? null : toDate(to),
    yearly,
  }))

/** A movable day by its dates of this and the last year. */
const datesTold = (span: Span): Span[] =>
  span.turn === undefined ? [span] : [0, -1].map((years) => ({ ...moved(span, years), yearly: false }))
