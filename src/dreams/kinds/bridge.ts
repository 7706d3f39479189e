/**
 * Bridges: two notes from different days or topics that one rare thing joins: an identifier, a name, a calendar
 * day, or a likeness in the middle band. Near-duplicates and notes of one topic on one day are no bridge.
 */
import { type NamedMoment, namedMoments } from '../reading/calendar.ts'
import { changeStems, dutyStems, troubleStems } from '../reading/lexicon.ts'
import {
  dayOf,
  freshness,
  isCommonWord,
  isTelling,
  type Night,
  noteAt,
  phraseOf,
  surfaceIn,
  termSet,
} from '../reading/material.ts'
import { comparePair, focusStart, type Pair } from '../reading/pairs.ts'
import { readLength } from '../reading/reading.ts'
import { capitalise, choose, quote, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** From this overlap on two notes say nearly the same. */
const sameOverlap = 0.7
/** At most so many notes may hold the term that joins two of them. */
const rareUpTo = 4

/** Whether a term can carry a bridge by itself or with a little help. */
function carries(night: Night, term: number): boolean {
  const { concordance } = night
  const cap = Math.max(2, Math.min(rareUpTo, Math.ceil(concordance.notes.length * 0.1)))
  return isTelling(night, term) && concordance.placesOf(term).length <= cap && !concordance.isPast(term)
}

const holdsAny = (night: Night, position: number, stems: ReadonlySet<string>): boolean =>
  night.concordance.read(position).tokens.some((token) => stems.has(token.term))

interface Joint {
  readonly pair: Pair
  /** What joins them, as written. */
  readonly link: string
  readonly terms: ReadonlySet<string>
  readonly signal: number
  /** The earlier note tells a change, the later one trouble. */
  readonly consequence: boolean
}

function jointByTerms(night: Night, pair: Pair): Joint | undefined {
  const { concordance, background } = night
  const carrying = pair.shared.filter((term) => carries(night, term))
  const first = carrying[0]
  if (first === undefined) return undefined
  const second = carrying[1] ?? pair.shared.find((term) => term !== first && isTelling(night, term))
  const alike = background !== undefined && (pair.similarity ?? 0) >= background.alike
  const duties = holdsAny(night, pair.earlier, dutyStems) && holdsAny(night, pair.later, dutyStems)
  const consequence = holdsAny(night, pair.earlier, changeStems) && holdsAny(night, pair.later, troubleStems)
  const strong = concordance.isIdentifier(first)
  const named = concordance.isName(first)
  const mayBeName = concordance.mayBeName(first)
  const akin = background !== undefined && (pair.similarity ?? 0) >= background.akin
  // One ordinary word that two notes happen to share is no bridge; something else must point the same way.
  const rare = night.matter.isCommon !== undefined && !isCommonWord(night, first)
  const likely = night.matter.isCommon === undefined ? alike && !named : rare && akin && !named
  if (!strong && second === undefined && !likely && !(mayBeName && duties) && !consequence) return undefined
  const signal =
    0.34 +
    (strong ? 0.16 : 0) +
    (second === undefined ? 0 : 0.06) +
    (alike ? 0.04 : 0) +
    (mayBeName && duties ? 0.2 : 0) +
    (consequence ? 0.16 : 0) +
    (!consequence && holdsAny(night, pair.later, troubleStems) ? 0.06 : 0)
  const names = carrying[1] === undefined ? [first] : [first, carrying[1]]
  const link =
    carrying[1] === undefined
      ? surfaceIn(night, pair.later, first)
      : phraseOf(night, [pair.earlier, pair.later], [first, carrying[1]])
  return { pair, link, terms: termSet(night, names), signal, consequence }
}

const momentsOf = (night: Night, position: number): NamedMoment[] =>
  namedMoments(noteAt(night, position).text.slice(0, readLength))

function jointByMoment(night: Night, pair: Pair): Joint | undefined {
  const keys = new Set(momentsOf(night, pair.earlier).map(({ key }) => key))
  const same = keys.size > 0 && momentsOf(night, pair.later).find(({ key }) => keys.has(key))
  if (!same) return undefined
  return {
    pair,
    link: same.written,
    terms: new Set([same.written.split(' ')[0] ?? '']),
    // Two things on one day may meet; two things at one hour do so daily, or one of them was once.
    signal: same.kind === 'day' ? 0.62 : 0.44,
    consequence: false,
  }
}

function jointByLikeness(night: Night, pair: Pair): Joint | undefined {
  const { background } = night
  const telling = pair.shared.filter(
    (term) => isTelling(night, term) && !isCommonWord(night, term) && !night.concordance.isName(term),
  )
  if (background === undefined || pair.similarity === undefined || telling[0] === undefined) return undefined
  if (pair.similarity < background.alike || dayOf(night, pair.later) - dayOf(night, pair.earlier) < 3)
    return undefined
  const link = surfaceIn(night, pair.later, telling[0])
  return { pair, link, terms: termSet(night, telling.slice(0, 1)), signal: 0.36, consequence: false }
}

/** A moment that more notes than this name joins nothing in particular. */
const momentNotes = { day: 4, hour: 2 } as const
/** Without a year, two notes further apart than this may mean different days. */
const dayReach = 150

/** Pairs of notes in focus that name the same calendar day or hour. */
function pairsByMoment(night: Night): Pair[] {
  const { concordance } = night
  const byMoment = new Map<string, { kind: NamedMoment['kind']; positions: number[] }>()
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    for (const { key, kind } of momentsOf(night, position)) {
      const known = byMoment.get(key)
      if (known === undefined) byMoment.set(key, { kind, positions: [position] })
      else known.positions.push(position)
    }
  }
  const pairs = new Map<string, Pair>()
  for (const { kind, positions } of byMoment.values()) {
    if (positions.length > momentNotes[kind]) continue
    for (const earlier of positions) {
      for (const later of positions) {
        if (earlier >= later || dayOf(night, later) - dayOf(night, earlier) > dayReach) continue
        pairs.set(`${earlier} ${later}`, comparePair(concordance, earlier, later))
      }
    }
  }
  return [...pairs.values()]
}

function tooClose(night: Night, pair: Pair): boolean {
  const sameDay = dayOf(night, pair.earlier) === dayOf(night, pair.later)
  const sameAgent = noteAt(night, pair.earlier).agent === noteAt(night, pair.later).agent
  if (pair.overlap >= sameOverlap) return true
  if (night.background !== undefined && (pair.similarity ?? 0) >= night.background.same) return true
  return sameDay && sameAgent && pair.overlap >= 0.25
}

function word(night: Night, joint: Joint): string {
  const { pair, terms } = joint
  const link = `“${joint.link}”`
  const [earlier, later] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const [on, then] = tellTwo(earlier.at, later.at, night.telling)
  const [first, second] = [quote(earlier.text, terms), quote(later.text, terms)]
  if (joint.consequence) {
    return choose(
      [
        `First a change, then trouble, and ${link} in both: ${on} ${first}, ${then} ${second}. It may be chance; it may be worth a look.`,
        `${capitalise(on)} you noted ${first}; ${then}, ${second}. Both name ${link}: is the second a consequence of the first?`,
      ],
      night.telling,
      [earlier.id, later.id],
    )
  }
  return choose(
    [
      `${link} joins two notes that were made apart. ${capitalise(on)}: ${first}; ${then}: ${second}.`,
      `Read these two together, for both name ${link}: ${first} (${on}) and ${second} (${then}).`,
      `${capitalise(on)} you noted ${first}. ${capitalise(then)}, in another context, ${link} came up again: ${second}.`,
    ],
    night.telling,
    [earlier.id, later.id],
  )
}

/** Bridges among the pairs, unordered. */
export function* bridges(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  const byMoment = pairsByMoment(night)
  for (const [at, pair] of [...byMoment, ...night.pairs].entries()) {
    if (at % 500 === 0) yield
    if (tooClose(night, pair)) continue
    const joint =
      at < byMoment.length
        ? jointByMoment(night, pair)
        : (jointByTerms(night, pair) ?? jointByLikeness(night, pair))
    if (joint === undefined) continue
    const apart = dayOf(night, pair.later) - dayOf(night, pair.earlier)
    const agents = noteAt(night, pair.earlier).agent !== noteAt(night, pair.later).agent
    const signal = joint.signal + (apart >= 1 ? 0.06 : 0) + (apart >= 5 ? 0.06 : 0) + (agents ? 0.06 : 0)
    found.push({
      kind: 'bridge',
      signal: Math.min(1, signal) * freshness(night, noteAt(night, pair.later).at),
      sourceMemoryIds: [noteAt(night, pair.earlier).id, noteAt(night, pair.later).id].sort((a, b) => a - b),
      thought: word(night, joint),
    })
  }
  return found
}
