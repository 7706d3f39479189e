/** Tensions: two notes that contradict each other, or a note that speaks against a belief that is still held. */

import { type Contradiction, contradict } from '../reading/contradiction.ts'
import { callsOff, tellsEvent, tellsMended } from '../reading/cues.ts'
import { limitsOf } from '../reading/limits.ts'
import {
  areTwoReports,
  contentTerms,
  coverText,
  freshness,
  isAtLeast,
  type Night,
  noteAt,
} from '../reading/material.ts'
import { isDoubted } from '../reading/odds.ts'
import { focusStart } from '../reading/pairs.ts'
import { type Clause, clausesOf } from '../reading/reading.ts'
import { isLogLine, isReading } from '../reading/reports.ts'
import { areTwoOfASort } from '../reading/sorts.ts'
import { capitalise, choose, percent, quote, tellDay, tellTwo } from '../reading/wording.ts'
import type { HeldBelief, Thought } from '../thought.ts'

/** Two notes with less in common than this are about different things. */
const minOverlap = 0.2
/** How many notes are held against one belief. */
const perBelief = 40

/** Clauses of a note that are compared: of a long one only the first so many. */
const maxClauses = 24

function strongest(
  ours: readonly Clause[],
  theirs: readonly Clause[],
  close = false,
): Contradiction | undefined {
  let best: Contradiction | undefined
  for (const a of ours.slice(0, maxClauses)) {
    for (const b of theirs.slice(0, maxClauses)) {
      const found = contradict(a, b, close)
      if (found !== undefined && (best === undefined || found.strength > best.strength)) best = found
    }
  }
  return best
}

/** Three or more values over time are a series that is being measured, not a quarrel. */
function isSeries(night: Night, contradiction: Contradiction, among: readonly [number, number]): boolean {
  if (contradiction.how !== 'value') return false
  const terms = [...contradiction.subject]
  const values = new Set(contradiction.values)
  for (const { position, shared } of coverText(night, terms, 20)) {
    if (among.includes(position) || shared.length < terms.length) continue
    for (const clause of night.concordance.read(position).clauses) {
      if (!terms.every((term) => clause.content.has(term))) continue
      for (const quantity of clause.quantities) values.add(quantity.written)
      for (const day of clause.weekdays) values.add(day)
    }
  }
  return values.size > 2
}

function wordNotes(night: Night, positions: readonly [number, number], found: Contradiction): string {
  const [earlier, later] = [noteAt(night, positions[0]), noteAt(night, positions[1])]
  const [on, then] = tellTwo(earlier.at, later.at, night.telling)
  const [first, second] = [quote(earlier.text, found.subject), quote(later.text, found.subject)]
  const values =
    found.values === undefined ? '' : ` ${found.values[0]} or ${found.values[1]}: which one holds?`
  return choose(
    [
      `Two notes pull in different directions. ${capitalise(on)}: ${first}; ${then}: ${second}.${values || ' Which one holds?'}`,
      `${first}, says the note made ${on}; ${second}, says the one made ${then}.${values || ' They can hardly both be right.'}`,
      `The note made ${then}, ${second}, does not sit well with the older ${first} made ${on}.${values || ' One of them may be out of date.'}`,
    ],
    night.telling,
    [earlier.id, later.id],
  )
}

function wordBelief(night: Night, position: number, held: HeldBelief): string {
  const note = noteAt(night, position)
  const { belief } = held
  const day = tellDay(note.at, night.telling)
  return choose(
    [
      `You hold with ${percent(belief.confidence)} that ${quote(belief.text)}. The note of ${day} speaks against it: ${quote(note.text)}.`,
      `${quote(note.text)}, noted on ${day}, is at odds with belief ${belief.id}, ${quote(belief.text)} (${percent(belief.confidence)}). It may be worth recording as evidence.`,
    ],
    night.telling,
    [note.id, belief.id],
  )
}

function* betweenNotes(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  for (const [at, pair] of night.pairs.entries()) {
    if (at % 200 === 0) yield
    if (pair.overlap < minOverlap && !isAtLeast(night, pair.similarity, 'alike')) continue
    const { concordance } = night
    const contradiction = strongest(
      concordance.read(pair.earlier).clauses,
      concordance.read(pair.later).clauses,
      isAtLeast(night, pair.similarity, 'close'),
    )
    if (
      contradiction !== undefined &&
      ['value', 'holder'].includes(contradiction.how) &&
      areTwoOfASort(night, pair)
    )
      continue
    if (tellsMended(noteAt(night, pair.earlier).text, noteAt(night, pair.later).text)) continue
    if (contradiction === undefined || isSeries(night, contradiction, [pair.earlier, pair.later])) continue
    const texts = [pair.earlier, pair.later].map((position) => noteAt(night, position).text)
    // One author's reports tell each of its own time.
    if (areTwoReports(night, [pair.earlier, pair.later])) continue
    // Lines of one log and readings of one gauge differ in their figures, and so does what something came to each time.
    if (
      ['value', 'opposite'].includes(contradiction.how) &&
      [isLogLine, isReading, tellsEvent].some((is) => texts.every(is))
    )
      continue
    // What does not take place today did so another day.
    if (contradiction.how !== 'value' && callsOff.test(texts[1] ?? '')) continue
    // Doing what a flag or a limit forbids contradicts it, but says more as its echo and as a broken rule.
    const { caution, text } = noteAt(night, pair.earlier)
    const binds = (caution > 0 && noteAt(night, pair.later).caution === 0) || limitsOf(text).length > 0
    if ((binds && contradiction.how === 'denial') || isDoubted(night, pair)) continue
    found.push({
      kind: 'tension',
      signal: contradiction.strength * freshness(night, noteAt(night, pair.later).at),
      sourceMemoryIds: [noteAt(night, pair.earlier).id, noteAt(night, pair.later).id],
      thought: wordNotes(night, [pair.earlier, pair.later], contradiction),
      reasons: [`they contradict each other by ${contradiction.how}`],
    })
  }
  return found
}

function* againstBeliefs(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  const from = focusStart(night.concordance)
  for (const [at, held] of night.input.beliefs.entries()) {
    if (at % 10 === 0) yield
    const clauses = clausesOf(held.belief.text)
    for (const { position, distinctive, shared } of coverText(
      night,
      contentTerms(held.belief.text),
      perBelief,
      from,
    )) {
      if (distinctive.length === 0 && shared.length < 2) continue
      const contradiction = strongest(clauses, night.concordance.read(position).clauses)
      if (contradiction === undefined) continue
      const note = noteAt(night, position)
      found.push({
        kind: 'tension',
        signal:
          Math.min(1, contradiction.strength * (0.7 + 0.4 * held.belief.confidence)) *
          freshness(night, note.at),
        sourceMemoryIds: [note.id],
        thought: wordBelief(night, position, held),
        reasons: [`it contradicts belief ${held.belief.id} by ${contradiction.how}`],
        quoted: [{ kind: 'belief', id: held.belief.id }],
      })
    }
  }
  return found
}

/** Tensions among notes and with beliefs, in no particular order. */
export function* tensions(night: Night): Generator<undefined, Thought[]> {
  return [...(yield* againstBeliefs(night)), ...(yield* betweenNotes(night))]
}
