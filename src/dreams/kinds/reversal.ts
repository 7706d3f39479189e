/**
 * Reversals and contradictions between ordinary notes of different days: who does it, what holds, how much, what was
 * decided. A reader of two notes proposes where there is one; names, figures and what is denied confirm. Two things
 * of one sort, an exception and a figure that is tracked are none.
 */

import { literally } from '../../core/patterns.ts'
import { type Figure, figuresOf } from '../../core/quantities/figures.ts'
import type { Relation } from '../../models/pair-model.ts'
import { copes, deciding, tellsEvent, tellsMended, tellsPast, undoesOpenly } from '../reading/cues.ts'
import {
  areClosest,
  areTwoReports,
  authorTerms,
  freshness,
  isRare,
  isTelling,
  type Night,
  noteAt,
  ranksBetween,
  rareAmong,
  surfaceIn,
} from '../reading/material.ts'
import { isDoubted, mayConflict } from '../reading/odds.ts'
import type { Pair } from '../reading/pairs.ts'
import { isEveryday, type Token } from '../reading/reading.ts'
import { isLogLine } from '../reading/reports.ts'
import { areTwoOfASort } from '../reading/sorts.ts'
import { byAgent, capitalise, enumerate, passage, percent, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Pairs read by the pair model per night; each may cost milliseconds. */
const maxRead = 300
const nearestRank = 10
const likely = 0.6

const exceptional =
  /\b(?:except(?:ion)?|only (?:this|for|on)|just (?:this|for|today)|this (?:week|time|once|afternoon|morning)|on \d|because of the|holiday|test(?:ed|ing)?|trial|staging|for (?:one|two|a) (?:day|week)|today only|as an exception|until|till|from \d)\b/i

/** Ways in which two accounts of one thing can pull apart, either of them first. */
const apart: readonly (readonly [how: string, one: RegExp, other: RegExp])[] = [
  [
    'by itself or by hand',
    /\b(?:(?:on|by) (?:its|their) own|by itself|by themselves|automatic(?:ally)?|unattended|nobody (?:has|needs) to)\b/i,
    /\b(?:by hand|manual(?:ly)?|has to (?:be )?(?:promote|start|switch|press|restart|copy|move)\w*|somebody (?:has|must)|someone (?:has|must))\b/i,
  ],
  [
    'free or paid',
    /\b(?:(?:is|stays?|keep|remains?|be) .{0,24}free\b|no (?:paid|fees?|charge|subscription)|(?:not|don't|won't|doesn't|never) (?:pay|charge)|without (?:paying|charge)|free of charge|for free)/i,
    /\b(?:paid (?:plan|tier|version|page)|payment page|subscri(?:bed|ption)|(?:euros?|dollars?|pounds?|francs?) (?:a|per) (?:month|year|seat|head)|took the paid|now costs?|charges?|seats|already paid)\b/i,
  ],
  [
    'no matter or a harm',
    /\b(?:no difference|doesn't matter|does not matter|don't mind|harmless|no effect|no risk|can (?:safely )?(?:go|stay|wait|be left)|is fine|is safe|safe to)\b/i,
    /\b(?:lose|loses|loss of|too (?:few|many|low|high|late|little|much)|wrong|damag\w+|ruin\w*|must not|not to be|spoils?|unsafe|dangerous|breaks?)\b/i,
  ],
  [
    'needed or not',
    /\b(?:(?:carries|holds|does|supports) nothing|not needed|unused|nobody (?:needs|uses)|superfluous|can come out|only (?:for show|plaster)|decorative|no longer needed)\b/i,
    /\b(?:(?:rests?|lies?|lie|stands?|sits?|depends?|relies|rely|ends?) (?:on|in the wall)|needs? it|holds? up|load.?bearing|still (?:used|needs)|in use|what they lie on)\b/i,
  ],
  [
    'kept or given up',
    /\b(?:(?:we )?(?:stay|stick|remain|keep) with|stays with|we keep|keep(?:s|ing)? (?:our|the|using)|only (?:use|buy|order)|always (?:use|buy|order)|stays (?:in|on) our)\b/i,
    /\b(?:used up|is gone|are gone|replaced (?:by|with)|is all \p{Lu}|are all \p{Lu}|switched to|moved (?:to|over)|from now on|opened the first|instead of|went over to|as well now|ship there|cancelled)\b/iu,
  ],
  ['open or closed', /\b(?:is|are|stays?) open\b/i, /\b(?:is|are|stays?) (?:closed|shut)\b/i],
  [
    'allowed or not',
    // "May" is a month.
    /(?<!\b(?:not|longer|never|no \w+) )\b(?:[Aa]llowed|may(?! not)|[Pp]ermitted|[Ww]elcome)\b/,
    /\b(?:(?:not|no longer|never) (?:allowed|permitted|welcome)|may not|forbidden|banned|refused|no \w+ allowed)\b/i,
  ],
  [
    'on or off',
    /\b(?:stays? on|left on|switched on|is on|enabled)\b/i,
    /\b(?:stays? off|switched off|turned off|is off|disabled)\b/i,
  ],
  [
    'at hand or from afar',
    /\b(?:in person|in the office|on site)\b/i,
    /\b(?:remote(?:ly)?|from home|by video|online only)\b/i,
  ],
  [
    'ourselves or others',
    /\b(?:ourselves|in-house|our own|self-?hosted)\b/i,
    /\b(?:agency|outsourced|external|contractor|hired)\b/i,
  ],
  ['warm or cold', /\b(?:room temperature|warm|hot)\b/i, /\b(?:fridge|cold|chilled|frozen)\b/i],
]

/** What is told of a weekday holds for all of them. */
const habitual = /\b(?:every|each|always|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i

interface Sign {
  readonly kind: 'value' | 'holder' | 'denial' | 'apart' | 'day'
  readonly how: string
  readonly weight: number
}

/** People and things with a name of their own in a note. */
function namesIn(night: Night, position: number): Set<string> {
  const { concordance } = night
  const authors = authorTerms(night)
  const isNamed = ({ kind, surface, term, lower }: Token): boolean => {
    const number = concordance.numberOf(term)
    if (kind !== 'word' || number === undefined || !/^\p{Lu}\p{Ll}+$/u.test(surface) || isEveryday(term))
      return false
    return authors.has(lower) || concordance.isName(number)
  }
  return new Set(
    concordance
      .read(position)
      .tokens.filter(isNamed)
      .map(({ term }) => term),
  )
}

/** Whether a third note near one of them has a value of its own in the same unit. */
const isMeasured = (
  night: Night,
  { earlier, later }: Pair,
  [one, other]: readonly [Figure, Figure],
): boolean =>
  [earlier, later].some((place) =>
    (night.neighbours.get(place) ?? []).some(
      ({ position, similarity }) =>
        position !== earlier &&
        position !== later &&
        similarity >= (night.unrelatedBaseline?.near ?? 1) &&
        figuresOf(noteAt(night, position).text).some(
          ({ kind, value }) => kind === one.kind && value !== one.value && value !== other.value,
        ),
    ),
  )

/** One figure of one kind each, and not the same. */
function valueSign(night: Night, pair: Pair): Sign | undefined {
  // Lines of one log differ in their figures, and so do one author's reports.
  const texts = [pair.earlier, pair.later].map((position) => noteAt(night, position).text)
  if (texts.every(isLogLine) || areTwoReports(night, [pair.earlier, pair.later])) return undefined
  const [a, b] = texts.map(figuresOf)
  for (const one of a ?? []) {
    const same = (b ?? []).filter(({ kind }) => kind === one.kind)
    if (same.length !== 1 || (a ?? []).filter(({ kind }) => kind === one.kind).length !== 1) continue
    const [other] = same
    if (other === undefined || other.value === one.value || one.kind === 'plain') continue
    if (!isMeasured(night, pair, [one, other]))
      return { kind: 'value', how: `${one.written} against ${other.written}`, weight: 1 }
  }
  return undefined
}

/** One weekday each, told as a habit or a date that stands. */
function daySign(night: Night, pair: Pair): Sign | undefined {
  const [a, b] = [pair.earlier, pair.later].map((position) => [
    ...new Set(night.concordance.read(position).clauses.flatMap(({ weekdays }) => weekdays)),
  ])
  const [one, other] = [a?.[0], b?.[0]]
  if (![pair.earlier, pair.later].every((position) => habitual.test(noteAt(night, position).text)))
    return undefined
  if (a?.length !== 1 || b?.length !== 1 || one === undefined || other === undefined || one === other)
    return undefined
  return { kind: 'day', how: `${capitalise(one)} against ${capitalise(other)}`, weight: 0.7 }
}

/** Whether a text speaks to a person of that name, or gives them something. */
export const isAddressed = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:to|for|from|with|tell|told|asks?|asked|thanks?)\\s+${literally(name)}(?!\\p{L})`,
    'iu',
  ).test(text)

/** Another person in the same place. */
function holderSign(night: Night, pair: Pair): Sign | undefined {
  const [ours, theirs] = [namesIn(night, pair.earlier), namesIn(night, pair.later)]
  const [mine, other] = [
    [...ours].filter((name) => !theirs.has(name)),
    [...theirs].filter((name) => !ours.has(name)),
  ]
  const written = (position: number, term = ''): string => {
    const number = night.concordance.numberOf(term)
    return number === undefined ? term : surfaceIn(night, position, number)
  }
  const shared = pair.shared.filter((term) => isTelling(night, term) && !night.concordance.isName(term))
  if (mine.length !== 1 || other.length !== 1 || shared.length < 2) return undefined
  // Things with names stand in most notes; that one of two is a person is known where one of them writes here.
  const authors = authorTerms(night)
  const writes = (name: string): boolean => {
    const number = night.concordance.numberOf(name)
    return number !== undefined && authors.has(night.concordance.spellingOf(number))
  }
  if (![...mine, ...other].some(writes)) return undefined
  // Whoever is spoken to or given something does not do it.
  const [first, second] = [written(pair.earlier, mine[0]), written(pair.later, other[0])]
  if (
    isAddressed(noteAt(night, pair.earlier).text, first) ||
    isAddressed(noteAt(night, pair.later).text, second)
  )
    return undefined
  return {
    kind: 'holder',
    how: `${first} against ${second}`,
    weight: 1,
  }
}

/** What the older note denies the newer one tells as done. */
function denialSign(night: Night, { earlier, later }: Pair): Sign | undefined {
  const denied = new Set(night.concordance.read(earlier).clauses.flatMap((clause) => [...clause.denied]))
  const told = night.concordance
    .read(later)
    .clauses.filter(({ negations, hedged }) => negations === 0 && !hedged)
  const hit = [...denied].filter((term) => !isEveryday(term) && told.some(({ content }) => content.has(term)))
  const rare = rareAmong(night, hit).map((term) => night.concordance.termAt(term))
  return rare.length > 0
    ? { kind: 'denial', how: `what was denied (${enumerate(rare.slice(0, 2))}) is told as so`, weight: 0.7 }
    : undefined
}

function apartSign(a: string, b: string): Sign | undefined {
  for (const [how, one, other] of apart) {
    if ((one.test(a) && other.test(b) && !one.test(b)) || (other.test(a) && one.test(b) && !other.test(b)))
      return { kind: 'apart', how, weight: 1 }
  }
  return undefined
}

interface Reversal {
  readonly pair: Pair
  readonly signs: readonly Sign[]
  readonly relation: Relation | undefined
  readonly strength: number
}

/** Worth being read: made on different days, near each other or with a rare thing in common, no question, and no progress. */
function isCandidate(night: Night, pair: Pair): boolean {
  const { unrelatedBaseline } = night
  if (!mayConflict(night, pair.earlier, pair.later)) return false
  const [older, newer] = [noteAt(night, pair.earlier).text, noteAt(night, pair.later).text]
  if (tellsMended(older, newer) || copes.test(newer)) return false
  const shared = pair.shared.filter((term) => isTelling(night, term))
  if (unrelatedBaseline === undefined || pair.similarity === undefined) return shared.length >= 2
  const ranks = ranksBetween(night, pair.earlier, pair.later)
  return (
    shared.length > 0 &&
    pair.similarity >= unrelatedBaseline.akin - 0.05 &&
    (ranks === undefined ? shared.length >= 2 : ranks.worst < nearestRank || ranks.best < 3)
  )
}

const measures = /\b(?:measured?|reads?|reading|today|took|shows?|counted|meter|average|median|p\d\d)\b/i

/** What tells that the newer note turns the older one round, of all that two notes can differ in. */
function signsBetween(night: Night, pair: Pair): Sign[] {
  const [older, newer] = [noteAt(night, pair.earlier).text, noteAt(night, pair.later).text]
  const tracked = measures.test(older) && measures.test(newer)
  const happened = !deciding.test(older) && (tellsEvent(older) || tellsEvent(newer))
  const apart = apartSign(older, newer)
  const others = areTwoOfASort(night, pair)
    ? []
    : [
        tracked || happened ? undefined : valueSign(night, pair),
        holderSign(night, pair),
        tracked ? undefined : daySign(night, pair),
        denialSign(night, pair),
      ]
  return [...others, apart].filter((sign) => sign !== undefined)
}

/** Whether a reader of both notes is to be believed. */
const isBelievable = (night: Night, { pair, signs }: Omit<Reversal, 'strength'>, rare: readonly number[]) =>
  // The reader was taught pairs about one matter: of others it knows nothing, so the two must be each other's closest.
  areClosest(night, pair.earlier, pair.later) &&
  // Alone it takes notes of one project for opposites too readily.
  // Doing and not doing are told of things that go on side by side, too.
  signs.some(({ kind }) => kind !== 'denial' && kind !== 'apart') &&
  rare.length > 0

/** Whether the older note settled the matter and the newer one is of the same. */
function turnsSettled(night: Night, pair: Pair, signs: readonly Sign[]): boolean {
  const { unrelatedBaseline } = night
  const older = noteAt(night, pair.earlier).text
  const near =
    unrelatedBaseline === undefined ? pair.overlap >= 0.25 : (pair.similarity ?? 0) >= unrelatedBaseline.near
  const ranks = ranksBetween(night, pair.earlier, pair.later)
  const pulled =
    signs.some(({ kind }) => kind === 'apart') &&
    (near || (ranks !== undefined && (ranks.worst < 8 || ranks.best < 3)))
  if (!near && !pulled) return false
  // Who does it may be told as a state; a figure or a denial turns round only what was settled.
  const isHeld = (): boolean => signs.some(({ kind }) => kind === 'holder') && !tellsPast(older)
  return deciding.test(older) || isHeld() || (pulled && near)
}

function judge(
  night: Night,
  pair: Pair,
  relate: ((older: string, newer: string) => Relation) | undefined,
): Reversal | undefined {
  const [older, newer] = [noteAt(night, pair.earlier).text, noteAt(night, pair.later).text]
  if (exceptional.test(newer) && !deciding.test(newer)) return undefined
  const signs = signsBetween(night, pair)
  const weight = signs.reduce((sum, sign) => sum + sign.weight, 0)
  const rare = pair.shared.filter((term) => isRare(night, term))
  const relation = relate?.(older, newer)
  const found = { pair, signs, relation }
  if (relation !== undefined && relation.reverses >= likely && isBelievable(night, found, rare))
    return { ...found, strength: 0.55 + 0.3 * relation.reverses + 0.1 * Math.min(1, weight) }
  const authors = authorTerms(night)
  const matters = rare.some((term) => !authors.has(night.concordance.spellingOf(term)))
  return matters && weight >= 0.7 && turnsSettled(night, pair, signs)
    ? { ...found, strength: 0.62 + 0.1 * Math.min(2, weight) }
    : undefined
}

function word(night: Night, { pair, signs }: Reversal): string {
  const [older, newer] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const [on, then] = tellTwo(older.at, newer.at, night.telling)
  const terms = pair.shared
    .filter((term) => isTelling(night, term))
    .map((term) => surfaceIn(night, pair.later, term))
  const values = signs.find(({ how }) => how.includes('against'))?.how
  const between = values === undefined ? '' : ` (${values})`
  return `The newer of two notes seems to turn the older one round${between}. Older, ${on}${byAgent(older.agent)}: ${passage(older.text, terms)}; newer, ${then}${byAgent(newer.agent)}: ${passage(newer.text, terms)}. Whoever recalls the older one may act on it: ask which holds, and note the answer (\`brain show ${older.id}\`, \`brain show ${newer.id}\`).`
}

/** Notes that a later one contradicts, in no particular order; each older note once. */
export function* reversals(night: Night): Generator<undefined, Thought[]> {
  const { relate } = night.input
  const candidates: { pair: Pair; worth: number }[] = []
  for (const [at, pair] of night.pairs.entries()) {
    if (at % 200 === 0) yield
    // Who says openly that it is changed knows.
    if (!isCandidate(night, pair) || undoesOpenly(noteAt(night, pair.later).text)) continue
    const standing = deciding.test(noteAt(night, pair.earlier).text) ? 0.15 : 0
    candidates.push({
      pair,
      worth:
        (pair.similarity ?? 0) +
        0.5 * pair.overlap +
        standing +
        0.2 * freshness(night, noteAt(night, pair.later).at),
    })
  }
  candidates.sort(
    (a, b) => b.worth - a.worth || a.pair.later - b.pair.later || a.pair.earlier - b.pair.earlier,
  )
  const best = new Map<number, Reversal>()
  for (const { pair } of candidates.slice(0, maxRead)) {
    yield
    const found = judge(night, pair, relate)
    const known = best.get(pair.earlier)
    // Who does it now is told in words that a reader makes nothing of.
    if (found === undefined || isDoubted(night, found.pair, 0)) continue
    if (known === undefined || found.strength > known.strength) best.set(pair.earlier, found)
  }
  return [...best.values()].map((found) => {
    const [older, newer] = [noteAt(night, found.pair.earlier), noteAt(night, found.pair.later)]
    return {
      kind: 'reversal',
      signal: Math.min(1, found.strength) * freshness(night, newer.at),
      sourceMemoryIds: [older.id, newer.id],
      thought: word(night, found),
      reasons: [
        ...found.signs.map(({ how }) => how),
        ...(found.relation === undefined
          ? []
          : [`read as a reversal with ${percent(found.relation.reverses)}`]),
        `both name ${enumerate(found.pair.shared.slice(0, 3).map((term) => surfaceIn(night, found.pair.later, term)))}`,
      ],
    }
  })
}
