/** Calibration: how well stated confidences match outcomes. */

import * as z from 'zod/mini'
import { agentNameOf, unnamedAgent } from '../core/agent-names.ts'
import { type Calibration, calibrate, calibrateDomains, type ReliabilityBin } from '../core/calibration.ts'
import { msPerDay } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import { firstMoment, momentOf } from '../core/moments.ts'
import {
  groupBy,
  groupings,
  horizonForms,
  horizonOf,
  type Past,
  readHorizon,
  type ScoresOverLife,
  scoredForecasts,
  scoresOf,
  toResolved,
} from '../core/track-record.ts'
import { type Context, defineOperation, type InputOf } from './operation.ts'
import { about, count, integer, name, oneOf, optional, pastMoment, positive, text } from './schemas.ts'

const share = () => z.nullable(z.number())

/** Stated confidence and outcomes in one range of confidences. */
export const binMembers = {
  lower: z.number(),
  upper: z.number(),
  n: count(),
  mean_confidence: z.number(),
  observed: z.number(),
}

export const toBin = ({ lower, upper, n, meanConfidence, observed }: ReliabilityBin) => ({
  lower,
  upper,
  n,
  mean_confidence: meanConfidence,
  observed,
})

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
  /** The Brier score in parts: miscalibration - discrimination + uncertainty. */
  mcb: z.exactOptional(share()),
  dsc: z.exactOptional(share()),
  unc: z.exactOptional(share()),
  bins: z.array(
    z.object({
      ...binMembers,
      expected_low: z.exactOptional(z.number()),
      expected_high: z.exactOptional(z.number()),
    }),
  ),
}

const scores = () => z.object({ brier: z.number(), log_loss: z.number() })

/** Figures of a track record; `more` are those beyond the specification. */
const toFigures = (record: Calibration, more: boolean) => ({
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
  ...(more && {
    mcb: record.parts?.miscalibration ?? null,
    dsc: record.parts?.discrimination ?? null,
    unc: record.parts?.uncertainty ?? null,
  }),
  bins: record.bins.map((bin) => ({
    ...toBin(bin),
    ...(more && { expected_low: bin.expectedLow, expected_high: bin.expectedHigh }),
  })),
})

const toScores = ({ first, last, timeWeighted }: ScoresOverLife) => ({
  first: { brier: first.brier, log_loss: first.logLoss },
  last: { brier: last.brier, log_loss: last.logLoss },
  time_weighted: { brier: timeWeighted.brier, log_loss: timeWeighted.logLoss },
})

const horizon = () =>
  text().check(z.refine((words) => readHorizon(words) !== undefined, `must be a span: ${horizonForms}`))

const members = {
  since_days: about('Only predictions resolved in this many days', optional(integer(1), null)),
  since: about('Only predictions resolved since: a date, or 2w', optional(pastMoment())),
  agent: about('Only predictions of this agent', optional(name())),
  horizon: about('Only this horizon: 2w, 1d-2w or 2w+', optional(horizon())),
  by: about('Also grouped by this', optional(oneOf(groupings))),
  scored: about('Which confidence counts', optional(oneOf(scoredForecasts), 'last')),
}

type Input = InputOf<typeof members>

/** Start of the period; undefined for all time. @throws BrainError `invalid` if two members give it. */
function sinceOf({ since, since_days }: Input, now: number): number | undefined {
  if (since != null && since_days != null)
    throw new BrainError('invalid', 'since and since_days say the same: give one')
  if (since != null) return momentOf(since, now)?.first
  // No database is asked for a time that no timestamp names.
  return since_days == null ? undefined : Math.max(firstMoment, now - since_days * msPerDay)
}

const asksForMore = ({ since_days: _, ...others }: Input): boolean =>
  Object.values(others).some((asked) => asked != null)

async function report({ store, project, now }: Context, input: Input, { more }: { more: boolean }) {
  const known = await store.predictions.listOutcomes(project, sinceOf(input, now()))
  const agent = input.agent == null ? undefined : agentNameOf(input.agent)
  const isMeant = input.horizon == null ? undefined : readHorizon(input.horizon)
  const past = known.filter(
    (one) =>
      (agent === undefined || agentNameOf(one.agent ?? unnamedAgent) === agent) &&
      isMeant?.(horizonOf(one)) !== false,
  )
  const toCalibrate = (some: readonly Past[]) => some.map((one) => toResolved(one, input.scored ?? 'last'))
  const resolved = toCalibrate(past)
  const overall = calibrate(resolved)
  const over = scoresOf(past)
  return {
    total_resolved: past.length,
    window_days: input.since_days ?? null,
    domains: calibrateDomains(resolved).map((record) => ({
      domain: record.domain,
      ...toFigures(record, more),
    })),
    overall: toFigures(overall, more),
    ...(more && over !== null && { scores: toScores(over) }),
    ...(more && overall.parts !== null && { fit: overall.parts.fit.map((range) => ({ ...range })) }),
    ...(input.by != null && {
      groups: groupBy(past, input.by).map(({ group, members }) => ({
        group,
        ...toFigures(calibrate(toCalibrate(members)), more),
      })),
    }),
  }
}

export const calibration = defineOperation({
  name: 'calibration',
  summary: 'Report how well stated confidences match outcomes, per domain and overall.',
  guidance: 'Call before stating a confidence.',
  help: {
    group: 'Predictions',
    place: 7,
    examples: [
      'brain calibration --since-days 90',
      'brain calibration --by month',
      'brain calibration --agent planner --horizon 2w',
    ],
  },
  members,
  output: () =>
    z.object({
      total_resolved: count(),
      window_days: z.nullable(positive()),
      domains: z.array(z.object({ domain: z.string(), ...figures })),
      overall: z.object(figures),
      scores: z.exactOptional(z.object({ first: scores(), last: scores(), time_weighted: scores() })),
      fit: z.exactOptional(
        z.array(z.object({ lower: z.number(), upper: z.number(), n: count(), observed: z.number() })),
      ),
      groups: z.exactOptional(z.array(z.object({ group: z.string(), ...figures }))),
    }),
  route: { method: 'GET', path: '/v1/calibration' },
  effect: 'read',
  tool: true,
  unlisted: ['since', 'agent', 'horizon', 'by', 'scored', 'scores', 'fit', 'groups'],
  command: { options: [['--svg <file>', 'also write the reliability diagram to this file as SVG']] },
  // Asked as in the specification it answers so, to the member; whoever asks for more is told more.
  run: (context, input) => report(context, input, { more: asksForMore(input) }),
  forPeople: (context, input) => report(context, input, { more: true }),
})
