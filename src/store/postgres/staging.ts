/**
 * An import on its way into PostgreSQL: records are written in one transaction that is held until all are there, so that
 * nobody sees a part and a wrong line undoes everything. What is left of an interrupted one is nothing, and it begins anew.
 */
import { BrainError } from '../../core/errors.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import {
  addsUpOtherwise,
  createToken,
  isTaken,
  lacksEvents,
  lacksSuccessor,
  leadsNowhere,
  mostKeptId,
  noRecords,
  sameSum,
} from '../staging-rules.ts'
import {
  type CommitOptions,
  type ImportedMemory,
  referencesOf,
  type StagedRecord,
  type Staging,
  type Taken,
  type TransferKind,
} from '../transfer.ts'
import type { Database, HeldTransaction } from './connection.ts'
import { Intake } from './intake.ts'
import { PresentRecords } from './present-records.ts'

/** Where a record of the source stands, and what it is called here. */
interface Place {
  readonly project: string
  readonly id: number
}

/** A belief as its line says it, and what its events add up to. */
interface Trail {
  readonly line: number
  readonly project: string
  readonly count: number
  readonly ratio: number
  readonly successor: number | null
  events: number
  sum: number
}

export class PostgresStaging implements Staging {
  readonly resumed = undefined
  readonly committed = false
  readonly #transaction: HeldTransaction
  readonly #present: PresentRecords
  #intake: Intake | undefined
  readonly #projects = new Map<string, number>()
  readonly #seen = new Map<TransferKind, Map<number, Place>>()
  readonly #trails = new Map<number, Trail>()
  readonly #counts = noRecords()
  #known = 0
  #failed = false

  private constructor(transaction: HeldTransaction, present: PresentRecords) {
    this.#transaction = transaction
    this.#present = present
  }

  static async open(database: Database): Promise<PostgresStaging> {
    const transaction = await database.hold('write')
    try {
      return new PostgresStaging(transaction, await PresentRecords.read(transaction))
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }

  async projects(): Promise<string[]> {
    return [...this.#projects.keys()].sort()
  }

  async known(
    memories: readonly { readonly project: string; readonly record: ImportedMemory }[],
  ): Promise<boolean[]> {
    if (this.#present.untouched) return memories.map(() => false)
    const known: boolean[] = []
    for (const { project, record } of memories) {
      await this.#enter(project)
      known.push(await this.#present.hasMemory(record))
    }
    return known
  }

  /** Goes over to a project, which is made where it is not there. */
  async #enter(name: string): Promise<void> {
    const known = this.#projects.get(name)
    if (known !== undefined) {
      if (this.#transaction.projectId !== known) await this.#transaction.enter(known)
      return
    }
    await this.#transaction.run('INSERT INTO project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [
      name,
    ])
    const found = await this.#transaction.first<{ id: number }>('SELECT id FROM project WHERE name = $1', [
      name,
    ])
    if (found === undefined) throw new Error('a project that was made is not there')
    this.#projects.set(name, found.id)
    await this.#transaction.enter(found.id)
  }

  /** Whether ids stay is decided by the first record: notes have none, and an export's are all below some number. */
  #intakeFor({ record, line }: StagedRecord): Intake {
    if (this.#intake === undefined) {
      this.#intake = new Intake({
        transaction: this.#transaction,
        present: this.#present,
        keepIds: this.#present.untouched && record.id !== null,
        token: createToken(),
        idOf: (type, id) => this.#seen.get(type)?.get(id)?.id,
      })
    }
    if (record.id !== null && record.id > mostKeptId && this.#present.untouched)
      throw new BrainError(
        'invalid',
        `line ${line}: ${record.type} ${record.id} has too high an id to be kept`,
      )
    return this.#intake
  }

  async add(records: readonly StagedRecord[]): Promise<void> {
    for (const { embedding } of records) requireVectors(embedding)
    try {
      for (let at = 0; at < records.length; ) at += await this.#addSome(records.slice(at))
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  /** Writes a run of memories of one project, or one other record; returns how many. */
  async #addSome(records: readonly StagedRecord[]): Promise<number> {
    const [first] = records
    if (first === undefined) return 0
    const { project, record } = first
    const intake = this.#intakeFor(first)
    await this.#enter(project)
    if (record.type !== 'memory') {
      this.#requireReferences(first)
      const taken = await intake.take(record)
      this.#note(first, taken)
      return 1
    }
    const end = records.findIndex((one) => one.record.type !== 'memory' || one.project !== project)
    const run = end < 0 ? records : records.slice(0, end)
    const own = new Set<number>()
    for (const one of run) {
      this.#requireReferences(one)
      const { id } = one.record
      if (id !== null && own.has(id)) throw isTaken(one.line, { kind: 'memory', id })
      if (id !== null) own.add(id)
    }
    const taken = await intake.takeMemories(run)
    for (const [at, one] of run.entries()) this.#note(one, taken[at] ?? { id: 0, known: false })
    return run.length
  }

  #requireReferences({ line, project, record }: StagedRecord): void {
    if (record.id !== null && this.#seen.get(record.type)?.has(record.id))
      throw isTaken(line, { kind: record.type, id: record.id })
    const successor = record.type === 'belief' ? record.supersededBy : null
    for (const { kind, id } of referencesOf(record)) {
      // A belief's successor comes after it.
      if (id !== successor && this.#seen.get(kind)?.get(id)?.project !== project)
        throw leadsNowhere(line, { kind, id })
    }
  }

  #note({ line, project, record }: StagedRecord, { id, known }: { id: number; known: boolean }): void {
    if (known) this.#known += 1
    else this.#counts[record.type] += 1
    if (record.id === null) return
    const places = this.#seen.get(record.type) ?? new Map<number, Place>()
    this.#seen.set(record.type, places)
    places.set(record.id, { project, id })
    if (record.type === 'belief') {
      const { evidenceCount: count, logRatio: ratio, supersededBy: successor } = record
      this.#trails.set(record.id, { line, project, count, ratio, successor, events: 0, sum: 0 })
    }
    const trail = record.type === 'evidence' ? this.#trails.get(record.beliefId) : undefined
    if (trail === undefined || record.type !== 'evidence') return
    trail.events += 1
    trail.sum += record.logLikelihood
  }

  /** @throws BrainError `invalid` naming a line that leads nowhere or lacks what belongs to it. */
  #requireWhole(): void {
    const trails = [...this.#trails]
    for (const [, { line, project, successor }] of trails)
      if (successor !== null && this.#seen.get('belief')?.get(successor)?.project !== project)
        throw lacksSuccessor(line, successor)
    for (const [id, { line, count, events }] of trails)
      if (count !== events) throw lacksEvents(line, { id, count, events })
    for (const [id, { line, ratio, sum }] of trails)
      if (Math.abs(ratio - sum) > sameSum) throw addsUpOtherwise(line, { id, ratio, sum })
  }

  async commit({ progress, signal }: CommitOptions): Promise<Taken> {
    if (this.#failed) throw new Error('an import that failed is committed')
    try {
      this.#requireWhole()
      signal.throwIfAborted()
      for (const [id, { project, successor }] of this.#trails) {
        if (successor === null) continue
        await this.#enter(project)
        await this.#intake?.settleSuccessor(id, successor)
      }
      await this.#intake?.settleIds()
      await this.#transaction.commit()
    } catch (error) {
      await this.#transaction.rollback()
      throw error
    }
    const total = Object.values(this.#counts).reduce((sum, n) => sum + n, this.#known)
    progress(total, total)
    return { counts: this.#counts, known: this.#known }
  }

  discard(): Promise<void> {
    return this.#transaction.rollback()
  }

  close(): Promise<void> {
    return this.#transaction.rollback()
  }
}
