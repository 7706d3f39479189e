/**
 * Conflicts that only reading tells: a note that contradicts an earlier one, does otherwise than it decided, breaks its rule
 * or ignores its wish, in words of its own. Asked as a question: the reader may be wrong.
 */
import type { DreamKind } from '../../core/records.ts'
import { keepsHours, limitsOf } from '../reading/limits.ts'
import { freshness, hasOneAuthor, type Night, noteAt } from '../reading/material.ts'
import { conflictBetween, type Likelihood, mayConflict } from '../reading/odds.ts'
import { type Conflict, conflictIn, opposition, rolesAt } from '../reading/roles.ts'
import { nearestBefore } from '../reading/standings.ts'
import { capitalise, passage, percent, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'
import { wishForgotten } from './preference.ts'

interface Wording {
  readonly kind: DreamKind
  readonly asked: string
  readonly todo: (id: number) => string
}

const wordings: Readonly<Record<Conflict, Wording>> = {
  contradicts: {
    kind: 'tension',
    asked: 'Can both be so?',
    todo: (id) => `If one is out of date, put it right (\`brain edit ${id}\`).`,
  },
  reverses: {
    kind: 'reversal',
    asked: 'Was this decided anew?',
    todo: (id) => `If so, say so in the older one (\`brain edit ${id}\`); if not, tell who did it otherwise.`,
  },
  breaks: {
    kind: 'rule',
    asked: 'Was the rule kept?',
    todo: (id) => `If not, put it right, or note that the rule has had its day (\`brain show ${id}\`).`,
  },
  ignores: {
    kind: 'preference',
    asked: 'Was this wish thought of?',
    todo: () => wishForgotten,
  },
}

/**
 * The probability from which a conflict is asked about: of 27 brains that neither reader nor table has learnt from 114 of 127
 * such pairs are planted, from 0.3 on 117 of 134, from 0.5 on 101 of 110.
 */
const askedFrom = 0.35

/**
 * The share of the likeliest sort from which it is told as of that sort, where a conflict is as likely as not: of 129 that are so
 * named 113 are planted, of 46 less likely ones 24.
 */
const namedFrom = 0.9
const likelyFrom = 0.5
/** What one of a flag counts for of which nobody can say the sort: less than an echo, which what only comes near is. */
const besideFlag = 0.8
/** A conflict of which nobody can say what sort it is. */
const unnamed: Wording = {
  kind: 'tension',
  asked: 'Do these two go together?',
  todo: (id) =>
    `If not, put right what no longer holds (\`brain edit ${id}\`), or tell who did it otherwise.`,
}

interface Conflicting extends Likelihood {
  readonly earlier: number
  readonly later: number
}

/** Notes that do not lie near each other are candidates where what they do may conflict with such a probability. */
const opposedFrom = 0.02

/** Notes with the earlier ones that they may conflict with, near them or by what both do, the newest first. */
export function* candidatesOf(night: Night): Generator<undefined, [earlier: number, later: number][]> {
  const found: [earlier: number, later: number][] = []
  const focus = [...night.neighbours.keys()].sort((a, b) => b - a)
  for (const later of focus) {
    yield
    const partners = new Set(nearestBefore(night.neighbours, later))
    for (const earlier of focus)
      if (earlier < later && opposition(rolesAt(night, earlier), rolesAt(night, later)) >= opposedFrom)
        partners.add(earlier)
    for (const earlier of partners) if (mayConflict(night, earlier, later)) found.push([earlier, later])
  }
  return found
}

/** Sentences of a note that are read for the part to quote: of a long text only the first so many. */
const maxSentences = 12

/** A note that was told before is quoted up to so many characters: what goes against it now is what is new. */
const remindLength = 70

/** Of a long note the part that conflicts most with the other note, as the two are read. */
function tellingParts(
  { input }: Night,
  older: string,
  newer: string,
  olderLength?: number,
): { older: string; newer: string } {
  const conflict = (one: string, other: string): number => {
    const standing = input.reader?.stand(one, other)
    return standing === undefined ? 0 : conflictIn(standing)
  }
  return {
    older: passage(older, (sentence, at) => (at < maxSentences ? conflict(sentence, newer) : 0), olderLength),
    newer: passage(newer, (sentence, at) => (at < maxSentences ? conflict(older, sentence) : 0)),
  }
}

/** Conflicts between notes that lie near each other, in no particular order; of each note the likeliest. */
export function* conflicts(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  const told = new Set<number>()
  const toldBefore = new Set(
    (night.input.told ?? []).flatMap(({ sourceMemoryIds: [first, ...others] }) =>
      others.length > 0 ? [first] : [],
    ),
  )
  const likeliest: Conflicting[] = []
  for (const [earlier, later] of yield* candidatesOf(night)) {
    const likelihood = conflictBetween(night, earlier, later, askedFrom)
    if (likelihood !== undefined && likelihood.probability >= askedFrom)
      likeliest.push({ earlier, later, ...likelihood })
    yield
  }
  for (const { earlier, later, name, sureness, probability } of likeliest.sort(
    (a, b) => b.probability - a.probability,
  )) {
    if (told.has(earlier) || told.has(later)) continue
    const [older, newer] = [noteAt(night, earlier), noteAt(night, later)]
    if (keepsHours(limitsOf(older.text), newer.text)) continue
    const isNamed = sureness >= namedFrom && probability >= likelyFrom
    // In eighteen brains of one author three of ten that nobody could name were planted.
    if (!isNamed && hasOneAuthor(night)) continue
    told.add(earlier).add(later)
    const { kind, asked, todo } = isNamed ? wordings[name] : unnamed
    const [on, then] = tellTwo(older.at, newer.at, night.telling)
    const again = toldBefore.has(older.id)
    const parts = tellingParts(night, older.text, newer.text, again ? remindLength : undefined)
    const [first, second] = [`${on}: ${parts.older}`, `${then}: ${parts.newer}`]
    const what = again
      ? `${second}; ${first}, which was told before beside another note`
      : `${first}; ${second}`
    found.push({
      kind,
      signal:
        (0.3 + 0.6 * probability) *
        freshness(night, newer.at) *
        (!isNamed && older.caution > 0 ? besideFlag : 1),
      sourceMemoryIds: [older.id, newer.id],
      thought: `${asked} ${capitalise(what)}. ${todo(older.id)}`,
      reasons: [
        `read together, most likely that it ${name} the older one; ${percent(probability)} with what else speaks for it`,
      ],
    })
  }
  return found
}
