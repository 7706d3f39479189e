/**
 * What we ask of storage for moving whole projects out and in: every record as of one moment, and taking in
 * millions as one change that can be prepared in pieces. Part of the port in `store.ts`.
 */
import type {
  Belief,
  Dream,
  EvidenceEvent,
  Memory,
  MemoryVersion,
  Observation,
  Prediction,
  PredictionHistory,
  RecordKind,
} from '../core/records.ts'
import type { Cited } from './citations.ts'
import type { Embedding, Kept } from './store.ts'

/** An event with the belief whose trail it is in. */
export interface BeliefEvidence extends EvidenceEvent {
  readonly beliefId: number
  /** What makes the run it comes from that one and no other. */
  readonly run?: string
}

/** An earlier text with the memory whose it was. */
export interface KeptVersion extends MemoryVersion {
  readonly id: number
  readonly memoryId: number
}

/** A dream with the kind and sources it was first dreamt from, which outlive the forgetting of a source. */
export interface DreamWithOrigin extends Dream {
  readonly origin: string
}

/** A record and its kind. A project comes before its records. */
export type TransferRecord =
  | { readonly type: 'project'; readonly name: string }
  | ({ readonly type: 'memory' } & Memory & Kept & Cited)
  | ({ readonly type: 'version' } & KeptVersion)
  | ({ readonly type: 'dream' } & DreamWithOrigin)
  | ({ readonly type: 'belief' } & Belief & Kept)
  | ({ readonly type: 'evidence' } & BeliefEvidence & Kept & Cited)
  | ({ readonly type: 'prediction' } & Prediction & PredictionHistory & Kept)
  | ({ readonly type: 'observation' } & Observation & Kept)

/** A record of one kind. */
export type RecordOf<Type extends TransferRecord['type']> = Extract<TransferRecord, { readonly type: Type }>

export type TransferKind = Exclude<TransferRecord['type'], 'project'>

/** A record to take in. Its id is its name among the records it comes with; null where nothing refers to it. */
export type ImportedRecord = Exclude<TransferRecord, { type: 'project' | 'memory' }> | ImportedMemory

export type ImportedMemory = { readonly type: 'memory' } & Omit<Memory, 'id'> &
  Kept &
  Cited & { readonly id: number | null }

/** A record to take in, where it stands in its source, whose it is to be, and its vectors. */
export interface StagedRecord {
  /** Line of the source, from 1. */
  readonly line: number
  readonly project: string
  readonly record: ImportedRecord
  /** Of a memory; absent when no embedder answered. */
  readonly embedding?: Embedding
}

/** How far an import has got in its source. */
export interface SourcePosition {
  readonly lines: number
  readonly bytes: number
  /** Of the bytes so far, hexadecimal. */
  readonly digest: string
}

export interface CommitOptions {
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

export type RecordCounts = Readonly<Record<TransferKind, number>>

/** What came of an import: records written, and records that were here already and were not written again. */
export interface Taken {
  readonly counts: RecordCounts
  readonly known: number
}

/** The records of an import on their way in: seen by nobody until they are committed together. */
export interface Staging {
  /** Of an interrupted import of the same source; undefined where there is none. */
  readonly resumed: SourcePosition | undefined
  /** Whether that import was interrupted after all of it had been written: committing writes nothing more. */
  readonly committed: boolean
  /** Projects that staged records name. */
  projects(): Promise<string[]>
  /** Of memories, which are here already: of the same project, text, agent and time. */
  known(
    memories: readonly { readonly project: string; readonly record: ImportedMemory }[],
  ): Promise<boolean[]>
  /**
   * Keeps records and how far they go.
   * @throws BrainError `invalid` naming the line whose id is taken or whose reference leads nowhere.
   */
  add(records: readonly StagedRecord[], position: SourcePosition): Promise<void>
  /**
   * Writes all in one transaction and ends the staging. Ids stay as they are in a brain that never held a record;
   * elsewhere they are given anew, and references follow. What is here already, with the same figures and time, is not
   * written again, and what refers to it refers to what is here. @throws BrainError; nothing is changed then.
   */
  commit(options: CommitOptions): Promise<Taken>
  /** Forgets what was staged. */
  discard(): Promise<void>
  /** Lets go of it, for a later run to go on with. */
  close(): Promise<void>
}

/** A record on its way into a store of another kind. */
export interface CopiedRecord {
  readonly record: Exclude<TransferRecord, { readonly type: 'project' }>
  /** Of a memory that has any. */
  readonly embedding?: Embedding
}

export interface TransferStore {
  /**
   * All records of one project, or of every project with a `project` record before each, as of one moment: by kind,
   * then by id, so that nothing but a belief's successor is referred to before it came.
   */
  records(project?: string): AsyncGenerator<TransferRecord, void, undefined>
  /** How many that will be, projects left out. */
  count(project?: string): Promise<number>
  /** The records of one project as `records` gives them, memories with their vectors of the served model as these are kept. */
  copies(project: string): AsyncGenerator<CopiedRecord, void, undefined>
  /**
   * Prepares an import from a source that calls itself `source`, going on with an interrupted one of that name.
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
