/** Predict, resolve, predictions_open, calibration. */
import * as z from 'zod/mini'
import { type Calibration, calibrate, calibrateDomains } from '../core/calibration.ts'
import { predictedConfidence, resolvePrediction } from '../core/predictions.ts'
import { outcomes } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import {
  about,
  count,
  id,
  integer,
  name,
  number,
  oneOf,
  optional,
  recordId,
  text,
  timestamp,
  toTimestamp,
} from './schemas.ts'

export const predict = defineOperation({
  name: 'predict',
  summary: 'Record a falsifiable prediction in a domain, with a confidence.',
  members: {
    prediction: about('A statement that will turn out true or false', text()),
    domain: about('Field it belongs to, such as deploys: calibration is kept per domain', name()),
    confidence: about('Probability that it comes true', optional(number(0, 1), predictedConfidence)),
    basis: about('What it rests on', optional(text(), null)),
  },
  output: () => z.object({ id: recordId(), domain: z.string(), confidence: z.number() }),
  route: { method: 'POST', path: '/v1/predict' },
  effect: 'write',
  tool: true,
  command: { positional: ['prediction'] },
  run: async ({ store, project, now }, input) => {
    const { id, domain, confidence } = await store.predictions.add(project, {
      prediction: input.prediction,
      domain: input.domain.trim(),
      confidence: input.confidence ?? predictedConfidence,
      basis: input.basis ?? null,
      createdAt: now(),
    })
    return { id, domain, confidence }
  },
})

export const resolve = defineOperation({
  name: 'resolve',
  summary: 'Close a prediction with what happened; surprise is derived unless given.',
  members: {
    prediction_id: about('Id of the prediction', id()),
    outcome: about('How it turned out', oneOf(outcomes)),
    actual: about('What happened', text()),
    surprise: about(
      '0 expected to 1 astonishing; derived from the confidence when absent',
      optional(number(0, 1)),
    ),
  },
  output: () => z.object({ prediction_id: recordId(), outcome: z.enum(outcomes), surprise: z.number() }),
  route: { method: 'POST', path: '/v1/resolve' },
  effect: 'write',
  tool: true,
  command: { positional: ['prediction_id', 'outcome'] },
  run: async ({ store, project, now }, input) => {
    const claim = { id: input.prediction_id, project }
    const closing = {
      outcome: input.outcome,
      actual: input.actual,
      surprise: input.surprise ?? null,
      resolvedAt: now(),
    }
    const { id, resolution } = await store.predictions.resolve(claim.id, (prediction) =>
      resolvePrediction(prediction, claim, closing),
    )
    return { prediction_id: id, outcome: resolution.outcome, surprise: resolution.surprise }
  },
})

const listedPredictions = 20

export const predictionsOpen = defineOperation({
  name: 'predictions_open',
  summary: 'List unresolved predictions, oldest first.',
  members: { limit: about('At most so many', optional(integer(1, 50), listedPredictions)) },
  output: () =>
    z.object({
      predictions: z.array(
        z.object({
          id: recordId(),
          prediction: z.string(),
          domain: z.string(),
          confidence: z.number(),
          basis: z.nullable(z.string()),
          created_at: timestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/predictions/open' },
  effect: 'read',
  tool: true,
  command: { name: 'predictions' },
  run: async ({ store, project }, { limit }) => {
    const open = await store.predictions.listOpen(project, limit ?? listedPredictions)
    return {
      predictions: open.map(({ id, prediction, domain, confidence, basis, createdAt }) => ({
        id,
        prediction,
        domain,
        confidence,
        basis,
        created_at: toTimestamp(createdAt),
      })),
    }
  },
})

const share = () => z.nullable(z.number())

const figures = {
  n: count(),
  accuracy: share(),
  correct: count(),
  incorrect: count(),
  partial: count(),
  mean_confidence_when_correct: share(),
  mean_confidence_when_incorrect: share(),
  confidence_gap: share(),
  mean_surprise: share(),
  brier: share(),
  log_loss: share(),
  bins: z.array(
    z.object({
      lower: z.number(),
      upper: z.number(),
      n: count(),
      mean_confidence: z.number(),
      observed: z.number(),
    }),
  ),
}

const toFigures = (record: Calibration) => ({
  n: record.n,
  accuracy: record.accuracy,
  correct: record.correct,
  incorrect: record.incorrect,
  partial: record.partial,
  mean_confidence_when_correct: record.meanConfidenceWhenCorrect,
  mean_confidence_when_incorrect: record.meanConfidenceWhenIncorrect,
  confidence_gap: record.confidenceGap,
  mean_surprise: record.meanSurprise,
  brier: record.brier,
  log_loss: record.logLoss,
  bins: record.bins.map(({ lower, upper, n, meanConfidence, observed }) => ({
    lower,
    upper,
    n,
    mean_confidence: meanConfidence,
    observed,
  })),
})

const day = 86_400_000

export const calibration = defineOperation({
  name: 'calibration',
  summary: 'Report how well stated confidences match outcomes, per domain and overall.',
  members: {
    since_days: about('Only what was resolved in the last so many days', optional(integer(1), null)),
  },
  output: () =>
    z.object({
      total_resolved: count(),
      window_days: z.nullable(recordId()),
      domains: z.array(z.object({ domain: z.string(), ...figures })),
      overall: z.object(figures),
    }),
  route: { method: 'GET', path: '/v1/calibration' },
  effect: 'read',
  tool: true,
  command: {},
  run: async ({ store, project, now }, { since_days }) => {
    const since = since_days == null ? undefined : now() - since_days * day
    const resolved = await store.predictions.listOutcomes(project, since)
    return {
      total_resolved: resolved.length,
      window_days: since_days ?? null,
      domains: calibrateDomains(resolved).map((record) => ({ domain: record.domain, ...toFigures(record) })),
      overall: toFigures(calibrate(resolved)),
    }
  },
})
