/**
 * The verdict on a belief whose ratio has reached a boundary of the sequential test. The test knows one number;
 * whoever acts on its result should know how many sources support it, and whether the belief is likely at all.
 */
import type { BeliefStatus } from './records.ts'
import { type Boundaries, statusOf } from './sprt.ts'

/** The grounds of a verdict. */
export interface Grounds {
  readonly logRatio: number
  /** Posterior confidence, 0.05..0.95. */
  readonly confidence: number
  /** Different sources of the supporting observations with weight; one without a named source counts as a source of its own. */
  readonly supporting: number
  /** The same for the refuting ones. */
  readonly refuting: number
}

export interface Judged {
  /** The test's status if there are sufficient grounds, otherwise accumulating. */
  readonly verdict: BeliefStatus
  /** Caveats, one sentence each; none while the test is undecided. */
  readonly caveats: readonly string[]
}

const minSources = 2
const even = 0.5
/** Rounding error that remains of sums of logarithms that should cancel out. */
const rounding = 1e-9

const oneSource = 'One source decides nothing: a verdict needs observations from two'
const unlikely = (confidence: number): string =>
  `The evidence passed the boundary, but confidence is ${confidence.toFixed(2)}: the belief began on the other side`
const oneSided = 'Only supporting evidence so far: would a failure have been noted?'

/**
 * The verdict on a belief: the test's status, once observations from two sources support it and the confidence is on
 * its side of one half.
 */
export function judge(grounds: Grounds, boundaries: Boundaries): Judged {
  const { logRatio, confidence, supporting, refuting } = grounds
  const status = statusOf(logRatio, boundaries)
  if (status === 'accumulating') return { verdict: status, caveats: [] }
  const promoted = status === 'promoted'
  const caveats: string[] = []
  if ((promoted ? supporting : refuting) < minSources) caveats.push(oneSource)
  else if (promoted ? confidence <= even + rounding : confidence >= even - rounding) {
    caveats.push(unlikely(confidence))
  }
  const verdict = caveats.length === 0 ? status : 'accumulating'
  if (promoted && refuting === 0) caveats.push(oneSided)
  return { verdict, caveats }
}
