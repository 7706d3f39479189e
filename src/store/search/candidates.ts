/**
 * The way from a question or a plan to what ranking compares: what is read, in which order, and what is left out, the same in
 * every store. What does not wait for another answer is asked together: over a network each wait is a round trip. Knows no
 * database; what any of it weighs is for search.
 */
import { isConversation, lookedAt, writtenAround } from '../../core/conversation.ts'
import type { Memory } from '../../core/records.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import type {
  CandidateQuery,
  CandidateStore,
  Candidates,
  Exemption,
  FlagCandidates,
  FlagQuery,
  KeywordMatch,
  PassageMatch,
  TermStatistics,
  VectorQuery,
} from '../candidates.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { type Answer, type Steps, together } from '../sql/session.ts'
import type { KeywordQuery } from './matching.ts'
import { type Ends, startsOf } from './samples.ts'
import { type Accepts, type Selection, toSelection } from './selection.ts'
import { requireVector } from './usable-vectors.ts'

/** Which memories may be found. */
export interface Among {
  /** Of whatever kind. */
  readonly selection: Selection
  readonly kind: MemoryFilter['kind']
}

/** A project's passages beside a question. */
export interface VectorReads {
  /** The nearest, best first; of equals that of the older memory. */
  nearest(among: Among): Answer<PassageMatch[]>
  /** First passages, in the order of their ids, of the first ordinary memory from each of these ids on. */
  draw(starts: readonly number[]): Answer<number[]>
  /** All passages of some memories, in the order of these, and some by their own ids; those that are gone are left out. */
  compare(memoryIds: readonly number[], drawn: readonly number[]): Answer<Compared>
}

type Compared = Pick<Candidates, 'passages' | 'sample'>
type Texts = Candidates['memories']

/** What a store tells of a project inside one read. */
export interface CandidateReads {
  /** Undefined where the project has no vectors of the model. */
  vectors(query: VectorQuery): Answer<VectorReads | undefined>
  served(): Answer<ModelIdentity | undefined>
  statistics(terms: readonly string[]): Answer<TermStatistics>
  termsFrom(prefix: string): Answer<string[]>
  selection(filter: MemoryFilter): Answer<Selection>
  matches(query: KeywordQuery): Answer<KeywordMatch[]>
  ends(): Answer<Ends | undefined>
  texts(ids: readonly number[]): Answer<Texts>
  /** Flags, also those that have expired. */
  flags(): Answer<ReadonlySet<number>>
  countFlags(now: number): Answer<number>
  flagTerms(asked: { terms: readonly string[]; now: number }): Answer<ReadonlyMap<number, string[]>>
  gravestFlags(asked: { limit: number; now: number }): Answer<number[]>
  /** In any order. */
  memories(ids: readonly number[]): Answer<Memory[]>
  exemptions(flagIds: readonly number[]): Answer<Exemption[]>
}

/** Does work in one read of a project, in which the vectors of a model may be asked for. */
export type ReadCandidates = <T>(
  project: string,
  model: ModelIdentity | undefined,
  work: (reads: CandidateReads) => Steps<T>,
) => Promise<T>

/** Whose passages these are, each once. */
const memoriesOf = (passages: readonly PassageMatch[]): number[] => [
  ...new Set(passages.map(({ memoryId }) => memoryId)),
]

function without(ids: readonly number[], passages: readonly PassageMatch[]): number[] {
  const seen = new Set(memoriesOf(passages))
  return ids.filter((id) => !seen.has(id))
}

const findNearest = (
  vectors: VectorReads | undefined,
  query: VectorQuery | undefined,
  among: Among,
): Answer<PassageMatch[]> => (vectors && query && query.limit > 0 ? vectors.nearest(among) : [])

const compare = (
  vectors: VectorReads | undefined,
  memoryIds: readonly number[],
  drawn: readonly number[] = [],
): Answer<Compared> =>
  vectors && memoryIds.length + drawn.length > 0
    ? vectors.compare(memoryIds, drawn)
    : { passages: [], sample: [] }

const readTexts = (reads: CandidateReads, ids: readonly number[]): Answer<Texts> =>
  ids.length === 0 ? new Map() : reads.texts(ids)

/** Whether a memory is among those selected, of the kind that is wanted; undefined where those are all. */
function acceptedBy(
  { accepts }: Selection,
  kind: MemoryFilter['kind'],
  flags: ReadonlySet<number> | undefined,
): Accepts | undefined {
  if (flags === undefined) return accepts
  const wanted = kind === 'flag'
  return (id) => flags.has(id) === wanted && (accepts?.(id) ?? true)
}

function* readCandidates(
  reads: CandidateReads,
  { terms, statistics: counted, matches: limit, nearest, sample, among, texts }: CandidateQuery,
): Steps<Candidates> {
  const { kind } = among
  const isSampled = ({ documents }: TermStatistics) => sample !== undefined && documents >= sample.from
  const [vectors, statistics, selection, flags, served, ends] = yield* together(
    nearest && reads.vectors(nearest),
    counted ?? reads.statistics(terms),
    reads.selection(among),
    // Flags are few.
    kind && reads.flags(),
    reads.served(),
    nearest && sample && (counted === undefined || isSampled(counted)) ? reads.ends() : undefined,
  )
  const accepts = acceptedBy(selection, kind, flags)
  const starts = sample && ends && isSampled(statistics) ? startsOf(ends, sample.size) : []
  const [matches, near, drawn] = yield* together(
    reads.matches({ terms, statistics, limit, accepts }),
    findNearest(vectors, nearest, { selection, kind }),
    vectors && starts.length > 0 ? vectors.draw(starts) : [],
  )
  const also = matches.map(({ id }) => id)
  const first = memoriesOf(near.slice(0, lookedAt))
  const [others, known] = yield* together(
    compare(vectors, without(also, near), drawn),
    readTexts(reads, texts ? [...new Set([...memoriesOf(near), ...also])] : first),
  )
  const conversation = isConversation(first.flatMap((id) => known.get(id)?.text ?? []))
  const around = conversation
    ? writtenAround(memoriesOf(near), also).filter((id) => accepts?.(id) ?? true)
    : []
  const [more] = yield* together(compare(vectors, around))
  const passages = [...near, ...others.passages, ...more.passages]
  const untold = texts ? memoriesOf(more.passages) : nearest === undefined ? [] : without(also, passages)
  const [told] = yield* together(readTexts(reads, untold))
  return {
    served,
    statistics,
    matches,
    passages,
    sample: others.sample,
    memories: texts ? new Map([...known, ...told]) : told,
    conversation,
  }
}

function* readFlagCandidates(
  reads: CandidateReads,
  { terms, nearest, gravest: limit, now }: FlagQuery,
): Steps<FlagCandidates> {
  const [vectors, flags, held, selection, statistics, served] = yield* together(
    nearest && reads.vectors(nearest),
    reads.countFlags(now),
    reads.flagTerms({ terms, now }),
    reads.selection({ now }),
    reads.statistics(terms),
    reads.served(),
  )
  const [gravest, near] = yield* together(
    flags > limit ? reads.gravestFlags({ limit, now }) : [],
    findNearest(vectors, nearest, { selection, kind: 'flag' }),
  )
  const also = [...new Set([...held.keys(), ...gravest])]
  const [others] = yield* together(compare(vectors, without(also, near)))
  const passages = [...near, ...others.passages]
  const compared = [...new Set([...memoriesOf(passages), ...held.keys()])]
  const [memories, exemptions] = yield* together(reads.memories(compared), reads.exemptions(compared))
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  return {
    served,
    statistics,
    flags,
    held,
    passages,
    memories: compared.flatMap((id) => byId.get(id) ?? []),
    exemptions,
  }
}

function* readNearest(
  reads: CandidateReads,
  { among, ...query }: VectorQuery & { among?: MemoryFilter },
): Steps<PassageMatch[]> {
  const [vectors, selection] = yield* together(
    reads.vectors(query),
    among === undefined ? toSelection(undefined, new Set()) : reads.selection(among),
  )
  return (yield* together(findNearest(vectors, query, { selection, kind: among?.kind })))[0]
}

export function createCandidateStore(read: ReadCandidates): CandidateStore {
  const readBeside = async <T>(
    project: string,
    nearest: VectorQuery | undefined,
    work: (reads: CandidateReads) => Steps<T>,
  ): Promise<T> => {
    if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
    return read(project, nearest?.model, work)
  }
  const readOne = <T>(project: string, ask: (reads: CandidateReads) => Answer<T>) =>
    read(project, undefined, function* (reads) {
      return (yield* together(ask(reads)))[0]
    })

  return {
    candidates: (project, query) =>
      readBeside(project, query.nearest, (reads) => readCandidates(reads, query)),
    flagCandidates: (project, query) =>
      readBeside(project, query.nearest, (reads) => readFlagCandidates(reads, query)),
    nearest: (project, query) => readBeside(project, query, (reads) => readNearest(reads, query)),
    countFlags: (project, now) => readOne(project, (reads) => reads.countFlags(now)),
    termStatistics: (project, terms) => readOne(project, (reads) => reads.statistics(terms)),
    termsFrom: (project, prefix) => readOne(project, (reads) => reads.termsFrom(prefix)),
  }
}
