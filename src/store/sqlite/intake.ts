/**
 * Writes records that come from outside into the tables, inside one transaction: with the ids they came with, or
 * with new ones that everything referring to them follows. Knows tables; where records come from is not known here.
 */
import type { Embedding } from '../store.ts'
import type { ImportedRecord } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { insertMemory } from './memories.ts'
import { addPredictionTerms } from './predictions.ts'
import { ensureProject } from './projects.ts'
import type { VectorTables } from './vectors.ts'

const tables = ['memory', 'dream', 'belief', 'evidence', 'prediction', 'observation'] as const

/** Whether no record was ever kept, so that every id is free and was never anyone's. */
export const isUntouched = (connection: Connection): boolean =>
  tables.every(
    (table) => connection.first('SELECT 1 FROM sqlite_sequence WHERE name = ?', table) === undefined,
  )

export interface IntakeOptions {
  readonly connection: Connection
  readonly vectors: VectorTables
  readonly keepIds: boolean
  /** Tells this import from every other. */
  readonly token: string
  /** The id that a record which came as `id` was given. */
  readonly idOf: (type: 'memory' | 'belief', id: number) => number | undefined
}

type Of<Type extends ImportedRecord['type']> = Extract<ImportedRecord, { type: Type }>

/** What was made of a memory before the lock was taken. */
interface Prepared {
  readonly embedding?: Embedding | undefined
  readonly terms?: string | undefined
}

export class Intake {
  readonly #options: IntakeOptions
  readonly #projects = new Map<string, number>()

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Writes a record whose references were written before; a belief's successor is settled later. Returns its id. */
  take(project: string, record: ImportedRecord, prepared: Prepared = {}): number {
    const projectId = this.#project(project)
    switch (record.type) {
      case 'memory':
        return this.#takeMemory(projectId, record, prepared)
      case 'dream':
        return this.#takeDream(projectId, record)
      case 'belief':
        return this.#takeBelief(projectId, record)
      case 'evidence':
        return this.#takeEvidence(record)
      case 'prediction':
        return this.#takePrediction(projectId, record)
      case 'observation':
        return this.#takeObservation(projectId, record)
    }
  }

  /** The belief that came as `id` was replaced by the one that came as `successor`. */
  settleSuccessor(id: number, successor: number): void {
    this.#options.connection.run(
      'UPDATE belief SET superseded_by = ? WHERE id = ?',
      this.#referred('belief', successor),
      this.#referred('belief', id),
    )
  }

  #project(name: string): number {
    const known = this.#projects.get(name)
    if (known !== undefined) return known
    const id = ensureProject(this.#options.connection, name)
    this.#projects.set(name, id)
    return id
  }

  #own(id: number | null): number | null {
    return this.#options.keepIds ? id : null
  }

  #referred(type: 'memory' | 'belief', id: number): number {
    if (this.#options.keepIds) return id
    const given = this.#options.idOf(type, id)
    if (given !== undefined) return given
    throw new Error(`${type} ${id} was to be written before what refers to it`)
  }

  #takeMemory(projectId: number, record: Of<'memory'>, { embedding, terms }: Prepared): number {
    const { connection, vectors } = this.#options
    const { text, caution, agent, createdAt } = record
    const id = this.#own(record.id)
    const memory = { text, caution, agent, createdAt, ...(embedding && { embedding }) }
    return insertMemory(connection, vectors, { ...(id !== null && { id }), projectId, memory, terms }).id
  }

  #takeDream(projectId: number, record: Of<'dream'>): number {
    const { connection } = this.#options
    const { id } = connection.run(
      `INSERT INTO dream (id, project_id, kind, thought, novelty, origin, created_at, read_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#own(record.id),
      projectId,
      record.kind,
      record.thought,
      record.novelty,
      this.#originOf(record),
      record.createdAt,
      record.readAt,
    )
    for (const [position, memoryId] of record.sourceMemoryIds.entries()) {
      connection.run(
        'INSERT INTO dream_source (dream_id, position, memory_id) VALUES (?, ?, ?)',
        id,
        position,
        this.#referred('memory', memoryId),
      )
    }
    return id
  }

  /** The origin in this brain's ids. A source that was forgotten where it came from is nobody's here. */
  #originOf({ origin }: Of<'dream'>): string {
    const { keepIds, idOf, token } = this.#options
    if (keepIds) return origin
    return origin.replace(/(?<=[:,])\d+(?=,|$)/g, (id) =>
      String(idOf('memory', Number(id)) ?? `${token}.${id}`),
    )
  }

  #takeBelief(projectId: number, record: Of<'belief'>): number {
    return this.#options.connection.run(
      `INSERT INTO belief (id, project_id, text, prior, confidence, log_ratio, status, last_evidence_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#own(record.id),
      projectId,
      record.text,
      record.prior,
      record.confidence,
      record.logRatio,
      record.status,
      record.lastEvidenceAt,
      record.createdAt,
    ).id
  }

  #takeEvidence(record: Of<'evidence'>): number {
    const { connection } = this.#options
    const beliefId = this.#referred('belief', record.beliefId)
    connection.run(
      'UPDATE belief SET evidence_count = evidence_count + 1, supporting_count = supporting_count + ? WHERE id = ?',
      record.kind === 'supporting' ? 1 : 0,
      beliefId,
    )
    return connection.run(
      `INSERT INTO evidence (id, belief_id, kind, strength, log_likelihood, note, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      this.#own(record.id),
      beliefId,
      record.kind,
      record.strength,
      record.logLikelihood,
      record.note,
      record.createdAt,
    ).id
  }

  #takePrediction(projectId: number, record: Of<'prediction'>): number {
    const { connection } = this.#options
    const { resolution } = record
    const { id } = connection.run(
      `INSERT INTO prediction
         (id, project_id, prediction, domain, confidence, basis, created_at, outcome, actual, surprise, resolved_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#own(record.id),
      projectId,
      record.prediction,
      record.domain,
      record.confidence,
      record.basis,
      record.createdAt,
      resolution?.outcome ?? null,
      resolution?.actual ?? null,
      resolution?.surprise ?? null,
      resolution?.resolvedAt ?? null,
    )
    addPredictionTerms(connection, { id, projectId, prediction: record })
    return id
  }

  #takeObservation(projectId: number, record: Of<'observation'>): number {
    return this.#options.connection.run(
      `INSERT INTO observation (id, project_id, observer_agent, subject_agent, observation, kind, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      this.#own(record.id),
      projectId,
      record.observerAgent,
      record.subjectAgent,
      record.observation,
      record.kind,
      record.createdAt,
    ).id
  }
}
