/**
 * Writes records that come from outside, inside one transaction: with the ids they came with, or with new ones that
 * everything referring to them follows. Columns are known to each kind's own file.
 */
import { numberedTables } from '../rows/identity.ts'
import { hasFormerId, isDreamt, maxKeptId, originIn } from '../staging-rules.ts'
import type { ImportedOf, ImportedRecord, StagedRecord } from '../transfer.ts'
import { insertBelief, insertEvidence } from './beliefs.ts'
import { insertDream } from './dreams.ts'
import { insertMemories } from './keeping.ts'
import { insertVersion } from './memory-life.ts'
import { insertObservation } from './observations.ts'
import { insertPrediction } from './predictions.ts'
import type { Numbered, PresentRecords } from './present-records.ts'
import type { Transaction } from './transaction.ts'

/** A record and its vectors, wherever it was staged. */
type Arriving = Pick<StagedRecord, 'record' | 'embedding'>

export interface IntakeOptions {
  readonly transaction: Transaction
  /** What was here before; undefined where nothing ever was, and ids are kept. */
  readonly present: PresentRecords | undefined
  /** Tells this import from every other. */
  readonly token: string
  /** The id that a record which came as `id` was given. */
  readonly idOf: (type: 'memory' | 'belief', id: number) => number | undefined
}

/** What became of a record: its id here, and whether it was here already and was left as it is. */
export interface Taken {
  readonly id: number
  readonly known: boolean
}

const tableOf = (type: ImportedRecord['type']): Numbered => (type === 'version' ? 'memory_version' : type)

export class Intake {
  readonly #options: IntakeOptions
  /** The highest ids that were kept. */
  readonly #highest = new Map<Numbered, number>()

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Takes memories in, in few round trips, in the project that the transaction is in. */
  async takeMemories(staged: readonly Arriving[]): Promise<Taken[]> {
    const { transaction, present } = this.#options
    const known = new Map<Arriving, number>()
    if (present !== undefined) {
      for (const one of staged) {
        const id = one.record.type === 'memory' ? await present.find(one.record) : undefined
        if (id !== undefined) known.set(one, id)
      }
    }
    const fresh = staged.filter((one) => !known.has(one))
    const made = await insertMemories(
      transaction,
      fresh.flatMap(({ record, embedding }) => {
        if (record.type !== 'memory') return []
        const { type: _, id, ...memory } = record
        return [{ ...this.#own('memory', id), memory: { ...memory, ...(embedding && { embedding }) } }]
      }),
    )
    const ids = new Map(fresh.map((one, at) => [one, made[at]?.id ?? 0]))
    return staged.map((one) => {
      const here = known.get(one)
      return here === undefined ? { id: ids.get(one) ?? 0, known: false } : { id: here, known: true }
    })
  }

  /** Takes another record in, whose references came before; a belief's successor is settled later. */
  async take(record: Exclude<ImportedRecord, { type: 'memory' }>): Promise<Taken> {
    const known = await this.#findPresent(record)
    return known === undefined ? { id: await this.#write(record), known: false } : { id: known, known: true }
  }

  async #findPresent(record: Exclude<ImportedRecord, { type: 'memory' }>): Promise<number | undefined> {
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
    if (record.type !== 'dream') return present.find(record)
    const [source, ...others] = record.sourceMemoryIds.map((id) => idOf('memory', id))
    if (source === undefined || ![source, ...others].every((id) => present.has('memory', id)))
      return undefined
    // A forgotten source is named as in the brain that dreamt it, or as an earlier import named it.
    return present.findDream(source, [this.#originOf(record, ''), this.#originOf(record, '.')])
  }

  async #write(record: Exclude<ImportedRecord, { type: 'memory' }>): Promise<number> {
    const { transaction } = this.#options
    const own = this.#own(tableOf(record.type), record.id)
    switch (record.type) {
      case 'version': {
        const { id: _, formerId, ...version } = record
        const memoryId = this.#referred('memory', record.memoryId)
        const former = (await this.#isFree(formerId)) && { formerId }
        return insertVersion(transaction, { ...version, ...former, ...own, memoryId })
      }
      case 'dream':
        return this.#takeDream(record)
      case 'belief': {
        const { id: _, ...belief } = record
        return insertBelief(transaction, { ...belief, ...own })
      }
      case 'evidence': {
        const { id: _, ...event } = record
        return insertEvidence(transaction, {
          ...event,
          ...own,
          beliefId: this.#referred('belief', record.beliefId),
        })
      }
      case 'prediction':
        return insertPrediction(transaction, {
          ...own,
          prediction: record,
          history: record,
          ...(record.circumstances && { circumstances: record.circumstances }),
        })
      case 'observation': {
        const { id: _, ...observation } = record
        return insertObservation(transaction, { ...observation, ...own })
      }
    }
  }

  async #takeDream(record: ImportedOf<'dream'>): Promise<number> {
    const { transaction, token } = this.#options
    const { id: _, ...dream } = record
    const id = await insertDream(transaction, {
      ...dream,
      ...this.#own('dream', record.id),
      sourceMemoryIds: record.sourceMemoryIds.map((one) => this.#referred('memory', one)),
      origin: this.#originOf(record, `${token}.`),
    })
    if (id === undefined) throw isDreamt(record.id)
    return id
  }

  /** The belief that came as `id` was replaced by the one that came as `successor`. */
  async settleSuccessor(id: number, successor: number): Promise<void> {
    const { transaction } = this.#options
    await transaction.run(
      'UPDATE belief SET superseded_by = $1 WHERE project_id = $2 AND id = $3 AND superseded_by IS NULL',
      [this.#referred('belief', successor), transaction.projectId, this.#referred('belief', id)],
    )
  }

  /** Lets the ids that follow begin after those that were kept. */
  async settleIds(): Promise<void> {
    for (const table of numberedTables) {
      const highest = this.#highest.get(table)
      if (highest !== undefined)
        await this.#options.transaction.first(
          `SELECT setval('${table}_id_seq', greatest($1, last_value)) FROM ${table}_id_seq`,
          [highest],
        )
    }
  }

  /** Whether a merged memory's id may be mentioned here: where new ids are assigned, it may belong to another. */
  async #isFree(formerId: number | undefined): Promise<boolean> {
    const { transaction } = this.#options
    if (!this.#keepsIds || formerId === undefined || formerId > maxKeptId) return false
    const known = await transaction.first(
      `SELECT 1 FROM memory_version WHERE project_id = $1 AND former_id = $2
       UNION ALL SELECT 1 WHERE is_taken('memory', $2)`,
      [transaction.projectId, formerId],
    )
    if (known !== undefined) throw hasFormerId(formerId)
    this.#keep('memory', formerId)
    return true
  }

  get #keepsIds(): boolean {
    return this.#options.present === undefined
  }

  #keep(table: Numbered, id: number): void {
    this.#highest.set(table, Math.max(this.#highest.get(table) ?? 0, id))
  }

  /** The id to keep, if it is kept. */
  #own(table: Numbered, id: number | null): { id?: number } {
    if (!this.#keepsIds || id === null) return {}
    this.#keep(table, id)
    return { id }
  }

  #referred(type: 'memory' | 'belief', id: number): number {
    const given = this.#keepsIds ? id : this.#options.idOf(type, id)
    if (given !== undefined) return given
    throw new Error(`${type} ${id} was to be written before what refers to it`)
  }

  /** The origin in this brain's ids. A source that was forgotten where it came from is nobody's here: `mark` stands before it. */
  #originOf({ origin }: ImportedOf<'dream'>, mark: string): string {
    const { idOf } = this.#options
    return this.#keepsIds ? origin : originIn(origin, { idOf: (id) => idOf('memory', id), mark })
  }
}
