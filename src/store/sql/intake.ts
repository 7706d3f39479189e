/**
 * Writes records that come from outside, inside one transaction: with the ids they came with, or with new ones that
 * everything referring to them follows. Columns are known to each kind's own file; how memories are written, to each store.
 */
import { type Identified, type Numbered, numberedTables } from '../rows/identity.ts'
import { hasFormerId, isDreamt, maxKeptId, originIn } from '../staging-rules.ts'
import type { ImportedOf, ImportedRecord } from '../transfer.ts'
import { writeAnnotations } from './annotations.ts'
import { insertBelief, insertEvidence } from './beliefs.ts'
import { insertDream } from './dreams.ts'
import { insertObservation } from './observations.ts'
import { insertPrediction } from './predictions.ts'
import type { PresentRecords } from './present-records.ts'
import type { Session, Steps } from './session.ts'
import { insertVersion } from './versions.ts'

export interface IntakeOptions {
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

type Other = Exclude<ImportedRecord, { type: 'memory' }>

export class Intake {
  readonly #options: IntakeOptions
  /** The highest ids that were kept. */
  readonly #highest = new Map<Numbered, number>()
  /** Records that were here already, and say more where they come from. */
  differing = 0

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Takes in a record other than a memory, whose references came before; a belief's successor is settled later. */
  *take(session: Session, record: Other): Steps<Taken> {
    const known = yield* this.#findPresent(session, record)
    return known === undefined
      ? { id: yield* this.#write(session, record), known: false }
      : { id: known, known: true }
  }

  /** The id of a record that is here already and is known by itself. */
  *find(session: Session, record: Identified): Steps<number | undefined> {
    const { present } = this.#options
    if (present === undefined) return undefined
    const id = yield* present.find(session, record)
    if (id !== undefined && (yield* present.saysLess(session, record, id))) this.differing += 1
    return id
  }

  *#findPresent(session: Session, record: Other): Steps<number | undefined> {
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
    if (record.type !== 'dream') return yield* this.find(session, record)
    const [source, ...others] = record.sourceMemoryIds.map((id) => idOf('memory', id))
    if (source === undefined || ![source, ...others].every((id) => present.has('memory', id)))
      return undefined
    // A forgotten source is named as in the brain that dreamt it, or as an earlier import named it.
    return yield* present.findDream(session, source, [
      this.#originOf(record, ''),
      this.#originOf(record, '.'),
    ])
  }

  *#write(session: Session, record: Other): Steps<number> {
    const own = this.own(record.type === 'version' ? 'memory_version' : record.type, record.id)
    switch (record.type) {
      case 'version': {
        const { id: _, formerId, ...version } = record
        const memoryId = this.#referred('memory', record.memoryId)
        const former = (yield* this.#isFree(session, formerId)) && { formerId }
        return yield* insertVersion(session, { ...version, ...former, ...own, memoryId })
      }
      case 'dream':
        return yield* this.#takeDream(session, record)
      case 'belief': {
        const { id: _, ...belief } = record
        return yield* insertBelief(session, { ...belief, ...own })
      }
      case 'evidence': {
        const { id: _, ...event } = record
        const beliefId = this.#referred('belief', record.beliefId)
        return yield* insertEvidence(session, { ...event, ...own, beliefId })
      }
      case 'prediction':
        return yield* insertPrediction(session, {
          ...own,
          prediction: record,
          history: record,
          ...(record.circumstances && { circumstances: record.circumstances }),
        })
      case 'observation': {
        const { id: _, ...observation } = record
        return yield* insertObservation(session, { ...observation, ...own })
      }
    }
  }

  *#takeDream(session: Session, record: ImportedOf<'dream'>): Steps<number> {
    const { id: _, ...dream } = record
    const id = yield* insertDream(session, {
      ...dream,
      ...this.own('dream', record.id),
      sourceMemoryIds: record.sourceMemoryIds.map((one) => this.#referred('memory', one)),
      origin: this.#originOf(record, `${this.#options.token}.`),
    })
    if (id === undefined) throw isDreamt(record.id)
    yield* writeAnnotations(session, id, record)
    return id
  }

  /** The belief that came as `id` was replaced by the one that came as `successor`. */
  *settleSuccessor(session: Session, id: number, successor: number): Steps<void> {
    yield* session.run(
      'UPDATE belief SET superseded_by = ? WHERE project_id = @project AND id = ? AND superseded_by IS NULL',
      this.#referred('belief', successor),
      this.#referred('belief', id),
    )
  }

  /** Lets the ids that follow begin after those that were kept. */
  *settleIds(session: Session): Steps<void> {
    for (const table of numberedTables) {
      const highest = this.#highest.get(table)
      if (highest !== undefined) yield* session.run(session.dialect.setLastId(table), highest)
    }
  }

  /** Whether a merged memory's id may be mentioned here: where new ids are assigned, it may belong to another. */
  *#isFree(session: Session, formerId: number | undefined): Steps<boolean> {
    if (!this.#keepsIds || formerId === undefined || formerId > maxKeptId) return false
    const former = `SELECT 1 FROM memory_version WHERE ${session.own('memory_version')} former_id = ?`
    for (const sql of [session.dialect.selectTaken('memory'), former])
      if ((yield* session.first(sql, formerId)) !== undefined) throw hasFormerId(formerId)
    this.#keep('memory', formerId)
    return true
  }

  get #keepsIds(): boolean {
    return this.#options.present === undefined
  }

  #keep(table: Numbered, id: number): void {
    this.#highest.set(table, Math.max(this.#highest.get(table) ?? 0, id))
  }

  /** The id to keep of a record that came with one, if it is kept. */
  own(table: Numbered, id: number | null): { id?: number } {
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
