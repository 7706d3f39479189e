/** What we ask of storage for dreams: kept once, told once, and what readers made of them. Part of the port in `store.ts`. */
import type { KindFeedback } from '../core/dream-feedback.ts'
import type { Dream, FeedbackVerdict } from '../core/records.ts'

export interface NewDream extends Omit<Dream, 'id' | 'readAt'> {
  /** What spoke for it. */
  readonly reasons?: readonly string[]
}

/** Why a dream was told and what its reader made of it. */
export interface DreamExplanation {
  readonly dreamId: number
  readonly reasons: readonly string[]
  /** null while nobody said anything. */
  readonly feedback: FeedbackVerdict | null
}

export interface DreamStore {
  /** Keeps those whose kind and sources were not dreamt before and whose sources are still there; returns the kept ones. */
  addMany(project: string, dreams: readonly NewDream[]): Promise<Dream[]>
  /** The oldest unread, marked read in the same transaction. */
  take(project: string, limit: number, now: number): Promise<Dream[]>
  /** Newest first; `read` true lists only those already read, false only those unread, oldest first. */
  list(project: string, query: { limit: number; read?: boolean }): Promise<Dream[]>
  countUnread(project: string): Promise<number>
  /** Of the project's dreams with these ids. */
  explain(project: string, ids: readonly number[]): Promise<DreamExplanation[]>
  /**
   * Keeps what a reader made of a dream, in the place of an earlier word, or with null takes that back. Undefined when the
   * project has no such dream.
   */
  rate(
    project: string,
    feedback: { id: number; verdict: FeedbackVerdict | null; now: number },
  ): Promise<Dream | undefined>
  /** Marks one read, unless it is; undefined when the project has no such dream. */
  markRead(project: string, id: number, now: number): Promise<Dream | undefined>
  /** What readers made of the kinds of which they said something. */
  feedback(project: string): Promise<KindFeedback[]>
  /** Whether a night is due since `since`, and if so the right to dream it: at most one process gets true. */
  claimNight(project: string, night: { since: number; now: number; holdFor: number }): Promise<boolean>
  /** The claimed night is over; one that never ends is due again once `holdFor` has passed. */
  endNight(project: string, now: number): Promise<void>
}
