/**
 * The words of quantities: units brought to one for each kind, numbers, parts of a whole. Every reader of units takes their
 * names from here; which of them are other words, too, is for each to say.
 */
import { cardinals } from '../calendar-words.ts'

/** What a unit measures, and how many of the kind's own unit it is. */
export interface Measure {
  readonly kind: string
  readonly scale: number
}

export interface Unit extends Measure {
  /** The same for all names of one unit. */
  readonly name: string
}

/** Units by their names in text. */
export const units = new Map<string, Unit>()
for (const [kind, scale, names] of [
  ['duration', 0.001, 'ms msec millisecond milliseconds'],
  ['duration', 1, 's sec secs second seconds'],
  ['duration', 60, 'min mins minute minutes'],
  ['duration', 3_600, 'h hr hrs hour hours'],
  ['duration', 86_400, 'day days'],
  ['duration', 604_800, 'week weeks'],
  // On average, of a year of 365.25 days.
  ['duration', 2_629_800, 'month months'],
  ['duration', 31_557_600, 'year years'],
  ['size', 1e-6, 'byte bytes'],
  ['size', 0.001, 'kb kib kilobyte kilobytes'],
  ['size', 1, 'mb mib megabyte megabytes'],
  ['size', 1_000, 'gb gib gigabyte gigabytes gig gigs'],
  ['size', 1_000_000, 'tb tib terabyte terabytes'],
  ['share', 1, '% percent'],
  ['money', 1, '€ euro euros eur'],
  ['money', 1, '$ dollar dollars usd'],
  ['money', 1, '£ pound pounds gbp'],
  ['money', 1, 'franc francs chf'],
  ['money', 1, 'crown crowns'],
  ['money', 0.01, 'cent cents'],
  ['mass', 1, 'kg kilo kilos kilogram kilograms'],
  ['mass', 0.001, 'g gram grams'],
  ['mass', 1e-6, 'mg milligram milligrams'],
  ['mass', 0.453_6, 'lb lbs'],
  ['mass', 6.35, 'stone'],
  ['mass', 0.028_35, 'oz ounce ounces'],
  ['mass', 1_000, 'tonne tonnes'],
  ['length', 1_000, 'km kilometre kilometres kilometer kilometers'],
  ['length', 1, 'm metre metres meter meters'],
  ['length', 0.01, 'cm centimetre centimetres centimeter centimeters'],
  ['length', 0.001, 'mm millimetre millimetres millimeter millimeters'],
  ['length', 1_609.3, 'mile miles'],
  ['length', 0.304_8, 'ft foot feet'],
  ['length', 0.025_4, 'inch inches'],
  ['temperature', 1, '° °c degree degrees celsius'],
  ['temperature', 5 / 9, '°f fahrenheit'],
  ['volume', 1, 'l litre litres liter liters'],
  ['volume', 1_000, 'cubic m³ cbm'],
  ['volume', 0.01, 'cl'],
  ['volume', 0.001, 'ml'],
  ['volume', 0.568, 'pint pints'],
  ['volume', 4.546, 'gallon gallons'],
  ['rate', 1, 'req/s rps mbit/s mbps'],
  ['length', 1e-6, 'µm μm micron microns micrometre micrometres micrometer micrometers'],
  ['power', 0.001, 'mw milliwatt milliwatts'],
  ['power', 1, 'w watt watts'],
  ['power', 1_000, 'kw kilowatt kilowatts'],
  ['energy', 1, 'kwh'],
  ['current', 1e-6, 'µa μa microamp microamps'],
  ['current', 0.001, 'ma milliamp milliamps'],
  ['current', 1, 'amp amps'],
  ['voltage', 0.001, 'mv millivolt millivolts'],
  ['voltage', 1, 'v volt volts'],
  ['voltage', 1_000, 'kv kilovolt kilovolts'],
  ['level', 1, 'db dbm decibel decibels'],
  ['rotation', 1, 'rpm'],
  ['frequency', 1, 'hz hertz'],
  ['frequency', 1_000, 'khz'],
  ['frequency', 1e6, 'mhz'],
  ['frequency', 1e9, 'ghz'],
  ['pressure', 0.001, 'mbar hpa'],
  ['pressure', 1, 'bar'],
  ['concentration', 1, 'ppm'],
] as const) {
  const [name = '', ...others] = names.split(' ')
  for (const one of [name, ...others]) units.set(one, { kind, scale, name })
}

const count = (words: readonly string[], from: number, step = 1): [string, number][] =>
  words.map((word, at) => [word, from + at * step])
/** Numbers in words, up to ninety. */
export const numerals = new Map([
  ...count(cardinals, 0),
  ...count('thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' '), 13),
  ...count('twenty thirty forty fifty sixty seventy eighty ninety'.split(' '), 20, 10),
  ['nought', 0],
])
/** What multiplies the number before it. */
export const scales = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])
/** Parts of a whole by their names. */
export const parts = new Map([
  ...['half', 'third', 'quarter', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'].map(
    (name, at): [string, number] => [name, 1 / (at + 2)],
  ),
  ['twentieth', 0.05],
  ['hundredth', 0.01],
])

/** Whether a text may name a quantity at all: quicker asked than read. */
export const mayNameQuantity = new RegExp(
  String.raw`\d|\b(?:an? (?:hour|minute)|${[...numerals.keys(), ...scales.keys(), ...parts.keys()].join('|')})`,
  'i',
)
