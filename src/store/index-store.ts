/**
 * What we ask of storage for vectors: whose are served, which are missing, and going over from one model to another. Part of
 * the port in `store.ts`; what search asks is in `candidates.ts`.
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
  /** All passages of these memories that are of the model. */
  passages(project: string, model: ModelIdentity, memoryIds: readonly number[]): Promise<StoredPassage[]>
  /** Memories that have no vector of `model`, oldest first, ids above `after`. */
  withoutVector(
    project: string,
    model: ModelIdentity,
    page: { after: number; limit: number },
  ): Promise<Memory[]>
  /**
   * The same, newest first, ids below `before`, of the list of those that wait for a vector of the served model; `model`
   * is that one. With `flagsOnly` the flags among them.
   */
  waiting(
    project: string,
    model: ModelIdentity,
    page: { before: number; limit: number; flagsOnly: boolean },
  ): Promise<Memory[]>
  /** How many memories of any project have no vector of `model`. */
  lacking(model: ModelIdentity): Promise<number>
  /** Rows of the project without a vector of the served model. */
  backlog(project: string): Promise<number>
  /**
   * Adds vectors to memories that still exist and still lack them; with `onlyServed`, unless another model is served
   * by now. Returns how many were written.
   */
  addEmbeddings(
    project: string,
    embeddings: ReadonlyMap<number, Embedding>,
    options?: { onlyServed?: boolean },
  ): Promise<number>
  /**
   * Makes `model` the served one for every process at once, if every memory has its vectors; other models' are found
   * no more and wait for `tidy`. False while some lack them, unless it is served already. `after` has the ids up
   * to which the caller saw to it, by project; memories `without` may lack them and wait to be healed.
   */
  serve(
    model: ModelIdentity,
    options?: { after?: ReadonlyMap<string, number>; without?: readonly number[] },
  ): Promise<boolean>
  /**
   * Makes `next` the served one in place of `former` for every process at once, though memories lack its vectors: all of
   * them wait to be embedded. The vectors of `former` are found no more and wait for `tidy`. Does nothing where
   * another is served by now.
   */
  replaceServed(former: ModelIdentity, next: ModelIdentity): Promise<void>
  /** What is to be done behind the scenes: projects with memories that wait for a vector, and whether `tidy` has work. */
  upkeep(): Promise<{ waiting: readonly string[]; untidy: boolean }>
  /**
   * Does a slice, a few milliseconds' worth, of what may wait: removes what models served earlier left behind, prepares
   * what makes a search quick. False when nothing was left to do.
   */
  tidy(): Promise<boolean>
}
