/** Assess: a gut-check of a topic against flags and the record of related predictions. */
import * as z from 'zod/mini'
import { createTurns } from '../clock.ts'
import { assess as judge, verdicts, type WeighedFlag } from '../core/gut-check.ts'
import { outcomes } from '../core/records.ts'
import { type TrackRecord, trackRecordOf } from '../core/track-record.ts'
import { relevantFlags, tellingTerms } from '../search/relevant-flags.ts'
import { defineOperation } from './operation.ts'
import { about, count, recordId, text } from './schemas.ts'

const trackRecord = z.object({
  adjacent_predictions: count(),
  correct: count(),
  incorrect: count(),
  partial: count(),
  accuracy: z.number(),
  mean_confidence: z.number(),
  mean_surprise: z.number(),
  most_surprising: z.array(
    z.object({
      id: recordId(),
      prediction: z.string(),
      domain: z.string(),
      outcome: z.enum(outcomes),
      surprise: z.number(),
    }),
  ),
})

const numbers = {
  memory_id: recordId(),
  caution: z.number(),
  relevance: z.number(),
  effective_relevance: z.number(),
}

const toNumbers = ({ id, caution, relevance, effectiveRelevance }: WeighedFlag) => ({
  memory_id: id,
  caution,
  relevance,
  effective_relevance: effectiveRelevance,
})

const toWire = (record: TrackRecord) => ({
  adjacent_predictions: record.adjacentPredictions,
  correct: record.correct,
  incorrect: record.incorrect,
  partial: record.partial,
  accuracy: record.accuracy,
  mean_confidence: record.meanConfidence,
  mean_surprise: record.meanSurprise,
  most_surprising: record.mostSurprising.map(({ id, prediction, domain, resolution }) => ({
    id,
    prediction,
    domain,
    outcome: resolution.outcome,
    surprise: resolution.surprise,
  })),
})

export const assess = defineOperation({
  name: 'assess',
  summary: 'Gut-check a topic against flags and past predictions.',
  guidance:
    'Call before any migration, deployment, deletion, push or step that is hard to undo. danger: stop and read the warning; caution: read it first; clear: nothing known is near.',
  help: {
    group: 'Instinct',
    place: 2,
    examples: ['brain assess "drop the users table"', 'brain assess "rotate the keys" --exit-code || exit'],
  },
  members: { topic: about('The step to take', text()) },
  output: () =>
    z.object({
      topic: z.string(),
      verdict: z.enum(verdicts),
      risk: z.number(),
      why: z.string(),
      based_on: z.nullable(z.object(numbers)),
      nearest: z.array(z.object({ ...numbers, text: z.string() })),
      track_record: z.nullable(trackRecord),
    }),
  route: { method: 'POST', path: '/v1/assess' },
  effect: 'read',
  tool: true,
  command: {
    positional: ['topic'],
    options: [
      ['--exit-code', 'exit with 0 when clear, 10 for caution, 20 for danger'],
      ['--not-this <id>', 'remember that this flag does not apply to such plans'],
      ['--applies <id>', 'undo --not-this'],
    ],
  },
  run: async (context, { topic }) => {
    const turn = createTurns(context)
    const flags = await relevantFlags(context, topic)
    await turn()
    const terms = tellingTerms(topic)
    await turn()
    const adjacent = await context.store.predictions.listAdjacent(context.project, terms)
    await turn()
    const judged = judge(flags, trackRecordOf(adjacent))
    const { basedOn } = judged
    return {
      topic,
      verdict: judged.verdict,
      risk: judged.risk,
      why: judged.why,
      based_on: basedOn && toNumbers(basedOn),
      nearest: judged.nearest.map((flag) => ({ ...toNumbers(flag), text: flag.text })),
      track_record: judged.trackRecord && toWire(judged.trackRecord),
    }
  },
})
