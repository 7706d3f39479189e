/**
 * An import on its way into PostgreSQL: records wait in a file of the importing process until all are there, and are then
 * written in one transaction. An interrupted one leaves nothing behind, and starts again from the beginning.
 */
import { requireVectors } from '../search/usable-vectors.ts'
import { Intake } from '../sql/intake.ts'
import { PresentRecords } from '../sql/present-records.ts'
import type { Work } from '../sql/session.ts'
import {
  addsUpOtherwise,
  createToken,
  isTaken,
  lacksEvents,
  lacksSuccessor,
  leadsNowhere,
  maxKeptId,
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
import type { Database } from './connection.ts'
import { takeMemories } from './intake.ts'
import { over } from './session.ts'
import { Spool } from './spool.ts'
import type { Transaction } from './transaction.ts'

/** A belief as its line states it, and the sum of its events. */
interface Trail {
  readonly line: number
  readonly project: string
  readonly count: number
  readonly ratio: number
  readonly successor: number | null
  events: number
  sum: number
}

/** Records on their way from the staging into one transaction. */
class Writing {
  readonly #transaction: Transaction
  readonly #intake: Intake
  readonly #projects = new Map<string, number>()
  readonly #ids = { memory: new Map<number, number>(), belief: new Map<number, number>() }
  readonly counts: Record<TransferKind, number> = noRecords()
  known = 0

  constructor(transaction: Transaction, present: PresentRecords, idsFit: boolean) {
    this.#transaction = transaction
    this.#intake = new Intake({
      present: present.untouched && idsFit ? undefined : present,
      token: createToken(),
      idOf: (type, id) => this.#ids[type].get(id),
    })
  }

  #over<T>(work: Work<T>): Promise<T> {
    return over(this.#transaction, work)
  }

  /** Goes over to a project, which is made where it is not there. */
  async #enter(name: string): Promise<void> {
    const known = this.#projects.get(name) ?? (await makeProject(this.#transaction, name))
    this.#projects.set(name, known)
    if (this.#transaction.projectId !== known) await this.#transaction.enter(known)
  }

  async take(records: readonly StagedRecord[]): Promise<void> {
    for (let at = 0; at < records.length; ) at += await this.#takeSome(records.slice(at))
  }

  /** A run of memories of one project, or one other record; returns how many. */
  async #takeSome(records: readonly StagedRecord[]): Promise<number> {
    const [first] = records
    if (first === undefined) return 0
    const { project, record } = first
    await this.#enter(project)
    if (record.type !== 'memory') {
      this.#note(first, await this.#over((session) => this.#intake.take(session, record)))
      return 1
    }
    const end = records.findIndex((one) => one.record.type !== 'memory' || one.project !== project)
    const run = end < 0 ? records : records.slice(0, end)
    const taken = await takeMemories(this.#transaction, this.#intake, run)
    for (const [at, one] of run.entries()) this.#note(one, taken[at] ?? { id: 0, known: false })
    return run.length
  }

  #note({ record }: StagedRecord, { id, known }: { id: number; known: boolean }): void {
    if (known) this.known += 1
    else this.counts[record.type] += 1
    if (record.id !== null && (record.type === 'memory' || record.type === 'belief'))
      this.#ids[record.type].set(record.id, id)
  }

  get differing(): number {
    return this.#intake.differing
  }

  async settle(trails: ReadonlyMap<number, Trail>): Promise<void> {
    for (const [id, { project, successor }] of trails) {
      if (successor === null) continue
      await this.#enter(project)
      await this.#over((session) => this.#intake.settleSuccessor(session, id, successor))
    }
    await this.#over((session) => this.#intake.settleIds(session))
  }
}

async function makeProject(transaction: Transaction, name: string): Promise<number> {
  await transaction.run('INSERT INTO project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name])
  const found = await transaction.first<{ id: number }>('SELECT id FROM project WHERE name = $1', [name])
  if (found === undefined) throw new Error('a project that was made is not there')
  return found.id
}

export class PostgresStaging implements Staging {
  readonly resumed = undefined
  readonly committed = false
  readonly #database: Database
  readonly #spool: Spool
  readonly #projects = new Set<string>()
  /** Whose each record is that another may refer to, or whose id another may have. */
  readonly #seen = new Map<TransferKind, Map<number, string>>()
  readonly #trails = new Map<number, Trail>()
  #records = 0
  /** Whether every record has an id that can be kept. */
  #idsFit = true

  private constructor(database: Database, spool: Spool) {
    this.#database = database
    this.#spool = spool
  }

  static async open(database: Database): Promise<PostgresStaging> {
    return new PostgresStaging(database, await Spool.open())
  }

  async projects(): Promise<string[]> {
    return [...this.#projects].sort()
  }

  known(
    memories: readonly { readonly project: string; readonly record: ImportedMemory }[],
  ): Promise<boolean[]> {
    return this.#database.readAnywhere(async (transaction) => {
      const present = await over(transaction, PresentRecords.read)
      if (present.untouched) return memories.map(() => false)
      const known: boolean[] = []
      let entered = ''
      for (const { project, record } of memories) {
        if (project !== entered) {
          const sql = 'SELECT id FROM project WHERE name = $1'
          const found = await transaction.first<{ id: number }>(sql, [project])
          await transaction.enter(found?.id ?? 0)
          entered = project
        }
        known.push((await over(transaction, (session) => present.find(session, record))) !== undefined)
      }
      return known
    })
  }

  async add(records: readonly StagedRecord[]): Promise<void> {
    for (const one of records) {
      requireVectors(one.embedding)
      this.#note(one)
    }
    await this.#spool.add(records)
  }

  #note({ line, project, record }: StagedRecord): void {
    const seen = this.#seen.get(record.type) ?? new Map<number, string>()
    this.#seen.set(record.type, seen)
    if (record.id !== null && seen.has(record.id)) throw isTaken(line, { kind: record.type, id: record.id })
    const successor = record.type === 'belief' ? record.supersededBy : null
    for (const { kind, id } of referencesOf(record)) {
      // A belief's successor comes after it.
      if (id !== successor && this.#seen.get(kind)?.get(id) !== project)
        throw leadsNowhere(line, { kind, id })
    }
    this.#records += 1
    this.#projects.add(project)
    if (record.id === null || record.id > maxKeptId) this.#idsFit = false
    if (record.id !== null) seen.set(record.id, project)
    if (record.type === 'belief') {
      const { evidenceCount: count, logRatio: ratio } = record
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
      if (successor !== null && this.#seen.get('belief')?.get(successor) !== project)
        throw lacksSuccessor(line, successor)
    for (const [id, { line, count, events }] of trails)
      if (count !== events) throw lacksEvents(line, { id, count, events })
    for (const [id, { line, ratio, sum }] of trails)
      if (Math.abs(ratio - sum) > sameSum) throw addsUpOtherwise(line, { id, ratio, sum })
  }

  async commit({ progress, signal }: CommitOptions): Promise<Taken> {
    this.#requireWhole()
    const total = this.#records
    const taken = await this.#database.writeAnywhere(async (transaction): Promise<Taken> => {
      const writing = new Writing(transaction, await over(transaction, PresentRecords.read), this.#idsFit)
      let done = 0
      for await (const batch of this.#spool.batches()) {
        signal.throwIfAborted()
        await writing.take(batch)
        done += batch.length
        progress(done, total)
      }
      await writing.settle(this.#trails)
      return { counts: writing.counts, known: writing.known, differing: writing.differing }
    })
    await this.#spool.close()
    return taken
  }

  discard(): Promise<void> {
    return this.#spool.close()
  }

  close(): Promise<void> {
    return this.#spool.close()
  }
}
