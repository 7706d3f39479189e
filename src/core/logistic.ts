/** The probability of given log odds, 0..1. */
export const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))
