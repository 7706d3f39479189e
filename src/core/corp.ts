/**
 * Reliability without bins (CORP: Dimitriadis, Gneiting, Jordan, PNAS 2021, doi:10.1073/pnas.2016191118): outcomes are
 * fitted to claims by the best non-decreasing function, found by pooling adjacent violators, and the Brier score is
 * decomposed into miscalibration, discrimination and uncertainty. Knows pairs of numbers, nothing about predictions.
 */

/** What was claimed and what came of it, both 0..1. */
export interface Claim {
  readonly claimed: number
  readonly came: number
}

/** Claims from `lower` to `upper` that the fit gives one value. */
export interface FittedRange {
  readonly lower: number
  readonly upper: number
  readonly n: number
  /** Their mean outcome, 0..1: what should have been claimed. */
  readonly observed: number
}

/** The mean squared error S of the claims in parts, each at least 0: S = miscalibration - discrimination + uncertainty. */
export interface Decomposition {
  /** MCB: what is lost because claims do not come true as often as stated; 0 if they do. */
  readonly miscalibration: number
  /** DSC: what is gained by telling cases apart; 0 if every claim comes true equally often. */
  readonly discrimination: number
  /** UNC: the error of always claiming the share that came true. */
  readonly uncertainty: number
  /** The fit, rising. */
  readonly fit: readonly FittedRange[]
}

interface Pool {
  readonly lower: number
  upper: number
  n: number
  sum: number
}

/** The isotonic least-squares fit: pools in the order of their claims, with strictly increasing means. */
export function fitIsotonic(claims: readonly Claim[]): FittedRange[] {
  const pools: Pool[] = []
  const mean = ({ sum, n }: Pool): number => sum / n
  for (const { claimed, came } of [...claims].sort((a, b) => a.claimed - b.claimed)) {
    const last = pools.at(-1)
    // Equal claims are one before anything is compared: no function tells them apart.
    if (last !== undefined && last.lower === last.upper && last.upper === claimed) {
      last.n += 1
      last.sum += came
    } else pools.push({ lower: claimed, upper: claimed, n: 1, sum: came })
  }
  const fitted: Pool[] = []
  for (const pool of pools) {
    let current = pool
    for (let before = fitted.at(-1); before !== undefined && mean(before) >= mean(current); ) {
      fitted.pop()
      current = {
        lower: before.lower,
        upper: current.upper,
        n: before.n + current.n,
        sum: before.sum + current.sum,
      }
      before = fitted.at(-1)
    }
    fitted.push(current)
  }
  return fitted.map((pool) => ({ lower: pool.lower, upper: pool.upper, n: pool.n, observed: mean(pool) }))
}

/** The parts of the mean squared error of `claims`; null if there are none. */
export function decompose(claims: readonly Claim[]): Decomposition | null {
  const n = claims.length
  if (n === 0) return null
  const fit = fitIsotonic(claims)
  const base = claims.reduce((sum, { came }) => sum + came, 0) / n
  const meanOf = (error: (claim: Claim) => number): number =>
    claims.reduce((sum, claim) => sum + error(claim), 0) / n
  const score = meanOf(({ claimed, came }) => (claimed - came) ** 2)
  // Within a range of the fit the squares around its mean are those of the outcomes less that mean's.
  const squares = meanOf(({ came }) => came * came)
  const recalibrated = squares - fit.reduce((sum, range) => sum + range.n * range.observed ** 2, 0) / n
  const uncertainty = meanOf(({ came }) => (base - came) ** 2)
  // Rounding must not make a loss of nothing a gain.
  return {
    miscalibration: Math.max(0, score - recalibrated),
    discrimination: Math.max(0, uncertainty - recalibrated),
    uncertainty,
    fit,
  }
}
