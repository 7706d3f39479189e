/**
 * How much of something a text tells, and the bounds that a warning sets: "for longer than two minutes", "at least 8 GB free".
 * Knows English and digits; whether both texts are about one thing is for others to weigh.
 */
import { cardinals } from '../calendar-words.ts'

interface Quantity {
  readonly value: number
  /** What it is of: "time" in seconds, "bytes", or the word that follows the number. */
  readonly kind: string
  /** As it is written. */
  readonly words: string
  readonly at: number
}

/** Values on one side of a quantity, of which a warning warns. */
export interface Bound extends Quantity {
  readonly side: 'above' | 'below'
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Units that can be compared with each other: what one of each is of its kind. */
const units: readonly (readonly [unit: RegExp, kind: string, size: number])[] = [
  [/^(?:ms|milliseconds?)$/, 'time', 0.001],
  [/^(?:s|secs?|seconds?)$/, 'time', 1],
  [/^(?:min|mins|minutes?)$/, 'time', minute],
  [/^(?:h|hrs?|hours?)$/, 'time', hour],
  [/^(?:d|days?)$/, 'time', day],
  [/^weeks?$/, 'time', 7 * day],
  [/^months?$/, 'time', 30 * day],
  [/^(?:kb|kib|kilobytes?)$/, 'bytes', 2 ** 10],
  [/^(?:mb|mib|megabytes?)$/, 'bytes', 2 ** 20],
  [/^(?:gb|gib|gigabytes?)$/, 'bytes', 2 ** 30],
  [/^(?:tb|tib|terabytes?)$/, 'bytes', 2 ** 40],
  [/^(?:%|percent|per cent)$/, 'percent', 1],
  [/^(?:°|°c|degrees?)$/, 'degrees', 1],
  [/^(?:mm|millimet(?:re|er)s?)$/, 'length', 0.001],
  [/^(?:cm|centimet(?:re|er)s?)$/, 'length', 0.01],
  [/^met(?:re|er)s?$/, 'length', 1],
  [/^(?:km|kilomet(?:re|er)s?)$/, 'length', 1_000],
  [/^(?:g|grams?)$/, 'weight', 1],
  [/^(?:kg|kilos?|kilograms?)$/, 'weight', 1_000],
  [/^(?:tons?|tonnes?)$/, 'weight', 1_000_000],
]

const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const spoken: ReadonlyMap<string, number> = new Map([
  ...cardinals.map((name, value) => [name, value] as const),
  ...tens.map((name, at) => [name, 20 + 10 * at] as const),
  ['fifteen', 15],
  ['hundred', 100],
  ['a hundred', 100],
  ['a thousand', 1_000],
  ['half an', 0.5],
  ['half a', 0.5],
  ['an', 1],
  ['a', 1],
])

const number = String.raw`\d{1,3}(?:[ ,]\d{3})+(?!\d)|\d+(?:\.\d+)?k?|${[...spoken.keys()].sort((a, b) => b.length - a.length).join('|')}`
/** A number and what it is of; not a part of a name, a version, a date or a clock time. */
const quantity = new RegExp(
  String.raw`(?<![\w.:/#-])(${number})(?:\s|-)?(%|°C?|per cent\b|[a-z]+)(?![\w:/])`,
  'giu',
)

const numberOf = (written: string): number =>
  spoken.get(written) ??
  Number(written.replace(/[ ,]/g, '').replace(/k$/, '')) * (written.endsWith('k') ? 1_000 : 1)

/** Only of these "a" counts: "an hour". */
const isArticle = (written: string): boolean => /^(?:half )?an?$/.test(written)

/** Words after a number that are no unit. */
const noUnit =
  /^(?:and|or|to|of|in|on|at|by|for|from|with|is|are|was|were|as|per|than|then|the|this|that|it|am|pm|th|st|nd|rd|x|times?|more|less|other|others|new|old|last|next|first)$/

/** The quantities in a text, in order. */
function quantitiesOf(text: string): Quantity[] {
  const found: Quantity[] = []
  for (const { index: at, 0: words, 1: figure = '', 2: unit = '' } of text.toLowerCase().matchAll(quantity)) {
    const [, kind, size] = units.find(([pattern]) => pattern.test(unit)) ?? []
    if (noUnit.test(unit) || (isArticle(figure) && kind !== 'time')) continue
    const value = numberOf(figure) * (size ?? 1)
    if (Number.isFinite(value))
      found.push({ value, kind: kind ?? unit.replace(/(?<=[^s])s$/, ''), words, at })
  }
  return found
}

const comparing = String.raw`(?:\s+(?:than|about|roughly|around|the|of))*\s*$`
const over = new RegExp(
  String.raw`\b(?:more|longer|greater|higher|larger|bigger|faster|hotter|warmer|deeper|over|above|exceed(?:s|ing)?|beyond)${comparing}`,
  'i',
)
const under = new RegExp(
  String.raw`\b(?:less|fewer|shorter|lower|smaller|slower|colder|below|under)${comparing}`,
  'i',
)
const atMost = new RegExp(
  String.raw`\b(?:at most|up to|max\.?|maximum|limit(?:ed)?|capped|cap)(?:\s+(?:is|to|at))?${comparing}`,
  'i',
)
const atLeast = new RegExp(String.raw`\b(?:at least|min\.?|minimum)(?:\s+is)?${comparing}`, 'i')
/** "Keep it below 8 degrees" says where it may be, "never go below" where it must not. */
const keeping =
  /\b(?:keep|keeps|kept|stay|stays|remain|remains|leave|hold|only|must be|should be|has to be|needs to be)\b(?![^.;!?]*\b(?:not|never)\b)[^.;!?]{0,60}$/i

/** Characters before a quantity that say what it bounds. */
const reach = 90

/** The bounds of a warning; "not more than" bounds as "more than" does. */
export function boundsOf(warning: string): Bound[] {
  return quantitiesOf(warning).flatMap((one): Bound[] => {
    const before = warning.slice(Math.max(0, one.at - reach), one.at)
    if (atMost.test(before)) return [{ ...one, side: 'above' }]
    if (atLeast.test(before)) return [{ ...one, side: 'below' }]
    const [isOver, isUnder] = [over.test(before), under.test(before)]
    if (isOver === isUnder) return []
    return [{ ...one, side: isOver !== keeping.test(before) ? 'above' : 'below' }]
  })
}

export interface Compared {
  readonly relation: 'beyond' | 'within'
  /** The plan's words. */
  readonly words: string
}

/** How what a plan tells stands to a warning's bounds; undefined where nothing can be compared, or by turns. */
export function compareQuantities(bounds: readonly Bound[], plan: string): Compared | undefined {
  if (bounds.length === 0) return undefined
  const told = quantitiesOf(plan)
  const compared = bounds.flatMap(({ kind, side, value }) =>
    told.flatMap((one): Compared[] =>
      one.kind === kind
        ? [
            {
              relation: (side === 'above' ? one.value > value : one.value < value) ? 'beyond' : 'within',
              words: one.words,
            },
          ]
        : [],
    ),
  )
  const [first] = compared
  return first !== undefined && compared.every(({ relation }) => relation === first.relation)
    ? first
    : undefined
}
