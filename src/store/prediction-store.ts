/** The storage port for predictions, part of the port in `store.ts`. */
import type { OverdueRule } from '../core/predictions.ts'
import type {
  Forecast,
  Found,
  Prediction,
  PredictionHistory,
  Reopening,
  Resolution,
  ScoredResolution,
} from '../core/records.ts'
import type { Past } from '../core/track-record.ts'
import type { Kept } from './store.ts'

/** What is stated with a prediction; its agent is part of its circumstances. */
type Stated = Omit<Prediction, 'id' | 'firstConfidence' | 'agent' | 'dueAt' | 'check' | 'resolution'>

export interface NewPrediction extends Stated, Kept {
  readonly dueAt?: number | null
  /** A command, and a function that proves its authorship once the prediction has its id. */
  readonly check?: { readonly command: string; readonly prove: (id: number) => string | null } | null
}

export interface ResolvedPrediction extends Prediction {
  readonly resolution: ScoredResolution
}

/** The project's totals over resolved predictions, enough for `state` without reading every row. */
export interface ResolutionSummary {
  readonly resolved: number
  readonly meanConfidence: number | null
  readonly accuracy: number | null
  readonly meanSurprise: number | null
}

export interface PredictionQuery {
  /** Which of them; all when absent. */
  readonly standing?: 'open' | 'overdue' | 'resolved' | 'annulled'
  /** Only open ones due up to this moment. */
  readonly dueUpTo?: number
  readonly domain?: string
  readonly agent?: string
  readonly overdue: OverdueRule
  readonly limit: number
  readonly skip: number
}

export interface PredictionStore {
  add(project: string, prediction: NewPrediction): Promise<Prediction>
  find(project: string, id: number): Promise<Found<Prediction>>
  /** The prediction, all its forecasts and the resolutions that were undone, from one snapshot. */
  trail(project: string, id: number): Promise<{ prediction: Found<Prediction> } & PredictionHistory>
  /**
   * Adds a forecast, which becomes the prediction's confidence; `earlier` is the number of forecasts so far, including
   * the first.
   */
  forecast(
    project: string,
    id: number,
    decide: (prediction: Found<Prediction>, earlier: number) => Forecast,
  ): Promise<{ before: Prediction; after: Prediction; forecasts: number }>
  resolve(
    project: string,
    id: number,
    decide: (prediction: Found<Prediction>) => Resolution,
  ): Promise<Prediction & { readonly resolution: Resolution }>
  /** Reopens a resolved prediction and keeps the resolution that is undone. */
  reopen(
    project: string,
    id: number,
    decide: (prediction: Found<Prediction>) => Reopening,
  ): Promise<{ prediction: Prediction; reopening: Reopening }>
  /** Stores a proof for the check of a prediction, if its command is still the same. */
  prove(
    project: string,
    id: number,
    check: { readonly command: string; readonly proof: string },
  ): Promise<boolean>
  /** Unresolved, oldest first. */
  listOpen(project: string, limit: number): Promise<Prediction[]>
  /** Oldest first, or earliest due first if due dates are requested; `total` counts all matches. */
  list(project: string, query: PredictionQuery): Promise<{ total: number; predictions: Prediction[] }>
  /** Open predictions with a check, due at `now` or before, earliest due first. */
  listDueChecks(project: string, now: number): Promise<Prediction[]>
  /** Predictions resolved at or after `since` (milliseconds), oldest resolution first, without annulled ones. */
  listOutcomes(project: string, since?: number): Promise<Past[]>
  /**
   * Resolved predictions with any of the terms in prediction, domain or basis, ignoring terms in more than a quarter
   * of all (from 8 on).
   */
  listAdjacent(project: string, terms: readonly string[]): Promise<ResolvedPrediction[]>
  summarise(project: string, since?: number): Promise<ResolutionSummary>
  /** Number of overdue predictions, and the ids of the first ones by due date. */
  listOverdue(
    project: string,
    rule: OverdueRule & { readonly limit: number },
  ): Promise<{ total: number; ids: number[] }>
  /** Ids of those that are already here, by their names in the system they came from. */
  knownOrigins(project: string, origins: readonly string[]): Promise<Set<string>>
}
