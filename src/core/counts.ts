/** Counts as people read them. */

/** A whole number with a comma between each three digits. */
export const count = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** A number of things, by their name: "1 memory", "2 memories". */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`
