/**
 * The English names of months and weekdays and the words for small numbers. Pure; what a text means by them is its
 * readers' matter.
 */

/** From January. */
export const monthNames: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
/** From Sunday. */
export const weekdayNames: readonly string[] = [
  ...['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
]

/** Short forms other than the first three letters. */
const longerForms: ReadonlyMap<string, readonly string[]> = new Map([
  ['September', ['sept']],
  ['Tuesday', ['tues']],
  ['Thursday', ['thurs', 'thur']],
])

/** What a month or weekday is called, in lower case, longest first. */
const formsOf = (name: string): readonly string[] => [
  ...new Set([name.toLowerCase(), ...(longerForms.get(name) ?? []), name.slice(0, 3).toLowerCase()]),
]

/** What each month is called, in lower case, longest first; from January. */
export const monthForms = monthNames.map(formsOf)
/** The same of weekdays, from Sunday. */
export const weekdayForms = weekdayNames.map(formsOf)

/** The number of a month, 0 to 11, by any of its forms, in whatever case; -1 where it is none. */
export const indexOfMonth = (written: string): number =>
  monthForms.findIndex((forms) => forms.includes(written.toLowerCase()))

/** The number of a weekday by its first three letters; Sunday is 0. */
export const indexOfWeekday = (written: string): number =>
  weekdayForms.findIndex((forms) => forms.includes(written.toLowerCase().slice(0, 3)))

/** Place in `weekdayNames` of a day counted from 1 January 1970, a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/** From zero to twelve. */
export const cardinals: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const firstOrdinals = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ')
/** From first to thirty-first: the days of a month. */
export const ordinals: readonly string[] = [
  ...firstOrdinals,
  ...'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  ),
  'twentieth',
  ...firstOrdinals.map((one) => `twenty-${one}`),
  'thirtieth',
  'thirty-first',
]
