/**
 * A prediction on the wire, as `show` answers it and an export holds it: what was stated and when, when it is due, what
 * became of it.
 */
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
import {
  atOrNull,
  nullableTimestamp,
  optional,
  recordId,
  shellCommand,
  time,
  timestamp,
  timestampOrNull,
  toTimestamp,
} from './schemas.ts'

/**
 * What may be said of a prediction beside what every one has, in the order in which it is shown and exported: what an
 * export's line may hold, what `show` answers, and both ways between them and the record.
 */
export const detailMembers = { due_at: optional(time()), check: optional(shellCommand()) }
const shownDetails = () => ({ due_at: nullableTimestamp(), check: z.nullable(z.string()) })

/** Null where nothing was said. A check's proof stays: it says who wrote the command on this machine, which no file can. */
export const toWireDetails = ({ dueAt, check }: Prediction) => ({
  due_at: timestampOrNull(dueAt),
  check: check?.command ?? null,
})

/** The members of a line as its rules let them pass. */
type Details = {
  readonly [Name in keyof typeof detailMembers]?: z.output<(typeof detailMembers)[Name]> | undefined
}

export const fromWireDetails = ({ due_at, check }: Details) => ({
  dueAt: atOrNull(due_at),
  check: check == null ? null : { command: check, proof: null },
})

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
    ...shownDetails(),
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

/** A forecast as it is shown and exported. */
export const toWireForecast = ({ confidence, note, createdAt }: Forecast) => ({
  confidence,
  note,
  created_at: toTimestamp(createdAt),
})

/** What a prediction was resolved as before it was opened again, as it is shown and exported. */
export const toWireReopening = ({ outcome, actual, surprise, resolvedAt, note, createdAt }: Reopening) => ({
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
    ...toWireDetails(prediction),
    outcome: resolution?.outcome ?? null,
    actual: resolution?.actual ?? null,
    surprise: resolution?.surprise ?? null,
    resolved_at: timestampOrNull(resolution?.resolvedAt ?? null),
    brier: brierOf(prediction, history),
    forecasts: history.forecasts.map(toWireForecast),
    reopenings: history.reopenings.map(toWireReopening),
  }
}
