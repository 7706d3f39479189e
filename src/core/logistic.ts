/** The probability of given log odds, 0..1. */
export const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

/** A probability, no nearer to 0 and 1 than `least`. */
export const within = (probability: number, least = 1e-6): number =>
  Math.min(1 - least, Math.max(least, probability))

/** Log odds of a probability, which counts as no nearer to 0 and 1 than `least`. */
export const logit = (probability: number, least?: number): number => {
  const counted = within(probability, least)
  return Math.log(counted / (1 - counted))
}
