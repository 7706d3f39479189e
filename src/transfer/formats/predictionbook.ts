/**
 * PredictionBook's JSON, as its API answered /api/my_predictions (read from its source, 2023): predictions with their
 * responses, confidences in percent. Only what the export's own user stated is taken. It does not say when a prediction was
 * judged: the deadline is taken instead, or the last change if the deadline is still to come.
 */

import { BrainError } from '../../core/errors.ts'
import { toInstant } from '../../core/instant.ts'
import { memberOf } from '../../core/json.ts'
import type { Ending } from '../../core/records.ts'
import { listOf, textOf, tryJson } from './foreign-note.ts'
import {
  type ForecastFormat,
  type ForeignPrediction,
  type OutgoingPrediction,
  Passed,
  readSiteTime,
} from './foreign-prediction.ts'

const predictionsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : listOf(memberOf(value, 'predictions'))

const isPrediction = (value: unknown): boolean =>
  textOf(value, 'description') !== undefined && Array.isArray(memberOf(value, 'responses'))

const timeOf = (value: unknown, name: string): number | undefined => readSiteTime(textOf(value, name))

function endingOf(value: unknown): Ending | undefined {
  if (memberOf(value, 'withdrawn') === true) return 'annulled'
  const outcome = memberOf(value, 'outcome')
  if (typeof outcome !== 'boolean') return undefined
  return outcome ? 'correct' : 'incorrect'
}

interface Reading {
  /** The export's own user; undefined where it names none. */
  readonly user: unknown
  readonly agent: string | null
  readonly now: number
  readonly passed: Passed
}

function toPrediction(value: unknown, { user, agent, now, passed }: Reading): ForeignPrediction | undefined {
  const description = textOf(value, 'description')
  if (description === undefined) return undefined
  const owner = user ?? memberOf(value, 'creator_id')
  const forecasts = listOf(memberOf(value, 'responses')).flatMap((response) => {
    const percent = memberOf(response, 'confidence')
    const createdAt = timeOf(response, 'created_at')
    if (typeof percent !== 'number' || percent < 0 || percent > 100 || createdAt === undefined) return []
    const by = memberOf(response, 'user_id')
    if (owner !== undefined && by !== undefined && by !== owner) {
      passed.add("other people's forecasts")
      return []
    }
    return [{ confidence: percent / 100, note: textOf(response, 'comment') ?? null, createdAt }]
  })
  const deadline = timeOf(value, 'deadline')
  const changed = timeOf(value, 'updated_at')
  const outcome = endingOf(value)
  const last = Math.max(...forecasts.map(({ createdAt }) => createdAt))
  const judged = deadline !== undefined && deadline <= now ? deadline : (changed ?? now)
  const id = textOf(value, 'uuid') ?? String(memberOf(value, 'id') ?? description)
  return {
    origin: `predictionbook:${id}`,
    prediction: description,
    domain: 'predictionbook',
    agent,
    basis: null,
    dueAt: deadline ?? null,
    forecasts,
    resolution:
      outcome === undefined
        ? null
        : {
            outcome,
            actual:
              outcome === 'annulled' ? 'withdrawn on PredictionBook' : `judged on PredictionBook: ${outcome}`,
            resolvedAt: Math.max(judged, last),
          },
  }
}

const outcomes: Readonly<Record<Ending, boolean | null>> = {
  correct: true,
  incorrect: false,
  partial: null,
  annulled: null,
}

const toWire = (one: OutgoingPrediction) => ({
  id: one.id,
  description: one.prediction,
  deadline: one.dueAt === null ? null : toInstant(one.dueAt).toISOString(),
  created_at: toInstant(one.forecasts[0]?.createdAt ?? 0).toISOString(),
  updated_at: toInstant(one.resolution?.resolvedAt ?? one.forecasts.at(-1)?.createdAt ?? 0).toISOString(),
  withdrawn: one.resolution?.outcome === 'annulled',
  outcome: one.resolution && outcomes[one.resolution.outcome],
  responses: one.forecasts.map(({ confidence, note, createdAt }) => ({
    confidence: Math.round(confidence * 100),
    comment: note,
    created_at: toInstant(createdAt).toISOString(),
    user_label: one.agent,
  })),
})

export const predictionBook: ForecastFormat = {
  about: "PredictionBook's JSON (API of 2023)",
  recognises: ({ text }) =>
    /^\s*[[{]/.test(text) && text.includes('"responses"') && predictionsIn(tryJson(text)).some(isPrediction),
  read: ({ text, now, name }) => {
    const value = tryJson(text)
    if (value === undefined) throw new BrainError('invalid', `${name} is not valid JSON`)
    const passed = new Passed()
    const person = memberOf(value, 'user')
    const reading = { user: memberOf(person, 'user_id'), agent: textOf(person, 'name') ?? null, now, passed }
    const predictions = predictionsIn(value).flatMap((one) => toPrediction(one, reading) ?? [])
    return { predictions, passedOver: passed.counts }
  },
  write: (predictions) =>
    new Map([
      ['predictionbook.json', `${JSON.stringify({ predictions: predictions.map(toWire) }, null, 2)}\n`],
    ]),
}
