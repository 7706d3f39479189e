/**
 * The storage port for moving whole projects out and in: every record from one snapshot, and importing millions as one
 * change that can be prepared in pieces. Part of the port in `store.ts`.
 */
import type {
  Belief,
  Dream,
  EvidenceEvent,
  FeedbackVerdict,
  Memory,
  MemoryVersion,
  Observation,
  Prediction,
  PredictionHistory,
  RecordKind,
} from '../core/records.ts'
import type { Cited } from './citations.ts'
import type { Embedding, Kept, RecallVerdict } from './store.ts'

/** An event and its belief. */
export interface BeliefEvidence extends EvidenceEvent {
  readonly beliefId: number
  /** The identity of the run it comes from. */
  readonly run?: string
}

/** An earlier text and its memory. */
export interface KeptVersion extends MemoryVersion {
  readonly id: number
  readonly memoryId: number
}

/** A dream with the kind and sources it was first dreamt from, which outlive the forgetting of a source. */
export interface DreamWithOrigin extends Dream {
  readonly origin: string
}

/** What people said of a memory. */
export interface MemoryAnnotations {
  /** Of a flag: the plans to which it does not apply, oldest first. */
  readonly exemptions?: readonly { readonly topic: string; readonly createdAt: number }[]
  /** Of one that recall found, oldest first. */
  readonly recallVerdicts?: readonly (RecallVerdict & { readonly createdAt: number })[]
}

/** What spoke for a dream, and what its reader said of it. */
export interface DreamAnnotations {
  readonly reasons?: readonly string[]
  readonly feedback?: { readonly verdict: FeedbackVerdict; readonly createdAt: number }
}

/** A record and its kind. A project comes before its records. */
export type TransferRecord =
  | { readonly type: 'project'; readonly name: string }
  | ({ readonly type: 'memory' } & Memory & Kept & Cited & MemoryAnnotations)
  | ({ readonly type: 'version' } & KeptVersion)
  | ({ readonly type: 'dream' } & DreamWithOrigin & DreamAnnotations)
  | ({ readonly type: 'belief' } & Belief & Kept)
  | ({ readonly type: 'evidence' } & BeliefEvidence & Kept & Cited)
  | ({ readonly type: 'prediction' } & Prediction & PredictionHistory & Kept)
  | ({ readonly type: 'observation' } & Observation & Kept)

/** A record of one kind. */
export type RecordOf<Type extends TransferRecord['type']> = Extract<TransferRecord, { readonly type: Type }>

export type TransferKind = Exclude<TransferRecord['type'], 'project'>

/** A record to import. Its id is its name among the records it comes with; null if nothing refers to it. */
export type ImportedRecord = Exclude<TransferRecord, { type: 'project' | 'memory' }> | ImportedMemory

export type ImportedMemory = { readonly type: 'memory' } & Omit<Memory, 'id'> &
  Kept &
  Cited &
  MemoryAnnotations & { readonly id: number | null }

/** A record to import of one kind. */
export type ImportedOf<Type extends TransferKind> = Extract<ImportedRecord, { readonly type: Type }>

/** A record to import, its position in its source, its project, and its vectors. */
export interface StagedRecord {
  /** Line of the source, from 1. */
  readonly line: number
  readonly project: string
  readonly record: ImportedRecord
  /** Of a memory; absent when no embedder answered. */
  readonly embedding?: Embedding
}

/** An import's position in its source. */
export interface SourcePosition {
  readonly lines: number
  readonly bytes: number
  /** Hash of the bytes so far, hexadecimal. */
  readonly digest: string
}

export interface CommitOptions {
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

export type RecordCounts = Readonly<Record<TransferKind, number>>

/**
 * The result of an import: records written, records that already existed and were not written again, and how many of
 * these say more in the source, or another text.
 */
export interface Taken {
  readonly counts: RecordCounts
  readonly known: number
  readonly differing: number
}

/** The staged records of an import: invisible until they are committed together. */
export interface Staging {
  /** Position of an interrupted import of the same source; undefined if there is none. */
  readonly resumed: SourcePosition | undefined
  /** Whether that import was interrupted after all of it had been written: committing writes nothing more. */
  readonly committed: boolean
  /** Projects that staged records name. */
  projects(): Promise<string[]>
  /** Which memories exist already, with the same project, text, agent and time, now or before they were edited or merged. */
  known(
    memories: readonly { readonly project: string; readonly record: ImportedMemory }[],
  ): Promise<boolean[]>
  /**
   * Stages records and the position reached.
   * @throws BrainError `invalid` naming the line whose id is taken or whose reference is dangling.
   */
  add(records: readonly StagedRecord[], position: SourcePosition): Promise<void>
  /**
   * Writes everything in one transaction and ends the staging. Ids are preserved in a brain that never held a record;
   * elsewhere new ones are assigned, and references follow. Records that exist, made of the same words at the same time,
   * are not written again, and references to them point to the existing ones.
   * @throws BrainError; nothing is changed then.
   */
  commit(options: CommitOptions): Promise<Taken>
  /** Discards what was staged. */
  discard(): Promise<void>
  /** Closes it, for a later run to resume. */
  close(): Promise<void>
}

/** A record to copy into another store. */
export interface CopiedRecord {
  readonly record: Exclude<TransferRecord, { readonly type: 'project' }>
  /** Of a memory that has any. */
  readonly embedding?: Embedding
}

/** A place among the records of a project, in the order of `records`: after this one. */
export interface RecordPlace {
  readonly type: TransferKind
  readonly id: number
}

/** A copy of another brain on its way in. Until it is finished the brain is opened by nobody but who goes on with it. */
export interface Receiving {
  /** The last record that an interrupted copy of the same brain had written when this began; null if there is none. */
  readonly reached: (RecordPlace & { readonly project: string }) | null
  /**
   * Writes records of one project, in the order in which `copies` yields them, with their ids, and the place reached, in
   * one transaction. A belief's successor is left to `settle`.
   * @throws BrainError `busy` if another process copies into the same brain.
   */
  add(project: string, records: readonly CopiedRecord[]): Promise<void>
  /** Writes which belief replaced which, as pairs of ids; what is written already stays. */
  settle(project: string, successors: readonly (readonly [id: number, successor: number])[]): Promise<void>
  /** Opens the brain to everybody. */
  finish(): Promise<void>
}

export interface TransferStore {
  /**
   * All records of one project, or of every project with a `project` record before each, as of one moment: by kind,
   * then by id, so that nothing but a belief's successor is referred to before it came.
   */
  records(project?: string): AsyncGenerator<TransferRecord, void, undefined>
  /** Number of records, not counting projects. */
  count(project?: string): Promise<number>
  /**
   * The records of one project as `records` yields them, those after a place or all; memories with their vectors of the
   * served model as these are kept.
   */
  copies(project: string, after?: RecordPlace): AsyncGenerator<CopiedRecord, void, undefined>
  /**
   * Begins a copy of the brain named `source`, or goes on with an interrupted one; undefined if records were ever added
   * otherwise.
   * @throws BrainError `refused` if a part of another brain is there.
   */
  receive(source: string): Promise<Receiving | undefined>
  /**
   * Prepares an import from a source named `source`, resuming an interrupted one of that name.
   * @throws BrainError `busy` while another process imports.
   */
  stage(source: string): Promise<Staging>
}

/** What a record refers to, by kind and id. */
export function referencesOf(record: ImportedRecord): { kind: RecordKind; id: number }[] {
  if (record.type === 'version') return [{ kind: 'memory', id: record.memoryId }]
  if (record.type === 'evidence') return [{ kind: 'belief', id: record.beliefId }]
  if (record.type === 'dream') return record.sourceMemoryIds.map((id) => ({ kind: 'memory', id }))
  if (record.type === 'belief' && record.supersededBy !== null) {
    return [{ kind: 'belief', id: record.supersededBy }]
  }
  return []
}
