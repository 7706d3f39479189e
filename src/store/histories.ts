/**
 * The storage port for merging what several people did with one record, each in their own brain. Part of the port in
 * `store.ts`.
 */
import type { MemoryVersion } from '../core/records.ts'
import type { PredictionEnd } from '../core/shared-history.ts'

export interface HistoryStore {
  /** Adds earlier texts to a memory of the project; does nothing if it does not exist. */
  addVersions(project: string, memoryId: number, versions: readonly MemoryVersion[]): Promise<void>
  /**
   * Replaces a prediction's history by the result of `decide`, under the lock under which it was read; the latest
   * forecast is its confidence. Returns false if the project has no such prediction.
   */
  settle(
    project: string,
    predictionId: number,
    decide: (end: PredictionEnd) => PredictionEnd,
  ): Promise<boolean>
  /**
   * Records which belief replaced another, unless it was replaced before or the successor is older. Returns whether it
   * was recorded.
   */
  succeed(project: string, beliefId: number, successorId: number): Promise<boolean>
}
