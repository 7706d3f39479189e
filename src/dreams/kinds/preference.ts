/** Forgotten preferences: something that somebody asked for or asked to be spared, and a later note that ignores it. */
import { unnamedAgent } from '../../core/agent-names.ts'
import { mentions } from '../../core/patterns.ts'
import { asks, prefers, sentencesOf, tellsAct } from '../reading/cues.ts'
import {
  areNear,
  contentTerms,
  dayOf,
  freshness,
  isRare,
  isTelling,
  type Night,
  noteAt,
  sharedTerms,
  surfaceIn,
} from '../reading/material.ts'
import { isDoubted } from '../reading/odds.ts'
import type { Pair } from '../reading/pairs.ts'
import { byAgent, capitalise, enumerate, passage, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** The act is so near to the wish at least. */
const nearest = { overlap: 0.15, best: 1, worst: 5 }
/** Longer notes want many things. */
const longest = 600

const unwanting =
  /\b(?:not|no|nobody|never|instead of|allergic to|allergy to|hates?|dislikes?|can'?t (?:eat|stand|drink|have)|(?:does|do)(?:n't| not)|without|it's the|if anyone ever|than|rather than)\s+([^.,;:!?]{2,60})/gi
const wanted =
  /\b(?:only|prefers?|wants? (?:to be|to get|to have|her|his|their|it)?|asked (?:for|to (?:be|get|have))|please (?:only|use)|by)\s+([^.,;:!?]{2,60})/gi

/** The wish itself has changed. */
const newWish =
  /\b(?:changed (?:her|his|their|its|my|our) minds?|after all|no longer (?:minds|wants)|(?:is|are) fine with)\b/i

const termsAfter = (text: string, pattern: RegExp): Set<string> =>
  new Set(contentTerms([...text.matchAll(pattern)].map((match) => match[1] ?? '').join(' . ')))

interface Slight {
  readonly pair: Pair
  readonly shared: readonly number[]
  readonly how: string
  readonly strength: number
  /** Whether the note itself names what was to be spared. */
  readonly sure: boolean
}

function slight(night: Night, pair: Pair): Slight | undefined {
  const { concordance, unrelatedBaseline } = night
  const [wish, act] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const shared = sharedTerms(night, pair.earlier, pair.later).filter((term) => isTelling(night, term))
  const rare = shared.filter((term) => isRare(night, term))
  if (rare.length === 0 || dayOf(night, pair.later) === dayOf(night, pair.earlier)) return undefined
  if (!areNear(night, pair, nearest)) return undefined
  const [spared, asked] = [termsAfter(wish.text, unwanting), termsAfter(wish.text, wanted)]
  const done = new Set(contentTerms(act.text))
  const given = [...asked].filter(
    (term) =>
      done.has(term) &&
      !spared.has(term) &&
      !shared.some((one) => concordance.termAt(one) === term && concordance.isName(one)),
  )
  // A name is of somebody, not of what was to be spared.
  const hit = [...spared].filter((term) => {
    const number = concordance.numberOf(term)
    return (
      done.has(term) && number !== undefined && isTelling(night, number) && !concordance.mayBeName(number)
    )
  })
  const terms = shared.map((term) => concordance.termAt(term))
  const alike = unrelatedBaseline === undefined || (pair.similarity ?? 0) >= unrelatedBaseline.near
  if (hit.length > 0 && (alike || terms.some((term) => !hit.includes(term) || rare.length >= 2)))
    return {
      pair,
      shared,
      how: `what was to be spared is in the later note (${enumerate(hit.slice(0, 3))})`,
      strength: 0.85,
      sure: true,
    }
  const isOther = wish.agent !== act.agent && wish.agent !== unnamedAgent
  const own = isOther && /\b(?:I|me|my)\b/.test(wish.text) && mentions(act.text, wish.agent)
  if (given.length === 0 && own)
    return {
      pair,
      shared,
      how: `it is about ${wish.agent}, who asked for something else`,
      strength: 0.72,
      sure: false,
    }
  return undefined
}

/** What to do about a wish that was not thought of; it may be past undoing. */
export const wishForgotten =
  'If it can still be done the way it was asked for, do it that way; `brain flag` the wish so that the next one is warned.'

function word(night: Night, { pair, shared, sure }: Slight): string {
  const [wish, act] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const [on, then] = tellTwo(wish.at, act.at, night.telling)
  const terms = shared.map((term) => surfaceIn(night, pair.later, term))
  return `${sure ? "Somebody's wish may have been forgotten." : 'A wish, and a later note that touches it.'} ${capitalise(on)}${byAgent(wish.agent, ',')}: ${passage(wish.text, terms, 230)}; ${then}: ${passage(act.text, terms, 230)}. ${wishForgotten}`
}

/** Wishes that a later note ignores, in no particular order. */
export function* forgottenPreferences(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  for (const [at, pair] of night.pairs.entries()) {
    if (at % 200 === 0) yield
    const wish = noteAt(night, pair.earlier)
    const act = noteAt(night, pair.later)
    if (
      wish.text.length > longest ||
      !prefers(wish.text) ||
      prefers(act.text) ||
      sentencesOf(act.text).some(asks)
    )
      continue
    if (!tellsAct(act) || newWish.test(act.text)) continue
    const one = slight(night, pair)
    if (one === undefined || isDoubted(night, pair)) continue
    found.push({
      kind: 'preference',
      signal: one.strength * freshness(night, act.at),
      sourceMemoryIds: [wish.id, act.id],
      thought: word(night, one),
      reasons: [
        one.how,
        `both name ${enumerate(one.shared.slice(0, 3).map((term) => surfaceIn(night, pair.later, term)))}`,
      ],
    })
  }
  return found
}
