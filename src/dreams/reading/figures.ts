/**
 * The quantities a text names, in digits or words, brought to one unit for each kind: "a quarter of an hour" is
 * fifteen minutes, "14 thousand nine" 14,900. Knows numbers and units; not what is measured.
 */

export interface Figure {
  /** Durations in seconds, sizes in megabytes, money and plain numbers as they are. */
  readonly value: number
  /** What can be compared: `duration`, `size`, `money`, `share`, `mass`, `length`, `plain`. */
  readonly kind: string
  readonly written: string
  /** Where it stands in the text. */
  readonly start: number
  readonly end: number
}

const units: readonly (readonly [kind: string, scale: number, names: string])[] = [
  ['duration', 0.001, 'ms|msec|milliseconds?'],
  ['duration', 1, 's|secs?|seconds?'],
  ['duration', 60, 'mins?|minutes?'],
  ['duration', 3_600, 'h|hrs?|hours?'],
  ['duration', 86_400, 'days?'],
  ['duration', 604_800, 'weeks?'],
  ['size', 0.001, 'kb|kib|kilobytes?'],
  ['size', 1, 'mb|mib|megabytes?'],
  ['size', 1_000, 'gb|gib|gigabytes?|gigs?'],
  ['size', 1_000_000, 'tb|tib|terabytes?'],
  ['share', 1, '%|percent|per cent'],
  ['money', 1, '€|\\$|£|euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|crowns?'],
  ['mass', 1, 'kg|kilos?|kilograms?'],
  ['mass', 0.001, 'g|grams?'],
  ['length', 1_000, 'km|kilometres?|kilometers?'],
  ['length', 1, 'm|metres?|meters?'],
  ['temperature', 1, '°c?|degrees?|celsius'],
  ['volume', 1, 'l|litres?|liters?'],
  ['rate', 1, 'requests? per second|req/s|rps|mbit/s|mbps'],
]
const unitPattern = units.map(([, , names]) => names).join('|')

const small = new Map(
  `zero nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`
    .split(/\s+/)
    .map((word): [string, number] => [word, 0]),
)
for (const [at, word] of [...small.keys()].filter((word) => word !== 'nought').entries()) small.set(word, at)
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at): [string, number] => [word, (at + 2) * 10]),
)
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['k', 1_000],
  ['million', 1_000_000],
])

const word = [...small.keys(), ...tens.keys()].join('|')
const digits = String.raw`\d{1,3}(?:[ ,'’]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?`
const number = String.raw`(?:${digits}|(?:${word})(?:[- ](?:${word}))*(?![\p{L}]))`
const pattern = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}.,:/-])(?<clockHours>\d{1,2})\s?h\s?(?<clockMinutes>\d{2})\b`,
    String.raw`(?<![\p{L}])(?<part>half an|a quarter of an|three quarters of an|quarter of an|an|a|one|half a)\s+(?<partUnit>hour|minute)\b(?<andHalf>\s+and a half)?(?:\s+(?:and\s+)?(?:(?<andMinutes>\d{1,2}|(?:${word})(?:[- ](?:${word}))?)\s?min(?:ute)?s?\b|(?<bareMinutes>ten|fifteen|(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)(?![\p{L}-]|\s+(?:euros?|pounds?|dollars?|people|of|more|times))))?(?<andQuarter>\s+and a quarter)?`,
    String.raw`(?<![\p{L}-]|and )(?:(?<wholeShare>three quarters|two thirds|(?:a|one) (?:third|quarter))(?!\s+(?:of an? (?:hour|minute|mile|inch|million)|past|to|hours?|miles?|inch|million|kilos?|pounds?|time|floor|page|note|day))|(?<halfShare>half)(?=\s+(?:full|empty|of (?:the|them|all|us|it|last|this))))(?![\p{L}])`,
    String.raw`(?<![\p{L}\p{N}.,:/#-])(?<sign>[€$£])?(?<number>${number})(?:(?:\s?(?<scale>hundred|thousand|k|million)\b)(?:\s+(?:and\s+)?(?<rest>${number}))?)?(?<point>\s+point(?:\s+(?:${word}))+)?(?<fraction>\s+and (?:a half|a quarter|three quarters))?(?:\s?-?(?<unit>${unitPattern})(?![\p{L}\p{N}]))?(?![\p{L}\p{N}]|[.:/]\d|-\p{L})`,
  ].join('|'),
  'giu',
)

function numberOf(written: string): number {
  const plain = written.toLowerCase()
  if (/^\d/.test(plain)) {
    const grouped = /^\d{1,3}(?:[ ,'’]\d{3})+(?:\.\d+)?$/.test(plain)
    return Number(grouped ? plain.replace(/[ ,'’]/g, '') : plain.replace(',', '.'))
  }
  let sum = 0
  for (const part of plain.split(/[- ]/)) sum += small.get(part) ?? tens.get(part) ?? 0
  return sum
}

const fractions: Readonly<Record<string, number>> = {
  'a half': 0.5,
  'a quarter': 0.25,
  'three quarters': 0.75,
}
const parts: Readonly<Record<string, number>> = {
  'half an': 0.5,
  'half a': 0.5,
  'a quarter of an': 0.25,
  'quarter of an': 0.25,
  'three quarters of an': 0.75,
  an: 1,
  a: 1,
  one: 1,
}

/** Fractions of a whole, as percentages. */
const wholeShares: Readonly<Record<string, number>> = {
  'three quarters': 75,
  'two thirds': 200 / 3,
  half: 50,
  'a third': 100 / 3,
  'one third': 100 / 3,
  'a quarter': 25,
  'one quarter': 25,
}

function unitOf(written: string): readonly [kind: string, scale: number] | undefined {
  const found = units.find(([, , names]) => new RegExp(`^(?:${names})$`, 'i').test(written))
  return found && [found[0], found[1]]
}

function toValue(groups: Readonly<Record<string, string | undefined>>): number {
  let value = numberOf(groups.number ?? '')
  const scale = groups.scale === undefined ? 1 : (scales.get(groups.scale.toLowerCase()) ?? 1)
  value *= scale
  if (groups.rest !== undefined) {
    const rest = numberOf(groups.rest)
    // "14 thousand nine" is 14,900, "two hundred forty" 240.
    value += scale === 1_000 && rest < 10 ? rest * 100 : rest
  }
  if (groups.point !== undefined) {
    const decimals = groups.point
      .trim()
      .split(/\s+/)
      .slice(1)
      .map((name) => small.get(name.toLowerCase()) ?? 0)
    value += Number(`0.${decimals.join('')}`)
  }
  if (groups.fraction !== undefined)
    value += (fractions[groups.fraction.trim().slice(4).toLowerCase()] ?? 0) * scale
  return value
}

/** The figures of a text in reading order; versions, dates and clock times are none. */
export function figuresOf(text: string): Figure[] {
  const found: Figure[] = []
  for (const match of text.slice(0, 2_000).matchAll(pattern)) {
    const groups = match.groups ?? {}
    const place = { written: match[0].trim(), start: match.index, end: match.index + match[0].length }
    if (groups.clockHours !== undefined) {
      found.push({
        ...place,
        value: Number(groups.clockHours) * 3_600 + Number(groups.clockMinutes) * 60,
        kind: 'duration',
      })
      continue
    }
    if (groups.part !== undefined) {
      const [, scale = 1] = unitOf(groups.partUnit ?? '') ?? []
      const share =
        (parts[groups.part.toLowerCase()] ?? 1) +
        (groups.andHalf === undefined ? 0 : 0.5) +
        (groups.andQuarter === undefined ? 0 : 0.25)
      const further = groups.andMinutes ?? groups.bareMinutes
      const minutes = further === undefined ? 0 : numberOf(further) * 60
      found.push({ ...place, value: share * scale + minutes, kind: 'duration' })
      continue
    }
    const whole = groups.wholeShare ?? groups.halfShare
    if (whole !== undefined) {
      found.push({ ...place, value: wholeShares[whole.toLowerCase()] ?? 50, kind: 'share' })
      continue
    }
    const value = toValue(groups)
    const unit = groups.unit === undefined ? undefined : unitOf(groups.unit)
    if (!Number.isFinite(value)) continue
    if (groups.sign !== undefined) found.push({ ...place, value, kind: 'money' })
    else if (unit !== undefined) found.push({ ...place, value: value * unit[1], kind: unit[0] })
    else found.push({ ...place, value, kind: 'plain' })
  }
  return found
}

/** Figure upon figure: what one run of something came to. */
export const isLogLine = (text: string): boolean => (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).length >= 3
