/**
 * One night's thinking: reads the notes, lets every kind of thought look at them, keeps the strongest and most
 * different. Pure and the same for the same matter; a generator, so that whoever runs it may pause between steps.
 */

import { bridges } from './kinds/bridge.ts'
import { drifts } from './kinds/drift.ts'
import { echoes } from './kinds/echo.ts'
import { recurrences } from './kinds/recurrence.ts'
import { settlements } from './kinds/settled.ts'
import { tensions } from './kinds/tension.ts'
import { senseBackground } from './reading/chance.ts'
import { gather } from './reading/concordance.ts'
import type { Night } from './reading/material.ts'
import { findPairs } from './reading/pairs.ts'
import type { NightMatter, Thought } from './thought.ts'

/** Beyond this many the weakest are not even compared. */
const mostCandidates = 3_000

/** What is left of a sign beside a thought already picked must still be this. */
const leastWorth = 0.2

/** A weaker sign than this is no thought. */
const leastSignal = 0.3

const kinds = [tensions, settlements, echoes, drifts, recurrences, bridges] as const

/** At most `matter.limit` thoughts, the strongest and most different first; none without a sign. */
export function* think(matter: NightMatter): Generator<undefined, Thought[]> {
  if (matter.notes.length === 0 || matter.limit < 1) return []
  const concordance = yield* gather(matter.notes)
  const background = senseBackground(concordance, matter.seed)
  const pairs = yield* findPairs(concordance, matter.findNear)
  const telling = { now: matter.now, timeZone: matter.timeZone, seed: matter.seed }
  const night: Night = { matter, concordance, pairs, background, telling }
  const found: Thought[] = []
  for (const kind of kinds) found.push(...(yield* kind(night)))
  // What two notes do to each other says more than that something joins them.
  const told = new Set(found.filter(({ kind }) => kind !== 'bridge').map(sourcesOf))
  return pick(
    found.filter(
      (thought) =>
        thought.signal >= leastSignal &&
        !(thought.kind === 'bridge' && told.has(sourcesOf(thought))) &&
        !matter.isKnown?.(thought),
    ),
    matter.limit,
  )
}

const sourcesOf = ({ sourceMemoryIds }: Thought): string => sourceMemoryIds.join(' ')

/** Runs a night to its end at once. */
export function thinkAtOnce(matter: NightMatter): Thought[] {
  const steps = think(matter)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** What a thought loses beside one already picked: for shared sources, most where both only join them; a little for the same kind. */
function likeness(a: Thought, b: Thought): number {
  const shared = a.sourceMemoryIds.filter((id) => b.sourceMemoryIds.includes(id)).length
  const smaller = Math.min(a.sourceMemoryIds.length, b.sourceMemoryIds.length)
  const joins = [a, b].every(({ kind }) => kind === 'bridge' || kind === 'recurrence')
  return (a.kind === b.kind ? 0.12 : 0) + (joins ? 0.75 : 0.4) * (shared / smaller)
}

/** Greedy by signal less likeness to what is picked; ties by kind and sources, so that the order is certain. */
export function pick(thoughts: readonly Thought[], limit: number): Thought[] {
  const name = (thought: Thought): string => `${thought.kind} ${thought.sourceMemoryIds.join(' ')}`
  const byName = new Map(thoughts.map((thought) => [name(thought), thought]))
  const left = [...byName.values()]
    .sort((a, b) => b.signal - a.signal || (name(a) < name(b) ? -1 : 1))
    .slice(0, mostCandidates)
  const picked: Thought[] = []
  const losses = left.map(() => 0)
  while (picked.length < limit) {
    let best = -1
    for (const [at, thought] of left.entries()) {
      const worth = thought.signal * (1 - Math.min(0.95, losses[at] ?? 0))
      const bestWorth =
        best < 0 ? leastWorth : (left[best]?.signal ?? 0) * (1 - Math.min(0.95, losses[best] ?? 0))
      if (losses[at] !== Number.POSITIVE_INFINITY && worth > bestWorth) best = at
    }
    const chosen = left[best]
    if (chosen === undefined) break
    picked.push(chosen)
    losses[best] = Number.POSITIVE_INFINITY
    for (const [at, thought] of left.entries())
      losses[at] = Math.max(losses[at] ?? 0, likeness(chosen, thought))
  }
  return picked
}
