/** Recall calibration: how often results with a given score were right, by people's verdicts. */
import * as z from 'zod/mini'
import { calibrate } from '../core/calibration.ts'
import { binMembers, toBin } from './calibration.ts'
import { defineOperation } from './operation.ts'
import { count } from './schemas.ts'

export const recallCalibration = defineOperation({
  name: 'recall_calibration',
  summary: 'Report how often results of recall were right, compared with their scores.',
  help: { group: 'Memories', place: 6, examples: ['brain recall-calibration'] },
  members: {},
  output: () =>
    z.object({
      n: count(),
      right: count(),
      wrong: count(),
      mean_score: z.nullable(z.number()),
      brier: z.nullable(z.number()),
      bins: z.array(z.object(binMembers)),
    }),
  route: { method: 'GET', path: '/v1/recall/calibration' },
  effect: 'read',
  tool: false,
  command: {},
  run: async ({ store, project }) => {
    const verdicts = await store.verdicts.list(project)
    // A score is a confidence that the result is right.
    const record = calibrate(
      verdicts.map(({ score, right }) => ({
        domain: 'recall',
        confidence: score,
        outcome: right ? 'correct' : 'incorrect',
        surprise: 0,
      })),
    )
    const total = verdicts.reduce((sum, { score }) => sum + score, 0)
    return {
      n: record.n,
      right: record.correct,
      wrong: record.incorrect,
      mean_score: record.n === 0 ? null : total / record.n,
      brier: record.brier,
      bins: record.bins.map(toBin),
    }
  },
})
