/**
 * A copy of another brain on its way in, batch by batch. With each commits how far it has come, so that a copy that was cut off
 * is gone on with; and while that is known the brain is nobody's to use.
 */
import { requireVectors } from '../search/usable-vectors.ts'
import { type Copying, copyingSetting, requireSameCopy, resumeCopy } from '../staging-rules.ts'
import type { CopiedRecord, Receiving } from '../transfer.ts'
import { Intake, type IntakeOptions } from './intake.ts'
import { PresentRecords } from './present-records.ts'
import { readSetting, type Session, type SqlDatabase, type Steps, writeSetting } from './session.ts'

/** What a store does of a copy in its own way. */
export interface ReceivingStore {
  readonly database: SqlDatabase
  /** Takes records of one kind in, with their vectors, in the project of the session. */
  readonly take: (session: Session, intake: Intake, records: readonly CopiedRecord[]) => Steps<unknown>
  /** Once all are there. */
  readonly finish: () => Promise<void>
}

/** Every id stays. */
const asTheyAre: IntakeOptions = { present: undefined, token: '', idOf: (_, id) => id }

export class SqlReceiving implements Receiving {
  readonly #store: ReceivingStore
  readonly reached: Copying['reached']
  #copying: Copying

  private constructor(store: ReceivingStore, copying: Copying) {
    this.#store = store
    this.#copying = copying
    this.reached = copying.reached
  }

  /** See `TransferStore.receive`. */
  static async begin(store: ReceivingStore, source: string): Promise<SqlReceiving | undefined> {
    const copying = await store.database.writeAnywhere(function* (session) {
      const { untouched } = yield* PresentRecords.read(session)
      const kept = yield* readSetting(session, copyingSetting)
      const found = resumeCopy(source, { kept, untouched })
      if (found !== undefined && kept === undefined)
        yield* writeSetting(session, copyingSetting, JSON.stringify(found))
      return found
    })
    return copying && new SqlReceiving(store, copying)
  }

  async add(project: string, records: readonly CopiedRecord[]): Promise<void> {
    const last = records.at(-1)?.record
    if (last === undefined) return
    for (const { embedding } of records) requireVectors(embedding)
    const before = this.#copying
    const next: Copying = { ...before, reached: { project, type: last.type, id: last.id } }
    const { database, take } = this.#store
    await database.write(
      project,
      function* (session) {
        requireSameCopy(yield* readSetting(session, copyingSetting), before)
        const intake = new Intake(asTheyAre)
        yield* take(session, intake, records)
        yield* intake.settleIds(session)
        yield* writeSetting(session, copyingSetting, JSON.stringify(next))
      },
      { makes: true },
    )
    this.#copying = next
  }

  async settle(project: string, successors: readonly (readonly [number, number])[]): Promise<void> {
    await this.#store.database.write(project, function* (session) {
      const intake = new Intake(asTheyAre)
      for (const [id, successor] of successors) yield* intake.settleSuccessor(session, id, successor)
    })
  }

  async finish(): Promise<void> {
    const { database, finish } = this.#store
    await database.writeAnywhere((session) =>
      session.run('DELETE FROM setting WHERE key = ?', copyingSetting),
    )
    await finish()
  }
}
