/** Calibration: how well stated confidences match outcomes. */
import * as z from 'zod/mini'
import { type Calibration, calibrate, calibrateDomains } from '../core/calibration.ts'
import { defineOperation } from './operation.ts'
import { about, count, integer, optional, recordId } from './schemas.ts'

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
  guidance: 'Call before stating a confidence.',
  help: { group: 'Predictions', place: 4, examples: ['brain calibration --since-days 90'] },
  members: {
    since_days: about('Only what was resolved in so many days', optional(integer(1), null)),
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
  command: { options: [['--svg <file>', 'also write the reliability diagram as SVG into this file']] },
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
