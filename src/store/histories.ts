/**
 * What we ask of storage for bringing together what several people did with one record, each in a brain of their own. Part
 * of the port in `store.ts`.
 */
import type { MemoryVersion } from '../core/records.ts'
import type { PredictionEnd } from '../core/shared-history.ts'

export interface HistoryStore {
  /** Adds earlier texts to a memory of the project; nothing where it has none of this id. */
  addVersions(project: string, memoryId: number, versions: readonly MemoryVersion[]): Promise<void>
  /**
   * Puts what `decide` makes of a prediction's history in its place, under the lock that read it; the forecast stated last
   * is its confidence. Returns false where the project has none of this id.
   */
  settle(
    project: string,
    predictionId: number,
    decide: (end: PredictionEnd) => PredictionEnd,
  ): Promise<boolean>
  /**
   * Says which belief replaced another, unless one did before or it is older than that one. Returns whether it is said now.
   */
  succeed(project: string, beliefId: number, successorId: number): Promise<boolean>
}
