/** The binomial distribution: how many of `n` come true when each does with probability `p`. */

/**
 * The smallest count, 0..n, whose cumulative probability is at least `probability` (0..1). Sums logarithms, so that
 * thousands of trials neither underflow nor overflow.
 */
export function binomialQuantile(n: number, p: number, probability: number): number {
  if (p <= 0) return 0
  if (p >= 1) return n
  const step = Math.log(p) - Math.log1p(-p)
  let logMass = n * Math.log1p(-p)
  let below = Math.exp(logMass)
  for (let count = 0; count < n; count += 1) {
    // Rounding of the sum must not push a quantile past the count that holds it.
    if (below >= probability - 1e-12) return count
    logMass += Math.log(n - count) - Math.log(count + 1) + step
    below += Math.exp(logMass)
  }
  return n
}
