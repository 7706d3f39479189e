/** Times as JavaScript dates, and their range; a brain that is damaged or came from elsewhere may contain any number. */

/** Milliseconds from the epoch to either end of the range of dates (ECMA-262, section 21.4.1.1). */
const furthest = 8.64e15

/** Whether the day that a text begins with, as 2026-01-31, is one of the calendar: `Date` alone takes 30 February for 2 March. */
export function isCalendarDay(text: string): boolean {
  const day = text.slice(0, 10)
  return new Date(Date.parse(`${day}T12:00:00Z`)).getUTCDate() === Number(day.slice(8))
}

/** The date of a time in milliseconds since the epoch; the nearest representable one if it is out of range. */
export const toInstant = (milliseconds: number): Date =>
  new Date(Math.min(furthest, Math.max(-furthest, milliseconds)))
