/**
 * What we ask of storage, in intentions. Asynchronous, whatever stands behind it; a `decide` it is handed is
 * pure and synchronous, runs inside the store's transaction and may throw to leave everything as it was.
 * Every function that finds, lists, counts or changes records takes the project, and reaches no other's.
 */

import type {
  Circumstances,
  Dream,
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
  /** Waits for queued writes, checkpoints and releases the file. */
  close(): Promise<void>
}

/** How much a project holds; flags are among the memories, superseded beliefs are left out. */
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

/** A record of any kind among others. */
export interface ListedRecord {
  readonly kind: ListedKind
  readonly id: number
  readonly text: string
  /** Null for kinds that do not keep it. */
  readonly agent: string | null
  readonly createdAt: number
  /** How it stands, in a word; null for notes, and for beliefs whose `ratio` tells. */
  readonly detail: string | null
  /** A current belief's log ratio. */
  readonly ratio: number | null
  /** Of a memory or flag, in order; empty otherwise. */
  readonly tags: readonly string[]
  /** Of a memory or flag; null otherwise, and where it has none. */
  readonly pinnedAt: number | null
  readonly expiresAt: number | null
}

export interface RecordQuery {
  readonly kinds: readonly ListedKind[]
  /** Milliseconds, both ends included. */
  readonly since?: number
  readonly until?: number
  readonly agent?: string
  /** With any of these tags; with `allTags`, with each of them. */
  readonly tags?: readonly string[]
  readonly allTags?: boolean
  /** Kept while this branch was checked out. */
  readonly branch?: string
  /** Only what is pinned. */
  readonly pinned?: boolean
  /** Only what has expired by `now`, which is left out otherwise. */
  readonly expired?: boolean
  readonly now: number
  /** None but these. */
  readonly only?: readonly Pick<ListedRecord, 'kind' | 'id'>[]
  readonly limit: number
  readonly skip: number
}

export interface RecordStore {
  /** Newest first, by time, then kind and id; `total` counts all that the query means. */
  list(project: string, query: RecordQuery): Promise<{ total: number; records: ListedRecord[] }>
  findDream(project: string, id: number): Promise<Found<Dream>>
  findObservation(project: string, id: number): Promise<Found<Observation>>
  /** Ids of the dreams that came from a memory. */
  dreamsOf(project: string, memoryId: number): Promise<number[]>
  /** Who kept notes and observations, and how many; most first. */
  agents(project: string): Promise<{ name: string; records: number }[]>
  /** Id of the belief that this one replaced, if it did. */
  revisedFrom(project: string, beliefId: number): Promise<number | null>
  /** Under which circumstances records were kept, by their ids: those of which something is known. */
  provenance(
    project: string,
    kind: KeptKind,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, Circumstances>>
}

export interface ProjectStore {
  /** Whether anything was ever kept in it, or a key made for it. */
  has(name: string): Promise<boolean>
  /** By name. */
  list(): Promise<ProjectCounts[]>
  /** Bytes of the texts that each holds, as UTF-8, by name; what they are indexed with is not counted. */
  measure(): Promise<{ readonly name: string; readonly bytes: number }[]>
}

/** The vectors of one text, and whose they are. */
export interface Embedding {
  readonly model: ModelIdentity
  readonly passages: readonly Passage[]
  /** The text, where it may be another by the time the vectors are kept: then they are not. */
  readonly text?: string
}

/** A record to keep, and under which circumstances. */
export interface Kept {
  readonly circumstances?: Partial<Circumstances>
}

export interface NewMemory extends Kept, Cited {
  readonly text: string
  readonly caution: number
  readonly agent: string
  readonly createdAt: number
  /** Absent when no embedder answered: only keyword recall finds the row until it is healed. */
  readonly embedding?: Embedding
  readonly tags?: readonly string[]
  readonly editedAt?: number
  readonly pinnedAt?: number
  readonly expiresAt?: number
}

/** A memory as it was kept. */
export interface AddedMemory extends Memory {
  /** Whether it was kept with vectors of the served model, which are those that recall compares. */
  readonly semantic: boolean
}

export interface MemoryStore extends MemoryLife {
  /** Row, keyword entry and vectors in one transaction. */
  add(project: string, memory: NewMemory): Promise<AddedMemory>
  /** All or none, in one transaction. */
  addMany(project: string, memories: readonly NewMemory[]): Promise<Memory[]>
  find(project: string, id: number): Promise<Found<Memory>>
  /** The project's memories of these ids; the order is the store's. */
  findMany(project: string, ids: readonly number[]): Promise<Memory[]>
  /** Oldest first, ids above `after`; at most `limit`. What has expired by `now` is left out, where it is given. */
  list(
    project: string,
    page: { after: number; limit: number; flagsOnly?: boolean; now?: number },
  ): Promise<Memory[]>
  /** The ones recorded last, newest id first, without those expired by `now`; an import's may be older than they look. */
  newest(project: string, query: { limit: number; now: number }): Promise<Memory[]>
  count(project: string): Promise<number>
}

/** All that a record on its way out ever said. */
export interface Removed {
  readonly texts: readonly string[]
}

export interface RemovalStore {
  /**
   * Deletes records of one kind, all or none, each with its history, its trail and all that finds it, leaving no byte of
   * their texts behind. `decide` judges each and may refuse.
   */
  forget(
    project: string,
    records: { readonly kind: RecordKind; readonly ids: readonly number[] },
    decide: (id: number, record: Found<Removed>) => void,
  ): Promise<void>
}

/** What was said last counts; a flag exempted from more plans than this ought to be rewritten. */
export const maxExemptions = 16

/** Plans of which somebody said that a flag does not apply to them. */
export interface ExemptionStore {
  /** False when the project has no such flag. */
  add(project: string, exemption: Exemption & { now: number }): Promise<boolean>
  /** Takes back what was said of this flag and this very plan. False when the project has no such flag. */
  remove(project: string, exemption: Exemption): Promise<boolean>
  /** Those of these flags that were said last; a few at most. */
  list(project: string, flagIds: readonly number[]): Promise<Exemption[]>
}

/** A result of recall and whether it was what was asked for. */
export interface RecallVerdict {
  /** The probability that recall gave it, 0..1. */
  readonly score: number
  readonly right: boolean
}

/** What people said of results of recall. */
export interface RecallVerdictStore {
  /** Of a memory of the project; one that is gone by then has none. Returns how many the project has by now. */
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
  /** Adds the successor of a key, which goes on opening. @throws BrainError `refused` when there is none, or it is revoked. */
  succeed(id: string, next: (old: Key) => NewKey): Promise<Key>
  /** Removes keys of this label that expired before `at`. */
  sweep(label: string, at: number): Promise<void>
  /** Keeps that the key was used at `at`. */
  touch(id: string, at: number): Promise<void>
  /** Lets a key open nothing from `at` on, unless it ends before that. */
  end(id: string, at: number): Promise<void>
}

/** Calls of one minute. */
export interface ActiveMinute {
  /** Start of the minute, milliseconds. */
  readonly minute: number
  readonly calls: number
}

export interface ActivityStore {
  /** Counts one call; returns at once, written in batches within two seconds and at close. */
  count(project: string, at: number): void
  /**
   * Minutes with calls from `since` on, and the last call of all; those after `until`, which a clock that ran ahead counted,
   * left out. Includes this process's unwritten counts.
   */
  window(
    project: string,
    since: number,
    until?: number,
  ): Promise<{ minutes: ActiveMinute[]; lastActive: number | null }>
}

/** One finding of a check-up. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** Whether `fix` can mend it without loss. */
  readonly fixable: boolean
}

export interface MaintenanceStore {
  /** Consistent copy into a new file while others write. @throws BrainError when the file exists. */
  backup(file: string, progress?: (done: number, total: number) => void): Promise<void>
  /** Bytes of the brain's file, as far as they are written. */
  size(): Promise<number>
  check(): Promise<Finding[]>
  /** Mends what can be mended without loss; returns the findings after. */
  repair(): Promise<Finding[]>
  projects(): Promise<string[]>
}
