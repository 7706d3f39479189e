/**
 * One night's thinking: reads the notes, lets every kind of thought look at them, keeps those most worth telling.
 * Pure and the same for the same matter; a generator, so that whoever runs it may pause between steps.
 */

import { bridges } from './kinds/bridge.ts'
import { causes } from './kinds/cause.ts'
import { collisions } from './kinds/collision.ts'
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
import type { NightMatter, Thought } from './thought.ts'

const kinds = [
  collisions,
  brokenRules,
  reversals,
  tensions,
  forgottenPreferences,
  brokenPromises,
  questions,
  trends,
  settlements,
  recurrences,
  drifts,
  causes,
  echoes,
  bridges,
] as const

/** At most `matter.limit` thoughts, those most worth telling first; none without a sign. */
export function* think(matter: NightMatter): Generator<undefined, Thought[]> {
  if (matter.notes.length === 0 || matter.limit < 1) return []
  const concordance = yield* gather(matter.notes)
  const unrelatedBaseline = measureBaseline(concordance, matter.seed)
  const neighbours = yield* findNeighbours(concordance, matter.findNear)
  const pairs = yield* findPairs(concordance, neighbours)
  const telling = { now: matter.now, timeZone: matter.timeZone, seed: matter.seed }
  const night: Night = { matter, concordance, neighbours, pairs, unrelatedBaseline, telling }
  const found: Thought[] = []
  for (const kind of kinds) found.push(...(yield* kind(night)))
  return rank(found, { limit: matter.limit, told: matter.told ?? [], worthOf: matter.worthOf })
}

/** Runs a night to its end at once. */
export function thinkAtOnce(matter: NightMatter): Thought[] {
  const steps = think(matter)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
