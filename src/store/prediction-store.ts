/** What we ask of storage for predictions: part of the port in `store.ts`. */
import type {
  Forecast,
  Found,
  Outcome,
  Prediction,
  PredictionHistory,
  Reopening,
  Resolution,
  ScoredResolution,
} from '../core/records.ts'
import type { Kept } from './store.ts'

/** What is stated of a prediction; its agent is kept with its circumstances. */
type Stated = Omit<Prediction, 'id' | 'firstConfidence' | 'agent' | 'dueAt' | 'check' | 'resolution'>

export interface NewPrediction extends Stated, Kept {
  readonly dueAt?: number | null
  /** A command, and what proves who wrote it once the prediction has its id. */
  readonly check?: { readonly command: string; readonly prove: (id: number) => string | null } | null
}

export interface ResolvedPrediction extends Prediction {
  readonly resolution: ScoredResolution
}

/** What figures need of a resolved prediction. */
export interface PastPrediction extends Pick<Prediction, 'agent' | 'createdAt' | 'dueAt' | 'domain'> {
  /** Every confidence, oldest first. */
  readonly forecasts: readonly Pick<Forecast, 'confidence' | 'createdAt'>[]
  readonly outcome: Outcome
  readonly surprise: number
  readonly resolvedAt: number
}

/** The project's totals over resolved predictions, enough for `state` without reading every row. */
export interface ResolutionSummary {
  readonly resolved: number
  readonly meanConfidence: number | null
  readonly accuracy: number | null
  readonly meanSurprise: number | null
}

/** When an open prediction is overdue: past what it was due at, or without a due date made before so long ago. */
export interface OverdueRule {
  readonly now: number
  readonly madeBefore: number
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
  /** The prediction, every forecast of it and every resolution that was undone, as of one moment. */
  trail(project: string, id: number): Promise<{ prediction: Found<Prediction> } & PredictionHistory>
  /** Adds a forecast, which becomes the prediction's confidence; `earlier` counts those there are, the first included. */
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
  /** Opens a resolved prediction again and keeps what it was resolved as. */
  reopen(
    project: string,
    id: number,
    decide: (prediction: Found<Prediction>) => Reopening,
  ): Promise<{ prediction: Prediction; reopening: Reopening }>
  /** Keeps a proof for the check of a prediction, if it still is this command. */
  prove(
    project: string,
    id: number,
    check: { readonly command: string; readonly proof: string },
  ): Promise<boolean>
  /** Unresolved, oldest first. */
  listOpen(project: string, limit: number): Promise<Prediction[]>
  /** Oldest first; those that are due first where due dates are asked for. `total` counts all that the query means. */
  list(project: string, query: PredictionQuery): Promise<{ total: number; predictions: Prediction[] }>
  /** Open ones with a check, due at `now` or before, the one due first first. */
  listDueChecks(project: string, now: number): Promise<Prediction[]>
  /** Those resolved at or after `since` (milliseconds), oldest resolution first; annulled ones are in no figure. */
  listOutcomes(project: string, since?: number): Promise<PastPrediction[]>
  /** Resolved ones holding any of the terms in prediction, domain or basis, leaving out terms in more than a quarter of all (from 8 on). */
  listAdjacent(project: string, terms: readonly string[]): Promise<ResolvedPrediction[]>
  summarise(project: string, since?: number): Promise<ResolutionSummary>
  /** How many are overdue, and the ids of the first so many by when they were due. */
  listOverdue(
    project: string,
    rule: OverdueRule & { readonly limit: number },
  ): Promise<{ total: number; ids: number[] }>
  /** By the names they had where they came from: which of them are here. */
  knownOrigins(project: string, origins: readonly string[]): Promise<Set<string>>
}
