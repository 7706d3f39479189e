/**
 * The storage port for search: what is worth comparing with a question or a plan, all of it from one snapshot. Knows
 * terms, vectors and records; weights are search's. Part of the port in `store.ts`.
 */
import type { Memory } from '../core/records.ts'
import type { ModelIdentity } from '../models/embedder.ts'
import type { MemoryFilter } from './memory-life.ts'

/** A passage near a query: its similarity, and the pieces to compare word by word. */
export interface PassageMatch {
  readonly memoryId: number
  /** Cosine, -1..1. */
  readonly similarity: number
  readonly tokens: Uint16Array
}

/** A memory that shares terms with a query. */
export interface KeywordMatch {
  readonly id: number
  /** How often each of the query's terms occurs in it. */
  readonly counts: ReadonlyMap<string, number>
  /** Number of terms of the whole memory. */
  readonly length: number
}

/** How common terms are in one project. */
export interface TermStatistics {
  readonly documents: number
  /** Average number of terms of a memory. */
  readonly averageLength: number
  readonly frequency: ReadonlyMap<string, number>
}

/** A query's vector in a model's space, and the number of passages wanted. */
export interface VectorQuery {
  readonly model: ModelIdentity
  /** A unit vector. */
  readonly vector: Float32Array
  /** 0 if only memories found by keyword are to be compared. */
  readonly limit: number
}

export interface CandidateQuery {
  /** Its terms (see `core/words.ts`); those that `chooseTerms` selects are looked up. */
  readonly terms: readonly string[]
  /** Of these terms, where they have just been looked up; absent, they are looked up. */
  readonly statistics?: TermStatistics | undefined
  /** Number of memories wanted that share terms with it. */
  readonly matches: number
  /** Absent, words alone are compared. */
  readonly nearest?: VectorQuery | undefined
  /** Size of a sample of ordinary memories, spread evenly over the history of a project that has at least `from`. */
  readonly sample?: { readonly size: number; readonly from: number }
  readonly among: MemoryFilter
  /** Whether texts and times of all are wanted; otherwise only those of matches without a vector, if vectors are compared. */
  readonly texts: boolean
}

/** Everything to compare with a question, from one snapshot. */
export interface Candidates {
  /** The served model in this snapshot; undefined before the first vector. */
  readonly served: ModelIdentity | undefined
  /** Statistics of the query's terms in the whole project. */
  readonly statistics: TermStatistics
  /** Memories that contain any of the terms looked up, best first by BM25. */
  readonly matches: readonly KeywordMatch[]
  /** The nearest, best first, then those of the matches that are not among them; several may be of one memory. */
  readonly passages: readonly PassageMatch[]
  readonly sample: readonly PassageMatch[]
  readonly memories: ReadonlyMap<number, Pick<Memory, 'text' | 'createdAt'>>
  /** Whether the nearest are turns of a conversation. What was written just before and after is among the passages then. */
  readonly conversation: boolean
}

export interface FlagQuery {
  /** Of the plan, each once. */
  readonly terms: readonly string[]
  /** Absent, words alone are compared. */
  readonly nearest?: VectorQuery | undefined
  /** In a project with more flags, number of the most severe that are compared however far they are. */
  readonly gravest: number
  /** Milliseconds; flags that have expired by then are ignored. */
  readonly now: number
}

/** Everything to compare with a plan, from one snapshot. */
export interface FlagCandidates extends Pick<Candidates, 'served' | 'statistics' | 'passages'> {
  /** How many flags there are. */
  readonly flags: number
  /** The terms that each flag contains; flags without any are left out. */
  readonly held: ReadonlyMap<number, readonly string[]>
  /** The flags that contain a term, and those of the passages. */
  readonly memories: readonly Memory[]
  /** Plans that these flags were declared not to apply to, as listed by `ExemptionStore`. */
  readonly exemptions: readonly Exemption[]
}

/** A plan that somebody declared a flag not to apply to. */
export interface Exemption {
  readonly flagId: number
  readonly topic: string
}

export interface CandidateStore {
  /** How many flags have not expired by `now`. */
  countFlags(project: string, now: number): Promise<number>
  /**
   * Everything a gut-check compares, from one snapshot. Passages belong to the nearest flags, those that contain a
   * term, and the most severe.
   */
  flagCandidates(project: string, query: FlagQuery): Promise<FlagCandidates>
  /** Everything a search compares, from one snapshot. */
  candidates(project: string, query: CandidateQuery): Promise<Candidates>
  /** Nearest passages of the project, best first; several may belong to one memory. */
  nearest(project: string, query: VectorQuery & { among?: MemoryFilter }): Promise<PassageMatch[]>
  termStatistics(project: string, terms: readonly string[]): Promise<TermStatistics>
  /** Terms of the project's memories with this prefix, sorted; at most a few thousand. */
  termsFrom(project: string, prefix: string): Promise<string[]>
}
