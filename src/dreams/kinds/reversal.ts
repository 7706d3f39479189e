/**
 * Reversals and contradictions between ordinary notes of different days: who does it, what holds, how much, what was
 * decided. A reader of two notes proposes where there is one; names, figures and what is denied confirm. Two things
 * of one sort, an exception and a figure that is tracked are none.
 */
import { asks, sentencesOf } from '../reading/cues.ts'
import { figuresOf } from '../reading/figures.ts'
import { caseStems } from '../reading/lexicon.ts'
import {
  dayOf,
  freshness,
  isRare,
  isTelling,
  type Night,
  noteAt,
  rankBetween,
  surfaceIn,
} from '../reading/material.ts'
import type { Pair } from '../reading/pairs.ts'
import { isContent, isEveryday, type Token } from '../reading/reading.ts'
import { capitalise, enumerate, passage, tellTwo } from '../reading/wording.ts'
import type { Relation, Thought } from '../thought.ts'

/** So many pairs a night are read closely; each may cost milliseconds. */
const mostRead = 300
const nearestRank = 10
/** Probabilities from which the reader's word is taken: alone, and where a sign in the words bears it out. */
const sure = 0.9
const likely = 0.6

const deciding =
  /\b(?:decided?|decision|agreed|settled|the answer is|we (?:keep|stay|stick|use|do(?:n't| not))|stays?|stick(?:s|ing)? (?:with|to)|for good|talked it over|long talk|from now on|is the one who|is responsible|owns|runs|leads|always|standard|default|is set to|listens on|lives in|belongs to|carries|takes over|should (?:the|it)|makes no difference|no difference|is free|for everybody)\b/i
/** Tells what was, not what is. */
const pastTense = /\b(?:\w{3,}ed|was|were|had|did|went|came|got|took|made|gave|sent|found|left)\b/i
/** Nouns whose numbers tell one of them from another. */
const numbering =
  /^(?:week|day|batch|round|invoic|build|version|ticket|issu|cycl|box|well|site|sprint|chapter|node|rack|gate|disk|room|step|phase|order|form|incub\w*|line|level|bai|unit|bike|car|van|kiosk|server|cluster)$/
const exceptional =
  /\b(?:except(?:ion)?|only (?:this|for|on)|just (?:this|for|today)|this (?:week|time|once|afternoon|morning)|on \d|because of the|holiday|test(?:ed|ing)?|trial|staging|for (?:one|two|a) (?:day|week)|today only|as an exception|until|till|from \d)\b/i

/** Words that pull apart two accounts of one thing, beyond those of the lexicon. */
const apart: readonly (readonly [string, RegExp, RegExp])[] = [
  [
    'by itself or by hand',
    /\b(?:on its own|by itself|automatic(?:ally)?|unattended)\b/i,
    /\b(?:by hand|manual(?:ly)?|has to (?:promote|start|switch|press)|somebody has to)\b/i,
  ],
  [
    'free or paid',
    /\b(?:free|no (?:paid|fee|charge)|not pay|don't pay|won't pay|without paying)\b/i,
    /\b(?:paid|payment|pays?|subscription|(?:euros?|dollars?|pounds?) (?:a|per) (?:month|year)|invoice[ds]?|seats)\b/i,
  ],
  [
    'no difference or one',
    /\b(?:no difference|doesn't matter|does not matter|makes no|harmless|same result|no effect)\b/i,
    /\b(?:lose|loses|lost|too (?:few|many|low|high|late)|wrong|worse|damag\w+|ruin\w*|must not|never)\b/i,
  ],
  [
    'needed or not',
    /\b(?:carries nothing|not needed|unused|nobody needs|can (?:go|come out)|is only|useless|superfluous)\b/i,
    /\b(?:rests? on|lies? on|lie on|depends? on|needs? it|holds? up|carries|bears?|in use)\b/i,
  ],
]

interface Sign {
  readonly kind: 'value' | 'holder' | 'denial' | 'apart'
  readonly how: string
  readonly weight: number
}

/** The word before a shared one, where both notes have one of their own: "the harbour kiosk", "the station kiosk". */
export function areTwoOfASort(night: Night, pair: Pair): boolean {
  const [a, b] = [night.concordance.read(pair.earlier).tokens, night.concordance.read(pair.later).tokens]
  const shared = new Set(pair.shared.map((term) => night.concordance.termAt(term)))
  const modifiers = (tokens: readonly Token[], term: string): Set<string> =>
    new Set(
      tokens.flatMap((token, at) => {
        const before = tokens[at - 1]
        return token.term === term &&
          before !== undefined &&
          isContent(before) &&
          !shared.has(before.term) &&
          token.start - before.end <= 1 &&
          !/(?:ed|ing|s)$/.test(before.lower)
          ? [before.term]
          : []
      }),
    )
  for (const term of shared) {
    const [one, other] = [modifiers(a, term), modifiers(b, term)]
    if (one.size > 0 && other.size > 0 && ![...one].some((modifier) => other.has(modifier))) return true
  }
  // "Week 11" and "week 13", "incubator A" and "incubator B".
  const numberAfter = (tokens: readonly Token[], term: string): string | undefined => {
    const at = tokens.findIndex((token) => token.term === term)
    const next = tokens[at + 1]
    return next !== undefined && (next.kind === 'number' || /^[A-Z]$/.test(next.surface))
      ? next.lower
      : undefined
  }
  for (const term of new Set([...a, ...b].map((token) => token.term))) {
    const [one, other] = [numberAfter(a, term), numberAfter(b, term)]
    if (one !== undefined && other !== undefined && one !== other && numbering.test(term)) return true
  }
  const cases = (tokens: readonly Token[]): Set<string> =>
    new Set(tokens.filter(({ term }) => caseStems.has(term)).map(({ term }) => term))
  const [ours, theirs] = [cases(a), cases(b)]
  return ours.size > 0 && theirs.size > 0 && ![...ours].some((term) => theirs.has(term))
}

const namesIn = (night: Night, position: number): Set<string> =>
  new Set(
    night.concordance
      .read(position)
      .tokens.filter((token) => {
        const number = night.concordance.numberOf(token.term)
        return (
          token.kind === 'word' &&
          /^\p{Lu}\p{Ll}+$/u.test(token.surface) &&
          number !== undefined &&
          night.concordance.isName(number) &&
          !isEveryday(token.term)
        )
      })
      .map(({ term }) => term),
  )

/** One figure of one kind each, and not the same. */
function valueSign(night: Night, pair: Pair): Sign | undefined {
  const [a, b] = [noteAt(night, pair.earlier), noteAt(night, pair.later)].map(({ text }) => figuresOf(text))
  for (const one of a ?? []) {
    const same = (b ?? []).filter(({ kind }) => kind === one.kind)
    if (same.length !== 1 || (a ?? []).filter(({ kind }) => kind === one.kind).length !== 1) continue
    const [other] = same
    if (other !== undefined && other.value !== one.value && one.kind !== 'plain')
      return { kind: 'value', how: `${one.written} against ${other.written}`, weight: 1 }
  }
  return undefined
}

/** Another person in the same place. */
function holderSign(night: Night, pair: Pair): Sign | undefined {
  const [ours, theirs] = [namesIn(night, pair.earlier), namesIn(night, pair.later)]
  const [mine, other] = [
    [...ours].filter((name) => !theirs.has(name)),
    [...theirs].filter((name) => !ours.has(name)),
  ]
  const shared = pair.shared.filter((term) => isTelling(night, term) && !night.concordance.isName(term))
  if (mine.length !== 1 || other.length !== 1 || shared.length < 2) return undefined
  return {
    kind: 'holder',
    how: `${capitalise(mine[0] ?? '')} against ${capitalise(other[0] ?? '')}`,
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
  const other = hit.filter((term) => {
    const number = night.concordance.numberOf(term)
    return number !== undefined && isRare(night, number)
  })
  return other.length > 0
    ? { kind: 'denial', how: `what was denied (${enumerate(other.slice(0, 2))}) is told as so`, weight: 0.7 }
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
  readonly replaces: boolean
}

/** Worth being read: made on different days, near each other or with a rare thing in common, and no question. */
function isCandidate(night: Night, pair: Pair): boolean {
  const { background } = night
  const [older, newer] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  if (dayOf(night, pair.later) - dayOf(night, pair.earlier) < 2) return false
  if (newer.caution > 0 || sentencesOf(newer.text).some(asks) || sentencesOf(older.text).some(asks))
    return false
  const shared = pair.shared.filter((term) => isTelling(night, term))
  if (background === undefined || pair.similarity === undefined) return shared.length >= 2
  const rank = rankBetween(night, pair.earlier, pair.later)
  return (
    shared.length > 0 &&
    pair.similarity >= background.akin - 0.05 &&
    (rank === undefined ? shared.length >= 2 : rank < nearestRank)
  )
}

const measures = /\b(?:measured?|reads?|reading|today|took|shows?|counted|meter|average|median|p\d\d)\b/i

function judge(
  night: Night,
  pair: Pair,
  relate: ((older: string, newer: string) => Relation) | undefined,
): Reversal | undefined {
  const [older, newer] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  if (areTwoOfASort(night, pair)) return undefined
  const standing = deciding.test(older.text)
  const tellsState = standing || !pastTense.test(older.text)
  const rare = pair.shared.filter((term) => isRare(night, term))
  const tracked = measures.test(older.text) && measures.test(newer.text)
  const exception = exceptional.test(newer.text) && !deciding.test(newer.text)
  const signs = [
    tracked ? undefined : valueSign(night, pair),
    holderSign(night, pair),
    denialSign(night, pair),
    apartSign(older.text, newer.text),
  ].filter((sign) => sign !== undefined)
  const weight = signs.reduce((sum, sign) => sum + sign.weight, 0)
  const relation = relate?.(older.text, newer.text)
  if (relation !== undefined) {
    if (relation.reverses < likely || exception) return undefined
    if (relation.reverses < sure && weight === 0) return undefined
    if (rare.length === 0 && pair.shared.length < 2) return undefined
    return {
      pair,
      signs,
      relation,
      strength: 0.55 + 0.3 * relation.reverses + 0.1 * Math.min(1, weight),
      replaces: standing,
    }
  }
  const near =
    night.background === undefined ? pair.overlap >= 0.25 : (pair.similarity ?? 0) >= night.background.near
  // Who does it may be told as a state; a figure or a denial turns round only what was settled.
  const holder = signs.some(({ kind }) => kind === 'holder') && tellsState
  if (!(standing || holder) || !near || weight < 0.7 || exception || rare.length === 0) return undefined
  return { pair, signs, relation, strength: 0.62 + 0.1 * Math.min(2, weight), replaces: standing }
}

function word(night: Night, { pair, signs }: Reversal): string {
  const [older, newer] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const [on, then] = tellTwo(older.at, newer.at, night.telling)
  const terms = pair.shared
    .filter((term) => isTelling(night, term))
    .map((term) => surfaceIn(night, pair.later, term))
  const values = signs.find(({ how }) => how.includes('against'))?.how
  const between = values === undefined ? '' : ` (${values})`
  const by = (agent: string): string => (agent === 'default' ? '' : ` by ${agent}`)
  return `The newer of two notes seems to turn the older one round${between}. Older, ${on}${by(older.agent)}: ${passage(older.text, terms)}; newer, ${then}${by(newer.agent)}: ${passage(newer.text, terms)}. Whoever recalls the older one may act on it: ask which holds, and if it is the newer, \`brain forget ${older.id}\`.`
}

/** Notes that a later one turns round, unordered; each older note once. */
export function* reversals(night: Night): Generator<undefined, Thought[]> {
  const { relate } = night.matter
  const candidates: { pair: Pair; worth: number }[] = []
  for (const [at, pair] of night.pairs.entries()) {
    if (at % 200 === 0) yield
    if (!isCandidate(night, pair)) continue
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
  for (const { pair } of candidates.slice(0, mostRead)) {
    yield
    const found = judge(night, pair, relate)
    const known = best.get(pair.earlier)
    if (found !== undefined && (known === undefined || found.strength > known.strength))
      best.set(pair.earlier, found)
  }
  return [...best.values()].map((found) => {
    const [older, newer] = [noteAt(night, found.pair.earlier), noteAt(night, found.pair.later)]
    return {
      kind: 'reversal',
      signal: Math.min(1, found.strength) * freshness(night, newer.at),
      sourceMemoryIds: [older.id, newer.id].sort((a, b) => a - b),
      thought: word(night, found),
      reasons: [
        ...found.signs.map(({ how }) => how),
        ...(found.relation === undefined
          ? []
          : [`read as a reversal with ${Math.round(found.relation.reverses * 100)} %`]),
        `both name ${enumerate(found.pair.shared.slice(0, 3).map((term) => surfaceIn(night, found.pair.later, term)))}`,
      ],
    }
  })
}
