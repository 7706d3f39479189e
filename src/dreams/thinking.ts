/**
 * One night's thinking: reads the notes, lets every kind of thought look at them, keeps those most worth telling.
 * Pure and the same for the same input; a generator, so that whoever runs it may pause between steps.
 */

import type { DreamKind } from '../core/records.ts'
import { bridges } from './kinds/bridge.ts'
import { causes } from './kinds/cause.ts'
import { collisions } from './kinds/collision.ts'
import { conflicts } from './kinds/conflict.ts'
import { drifts } from './kinds/drift.ts'
import { echoes } from './kinds/echo.ts'
import { forgottenPreferences } from './kinds/preference.ts'
import { brokenPromises } from './kinds/promise.ts'
import { questions } from './kinds/question.ts'
import { recurrences } from './kinds/recurrence.ts'
import { reversals } from './kinds/reversal.ts'
import { brokenRules } from './kinds/rule.ts'
import { settlements } from './kinds/settled.ts'
import { tensions } from './kinds/tension.ts'
import { trends } from './kinds/trend.ts'
import { rank } from './ranking.ts'
import { measureBaseline } from './reading/chance.ts'
import { gather } from './reading/concordance.ts'
import type { Night } from './reading/material.ts'
import { findNeighbours, findPairs } from './reading/pairs.ts'
import { createStandings } from './reading/standings.ts'
import type { NightInput, Thought } from './thought.ts'

const kinds = {
  collision: collisions,
  rule: brokenRules,
  reversal: reversals,
  tension: tensions,
  preference: forgottenPreferences,
  promise: brokenPromises,
  question: questions,
  trend: trends,
  settled: settlements,
  recurrence: recurrences,
  drift: drifts,
  cause: causes,
  echo: echoes,
  bridge: bridges,
} as const satisfies Record<DreamKind, (night: Night) => Generator<undefined, Thought[]>>

/** At most `input.limit` thoughts, those most worth telling first; none without a sign. */
export function* think(input: NightInput): Generator<undefined, Thought[]> {
  if (input.notes.length === 0 || input.limit < 1) return []
  const concordance = yield* gather(input.notes)
  const unrelatedBaseline = measureBaseline(concordance, input.seed)
  const neighbours = yield* findNeighbours(concordance, input.findNear)
  const pairs = yield* findPairs(concordance, neighbours)
  const telling = { now: input.now, timeZone: input.timeZone, seed: input.seed }
  const standingOf = createStandings(concordance, input.reader)
  const night: Night = { input, concordance, neighbours, pairs, unrelatedBaseline, telling, standingOf }
  const found: Thought[] = []
  for (const kind of [...Object.values(kinds), conflicts])
    for (const thought of yield* kind(night)) {
      const sourceMemoryIds = [...new Set(thought.sourceMemoryIds)].sort((a, b) => a - b)
      // What one note tells twice is no connection.
      const isOfNotes =
        sourceMemoryIds.length === thought.sourceMemoryIds.length || sourceMemoryIds.length > 3
      if (isOfNotes) found.push({ ...thought, sourceMemoryIds })
    }
  return rank(found, { limit: input.limit, told: input.told ?? [], worthOf: input.worthOf })
}

/** What steps come to, run to their end at once. */
export function finish<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs a night to its end at once. */
export const thinkAtOnce = (input: NightInput): Thought[] => finish(think(input))
