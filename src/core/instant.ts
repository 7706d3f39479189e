/** Times as JavaScript dates, and their range; a brain that is damaged or came from elsewhere may contain any number. */

/** Milliseconds from the epoch to either end of the range of dates (ECMA-262, section 21.4.1.1). */
const furthest = 8.64e15

/** The date of a time in milliseconds since the epoch; the nearest representable one if it is out of range. */
export const toInstant = (milliseconds: number): Date =>
  new Date(Math.min(furthest, Math.max(-furthest, milliseconds)))
