/**
 * The records of a brain, as the domain sees them. Times are milliseconds since the epoch (UTC);
 * the wire's snake_case and RFC 3339 live in `operations`, columns in `store`.
 */

export type RecordKind = 'memory' | 'belief' | 'prediction' | 'dream' | 'observation'

/** Kinds of records that are kept with the circumstances of their creation. */
export type KeptKind = 'memory' | 'belief' | 'evidence' | 'prediction' | 'observation'

/** The circumstances in which a record was created; null where unknown. */
export interface Circumstances {
  /** Who created it, where the record itself does not say. */
  readonly agent: string | null
  /** The agent's name for the session in which it was created. */
  readonly session: string | null
  /** Branch and commit of the working directory. */
  readonly branch: string | null
  readonly commit: string | null
  /** Its identifier in the system it was imported from. */
  readonly origin: string | null
}

/** The result of looking up an id in a project; about a record of another project, only that it exists. */
export type Found<T> = T | 'elsewhere' | undefined

export interface Memory {
  readonly id: number
  readonly text: string
  /** 0..1; above 0 the memory is a flag. */
  readonly caution: number
  /** Who recorded it, or last edited it. */
  readonly agent: string
  readonly createdAt: number
  /** Milliseconds; absent if it was never edited. */
  readonly editedAt?: number
  /** Absent if it is not pinned. */
  readonly pinnedAt?: number
  /** From then on agents no longer see it; absent if it does not expire. */
  readonly expiresAt?: number
  /** Sorted; absent if there are none. */
  readonly tags?: readonly string[]
}

/** When a memory's present text was given, in milliseconds: nobody said it before the last edit. */
export const saidAt = ({ editedAt, createdAt }: Pick<Memory, 'editedAt' | 'createdAt'>): number =>
  editedAt ?? createdAt

/** An earlier text of a memory. */
export interface MemoryVersion {
  readonly text: string
  readonly caution: number
  readonly agent: string
  readonly createdAt: number
  readonly replacedAt: number
  /** The id it had as a separate memory, before it was merged. */
  readonly formerId?: number
}

export const dreamKinds = [
  'bridge',
  'recurrence',
  'tension',
  'echo',
  'settled',
  'drift',
  'reversal',
  'trend',
  'question',
  'promise',
  'cause',
  'collision',
  'rule',
  'preference',
] as const
export type DreamKind = (typeof dreamKinds)[number]

/** A record other than a memory that a thought quotes. */
export interface Quoted {
  readonly kind: 'belief' | 'prediction'
  readonly id: number
}

export interface Dream {
  readonly id: number
  readonly kind: DreamKind
  readonly thought: string
  readonly sourceMemoryIds: readonly number[]
  /** 0..1; 1 minus the highest similarity to the project's earlier dreams. */
  readonly novelty: number
  readonly createdAt: number
  /** null while unread. */
  readonly readAt: number | null
}

export const feedbackVerdicts = ['keep', 'dismiss'] as const
/** A reader's verdict on a dream: worth having, or not. */
export type FeedbackVerdict = (typeof feedbackVerdicts)[number]

/** What became of a dream: unread and not judged, or its reader's word on it. */
export const dreamStandings = ['unread', 'kept', 'dismissed'] as const
export type DreamStanding = (typeof dreamStandings)[number]

export const beliefStatuses = ['accumulating', 'promoted', 'demoted'] as const
export type BeliefStatus = (typeof beliefStatuses)[number]

/** What a list of beliefs begins with: those asserted last, or those that moved last. */
export const beliefOrders = ['created', 'moved'] as const
export type BeliefOrder = (typeof beliefOrders)[number]

export interface Belief {
  readonly id: number
  readonly text: string
  /** Confidence the belief was asserted with, 0.05..0.95. */
  readonly prior: number
  /** Posterior confidence, 0.05..0.95. */
  readonly confidence: number
  /** Sum of the trail's log-likelihood ratios, natural logarithm. */
  readonly logRatio: number
  readonly evidenceCount: number
  /** The status after the last evidence, by the boundaries of that time. The current one follows from the ratio: `statusOf`. */
  readonly status: BeliefStatus
  readonly lastEvidenceAt: number | null
  /** Id of the belief that replaced this one. */
  readonly supersededBy: number | null
  readonly createdAt: number
}

export const evidenceKinds = ['supporting', 'refuting'] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

export interface EvidenceEvent {
  readonly id: number
  readonly kind: EvidenceKind
  /** 0.1..0.9: P(seen | true) - P(seen | false). */
  readonly strength: number
  /** Signed natural-log likelihood ratio; 0 if it repeats another event of its source. */
  readonly logLikelihood: number
  readonly note: string | null
  readonly createdAt: number
  /** The observation's source, if stated. */
  readonly source?: string
}

export const outcomes = ['correct', 'incorrect', 'partial'] as const
export type Outcome = (typeof outcomes)[number]

/** How a prediction may end: with an outcome, or annulled, which is excluded from all figures. */
export const endings = [...outcomes, 'annulled'] as const
export type Ending = (typeof endings)[number]

interface Closed {
  readonly actual: string
  readonly resolvedAt: number
}

/** How a prediction was closed; `surprise` is 0..1. */
export type Resolution =
  | (Closed & { readonly outcome: Outcome; readonly surprise: number })
  | (Closed & { readonly outcome: 'annulled'; readonly surprise: null })

/** A resolution that counts in figures. */
export type ScoredResolution = Extract<Resolution, { readonly outcome: Outcome }>

/** A confidence in a prediction and when it was stated. */
export interface Forecast {
  /** 0..1. */
  readonly confidence: number
  readonly note: string | null
  readonly createdAt: number
}

/** A resolution that was undone: when, and why if stated. */
export type Reopening = Resolution & { readonly note: string | null; readonly createdAt: number }

/** A command that settles a prediction when it is due, and the proof of its authorship, if any. */
export interface Check {
  readonly command: string
  readonly proof: string | null
}

export interface Prediction {
  readonly id: number
  readonly prediction: string
  readonly domain: string
  /** The one stated last, 0..1. */
  readonly confidence: number
  /** The one stated with the prediction, 0..1. */
  readonly firstConfidence: number
  readonly basis: string | null
  /** Who predicted; null if nobody was named. */
  readonly agent: string | null
  readonly createdAt: number
  /** Due date, milliseconds since the epoch, inclusive; null if there is none. */
  readonly dueAt: number | null
  readonly check: Check | null
  /** null while open. */
  readonly resolution: Resolution | null
}

/** The history of a prediction. */
export interface PredictionHistory {
  /** Every confidence, the first included, oldest first. */
  readonly forecasts: readonly Forecast[]
  /** Oldest first. */
  readonly reopenings: readonly Reopening[]
}

export const observationKinds = ['characterization', 'pattern', 'feedback'] as const
export type ObservationKind = (typeof observationKinds)[number]

/** What one agent noted about another: an outside view. */
export interface Observation {
  readonly id: number
  readonly observerAgent: string
  readonly subjectAgent: string
  readonly observation: string
  readonly kind: ObservationKind | null
  readonly createdAt: number
}

/** What is kept of an API key; never the secret itself. */
export interface Key {
  /** The 8 public characters. */
  readonly id: string
  readonly project: string
  readonly label: string | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** To within ten minutes. */
  readonly lastUsedAt: number | null
}
