/**
 * The storage port, phrased as intentions. Asynchronous, whatever implements it; a `decide` passed to it is pure and
 * synchronous, runs inside the store's transaction and may throw to leave everything unchanged. Every function that
 * finds, lists, counts or changes records takes the project, and reaches no other's.
 */

import type {
  Circumstances,
  Dream,
  DreamStanding,
  Found,
  KeptKind,
  Key,
  Memory,
  Observation,
  RecordKind,
} from '../core/records.ts'
import type { ModelIdentity, Passage } from '../models/embedder.ts'
import type { BeliefStore } from './belief-store.ts'
import type { Exemption } from './candidates.ts'
import type { CitationStore, Cited } from './citations.ts'
import type { DreamStore } from './dream-store.ts'
import type { HistoryStore } from './histories.ts'
import type { IndexStore } from './index-store.ts'
import type { MemoryLife } from './memory-life.ts'
import type { PredictionStore } from './prediction-store.ts'
import type { TransferStore } from './transfer.ts'

export interface Store {
  readonly projects: ProjectStore
  readonly records: RecordStore
  readonly memories: MemoryStore
  readonly index: IndexStore
  readonly dreams: DreamStore
  readonly beliefs: BeliefStore
  readonly predictions: PredictionStore
  readonly observations: ObservationStore
  readonly exemptions: ExemptionStore
  readonly removal: RemovalStore
  readonly verdicts: RecallVerdictStore
  readonly citations: CitationStore
  readonly histories: HistoryStore
  readonly keys: KeyStore
  readonly activity: ActivityStore
  readonly maintenance: MaintenanceStore
  readonly transfer: TransferStore
  /** Waits for queued writes, checkpoints and closes the file or connection. */
  close(): Promise<void>
}

/** Record counts of a project; flags are included in memories, superseded beliefs are not counted. */
export interface ProjectCounts {
  readonly name: string
  readonly memories: number
  readonly flags: number
  readonly beliefs: number
  readonly openPredictions: number
  readonly resolvedPredictions: number
  readonly dreams: number
  readonly observations: number
}

export const listedKinds = ['memory', 'flag', 'belief', 'prediction', 'dream', 'observation'] as const
export type ListedKind = (typeof listedKinds)[number]

/** A record of any kind in a mixed list. */
export interface ListedRecord {
  readonly kind: ListedKind
  readonly id: number
  readonly text: string
  /** Null for kinds without one. */
  readonly agent: string | null
  readonly createdAt: number
  /** Its status in a word; null for notes, and for beliefs, whose status follows from `ratio`. */
  readonly detail: string | null
  /** A current belief's log ratio. */
  readonly ratio: number | null
  /** Tags of a memory or flag, sorted; empty otherwise. */
  readonly tags: readonly string[]
  /** Of a memory or flag; null otherwise, or if it has none. */
  readonly pinnedAt: number | null
  readonly expiresAt: number | null
}

export interface RecordQuery {
  readonly kinds: readonly ListedKind[]
  /** Milliseconds, both ends included. */
  readonly since?: number
  readonly until?: number
  readonly agent?: string
  /** With any of these tags, or with all of them if `allTags`. */
  readonly tags?: readonly string[]
  readonly allTags?: boolean
  /** Recorded while this branch was checked out. */
  readonly branch?: string
  /** Only pinned records. */
  readonly pinned?: boolean
  /** Only records that have expired by `now`, which are left out otherwise. */
  readonly expired?: boolean
  /** Only dreams that stand so. */
  readonly dreams?: DreamStanding
  readonly now: number
  /** Only these records. */
  readonly only?: readonly Pick<ListedRecord, 'kind' | 'id'>[]
  readonly limit: number
  readonly skip: number
}

export interface RecordStore {
  /** Newest first, by time, then kind, of which flags and memories are one here, and id; `total` counts all matches. */
  list(project: string, query: RecordQuery): Promise<{ total: number; records: ListedRecord[] }>
  findDream(project: string, id: number): Promise<Found<Dream>>
  findObservation(project: string, id: number): Promise<Found<Observation>>
  /** Ids of the dreams with this memory among their sources. */
  dreamsOf(project: string, memoryId: number): Promise<number[]>
  /** Agents that recorded notes and observations, and how many; most first. */
  agents(project: string): Promise<{ name: string; records: number }[]>
  /** Id of the belief that this one replaced, if any. */
  revisedFrom(project: string, beliefId: number): Promise<number | null>
  /** The circumstances in which records were created, by id, where anything is known. */
  provenance(
    project: string,
    kind: KeptKind,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, Circumstances>>
}

export interface ProjectStore {
  /** Whether it ever had a record or a key. */
  has(name: string): Promise<boolean>
  /** Of one; zeros where it never had a record. Of a shared store it reads no other project. */
  count(name: string): Promise<ProjectCounts>
  /** By name. */
  list(): Promise<ProjectCounts[]>
  /** Bytes of each project's texts, as UTF-8, by name, without indexes. */
  measure(): Promise<{ readonly name: string; readonly bytes: number }[]>
}

/** The vectors of one text, and their model. */
export interface Embedding {
  readonly model: ModelIdentity
  readonly passages: readonly Passage[]
  /** The text, if it may have changed by the time the vectors are stored: in that case they are not. */
  readonly text?: string
}

/** A record to add, and the circumstances of its creation. */
export interface Kept {
  readonly circumstances?: Partial<Circumstances>
}

export interface NewMemory extends Omit<Memory, 'id'>, Kept, Cited {
  /** Absent if no embedder answered: only keyword recall finds the memory until it gets its vectors. */
  readonly embedding?: Embedding
}

/** A memory as it was added. */
export interface AddedMemory extends Memory {
  /** Whether it has vectors of the served model, which are those that recall compares. */
  readonly semantic: boolean
}

export interface MemoryStore extends MemoryLife {
  /** Row, keyword entry and vectors in one transaction. */
  add(project: string, memory: NewMemory): Promise<AddedMemory>
  /** All or nothing, in one transaction. */
  addMany(project: string, memories: readonly NewMemory[]): Promise<Memory[]>
  find(project: string, id: number): Promise<Found<Memory>>
  /** The project's memories with these ids, in no particular order. */
  findMany(project: string, ids: readonly number[]): Promise<Memory[]>
  /** Oldest first, ids above `after`; at most `limit`. Without those expired by `now`, if given. */
  list(
    project: string,
    page: { after: number; limit: number; flagsOnly?: boolean; now?: number },
  ): Promise<Memory[]>
  /**
   * The most recently recorded ones that are no flags, highest id first, without those expired by `now`; imported ones
   * may be older than their ids suggest.
   */
  newest(project: string, query: { limit: number; now: number }): Promise<Memory[]>
  /** Pinned memories that have not expired by `now`, most recently pinned first. */
  pinned(project: string, query: { limit: number; now: number }): Promise<Memory[]>
  count(project: string): Promise<number>
}

/** All texts that a record to be removed ever had, that of now first. */
export interface Removed {
  readonly texts: readonly string[]
}

export interface RemovalStore {
  /**
   * Deletes records of one kind, all or none, each with its history, its trail and its index entries, leaving no byte
   * of their texts behind. `decide` judges each and may refuse.
   */
  forget(
    project: string,
    records: { readonly kind: RecordKind; readonly ids: readonly number[] },
    decide: (id: number, record: Found<Removed>) => void,
  ): Promise<void>
}

/** Of one flag only the latest count; one exempted from more plans than this should be rewritten. */
export const maxExemptions = 16

/** Plans that somebody declared a flag not to apply to. */
export interface ExemptionStore {
  /** False when the project has no such flag. */
  add(project: string, exemption: Exemption & { now: number }): Promise<boolean>
  /** Removes the exemption of this flag from exactly this plan. False if the project has no such flag. */
  remove(project: string, exemption: Exemption): Promise<boolean>
  /** The latest exemptions of each of these flags, latest first; `maxExemptions` of one at most. */
  list(project: string, flagIds: readonly number[]): Promise<Exemption[]>
}

/** A result of recall and whether it was what was asked for. */
export interface RecallVerdict {
  /** The probability that recall gave it, 0..1. */
  readonly score: number
  readonly right: boolean
}

/** People's verdicts on results of recall. */
export interface RecallVerdictStore {
  /** Adds the verdict on a memory of the project, unless it is gone by then. Returns the number of the project's verdicts. */
  add(project: string, verdict: RecallVerdict & { memoryId: number; createdAt: number }): Promise<number>
  /** Oldest first. */
  list(project: string): Promise<RecallVerdict[]>
}

export interface NewObservation extends Omit<Observation, 'id'>, Kept {}

export interface ObservationStore {
  add(project: string, observation: NewObservation): Promise<Observation>
  /** Newest first. */
  list(project: string, query: { subjectAgent?: string; limit: number }): Promise<Observation[]>
}

export interface NewKey extends Omit<Key, 'revokedAt' | 'lastUsedAt'> {
  readonly secretHash: Uint8Array
}

export interface KeyStore {
  add(key: NewKey): Promise<Key>
  find(id: string): Promise<(Key & { secretHash: Uint8Array }) | undefined>
  list(): Promise<Key[]>
  count(): Promise<number>
  /** @throws BrainError `refused` when there is none of this id. */
  revoke(id: string, at: number): Promise<Key>
  /** Adds the successor of a key, which stays valid. @throws BrainError `refused` if there is none, or it is revoked. */
  succeed(id: string, next: (old: Key) => NewKey): Promise<Key>
  /** Removes keys of this label that expired before `at`. */
  sweep(label: string, at: number): Promise<void>
  /** Records that the key was used at `at`. */
  touch(id: string, at: number): Promise<void>
  /** Makes a key expire at `at`, unless it expires earlier. */
  end(id: string, at: number): Promise<void>
}

/** The calls in one minute. */
export interface ActiveMinute {
  /** Start of the minute, milliseconds. */
  readonly minute: number
  readonly calls: number
}

export interface ActivityStore {
  /** Counts one call; returns at once, written in batches within two seconds and at close. */
  count(project: string, at: number): void
  /**
   * Minutes with calls from `since` on, and the time of the last call; those after `until`, which a clock running
   * ahead counted, are left out. Includes this process's unwritten counts.
   */
  window(
    project: string,
    since: number,
    until?: number,
  ): Promise<{ minutes: ActiveMinute[]; lastActive: number | null }>
}

/** One finding of a check. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** Whether `--fix` can repair it without loss. */
  readonly fixable: boolean
}

export interface MaintenanceStore {
  /** Makes a consistent copy into a new file while others write. @throws BrainError if the file exists. */
  backup(file: string, progress?: (done: number, total: number) => void): Promise<void>
  /** Size of the brain in bytes. */
  size(): Promise<number>
  check(): Promise<Finding[]>
  /** Repairs what can be repaired without loss; returns the findings afterwards. */
  repair(): Promise<Finding[]>
  projects(): Promise<string[]>
}
