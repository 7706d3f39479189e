/** A prediction on the wire, as `show` answers it: what was stated and when, when it is due, what became of it. */
import * as z from 'zod/mini'
import { isScored } from '../core/predictions.ts'
import {
  endings,
  type Forecast,
  type Prediction,
  type PredictionHistory,
  type Reopening,
} from '../core/records.ts'
import { scoresOf } from '../core/track-record.ts'
import { nullableTimestamp, recordId, timestamp, timestampOrNull, toTimestamp } from './schemas.ts'

export const shownPrediction = () =>
  z.object({
    kind: z.literal('prediction'),
    id: recordId(),
    prediction: z.string(),
    domain: z.string(),
    confidence: z.number(),
    basis: z.nullable(z.string()),
    agent: z.nullable(z.string()),
    created_at: timestamp(),
    due_at: nullableTimestamp(),
    check: z.nullable(z.string()),
    outcome: z.nullable(z.enum(endings)),
    actual: z.nullable(z.string()),
    surprise: z.nullable(z.number()),
    resolved_at: nullableTimestamp(),
    /** Squared error by the first and the last confidence, and averaged over the time each stood. */
    brier: z.nullable(z.object({ first: z.number(), last: z.number(), time_weighted: z.number() })),
    forecasts: z.array(
      z.object({ confidence: z.number(), note: z.nullable(z.string()), created_at: timestamp() }),
    ),
    reopenings: z.array(
      z.object({
        outcome: z.enum(endings),
        actual: z.string(),
        surprise: z.nullable(z.number()),
        resolved_at: timestamp(),
        note: z.nullable(z.string()),
        reopened_at: timestamp(),
      }),
    ),
  })

function brierOf(prediction: Prediction, { forecasts }: PredictionHistory) {
  const { resolution, domain, agent, createdAt, dueAt } = prediction
  if (resolution === null || !isScored(resolution)) return null
  const { outcome, surprise, resolvedAt } = resolution
  const scores = scoresOf([{ domain, agent, createdAt, dueAt, forecasts, outcome, surprise, resolvedAt }])
  return (
    scores && {
      first: scores.first.brier,
      last: scores.last.brier,
      time_weighted: scores.timeWeighted.brier,
    }
  )
}

/** A forecast as it is shown. */
const toWireForecast = ({ confidence, note, createdAt }: Forecast) => ({
  confidence,
  note,
  created_at: toTimestamp(createdAt),
})

/** What a prediction was resolved as before it was opened again, as it is shown. */
const toWireReopening = ({ outcome, actual, surprise, resolvedAt, note, createdAt }: Reopening) => ({
  outcome,
  actual,
  surprise,
  resolved_at: toTimestamp(resolvedAt),
  note,
  reopened_at: toTimestamp(createdAt),
})

export function toWirePrediction(
  prediction: Prediction,
  history: PredictionHistory,
): z.output<ReturnType<typeof shownPrediction>> {
  const { resolution } = prediction
  return {
    kind: 'prediction',
    id: prediction.id,
    prediction: prediction.prediction,
    domain: prediction.domain,
    confidence: prediction.confidence,
    basis: prediction.basis,
    agent: prediction.agent,
    created_at: toTimestamp(prediction.createdAt),
    due_at: timestampOrNull(prediction.dueAt),
    check: prediction.check?.command ?? null,
    outcome: resolution?.outcome ?? null,
    actual: resolution?.actual ?? null,
    surprise: resolution?.surprise ?? null,
    resolved_at: timestampOrNull(resolution?.resolvedAt ?? null),
    brier: brierOf(prediction, history),
    forecasts: history.forecasts.map(toWireForecast),
    reopenings: history.reopenings.map(toWireReopening),
  }
}
