/** Counts as people read them. */

/** A whole number with a comma between each three digits. */
export const count = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** A number of things, by their name: "1 memory", "2 memories". */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`

/** What so many are called, by a member's name in the plural: "memory" for 1 of `memories`, "open predictions". */
export const nameOfCount = (n: number, name: string): string =>
  (n === 1 ? name.replace(/ies$/, 'y').replace(/s$/, '') : name).replaceAll('_', ' ')
