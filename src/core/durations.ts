/** Lengths of time in milliseconds. A day has 24 hours here, as days of UTC have. */

export const msPerMinute = 60_000
export const msPerHour = 60 * msPerMinute
export const msPerDay = 24 * msPerHour
export const msPerWeek = 7 * msPerDay

/** By how much the clocks of two machines may differ. */
export const aheadBy = 5 * msPerMinute
