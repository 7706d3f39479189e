/**
 * How a note is read: its words with their places, its clauses with what they assert, deny and measure, the
 * calendar days it names. Knows English a little; refuses to know any other note.
 */

import { indexOfMonth } from '../../core/calendar-words.ts'
import { numerals, units } from '../../core/quantities/words.ts'
import { stem } from '../../core/stem.ts'
import {
  axes,
  everydayStems,
  frequencies,
  functionWords,
  hedges,
  negatingStems,
  negators,
  unitKinds,
  weekdaySet,
} from './lexicon.ts'

export type TokenKind = 'identifier' | 'word' | 'number'

export interface Token {
  /** As written. */
  readonly surface: string
  readonly lower: string
  /** What is compared: the stem of a word, the lower-case spelling of an identifier. */
  readonly term: string
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
  /** First word of its sentence, where a capital says nothing. */
  readonly opens: boolean
}

/** Longest text a night reads of one note, in UTF-16 code units. */
export const readLength = 2_000

const tokenPattern =
  /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’]*(?:[._/\\:@#+~-]+[\p{L}\p{M}\p{N}]+)*|\p{N}+(?:[.,:]\p{N}+)*(?:[._/-]*[\p{L}\p{M}_][\p{L}\p{M}\p{N}_.-]*[\p{L}\p{N}])?\p{L}?|[%€$£]|[_/.~][\p{L}\p{N}_./~-]+/gu

const looksLikeIdentifier = (surface: string): boolean =>
  /[\p{L}\p{N}][_/\\:@#+~][\p{L}\p{N}]|\p{Ll}\p{Lu}|^[_/.~]/u.test(surface) ||
  (/\p{N}/u.test(surface) && /\p{L}/u.test(surface)) ||
  /\p{L}\.\p{L}|\p{N}\.\p{N}+\.\p{N}/u.test(surface)

interface Form {
  readonly lower: string
  readonly term: string
  readonly kind: TokenKind
}

const forms = new Map<string, Form>()

/** What a spelling is, remembered: the same words come again and again. */
function formOf(surface: string): Form {
  const known = forms.get(surface)
  if (known !== undefined) return known
  const made = toForm(surface)
  // Bounded: a daemon reads for months.
  if (forms.size > 50_000) forms.clear()
  forms.set(surface, made)
  return made
}

function toForm(surface: string): Form {
  const lower = surface.normalize('NFKC').toLowerCase().replace(/['’]/g, '')
  if (/^\p{N}+(?:[.,:]\p{N}+)*$/u.test(surface) && !/\p{N}\.\p{N}+\.\p{N}/u.test(surface)) {
    return { lower, term: lower, kind: 'number' }
  }
  if (looksLikeIdentifier(surface)) return { lower, term: lower.replace(/[.:]+$/, ''), kind: 'identifier' }
  return { lower, term: stem(lower), kind: 'word' }
}

const measured = /^(\p{N}+(?:[.,]\p{N}+)*)(\p{L}{1,4})$/u

/** What stands between two words when the second begins a sentence, a line or a quote. */
const opensSentence = /[.!?…:]["'”’)\]]*\s|\n|[“«"]/

/** The words of a text in reading order; only its first `readLength` code units. */
export function tokensOf(text: string): Token[] {
  const read = text.length > readLength ? text.slice(0, readLength).toWellFormed() : text
  const tokens: Token[] = []
  let before = 0
  for (const match of read.matchAll(tokenPattern)) {
    const opens = before === 0 || opensSentence.test(read.slice(before, match.index))
    pushToken(tokens, match[0], match.index, opens)
    before = match.index + match[0].length
  }
  return tokens
}

function pushToken(tokens: Token[], written: string, start: number, opens: boolean): void {
  const surface = /['’]/.test(written) ? written.replace(/['’]s$|['’]+$/u, '') : written
  const end = start + surface.length
  const quantity = /^\d/.test(surface) ? measured.exec(surface) : null
  if (quantity?.[1] !== undefined && quantity[2] !== undefined && unitKinds.has(quantity[2].toLowerCase())) {
    // "30s" is a number and its unit.
    const middle = start + quantity[1].length
    pushPlain(tokens, { surface: quantity[1], start, end: middle, opens })
    pushPlain(tokens, { surface: quantity[2], start: middle, end, opens: false })
    return
  }
  if (surface.includes('-') && !looksLikeIdentifier(surface)) {
    pushCompound(tokens, { surface, start, end, opens })
    return
  }
  pushPlain(tokens, { surface, start, end, opens })
}

/** Parts that make a compound an ordinary word, not a name that somebody gave. */
const plainParts = new Set(
  `well long short high low real full half pre post non self two three multi time term based like day old up down off in out
  end to de co re ex all one over under built hand mid late early part semi anti ever first second last free`.split(
    /\s+/,
  ),
)

type Place = Pick<Token, 'surface' | 'start' | 'end' | 'opens'>

/** "new-pricing" is found by its parts and, where it may be somebody's name for a thing, whole. */
function pushCompound(tokens: Token[], { surface, start, end, opens }: Place): void {
  const parts = surface.split('-')
  let at = start
  for (const part of parts) {
    if (part !== '')
      pushPlain(tokens, { surface: part, start: at, end: at + part.length, opens: opens && at === start })
    at += part.length + 1
  }
  const lower = surface.toLowerCase()
  const named = parts.every((part) => /^[a-z]{3,}$/.test(part) && !plainParts.has(part))
  if (named) tokens.push({ surface, lower, term: lower, kind: 'identifier', start, end, opens })
}

function pushPlain(tokens: Token[], place: Place): void {
  const { lower, term, kind } = formOf(place.surface)
  const { surface, start, end, opens } = place
  tokens.push({ surface, lower, term, kind, start, end, opens })
}

const ordinal = /^\d+(st|nd|rd|th)$/

/** Whether a token says something of a subject at all: no function word, no bare number. */
export const isContent = (token: Token): boolean =>
  token.kind === 'identifier'
    ? !ordinal.test(token.lower)
    : token.kind === 'word' && token.lower.length > 1 && !functionWords.has(token.lower)

/** Whether a term is everyday: true content, too common to join two notes. */
export const isEveryday = (term: string): boolean => everydayStems.has(term)

/** A quantity in a clause, such as 30 s or 5 %. */
export interface Quantity {
  /** What it measures; `count` without a unit, `clock` for a time of day. */
  readonly measure: string
  /** As written, unit included. */
  readonly written: string
  /** The same for the same quantity, however it is written. */
  readonly amount: string
}

/** One clause: what it is about and which way it points. */
export interface Clause {
  readonly tokens: readonly Token[]
  /** Content terms. */
  readonly content: ReadonlySet<string>
  /** Content terms that stand under a negation. */
  readonly denied: ReadonlySet<string>
  /** How many words turn it round; two undo each other. */
  readonly negations: number
  /** Question to side, after negation. */
  readonly stance: ReadonlyMap<string, 1 | -1>
  readonly quantities: readonly Quantity[]
  readonly weekdays: readonly string[]
  /** Asked, hoped, planned or supposed, not said to be so. */
  readonly hedged: boolean
  readonly start: number
  readonly end: number
}

const sentenceEnd =
  /[.!?…]+(?=["'”’)]*\s)|[\n;]+|\s[—–-]\s|,\s(?=but\b|while\b|whereas\b|although\b|however\b|so\b|and\b)|\b(?=because\b)/gu

/** The clauses of a text. */
export function clausesOf(text: string, tokens: readonly Token[] = tokensOf(text)): Clause[] {
  const read = text.slice(0, readLength)
  const cuts = [...read.matchAll(sentenceEnd)].map((match) => match.index + match[0].length)
  cuts.push(read.length)
  const clauses: Clause[] = []
  let from = 0
  let next = 0
  for (const cut of cuts) {
    const first = next
    while (next < tokens.length && (tokens[next]?.start ?? cut) < cut) next += 1
    if (next > first) clauses.push(toClause(read.slice(from, cut), tokens.slice(first, next), from, cut))
    from = cut
  }
  return clauses
}

const isAmount = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === 'number' || numerals.has(token.lower))

/** "30 minutes", "one hour", "nightly" measure the subject and are no part of it. */
const isOfQuantity = (token: Token, before: Token | undefined): boolean =>
  numerals.has(token.lower) ||
  frequencies.has(token.lower) ||
  (unitKinds.has(token.lower) && isAmount(before))

/** How many content words a negation reaches over. */
const reach = 4

function toClause(written: string, tokens: readonly Token[], start: number, end: number): Clause {
  const content = new Set<string>()
  const denied = new Set<string>()
  const stance = new Map<string, 1 | -1>()
  let under = 0
  let negations = 0
  for (const [at, token] of tokens.entries()) {
    if (negators.has(token.lower)) {
      under = reach
      negations += 1
      if (token.lower === 'never') stance.set('frequency', -1)
      continue
    }
    if (token.lower === 'always') stance.set('frequency', 1)
    if (!isContent(token) || isOfQuantity(token, tokens[at - 1])) continue
    const side = axes.get(token.term)
    if (side !== undefined) stance.set(side.axis, under > 0 ? (side.sign === 1 ? -1 : 1) : side.sign)
    else content.add(token.term)
    if (under > 0 && side === undefined) denied.add(token.term)
    const turns = negatingStems.has(token.term)
    if (turns) negations += 1
    under = turns ? reach : Math.max(0, under - 1)
  }
  // A question, even one that ends in the next clause's cut, asserts nothing.
  const hedged = /\?\s*$/.test(written.trimEnd()) || tokens.some((token) => hedges.has(token.lower))
  const weekdays = tokens.map((token) => token.lower.replace(/s$/, '')).filter((word) => weekdaySet.has(word))
  return {
    tokens,
    content,
    denied,
    negations,
    stance,
    quantities: quantitiesOf(tokens),
    weekdays,
    hedged,
    start,
    end,
  }
}

function quantitiesOf(tokens: readonly Token[]): Quantity[] {
  const found: Quantity[] = []
  for (const [at, token] of tokens.entries()) {
    const often = frequencies.get(token.lower)
    if (often !== undefined) found.push({ measure: 'frequency', written: token.surface, amount: often })
    const next = tokens[at + 1]
    if (token.lower === 'every' && next !== undefined && weekdaySet.has(next.lower)) {
      found.push({ measure: 'frequency', written: `every ${next.surface}`, amount: 'weekly' })
    }
    const spelt = numerals.get(token.lower)
    const counts = token.kind === 'number' || (spelt !== undefined && unitKinds.has(next?.lower ?? ''))
    if (!counts) continue
    const previous = tokens[at - 1]
    const adjacent = next !== undefined && next.start - token.end <= 1 ? next : undefined
    const measure = adjacent && unitKinds.get(adjacent.lower)
    if (indexOfMonth(next?.lower ?? '') >= 0 || indexOfMonth(previous?.lower ?? '') >= 0) continue
    const number = spelt ?? Number(token.surface.replaceAll(',', ''))
    if (measure !== undefined && adjacent !== undefined) {
      const amount = amountOf(number, adjacent.lower)
      found.push({ measure, written: `${token.surface} ${adjacent.surface}`, amount })
    } else if (previous !== undefined && /^[€$£]$/.test(previous.surface)) {
      const written = `${previous.surface}${token.surface}`
      found.push({ measure: 'money', written, amount: amountOf(number, previous.surface) })
    } else if (/^\d{1,2}:\d{2}$/.test(token.surface)) {
      found.push({ measure: 'clock', written: token.surface, amount: token.surface.replace(/^0/, '') })
    } else {
      found.push({ measure: 'count', written: token.surface, amount: String(number) })
    }
  }
  return found
}

/** The same for an hour and 60 minutes, for 2 kg and 2000 g, for five euros and 5 €. */
function amountOf(number: number, word: string): string {
  const unit = units.get(word)
  return unit === undefined || unit.kind === 'money'
    ? `${number} ${unit?.name ?? word}`
    : `${Number((number * unit.scale).toPrecision(12))} ${unit.kind}`
}
