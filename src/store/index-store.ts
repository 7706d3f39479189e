/**
 * The storage port for vectors: which model is served, which vectors are missing, and switching to another model. Part
 * of the port in `store.ts`; what search needs is in `candidates.ts`.
 */
import type { Memory } from '../core/records.ts'
import type { ModelIdentity } from '../models/embedder.ts'
import type { CandidateStore } from './candidates.ts'
import type { Embedding } from './store.ts'

/** A stored vector and its word pieces. */
export interface StoredPassage {
  readonly memoryId: number
  readonly vector: Float32Array
  readonly tokens: Uint16Array
}

export interface IndexStore extends CandidateStore {
  /** The model whose vectors recall uses; undefined before the first vector. */
  servedModel(): Promise<ModelIdentity | undefined>
  /** All passages of these memories with vectors of the model. */
  passages(project: string, model: ModelIdentity, memoryIds: readonly number[]): Promise<StoredPassage[]>
  /** Memories without a vector of `model`, oldest first, with ids above `after`. */
  withoutVector(
    project: string,
    model: ModelIdentity,
    page: { after: number; limit: number },
  ): Promise<Memory[]>
  /**
   * The same, newest first, with ids below `before`, from the list of memories waiting for a vector of the served
   * model; `model` is that model. With `flagsOnly` only flags.
   */
  waiting(
    project: string,
    model: ModelIdentity,
    page: { before: number; limit: number; flagsOnly: boolean },
  ): Promise<Memory[]>
  /** Number of memories in all projects without a vector of `model`. */
  lacking(model: ModelIdentity): Promise<number>
  /** Number of the project's memories without a vector of the served model. */
  backlog(project: string): Promise<number>
  /**
   * Adds vectors to memories that still exist and still lack them; with `onlyServed`, unless another model has been
   * served since. Returns how many were written.
   */
  addEmbeddings(
    project: string,
    embeddings: ReadonlyMap<number, Embedding>,
    options?: { onlyServed?: boolean },
  ): Promise<number>
  /**
   * Makes `model` the served one for every process at once, if every memory has its vectors; vectors of other models
   * are no longer found and are removed by `tidy`. False while some are missing, unless it is served already. `after`
   * is, by project, the id up to which the caller has made sure of it; memories `without` may lack vectors and wait
   * for them.
   */
  serve(
    model: ModelIdentity,
    options?: { after?: ReadonlyMap<string, number>; without?: readonly number[] },
  ): Promise<boolean>
  /**
   * Makes `next` the served model instead of `former` for every process at once, although memories lack its vectors:
   * all of them wait to be embedded. The vectors of `former` are no longer found and are removed by `tidy`. Does
   * nothing if another model is served by now.
   */
  replaceServed(former: ModelIdentity, next: ModelIdentity): Promise<void>
  /** Outstanding background work: projects with memories waiting for a vector, and whether `tidy` has work. */
  upkeep(): Promise<{ waiting: readonly string[]; untidy: boolean }>
  /**
   * Does a few milliseconds of deferred work: removes what previously served models left behind, prepares what speeds
   * up searches. False when nothing was left to do.
   */
  tidy(): Promise<boolean>
}
