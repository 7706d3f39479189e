/**
 * Writes records that come from outside, inside one transaction: with the ids they came with, or with new ones that
 * everything referring to them follows. Columns are known to each kind's own file, and where records come from to nobody here.
 */
import { numberedTables } from '../rows/identity.ts'
import { hasFormerId, isDreamt, maxKeptId, originIn } from '../staging-rules.ts'
import type { Embedding } from '../store.ts'
import type { ImportedOf, ImportedRecord } from '../transfer.ts'
import { insertBelief, insertEvidence } from './beliefs.ts'
import type { Connection } from './connection.ts'
import { insertDream } from './dreams.ts'
import { insertMemory } from './memories.ts'
import { insertVersion } from './memory-life.ts'
import { insertObservation } from './observations.ts'
import { insertPrediction } from './predictions.ts'
import type { PresentRecords } from './present-records.ts'
import { ensureProject } from './projects.ts'
import type { VectorTables } from './vectors.ts'

/** Whether no record was ever kept, so that every id is free and was never anyone's. */
export const isUntouched = (connection: Connection): boolean =>
  numberedTables.every(
    (table) => connection.first('SELECT 1 FROM sqlite_sequence WHERE name = ?', table) === undefined,
  )

export interface IntakeOptions {
  readonly connection: Connection
  readonly vectors: VectorTables
  /** What was here before; undefined where nothing ever was, and ids are kept. */
  readonly present: PresentRecords | undefined
  /** Tells this import from every other. */
  readonly token: string
  /** The id that a record which came as `id` was given. */
  readonly idOf: (type: 'memory' | 'belief', id: number) => number | undefined
}

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

  /**
   * Takes a record in whose references came before; a belief's successor is settled later. Returns its id, and whether it
   * was here already and was left as it is.
   */
  take(project: string, record: ImportedRecord, prepared: Prepared = {}): { id: number; known: boolean } {
    const projectId = this.#project(project)
    const known = this.#findPresent(projectId, record)
    return known === undefined
      ? { id: this.#write(projectId, record, prepared), known: false }
      : { id: known, known: true }
  }

  #findPresent(projectId: number, record: ImportedRecord): number | undefined {
    const { idOf, present } = this.#options
    if (present === undefined) return undefined
    if (record.type === 'evidence') {
      const beliefId = idOf('belief', record.beliefId)
      // A belief is the same with its whole trail; nothing refers to an event.
      return present.has('belief', beliefId) ? beliefId : undefined
    }
    if (record.type === 'version') {
      const memoryId = idOf('memory', record.memoryId)
      return present.has('memory', memoryId) ? memoryId : undefined
    }
    if (record.type !== 'dream') return present.find(projectId, record)
    const [source, ...others] = record.sourceMemoryIds.map((id) => idOf('memory', id))
    if (source === undefined || ![source, ...others].every((id) => present.has('memory', id)))
      return undefined
    // A source that was forgotten is told as it was in the brain that dreamt it, or as it came here with another import.
    return present.findDream(source, [this.#originOf(record, ''), this.#originOf(record, '.')])
  }

  #write(projectId: number, record: ImportedRecord, prepared: Prepared): number {
    const { connection } = this.#options
    const own = this.#own(record.id)
    switch (record.type) {
      case 'memory':
        return this.#takeMemory(projectId, record, prepared)
      case 'version': {
        const { formerId, ...version } = record
        const memoryId = this.#referred('memory', record.memoryId)
        const former = this.#isFree(formerId) && { formerId }
        return insertVersion(connection, { ...own, memoryId, version: { ...version, ...former } })
      }
      case 'dream':
        return this.#takeDream(projectId, record)
      case 'belief':
        return insertBelief(connection, { ...own, projectId, belief: record })
      case 'evidence': {
        const beliefId = this.#referred('belief', record.beliefId)
        return insertEvidence(connection, { ...own, beliefId, event: record })
      }
      case 'prediction':
        return insertPrediction(connection, {
          ...own,
          projectId,
          prediction: record,
          history: record,
          ...(record.circumstances && { circumstances: record.circumstances }),
        })
      case 'observation':
        return insertObservation(connection, { ...own, projectId, observation: record })
    }
  }

  /** The belief that came as `id` was replaced by the one that came as `successor`. */
  settleSuccessor(id: number, successor: number): void {
    this.#options.connection.run(
      'UPDATE belief SET superseded_by = ? WHERE id = ? AND superseded_by IS NULL',
      this.#referred('belief', successor),
      this.#referred('belief', id),
    )
  }

  get #keepsIds(): boolean {
    return this.#options.present === undefined
  }

  #project(name: string): number {
    const known = this.#projects.get(name)
    if (known !== undefined) return known
    const id = ensureProject(this.#options.connection, name)
    this.#projects.set(name, id)
    return id
  }

  /** Whether a merged memory's id may be told of here: where ids are given anew, another may have it. */
  #isFree(formerId: number | undefined): formerId is number {
    if (!this.#keepsIds || formerId === undefined || formerId > maxKeptId) return false
    const { connection } = this.#options
    const known = ['memory WHERE id', 'memory_version WHERE former_id'].some(
      (place) => connection.first(`SELECT 1 FROM ${place} = ?`, formerId) !== undefined,
    )
    if (known) throw hasFormerId(formerId)
    return true
  }

  /** The id to keep, if it is kept. */
  #own(id: number | null): { id?: number } {
    return this.#keepsIds && id !== null ? { id } : {}
  }

  #referred(type: 'memory' | 'belief', id: number): number {
    if (this.#keepsIds) return id
    const given = this.#options.idOf(type, id)
    if (given !== undefined) return given
    throw new Error(`${type} ${id} was to be written before what refers to it`)
  }

  #takeMemory(projectId: number, record: ImportedOf<'memory'>, { embedding, terms }: Prepared): number {
    const { connection, vectors } = this.#options
    const memory = { ...record, ...(embedding && { embedding }) }
    return insertMemory(connection, vectors, { ...this.#own(record.id), projectId, memory, terms }).id
  }

  #takeDream(projectId: number, record: ImportedOf<'dream'>): number {
    const { token } = this.#options
    const sourceMemoryIds = record.sourceMemoryIds.map((id) => this.#referred('memory', id))
    const dream = { ...record, sourceMemoryIds, origin: this.#originOf(record, `${token}.`) }
    const id = insertDream(this.#options.connection, { ...this.#own(record.id), projectId, dream })
    if (id === undefined) throw isDreamt(record.id)
    return id
  }

  /** The origin in this brain's ids. A source that was forgotten where it came from is nobody's here: `mark` stands before it. */
  #originOf({ origin }: ImportedOf<'dream'>, mark: string): string {
    const { idOf } = this.#options
    if (this.#keepsIds) return origin
    return originIn(origin, { idOf: (id) => idOf('memory', id), mark })
  }
}
