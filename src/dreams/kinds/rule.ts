/**
 * Broken rules: a rule or a flag, and a later note in which somebody acted otherwise. A rule that is only restated is
 * not broken, and neither is one that a note merely touches on.
 */
import { weekdayOf } from '../../core/calendar-words.ts'
import { deviates, prefers, rules, sentencesOf, tellsAct } from '../reading/cues.ts'
import { type Limit, limitsOf, outsideOf } from '../reading/limits.ts'
import {
  areNear,
  authorTerms,
  dayOf,
  freshness,
  isCommon,
  isRare,
  isTelling,
  type Night,
  noteAt,
  sharedTerms,
  surfaceIn,
} from '../reading/material.ts'
import { isDoubted, isExcepted } from '../reading/odds.ts'
import type { Pair } from '../reading/pairs.ts'
import { isEveryday } from '../reading/reading.ts'
import { capitalise, enumerate, passage, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** An act is so near to the rule at least. */
const nearest = { overlap: 0.12, best: 2, worst: 6 }

const isRule = (night: Night, position: number): boolean => {
  const { text, caution } = noteAt(night, position)
  return caution > 0 || sentencesOf(text).some(rules)
}

/** Said of a second thing of the same sort. */
const anotherThing =
  /\b(?:another|a different|not the same) (?:one|device|machine|room|thing|system|server|team|group)\b/i

interface Breach {
  readonly pair: Pair
  readonly shared: readonly number[]
  readonly how: string
  readonly strength: number
  /** Whether the note itself shows that it was done another way. */
  readonly sure: boolean
  /** Whether it lies outside of a limit that the rule sets. */
  readonly limited?: boolean
}

/** What a note does of what a rule forbids, in the rule's own words. */
function forbidden(night: Night, { earlier, later }: Pair): string[] {
  const denied = night.concordance.read(earlier).clauses.flatMap((clause) => [...clause.denied])
  const { clauses } = night.concordance.read(later)
  const done = new Set(
    clauses
      .filter(({ negations, hedged }) => negations === 0 && !hedged)
      .flatMap(({ content }) => [...content]),
  )
  return [...new Set(denied)].filter((term) => done.has(term) && !isEveryday(term))
}

/** An act at an hour, on a day or of a sum that a rule or a wish on the same matter leaves out. */
function outsideLimits(night: Night, pair: Pair, limits: readonly Limit[]): Breach | undefined {
  const act = noteAt(night, pair.later)
  if (act.caution > 0 || limits.length === 0) return undefined
  const authors = authorTerms(night)
  const weekday = weekdayOf(dayOf(night, pair.later))
  for (const { limit, written, terms } of outsideOf(limits, act.text, weekday)) {
    const shared = [...terms]
      .filter((term) => limit.terms.has(term))
      .flatMap((term) => night.concordance.numberOf(term) ?? [])
      .filter((term) => !isCommon(night, term) && !authors.has(night.concordance.spellingOf(term)))
    if (shared.length === 0) continue
    return {
      pair,
      shared,
      how: `${written} is outside of its limit`,
      strength: 0.8,
      sure: false,
      limited: true,
    }
  }
  return undefined
}

function breach(night: Night, pair: Pair): Breach | undefined {
  const { unrelatedBaseline } = night
  const shared = sharedTerms(night, pair.earlier, pair.later).filter((term) => isTelling(night, term))
  if (shared.length === 0) return undefined
  const near = areNear(night, pair, nearest)
  const authors = authorTerms(night)
  const matters = shared.filter((term) => !authors.has(night.concordance.spellingOf(term)))
  const rare = matters.filter((term) => isRare(night, term))
  if (!near && rare.length < 2) return undefined
  const done = forbidden(night, pair)
  if (done.length >= 2 && !isDoubted(night, pair))
    return {
      pair,
      shared,
      how: `does what the rule forbids (${enumerate(done.slice(0, 3))})`,
      strength: 0.9,
      sure: true,
    }
  const told = sentencesOf(noteAt(night, pair.later).text).filter((sentence) => !rules(sentence))
  const cue = told.map((sentence) => deviates.exec(sentence)?.[0]).find((found) => found !== undefined)
  if (cue === undefined || isDoubted(night, pair)) return undefined
  // A name alone joins the two: then they must be about much the same besides.
  const alike =
    unrelatedBaseline === undefined ||
    (pair.similarity ?? 0) >= (unrelatedBaseline.akin + unrelatedBaseline.near) / 2
  const named = matters.every((term) => night.concordance.isName(term))
  const plain = /\b(?:never|always|nothing|nobody|no one|must|rules?)\b/i.test(
    noteAt(night, pair.earlier).text,
  )
  if (near && matters.length > 0 && (!named || (alike && plain)) && (alike || rare.length > 0))
    return { pair, shared, how: `tells of another way (“${cue}”)`, strength: 0.8, sure: true }
  return undefined
}

function word(night: Night, { pair, shared, sure, limited }: Breach): string {
  const [rule, act] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const [on, then] = tellTwo(rule.at, act.at, night.telling)
  const terms = shared.map((term) => surfaceIn(night, pair.later, term))
  const what = rule.caution > 0 ? 'warning' : limited && prefers(rule.text) ? 'wish' : 'rule'
  const told = `${capitalise(on)}: ${passage(rule.text, terms)}; ${then}: ${passage(act.text, terms)}.`
  return sure
    ? `A ${what} and what was done do not match. ${told} Either it has to be put right or the ${what} has had its day: note which (\`brain show ${rule.id}\`).`
    : `Was the ${what} kept? ${told} If not, put it right, or note that the ${what} has had its day (\`brain show ${rule.id}\`).`
}

/** Rules that a later note breaks, in no particular order. */
export function* brokenRules(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  const known = new Map<number, { isOne: boolean; limits: readonly Limit[] }>()
  for (const [at, pair] of night.pairs.entries()) {
    if (at % 200 === 0) yield
    const [rule, act] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
    const { isOne, limits } = known.get(pair.earlier) ?? {
      isOne: isRule(night, pair.earlier),
      limits: limitsOf(rule.text),
    }
    known.set(pair.earlier, { isOne, limits })
    if (isExcepted(night, pair.earlier, pair.later)) continue
    if (anotherThing.test(act.text) || dayOf(night, pair.later) === dayOf(night, pair.earlier)) continue
    const one =
      outsideLimits(night, pair, limits) ?? (isOne && tellsAct(act) ? breach(night, pair) : undefined)
    if (one === undefined) continue
    found.push({
      kind: one.limited && prefers(rule.text) ? 'preference' : 'rule',
      signal: Math.min(1, one.strength + 0.1 * rule.caution) * freshness(night, act.at),
      sourceMemoryIds: [rule.id, act.id],
      thought: word(night, one),
      reasons: [
        one.how,
        `both name ${enumerate(one.shared.slice(0, 3).map((term) => surfaceIn(night, pair.later, term)))}`,
        ...(rule.caution > 0 ? [`a flag of caution ${rule.caution}`] : []),
      ],
    })
  }
  return found
}
