/** The value in the middle of some numbers, the lower of two; 0 without any. */
export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0
