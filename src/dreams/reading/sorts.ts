/** Two things of one sort: "the harbour kiosk" and "the station kiosk", worker-1 and worker-2, staging and production. */
import { indexOfMonth } from '../../core/calendar-words.ts'
import { caseStems, unitKinds, weekdaySet } from './lexicon.ts'
import type { Night } from './material.ts'
import type { Pair } from './pairs.ts'
import { isContent, type Token } from './reading.ts'

/** Before a number these have it for their value: "port 8080" and "port 9090" are two values of one thing. */
const valued =
  /^(?:port|limit|timeout|threshold|size|length|width|weight|count|total|sum|price|cost|fee|budget|deposit|score|rate|temperatur|volum|capac|quota|interv|delai|maximum|minimum|max|min|number|age)$/
/** "In the morning", "at the end" is no place. */
const noPlace =
  /^(?:morn|afternoon|even|night|dai|week|weekend|month|year|season|moment|begin|start|end|middl|meantim|futur|past|same|case|wai|time|hour|minut|first|second|last|next|top|bottom|latest|least|most)$/
const determiner = /^(?:the|our|my|his|her|their|your|this|that)$/

/** The word before a term, or the one that "in", "on" or "of" puts behind it: "the harbour kiosk", "the heater in the hall". */
function modifiersOf(tokens: readonly Token[], term: string): Set<string> {
  const found = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    if (token.term !== term) continue
    const before = tokens[at - 1]
    if (before !== undefined && token.start - before.end <= 1 && !/(?:ed|ing|s)$/.test(before.lower))
      found.add(isContent(before) ? before.term : '')
    if (!/^(?:in|at|on|of|by)$/.test(tokens[at + 1]?.lower ?? '')) continue
    const behind = tokens[at + (determiner.test(tokens[at + 2]?.lower ?? '') ? 3 : 2)]
    if (behind !== undefined && isContent(behind) && !noPlace.test(behind.term)) found.add(behind.term)
  }
  found.delete('')
  return found
}

/** Nouns, as terms, with the number or letter that tells one of several: "Fridge 2", "incubator B", "worker-1", "week 11". */
export function numberingIn(tokens: readonly Token[]): (readonly [noun: string, label: string])[] {
  const found: (readonly [string, string])[] = []
  for (const [at, token] of tokens.entries()) {
    const [, stem = '', label] =
      token.kind === 'identifier' ? (/^(\p{L}{2,})[-_#]?(\d{1,3}|\p{L})$/u.exec(token.lower) ?? []) : []
    if (label !== undefined) found.push([stem, label])
    const [next, after] = [tokens[at + 1], tokens[at + 2]]
    if (token.kind !== 'word' || next === undefined || next.start - token.end !== 1) continue
    if (!isContent(token) || /(?:[^s]s|ed|ing|ly)$/.test(token.lower) || valued.test(token.term)) continue
    if (indexOfMonth(token.lower) >= 0 || weekdaySet.has(token.lower)) continue
    const isNumber = next.kind === 'number' && /^\d{1,3}$/.test(next.surface)
    // "Sold 40 boxes", "until then 5 %", "on Monday 3 March": an amount or a date.
    const isAmount =
      isNumber &&
      after !== undefined &&
      after.start - next.end <= 1 &&
      (unitKinds.has(after.lower) ||
        /^[%€$£]/.test(after.surface) ||
        indexOfMonth(after.lower) >= 0 ||
        (!token.opens && isContent(after) && /[^s]s$/.test(after.lower)))
    if ((isNumber && !isAmount) || /^[B-HJ-Z]$|^A$/.test(next.surface)) found.push([token.term, next.lower])
  }
  return found
}

/** The nouns that a note puts something in or at: "in the garage". */
function placesIn(tokens: readonly Token[]): Set<string> {
  const found = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    const place = tokens[at + 2]
    if (!/^(?:in|at)$/.test(token.lower) || !determiner.test(tokens[at + 1]?.lower ?? '')) continue
    if (place !== undefined && isContent(place) && !noPlace.test(place.term)) found.add(place.term)
  }
  return found
}

const areApart = (ours: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean =>
  ours.size > 0 && theirs.size > 0 && ![...ours].some((one) => theirs.has(one))

/**
 * Whether two notes speak of two things of one sort: each of one that it names by a word, a number, a place or a case
 * of its own.
 */
export function areTwoOfASort(night: Night, pair: Pair): boolean {
  const [a, b] = [night.concordance.read(pair.earlier).tokens, night.concordance.read(pair.later).tokens]
  const shared = new Set(pair.shared.map((term) => night.concordance.termAt(term)))
  const own = (terms: ReadonlySet<string>): Set<string> =>
    new Set([...terms].filter((term) => !shared.has(term)))
  for (const term of shared) if (areApart(own(modifiersOf(a, term)), own(modifiersOf(b, term)))) return true
  const [ours, theirs] = [new Map(numberingIn(a)), new Map(numberingIn(b))]
  for (const [noun, label] of ours) if (theirs.has(noun) && theirs.get(noun) !== label) return true
  const casesIn = (tokens: readonly Token[]): Set<string> =>
    new Set(tokens.filter(({ term }) => caseStems.has(term)).map(({ term }) => term))
  return areApart(casesIn(a), casesIn(b)) || areApart(placesIn(a), placesIn(b))
}
