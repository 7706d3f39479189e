/**
 * The quantities a text names, in digits or words, brought to one unit for each kind: "a quarter of an hour" is
 * fifteen minutes, "14 thousand nine" 14,900, "one in fifty" two per cent. Knows numbers and units; not what is measured.
 */
import { clockSpans, clockTimesOf } from './clock.ts'
import { type Token, tokensIn } from './tokens.ts'
import { type Measure, numerals, parts, scales, units } from './words.ts'

export interface Figure {
  /**
   * Durations in seconds, sizes in megabytes, masses in kilograms, lengths in metres, volumes in litres, shares in per
   * cent, temperatures in degrees Celsius, others in watts, kilowatt-hours, amperes, volts, decibels, turns a minute, hertz,
   * bars and millionths; money, rates and plain numbers as they are. Never negative: `frost` is degrees below zero.
   */
  readonly value: number
  /**
   * What can be compared: `duration`, `size`, `money`, `share`, `mass`, `length`, `volume`, `temperature`, `frost`,
   * `power`, `energy`, `current`, `voltage`, `level`, `rotation`, `frequency`, `pressure`, `concentration`, `rate`,
   * `plain`; and `clock`, seconds since midnight, of a time of day.
   */
  readonly kind: string
  /** What one of the unit that it is written in comes to: of "2 min" 60. */
  readonly scale: number
  readonly written: string
  /** Where it stands in the text. */
  readonly start: number
  readonly end: number
}

/** Behind a part that is none of a whole: "a third time", "a quarter past", "the fifth floor". */
const ordinal = /^(?:past|to|time|hours?|miles?|inch|million|kilos?|pounds?|floor|page|note|day|one|party)$/
/** What is counted in time: a third of it is no share. */
const inTime =
  /^(?:month|year|night|evening|morning|afternoon|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|time|hour)s?$/
/** What may follow a number of minutes that does not say so: "an hour fifty-two, straight through". */
const closing =
  /^(?:[,.;:!?)]|before|until|till|to|in|and|for|from|at|on|by|when|while|with|instead|later|late|after|behind|long|flat)$/
/** Before one of a unit that is meant as a quantity: "nearly a litre", "just short of a kilo". */
const nearOne = /^(?:nearly|almost|about|roughly|under|over|of)$/
/** What a small unit adds to a larger one that is not of time: "9 stone 5", "ten lb 2 oz". */
const smaller = new Map([
  [6.35, { scale: 0.453_6, names: /^(?:lbs?|pounds?)$/ }],
  [0.453_6, { scale: 0.028_35, names: /^(?:oz|ounces?)$/ }],
])

interface Part {
  readonly value: number
  /** Index of the first token behind it. */
  readonly next: number
  readonly kind?: string
  readonly scale?: number
}

/** Reads quantities off tokens; each method gives what begins at a token, or undefined. */
class Reader {
  readonly #tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  #text(at: number): string {
    return this.#tokens[at]?.text ?? ''
  }

  #isJoined(at: number): boolean {
    return this.#tokens[at]?.joined ?? false
  }

  quantity(at: number): Part | undefined {
    return (
      this.#frost(at) ??
      this.#partOfUnit(at) ??
      this.#oneUnit(at) ??
      this.#every(at) ??
      this.#share(at) ??
      this.#number(at)
    )
  }

  /** "minus eighty", "-20 °C", "seventy-one below". */
  #frost(at: number): Part | undefined {
    const minus = this.#text(at) === 'minus'
    const number = this.#plain(minus ? at + 1 : at)
    if (number === undefined) return undefined
    if (!minus)
      return this.#text(number.next) === 'below' && closing.test(this.#text(number.next + 1) || '.')
        ? { value: number.value, kind: 'frost', next: number.next + 1 }
        : undefined
    const unit = this.#unit(number.next)
    if (unit !== undefined && (unit.kind !== 'temperature' || unit.scale < 1)) return undefined
    return { value: number.value, kind: 'frost', next: unit?.next ?? number.next }
  }

  /** "every third mail", but no third day. */
  #every(at: number): Part | undefined {
    const part = /^(?:every|each)$/.test(this.#text(at)) ? parts.get(this.#text(at + 1)) : undefined
    const counted = this.#text(at + 2)
    if (part === undefined || part >= 0.5 || units.has(counted) || inTime.test(counted)) return undefined
    return /^\p{L}/u.test(counted) ? { value: part * 100, kind: 'share', next: at + 2 } : undefined
  }

  /** "half an hour", "three quarters of an hour", "a quarter of a litre". */
  #partOfUnit(at: number): Part | undefined {
    const part = this.#partOfWhole(at)
    if (part === undefined) return undefined
    const of = this.#text(part.next) === 'of' ? part.next + 1 : part.next
    const next = /^an?$/.test(this.#text(of)) ? of + 1 : of
    // "half of hour" and "half hour", but no half m.
    const unit = next > of || /^\p{L}{4}/u.test(this.#text(next)) ? units.get(this.#text(next)) : undefined
    return unit && { ...unit, value: part.value * unit.scale, next: next + 1 }
  }

  /** "an hour and twenty minutes", "a pint and a half", "hour and a quarter". */
  #oneUnit(at: number): Part | undefined {
    const article = /^(?:an?|one)$/.test(this.#text(at))
    const place = article ? at + 1 : at
    const unit = units.get(this.#text(place))
    if (unit === undefined || !/^\p{L}{4}/u.test(this.#text(place))) return undefined
    const more = this.#behindUnit(place + 1, unit)
    const isQuantity =
      article && (/^(?:hour|minute)$/.test(this.#text(place)) || nearOne.test(this.#text(at - 1)))
    if (!isQuantity && more.next === place + 1) return undefined
    if (!article && !this.#andPart(place + 1)) return undefined
    return { ...unit, value: unit.scale + more.value, next: more.next }
  }

  /** "a third", "half full", "one in fifty", "19 out of 46". */
  #share(at: number): Part | undefined {
    const part = this.#partOfWhole(at)
    if (part !== undefined) {
      const after = this.#text(part.next)
      const ofTime = after === 'of' && /^an?$/.test(this.#text(part.next + 1))
      const bare = /^half$/.test(this.#text(at))
      const isMeant = /^(?:full|empty|of)$/.test(after) || nearOne.test(this.#text(at - 1))
      if (ordinal.test(after) || ofTime || (bare && !isMeant)) return undefined
      return { value: part.value * 100, kind: 'share', next: part.next }
    }
    const few = this.#plain(at)
    if (few === undefined) return undefined
    // "one mail in ten" and "one in ten", but no two meetings in ten days.
    const noun =
      /^(?:in|out)$/.test(this.#text(few.next + 1)) && /^\p{L}{3}/u.test(this.#text(few.next)) ? 1 : 0
    const from = few.next + noun
    const joint = this.#text(from) === 'out' ? from + 1 : from
    const isOf = this.#text(joint) === 'of'
    if (!isOf && (joint > from || this.#text(joint) !== 'in')) return undefined
    const many = this.#plain(this.#text(joint + 1) === 'the' ? joint + 2 : joint + 1)
    // "72 of a hundred" is a share, "two of the twelve" may be any two.
    if (isOf && joint === from && many?.value !== 100) return undefined
    if (many === undefined || many.value < 3 || few.value >= many.value) return undefined
    const after = this.#text(many.next)
    if (
      noun > 0 &&
      (units.has(this.#text(few.next)) || units.has(after) || inTime.test(after) || many.value > 1_000)
    )
      return undefined
    return { value: (100 * few.value) / many.value, kind: 'share', next: many.next }
  }

  /** A number with what it counts, if that is a unit. */
  #number(at: number): Part | undefined {
    const sign = /^[€$£]$/.test(this.#text(at))
    const number = this.#plain(sign ? at + 1 : at)
    if (number === undefined) return undefined
    if (sign) return { ...number, kind: 'money' }
    const hyphen = this.#text(number.next) === '-' && this.#isJoined(number.next) ? 1 : 0
    // "0.65 of an hour"
    const ofOne = this.#text(number.next) === 'of' && /^an?$/.test(this.#text(number.next + 1)) ? 2 : 0
    const unit = this.#unit(number.next + (hyphen || ofOne))
    if (unit !== undefined) {
      const more = this.#behindUnit(unit.next, unit)
      const zero = unit.kind === 'temperature' && unit.scale < 1 ? -32 * unit.scale : 0
      return { ...unit, value: number.value * unit.scale + zero + more.value, next: more.next }
    }
    // "3-litre" is a quantity, "3-way" a word.
    const behind = hyphen === 1 ? this.#text(number.next + 1) : ''
    return /^(?!odd$)\p{L}/u.test(behind) ? undefined : number
  }

  #unit(at: number): (Measure & { next: number }) | undefined {
    const word = this.#text(at)
    if (word === 'per' && this.#text(at + 1) === 'cent') return { kind: 'share', scale: 1, next: at + 2 }
    if (/^requests?$/.test(word) && this.#text(at + 1) === 'per' && this.#text(at + 2) === 'second')
      return { kind: 'rate', scale: 1, next: at + 3 }
    const unit = units.get(word)
    return unit && { ...unit, next: at + 1 }
  }

  /** What adds to a unit: "and a half", and of times "10 s", "twenty minutes", "fifty-two". */
  #behindUnit(at: number, { kind, scale }: Measure): Part {
    const half = this.#andPart(at)
    if (half !== undefined) return { value: half.value * scale, next: half.next }
    const small = kind === 'mass' ? smaller.get(scale) : undefined
    if (small !== undefined) {
      const rest = this.#plain(at)
      if (rest === undefined || rest.value >= 16) return { value: 0, next: at }
      const named = small.names.test(this.#text(rest.next))
      return named || closing.test(this.#text(rest.next) || '.')
        ? { value: rest.value * small.scale, next: rest.next + (named ? 1 : 0) }
        : { value: 0, next: at }
    }
    if (kind !== 'duration' || scale < 60 || scale > 3_600) return { value: 0, next: at }
    const number = this.#plain(this.#text(at) === 'and' ? at + 1 : at)
    if (number === undefined || number.value >= 60) return { value: 0, next: at }
    const unit = units.get(this.#text(number.next))
    if (unit?.kind === 'duration')
      return unit.scale < scale
        ? { value: number.value * unit.scale, next: number.next + 1 }
        : { value: 0, next: at }
    const ends = number.next === this.#tokens.length || closing.test(this.#text(number.next))
    return ends && number.value > 1
      ? { value: (number.value * scale) / 60, next: number.next }
      : { value: 0, next: at }
  }

  /** "and a half", "and half", "n a quarter", "and three quarters". */
  #andPart(at: number): Part | undefined {
    if (!/^(?:and|n)$/.test(this.#text(at))) return undefined
    return parts.has(this.#text(at + 1))
      ? { value: parts.get(this.#text(at + 1)) ?? 0, next: at + 2 }
      : this.#partOfWhole(at + 1)
  }

  /** "half", "a quarter", "three quarters", "two thirds". */
  #partOfWhole(at: number): Part | undefined {
    if (/^(?:half|quarter)$/.test(this.#text(at)))
      return { value: parts.get(this.#text(at)) ?? 0, next: at + 1 }
    const times = /^an?$/.test(this.#text(at)) ? 1 : numerals.get(this.#text(at))
    const place = /^(?:full|good|bare|mere|whole|solid)$/.test(this.#text(at + 1)) ? at + 2 : at + 1
    const name = this.#text(place)
    const part = parts.get(times === 1 ? name : name.replace(/s$/, ''))
    if (times === undefined || part === undefined || times * part >= 1) return undefined
    return { value: times * part, next: place + 1 }
  }

  /** A number alone: digits or words, with scale, decimals and fraction. */
  #plain(at: number): Part | undefined {
    const first = this.#digits(at) ?? this.#words(at)
    const scaleFirst =
      first === undefined && /^(?:an?|every|each)$/.test(this.#text(at))
        ? scales.get(this.#text(at + 1))
        : undefined
    const whole = scaleFirst === undefined ? first : { value: 1, next: at + 1 }
    const begun = this.#partOfScale(at) ?? whole
    if (begun === undefined) return undefined
    let { value, next } = begun
    const scale = scales.get(this.#text(next))
    if (scale !== undefined) {
      value *= scale
      next += 1
      const rest = this.#words(this.#text(next) === 'and' ? next + 1 : next) ?? this.#digits(next)
      if (rest !== undefined && rest.value < scale && scale !== 12) {
        // "14 thousand nine" is 14,900, "two hundred forty" 240.
        value += scale === 1_000 && rest.value < 10 ? rest.value * 100 : rest.value
        next = rest.next
      }
    }
    if (this.#text(next) === 'point') {
      let decimals = ''
      let place = next + 1
      for (; (numerals.get(this.#text(place)) ?? 10) < 10; place += 1)
        decimals += numerals.get(this.#text(place))
      if (decimals !== '') [value, next] = [value + Number(`0.${decimals}`), place]
    }
    const part = this.#andPart(next)
    return part === undefined
      ? { value, next }
      : { value: value + part.value * (scale ?? 1), next: part.next }
  }

  /** What is before the scale in "half a dozen", "a quarter of a million". */
  #partOfScale(at: number): Part | undefined {
    const part = this.#partOfWhole(at)
    if (part === undefined) return undefined
    const of = this.#text(part.next) === 'of' ? part.next + 1 : part.next
    return /^an?$/.test(this.#text(of)) && scales.has(this.#text(of + 1))
      ? { value: part.value, next: of + 1 }
      : undefined
  }

  #digits(at: number): Part | undefined {
    const written = this.#text(at)
    if (!/^\d[\d ,.'’]*$/.test(written)) return undefined
    const grouped = /^\d{1,3}(?:[ ,'’]\d{3})+(?:\.\d+)?$/.test(written)
    const value = Number(grouped ? written.replace(/[ ,'’]/g, '') : written.replace(',', '.'))
    // A range stands for its middle.
    const upTo = this.#isJoined(at + 1) ? Number(this.#text(at + 1).replace(',', '.')) : Number.NaN
    return upTo > value ? { value: (value + upTo) / 2, next: at + 2 } : { value, next: at + 1 }
  }

  /** "twenty-one", "forty five". */
  #words(at: number): Part | undefined {
    let value = numerals.get(this.#text(at))
    if (value === undefined) return undefined
    let next = at + 1
    const hyphen = this.#text(next) === '-' && this.#isJoined(next) ? 1 : 0
    const ones = numerals.get(this.#text(next + hyphen)) ?? 0
    if (value >= 20 && ones > 0 && ones < 10) [value, next] = [value + ones, next + hyphen + 1]
    return { value, next }
  }
}

/**
 * The figures of a text in reading order; versions, dates and times of day are none, and two times alone the span
 * between them.
 */
export function figuresOf(whole: string): Figure[] {
  const text = whole.slice(0, 2_000)
  const tokens = tokensIn(text)
  const reader = new Reader(tokens)
  const found: Figure[] = []
  for (let at = 0; at < tokens.length; ) {
    const quantity = reader.quantity(at)
    const [{ start } = { start: 0 }, { end } = { end: 0 }] = [tokens[at], tokens[(quantity?.next ?? 0) - 1]]
    if (quantity !== undefined)
      found.push({
        value: quantity.value,
        kind: quantity.kind ?? 'plain',
        scale: quantity.scale ?? 1,
        written: text.slice(start, end),
        start,
        end,
      })
    at = quantity?.next ?? at + 1
  }
  return [...found, ...clockSpans(clockTimesOf(text), 2, 2)].sort((a, b) => a.start - b.start)
}
