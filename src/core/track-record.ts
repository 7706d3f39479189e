/**
 * Selects the past predictions a question is about and the confidence that counts, scores them over their lives, and
 * sums up those that a topic is near. Knows predictions as they were made and resolved; the figures themselves are in
 * `calibration.ts`.
 */

import { agentNameOf, unnamedAgent } from './agent-names.ts'
import { meanOf, type Resolved } from './calibration.ts'
import { msPerDay, msPerWeek } from './durations.ts'
import { toInstant } from './instant.ts'
import { addTo } from './lists.ts'
import { spanOf } from './moments.ts'
import { brierOf, logLossOf } from './proper-scores.ts'
import type { Outcome, Prediction, ScoredResolution } from './records.ts'
import { outcomeValue } from './surprise.ts'

/** A resolved prediction with every confidence that was stated, oldest first; times in milliseconds. */
export interface Past {
  readonly domain: string
  readonly agent: string | null
  readonly createdAt: number
  readonly dueAt: number | null
  readonly forecasts: readonly { readonly confidence: number; readonly createdAt: number }[]
  readonly outcome: Outcome
  readonly surprise: number
  readonly resolvedAt: number
}

export const scoredForecasts = ['last', 'first'] as const
/** Which of a prediction's confidences counts: the last before it was resolved, or the first. */
export type ScoredForecast = (typeof scoredForecasts)[number]

const statedBy = ({ forecasts }: Past, which: ScoredForecast): number =>
  (which === 'first' ? forecasts[0] : forecasts.at(-1))?.confidence ?? 0

/** What calibration needs of it. */
export const toResolved = (past: Past, which: ScoredForecast): Resolved => ({
  domain: past.domain,
  confidence: statedBy(past, which),
  outcome: past.outcome,
  surprise: past.surprise,
})

/**
 * Each confidence with the share (0..1, together 1) of the prediction's life during which it stood. A life ends when the
 * prediction was resolved, or when it was due if that was earlier: afterwards the answer was there to be seen.
 */
export function sharesOf(past: Past): { confidence: number; share: number }[] {
  const { createdAt: start, dueAt, resolvedAt } = past
  const end = dueAt !== null && dueAt > start ? Math.min(dueAt, resolvedAt) : resolvedAt
  const life = end - start
  if (life <= 0) return [{ confidence: statedBy(past, 'last'), share: 1 }]
  const within = (at: number): number => Math.min(end, Math.max(start, at))
  const stated = [...past.forecasts].sort((a, b) => a.createdAt - b.createdAt)
  return stated.map(({ confidence, createdAt }, at) => {
    const from = at === 0 ? start : within(createdAt)
    const to = within(stated[at + 1]?.createdAt ?? end)
    return { confidence, share: (to - from) / life }
  })
}

/** Two proper scores of a set of predictions. */
export interface Scores {
  /** Mean squared error, 0..1. */
  readonly brier: number
  /** Mean cross-entropy in nats. */
  readonly logLoss: number
}

/** By the first confidence, by the last, and averaged over the time that each was current. */
export interface ScoresOverLife {
  readonly first: Scores
  readonly last: Scores
  readonly timeWeighted: Scores
}

type Score = (confidence: number, outcome: Outcome) => number

function scoreOverLife(past: readonly Past[], score: (one: Past, by: Score) => number): Scores | null {
  const brier = meanOf(past.map((one) => score(one, brierOf)))
  const logLoss = meanOf(past.map((one) => score(one, logLossOf)))
  return brier === null || logLoss === null ? null : { brier, logLoss }
}

/** Null if there are none. */
export function scoresOf(past: readonly Past[]): ScoresOverLife | null {
  const first = scoreOverLife(past, (one, by) => by(statedBy(one, 'first'), one.outcome))
  const last = scoreOverLife(past, (one, by) => by(statedBy(one, 'last'), one.outcome))
  const timeWeighted = scoreOverLife(past, (one, by) =>
    sharesOf(one).reduce((sum, { confidence, share }) => sum + share * by(confidence, one.outcome), 0),
  )
  return first === null || last === null || timeWeighted === null ? null : { first, last, timeWeighted }
}

/** How far ahead it looked: until its due date, otherwise until its resolution; milliseconds. */
export const horizonOf = ({ createdAt, dueAt, resolvedAt }: Past): number => (dueAt ?? resolvedAt) - createdAt

/** The accepted forms of a horizon, for error messages and help. */
export const horizonForms = '2w (up to two weeks), 1d-2w (between), 2w+ (more)'

/** A test for the horizons that a text in one of these forms means; undefined if it has no such form. */
export function readHorizon(text: string): ((horizon: number) => boolean) | undefined {
  const [, from, to = from, more] = /^(\w+?)(?:-(\w+))?(\+)?$/.exec(text.trim()) ?? []
  const [low, high] = [spanOf(from ?? ''), spanOf(to ?? '')]
  if (low === undefined || high === undefined) return undefined
  const ranged = text.includes('-')
  if (more !== undefined) return ranged ? undefined : (horizon) => horizon > high
  if (ranged && low > high) return undefined
  return (horizon) => horizon <= high && (!ranged || horizon >= low)
}

export const groupings = ['month', 'horizon', 'agent'] as const
export type Grouping = (typeof groupings)[number]

/** Upper bounds of the horizon groups. */
const horizons = [
  ['1d', msPerDay],
  ['1w', msPerWeek],
  ['30d', 30 * msPerDay],
  ['90d', 90 * msPerDay],
] as const

const nameOf: Readonly<Record<Grouping, (one: Past) => string>> = {
  month: ({ resolvedAt }) => toInstant(resolvedAt).toISOString().slice(0, 7),
  horizon: (one) => horizons.find(([, most]) => horizonOf(one) <= most)?.[0] ?? 'longer',
  agent: ({ agent }) => agentNameOf(agent ?? unnamedAgent),
}

/** Predictions by the month of their resolution (UTC), by how far ahead they looked, or by who made them, in that order. */
export function groupBy(past: readonly Past[], by: Grouping): { group: string; members: Past[] }[] {
  const groups = new Map<string, Past[]>()
  for (const one of past) addTo(groups, nameOf[by](one), one)
  const order = [...horizons.map(([name]) => name), 'longer']
  const rank = (name: string): number => (by === 'horizon' ? order.indexOf(name) : 0)
  return [...groups]
    .map(([group, members]) => ({ group, members }))
    .sort((a, b) => rank(a.group) - rank(b.group) || (a.group < b.group ? -1 : 1))
}

/** Summary of the resolved predictions that share a distinctive word with the topic. */
export interface TrackRecord {
  readonly adjacentPredictions: number
  readonly correct: number
  readonly incorrect: number
  readonly partial: number
  /** (correct + partial / 2) / all. */
  readonly accuracy: number
  readonly meanConfidence: number
  readonly meanSurprise: number
  /** At most three, most surprising first. */
  readonly mostSurprising: readonly AdjacentPrediction[]
}

/** A resolved prediction that shares a distinctive word with a topic. */
export interface AdjacentPrediction extends Pick<Prediction, 'id' | 'prediction' | 'domain' | 'confidence'> {
  readonly resolution: ScoredResolution
}

/** The track record of the adjacent predictions; null if there are none. */
export function trackRecordOf(adjacent: readonly AdjacentPrediction[]): TrackRecord | null {
  const meanConfidence = meanOf(adjacent.map((one) => one.confidence))
  const meanSurprise = meanOf(adjacent.map((one) => one.resolution.surprise))
  const accuracy = meanOf(adjacent.map((one) => outcomeValue[one.resolution.outcome]))
  if (meanConfidence === null || meanSurprise === null || accuracy === null) return null
  const having = (outcome: Outcome) => adjacent.filter((one) => one.resolution.outcome === outcome).length
  return {
    adjacentPredictions: adjacent.length,
    correct: having('correct'),
    incorrect: having('incorrect'),
    partial: having('partial'),
    accuracy,
    meanConfidence,
    meanSurprise,
    mostSurprising: [...adjacent]
      .sort((a, b) => b.resolution.surprise - a.resolution.surprise || b.id - a.id)
      .slice(0, 3),
  }
}
