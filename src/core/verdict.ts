/**
 * What may be said of a belief, where the sequential test says that its ratio has reached a boundary. The test knows one
 * number; whoever acts on its verdict should know how many sources stand behind it, and whether the belief is likely at all.
 */
import type { BeliefStatus } from './records.ts'
import { type Boundaries, statusOf } from './sprt.ts'

/** What a verdict rests on. */
export interface Grounds {
  readonly logRatio: number
  /** Posterior confidence, 0.05..0.95. */
  readonly confidence: number
  /** Different sources of the observations that weigh for it; one without a named source counts as a source of its own. */
  readonly supporting: number
  /** And of those that weigh against it. */
  readonly refuting: number
}

export interface Judged {
  /** As the test has it, if enough stands behind that; else accumulating. */
  readonly verdict: BeliefStatus
  /** What to bear in mind, a sentence each; none while the test has not decided. */
  readonly caveats: readonly string[]
}

const minSources = 2
const even = 0.5
/** Sums of logarithms that ought to cancel out leave this much at most. */
const rounding = 1e-9

const oneSource = 'One source decides nothing: a verdict needs observations from two'
const unlikely = (confidence: number): string =>
  `The evidence passed the boundary, but confidence is ${confidence.toFixed(2)}: the belief began on the other side`
const oneSided = 'Only supporting evidence so far: would a failure have been noted?'

/**
 * The verdict on a belief: that of the test, once observations from two sources stand behind it and the confidence is on
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
