/** Times as JavaScript's dates. Knows how far those reach; a brain that was damaged or came from elsewhere may hold any number. */

/** Milliseconds from the epoch to either end of what a date can be (ECMA-262, section 21.4.1.1). */
const furthest = 8.64e15

/** The date of a time in milliseconds since the epoch; of one that is none, the nearest end of what can be told. */
export const toInstant = (milliseconds: number): Date =>
  new Date(Math.min(furthest, Math.max(-furthest, milliseconds)))
