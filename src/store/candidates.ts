/**
 * What we ask of storage for search: what is worth comparing with a question or a plan, all of it as of one moment. Knows
 * terms, vectors and records; what any of it weighs is for search. Part of the port in `store.ts`.
 */
import type { Memory } from '../core/records.ts'
import type { ModelIdentity } from '../models/embedder.ts'
import type { MemoryFilter } from './memory-life.ts'

/** One passage beside a query: how near, and the pieces to compare word by word. */
export interface PassageMatch {
  readonly memoryId: number
  /** Cosine, -1..1. */
  readonly similarity: number
  readonly tokens: Uint16Array
}

/** A memory that shares terms with a query. */
export interface KeywordMatch {
  readonly id: number
  /** How often each of the query's terms stands in it. */
  readonly counts: ReadonlyMap<string, number>
  /** Terms of the whole memory. */
  readonly length: number
}

/** How common terms are in one project. */
export interface TermStatistics {
  readonly documents: number
  /** Terms of a memory on average. */
  readonly averageLength: number
  readonly frequency: ReadonlyMap<string, number>
}

/** A query's place among the vectors of a model, and how many passages are wanted near it. */
export interface VectorQuery {
  readonly model: ModelIdentity
  /** A unit vector. */
  readonly vector: Float32Array
  /** 0 where only those found by their words are to be compared. */
  readonly limit: number
}

export interface CandidateQuery {
  /** What it asks for (see `core/words.ts`); looked up are those that `chooseTerms` takes. */
  readonly terms: readonly string[]
  /** Memories wanted that share terms with it. */
  readonly matches: number
  /** Absent, words alone are compared. */
  readonly nearest?: VectorQuery | undefined
  /** So many ordinary memories beside, spread evenly over the history of a project that holds at least `from`. */
  readonly sample?: { readonly size: number; readonly from: number }
  readonly among: MemoryFilter
  /** Whether texts and times of all are wanted; else they are told of matches without a vector, where vectors are compared. */
  readonly texts: boolean
}

/** What there is to compare with a question, as of one moment. */
export interface Candidates {
  /** The model whose vectors recall uses then; undefined before the first vector. */
  readonly served: ModelIdentity | undefined
  /** Of the query's terms, in the whole project. */
  readonly statistics: TermStatistics
  /** Memories that hold any of the terms looked up, best first by BM25. */
  readonly matches: readonly KeywordMatch[]
  /** The nearest, best first, then those of the matches that are not among them; several may be of one memory. */
  readonly passages: readonly PassageMatch[]
  readonly sample: readonly PassageMatch[]
  readonly memories: ReadonlyMap<number, Pick<Memory, 'text' | 'createdAt'>>
}

export interface FlagQuery {
  /** Of the plan, each once. */
  readonly terms: readonly string[]
  /** Absent, words alone are compared. */
  readonly nearest?: VectorQuery | undefined
  /** In a project of more flags, so many of the gravest are compared, wherever they lie. */
  readonly gravest: number
  /** Milliseconds; what has expired by then is no flag. */
  readonly now: number
}

/** What there is to compare with a plan, as of one moment. */
export interface FlagCandidates extends Pick<Candidates, 'served' | 'statistics' | 'passages'> {
  /** How many flags there are. */
  readonly flags: number
  /** Which of the terms each flag holds; a flag that holds none of them is left out. */
  readonly held: ReadonlyMap<number, readonly string[]>
  /** Those that hold a term, and those that passages are of. */
  readonly memories: readonly Memory[]
  /** Plans that these were said not to apply to, as `ExemptionStore` lists them. */
  readonly exemptions: readonly Exemption[]
}

/** A plan of which somebody said that a flag does not apply to it. */
export interface Exemption {
  readonly flagId: number
  readonly topic: string
}

export interface CandidateStore {
  /** How many flags have not expired by `now`. */
  countFlags(project: string, now: number): Promise<number>
  /** Everything a gut-check compares, as of one moment. Passages are of flags: the nearest, of those that hold a term, of the gravest. */
  flagCandidates(project: string, query: FlagQuery): Promise<FlagCandidates>
  /** Everything a search compares, as of one moment. */
  candidates(project: string, query: CandidateQuery): Promise<Candidates>
  /** Nearest passages of the project, best first; several may be of one memory. */
  nearest(project: string, query: VectorQuery & { among?: MemoryFilter }): Promise<PassageMatch[]>
  termStatistics(project: string, terms: readonly string[]): Promise<TermStatistics>
  /** Terms of the project's memories that begin so, in order; at most some thousands. */
  termsFrom(project: string, prefix: string): Promise<string[]>
}
