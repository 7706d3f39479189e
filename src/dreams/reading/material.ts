/**
 * What every kind of thought looks at: the notes read, the pairs worth comparing, the likeness that chance
 * explains. Built once a night; the kinds only read it.
 */

import { unnamedAgent } from '../../core/agent-names.ts'
import { msPerDay } from '../../core/durations.ts'
import { addTo } from '../../core/lists.ts'
import { literally } from '../../core/patterns.ts'
import type { DreamNote, NightInput } from '../thought.ts'
import type { UnrelatedBaseline } from './chance.ts'
import type { Concordance } from './concordance.ts'
import type { Neighbour, Pair } from './pairs.ts'
import { isContent, isEveryday, tokensOf } from './reading.ts'
import { setting } from './reports.ts'
import type { StandingOf } from './standings.ts'
import { localDay, type Telling } from './wording.ts'

export interface Night {
  readonly input: NightInput
  readonly concordance: Concordance
  readonly pairs: readonly Pair[]
  /** The nearest of each of the newest notes, best first. */
  readonly neighbours: ReadonlyMap<number, readonly Neighbour[]>
  /** Undefined when the notes have no vectors. */
  readonly unrelatedBaseline: UnrelatedBaseline | undefined
  readonly telling: Telling
  readonly standingOf: StandingOf
}

export const noteAt = (night: Night, position: number): DreamNote => {
  const note = night.concordance.notes[position]
  if (note === undefined) throw new RangeError(`no note at position ${position}`)
  return note
}

/** What is made of a night once, however often it is asked for. */
export function perNight<T extends object>(make: (night: Night) => T): (night: Night) => T {
  const known = new WeakMap<Night, T>()
  return (night) => {
    const made = known.get(night) ?? make(night)
    known.set(night, made)
    return made
  }
}

/** What is made of a note once a night, however often it is asked for. */
export function perNote<T extends object | number>(
  make: (night: Night, position: number) => T,
): (night: Night, position: number) => T {
  const all = perNight(() => new Map<number, T>())
  return (night, position) => {
    const known = all(night)
    const made = known.get(position) ?? make(night, position)
    known.set(position, made)
    return made
  }
}

/** Local calendar day of a note, counted from 1970. */
export const dayOf = perNote(
  (night, position) => localDay(noteAt(night, position).at, night.input.timeZone).number,
)

/** 1 for what touches the newest notes, halved every six weeks, never below 0.4. */
export function freshness(night: Night, newest: number): number {
  const last = night.concordance.notes.at(-1)?.at ?? newest
  // What is newer than the newest note, such as evidence, is as fresh as that.
  return Math.min(1, Math.max(0.4, 0.5 ** ((last - newest) / (42 * msPerDay))))
}

/** How a note writes a term. */
export function surfaceIn(night: Night, position: number, term: number): string {
  const wanted = night.concordance.termAt(term)
  return night.concordance.read(position).tokens.find((token) => token.term === wanted)?.surface ?? wanted
}

export const termSet = (night: Night, terms: Iterable<number>): ReadonlySet<string> =>
  new Set([...terms].map((term) => night.concordance.termAt(term)))

/** So common here that it names no subject. */
export const isCommon = ({ concordance }: Night, term: number): boolean =>
  concordance.placesOf(term).length > Math.max(3, concordance.notes.length * 0.15)

/** Neither everyday nor so common here that it names no subject. */
export const isTelling = (night: Night, term: number): boolean =>
  !night.concordance.isEveryday(term) && !isCommon(night, term)

/** The median cosine of some notes, each with each; undefined without vectors. */
export function medianSimilarity({ concordance }: Night, positions: readonly number[]): number | undefined {
  const seen = positions.flatMap((a, at) =>
    positions.slice(at + 1).flatMap((b) => concordance.similarity(a, b) ?? []),
  )
  return seen.sort((a, b) => a - b)[Math.floor(seen.length / 2)]
}

/** Whether notes are one named author's regular report: they begin with the same content words, so many. */
export function areReports(night: Night, positions: readonly number[], words: number): boolean {
  const heads = positions.map((position) => {
    const { agent } = noteAt(night, position)
    const terms = night.concordance.read(position).tokens.filter(isContent)
    return [agent, ...terms.slice(0, words).map(({ term }) => term)].join(' ')
  })
  return noteAt(night, positions[0] ?? 0).agent !== unnamedAgent && new Set(heads).size === 1
}

/** Whether two notes are one author's regular report, each of its own time: none of what somebody sets. */
export const areTwoReports = (night: Night, positions: readonly [number, number]): boolean =>
  areReports(night, positions, 2) && !positions.some((position) => setting.test(noteAt(night, position).text))

/** Whether a term's word is one of the language's common ones, by the term or a spelling of it. */
export function isCommonWord(night: Night, term: number): boolean {
  const { isCommon } = night.input
  if (isCommon === undefined || night.concordance.isIdentifier(term)) return false
  return isCommon(night.concordance.spellingOf(term)) || isCommon(night.concordance.termAt(term))
}

/** Distinct content terms of a text that is no note, such as a belief or a prediction. */
export function contentTerms(text: string): string[] {
  return [
    ...new Set(
      tokensOf(text)
        .filter(isContent)
        .map((token) => token.term),
    ),
  ]
}

/** Weight of a term the concordance may never have seen: then as rare as can be. */
function weightOfTerm(night: Night, term: string): number {
  const number = night.concordance.numberOf(term)
  if (number !== undefined) return night.concordance.weightOf(number)
  return isEveryday(term) ? 0.25 : 1
}

/** How much of a text's telling weight a note holds. */
export interface Coverage {
  readonly position: number
  /** 0..1, by weight of the text's terms. */
  readonly share: number
  /** Shared terms that are not everyday words. */
  readonly distinctive: readonly string[]
  readonly shared: readonly string[]
}

/** Notes most covering `terms`, best first; only notes in `from..`, at most `limit`. */
export function coverText(night: Night, terms: readonly string[], limit: number, from = 0): Coverage[] {
  const { concordance } = night
  const found = new Map<number, string[]>()
  let all = 0
  for (const term of terms) {
    all += weightOfTerm(night, term)
    const number = concordance.numberOf(term)
    const places = number === undefined ? undefined : concordance.placesOf(number)
    // The newest places only: a term of half the brain says nothing and would cost the most.
    for (const place of places?.subarray(-400) ?? []) if (place >= from) addTo(found, place, term)
  }
  return [...found]
    .map(([position, shared]) => ({
      position,
      share: all > 0 ? shared.reduce((sum, term) => sum + weightOfTerm(night, term), 0) / all : 0,
      shared,
      distinctive: shared.filter((term) => !isEveryday(term)),
    }))
    .sort((a, b) => b.share - a.share || b.position - a.position)
    .slice(0, limit)
}

/** How notes write two terms: as one phrase where one of them does, else joined by "and". */
export function phraseOf(
  night: Night,
  places: readonly number[],
  [first, second]: readonly [number, number],
): string {
  const { concordance } = night
  const [one, two] = [concordance.termAt(first), concordance.termAt(second)]
  for (const place of [...places].reverse()) {
    const { tokens } = concordance.read(place)
    for (const [at, token] of tokens.entries()) {
      const next = tokens[at + 1]
      if (next === undefined || next.start < token.end || next.start - token.end > 1) continue
      if ((token.term === one && next.term === two) || (token.term === two && next.term === one)) {
        return `${token.surface} ${next.surface}`
      }
    }
  }
  const last = places.at(-1) ?? 0
  return `${surfaceIn(night, last, first)} and ${surfaceIn(night, last, second)}`
}

/** Terms of both notes, the most telling first. */
export function sharedTerms(night: Night, a: number, b: number): number[] {
  const { concordance } = night
  const ours = new Set(concordance.termsOf(a))
  return [...concordance.termsOf(b)]
    .filter((term) => ours.has(term))
    .sort((one, other) => concordance.weightOf(other) - concordance.weightOf(one) || one - other)
}

/** In so few notes that two of them hardly share it by chance. */
export const isRare = (night: Night, term: number): boolean =>
  isTelling(night, term) &&
  night.concordance.placesOf(term).length <= Math.max(4, Math.min(12, night.concordance.notes.length * 0.06))

/** The rare ones among some terms, by their numbers. */
export const rareAmong = (night: Night, terms: readonly string[]): number[] =>
  terms.flatMap((term) => night.concordance.numberOf(term) ?? []).filter((term) => isRare(night, term))

/** "today" of the diary: a brain that nobody wrote to for months is read as of its last note. */
export function presentDay(night: Night): number {
  const last = night.concordance.notes.at(-1)
  const now = localDay(night.input.now, night.input.timeZone).number
  return last === undefined ? now : Math.min(now, localDay(last.at, night.input.timeZone).number + 14)
}

/** A bearing of a name that tells whose it is: "Henrik in finance", "Henrik from Corvane". */
function bearingOf(text: string, name: string): string | undefined {
  const quoted = literally(name)
  const match = new RegExp(
    `\\b${quoted}(?:,)?\\s+(?:(?:from|in|at|of|the)\\s+)(?:the\\s+)?([\\p{L}]+)|\\b${quoted}\\s+(\\p{Lu}\\p{L}+)`,
    'u',
  ).exec(text)
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

/** Whether two notes may mean one person by a name: not when each says of whom, and not of the same. */
export function sameBearer(night: Night, name: string, [a, b]: readonly [number, number]): boolean {
  const [one, other] = [bearingOf(noteAt(night, a).text, name), bearingOf(noteAt(night, b).text, name)]
  return one === undefined || other === undefined || one === other
}

type Written = readonly Pick<DreamNote, 'agent'>[]

const authorOf = ({ agent }: Written[number]): string => agent.toLowerCase()

/** Names that notes are written under, in lower case. */
export const authorTerms = perNight(
  (night): ReadonlySet<string> => new Set(night.concordance.notes.map(authorOf)),
)

/** The share of notes that the author of most of them wrote, 0..1. */
function mainShare(notes: Written): number {
  const counts = new Map<string, number>()
  for (const note of notes) counts.set(authorOf(note), (counts.get(authorOf(note)) ?? 0) + 1)
  return Math.max(0, ...counts.values()) / Math.max(1, notes.length)
}

/**
 * From this share on a brain is one author's log, though others add to it; to the other, that of a team, whose notes
 * are many people's.
 */
const ownShare = 0.8
const teamShare = 0.4
/**
 * A log is told by its notes, too, where one author wrote half of them: of eighteen such logs all have so many matters a note and
 * more, of the brains of teams two of sixteen, by a little.
 */
const halfShare = 0.5
const mattersOfLog = 1.6

/** Whether notes, of so many matters each, are one author's log: written by one, or nearly, or half of them and as logs are. */
export function areLog(notes: Written, mattersEach: number): boolean {
  const share = mainShare(notes)
  return share >= ownShare || (share >= halfShare && mattersEach >= mattersOfLog)
}

const authorshipOf = perNight(({ concordance: { notes } }) => {
  const share = mainShare(notes)
  // Only logs are put into their matters, several of which are one note's.
  const isSplit = new Set(notes.map(({ id }) => id)).size < notes.length
  return { share, isLog: isSplit || share >= ownShare }
})

export const hasOneAuthor = (night: Night): boolean => authorshipOf(night).isLog

/**
 * 1 where two notes are by two authors. Where one wrote both it says the less, from 0 on, the more of all notes are by one: in a
 * log of one author it is 1, too.
 */
export function otherAuthor(night: Night, a: number, b: number): number {
  const { share, isLog } = authorshipOf(night)
  if (isLog || noteAt(night, a).agent !== noteAt(night, b).agent) return 1
  return Math.min(1, Math.max(0, (share - teamShare) / (ownShare - teamShare)))
}

/** How two notes stand among each other's nearest, from 0. */
export interface Ranks {
  readonly best: number
  readonly worst: number
}

/** Places of two notes among the nearest of each other, of those that are known; undefined when neither has the other. */
export function ranksBetween(night: Night, a: number, b: number): Ranks | undefined {
  const ranks = [
    [a, b],
    [b, a],
  ].flatMap(([from = 0, to = 0]) => {
    const near = night.neighbours.get(from)
    if (near === undefined) return []
    const rank = near.findIndex(({ position }) => position === to)
    return [rank < 0 ? Number.POSITIVE_INFINITY : rank]
  })
  const best = Math.min(...ranks)
  return best === Number.POSITIVE_INFINITY ? undefined : { best, worst: Math.max(...ranks) }
}

/** Whether a cosine reaches one of the brain's bands; never without vectors. */
export const isAtLeast = (
  { unrelatedBaseline }: Night,
  similarity: number | undefined,
  band: keyof UnrelatedBaseline,
): boolean => unrelatedBaseline !== undefined && (similarity ?? 0) >= unrelatedBaseline[band]

/** Whether two notes are akin and so near among each other's nearest; without vectors, whether they share so many words. */
export function areNear(night: Night, pair: Pair, bounds: Ranks & Pick<Pair, 'overlap'>): boolean {
  if (night.unrelatedBaseline === undefined) return pair.overlap >= bounds.overlap
  const ranks = ranksBetween(night, pair.earlier, pair.later)
  return (
    isAtLeast(night, pair.similarity, 'akin') &&
    ranks !== undefined &&
    ranks.best <= bounds.best &&
    ranks.worst <= bounds.worst
  )
}

const minForRanks = 30

/** Whether two notes are each other's nearest, or next to it, and near enough to be about one thing. */
export function areClosest(night: Night, a: number, b: number): boolean {
  const { unrelatedBaseline, concordance } = night
  const ranks = ranksBetween(night, a, b)
  // Among few notes somebody is always the nearest.
  if (unrelatedBaseline === undefined || ranks === undefined || concordance.notes.length < minForRanks)
    return false
  const least = (unrelatedBaseline.akin + unrelatedBaseline.near) / 2
  return ranks.best === 0 && ranks.worst <= 1 && (concordance.similarity(a, b) ?? 0) >= least
}
