/** The storage port for dreams: kept once, handed out once, with their readers' feedback. Part of the port in `store.ts`. */
import type { KindFeedback } from '../core/dream-feedback.ts'
import type { Dream, FeedbackVerdict, Quoted } from '../core/records.ts'

export interface NewDream extends Omit<Dream, 'id' | 'readAt'> {
  /** Its evidence. */
  readonly reasons?: readonly string[]
  readonly quoted?: readonly Quoted[]
}

/** The reasons for a dream and its reader's feedback. */
export interface DreamExplanation {
  readonly dreamId: number
  readonly reasons: readonly string[]
  /** null without feedback. */
  readonly feedback: FeedbackVerdict | null
}

export interface DreamStore {
  /**
   * Keeps those whose kind and sources were not dreamt before and whose sources, and what else they quote, still exist; returns
   * the kept ones.
   */
  addMany(project: string, dreams: readonly NewDream[]): Promise<Dream[]>
  /** The oldest unread, marked read in the same transaction. */
  take(project: string, limit: number, now: number): Promise<Dream[]>
  /** Newest first; `read` true lists only those already read, false only those unread, oldest first. */
  list(project: string, query: { limit: number; read?: boolean }): Promise<Dream[]>
  countUnread(project: string): Promise<number>
  /** The project's dreams with these ids. */
  explain(project: string, ids: readonly number[]): Promise<DreamExplanation[]>
  /**
   * Stores a reader's feedback on a dream, replacing an earlier one, or with null removes it. Undefined if the project
   * has no such dream.
   */
  rate(
    project: string,
    feedback: { id: number; verdict: FeedbackVerdict | null; now: number },
  ): Promise<Dream | undefined>
  /** Marks a dream as read; undefined if the project has no such dream. */
  markRead(project: string, id: number, now: number): Promise<Dream | undefined>
  /** Feedback by kind, for kinds that have any. */
  feedback(project: string): Promise<KindFeedback[]>
  /** Whether a night is due since `since`, and if so the right to dream it: at most one process gets true. */
  claimNight(project: string, night: { since: number; now: number; holdFor: number }): Promise<boolean>
  /** Ends the claimed night; one that never ends is due again once `holdFor` has passed. */
  endNight(project: string, now: number): Promise<void>
}
