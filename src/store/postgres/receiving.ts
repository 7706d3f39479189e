/**
 * A copy of another brain on its way into PostgreSQL, batch by batch. With each commits how far it has come, so that a copy
 * that was cut off is gone on with; and while that is known nobody else is let into the brain.
 */
import { requireVectors } from '../search/usable-vectors.ts'
import { type Copying, copyingSetting, requireSameCopy, resumeCopy } from '../staging-rules.ts'
import type { CopiedRecord, Receiving } from '../transfer.ts'
import { writeAnnotations } from './annotations.ts'
import type { Database } from './connection.ts'
import { Intake } from './intake.ts'
import { PresentRecords } from './present-records.ts'
import type { Transaction } from './transaction.ts'

const readCopying = async (transaction: Transaction): Promise<string | undefined> =>
  (
    await transaction.first<{ value: string }>('SELECT value FROM setting WHERE key = $1 FOR UPDATE', [
      copyingSetting,
    ])
  )?.value

const createIntake = (transaction: Transaction): Intake =>
  new Intake({ transaction, present: undefined, token: '', idOf: (_, id) => id })

export class PostgresReceiving implements Receiving {
  readonly #database: Database
  readonly reached: Copying['reached']
  #copying: Copying

  private constructor(database: Database, copying: Copying) {
    this.#database = database
    this.#copying = copying
    this.reached = copying.reached
  }

  /** See `TransferStore.receive`. */
  static async begin(database: Database, source: string): Promise<PostgresReceiving | undefined> {
    const copying = await database.writeAnywhere(async (transaction) => {
      const { untouched } = await PresentRecords.read(transaction)
      const found = resumeCopy(source, { kept: await readCopying(transaction), untouched })
      if (found === undefined) return undefined
      await transaction.run('INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [
        copyingSetting,
        JSON.stringify(found),
      ])
      return found
    })
    return copying && new PostgresReceiving(database, copying)
  }

  async add(project: string, records: readonly CopiedRecord[]): Promise<void> {
    const last = records.at(-1)?.record
    if (last === undefined) return
    for (const { embedding } of records) requireVectors(embedding)
    const next: Copying = { ...this.#copying, reached: { project, type: last.type, id: last.id } }
    await this.#database.write(
      project,
      async (transaction) => {
        requireSameCopy(await readCopying(transaction), this.#copying)
        const intake = createIntake(transaction)
        const memories = records.filter(({ record }) => record.type === 'memory')
        await intake.takeMemories(memories)
        for (const { record } of records) if (record.type !== 'memory') await intake.take(record)
        for (const one of records) await writeAnnotations(transaction, one)
        await intake.settleIds()
        await transaction.run('UPDATE setting SET value = $1 WHERE key = $2', [
          JSON.stringify(next),
          copyingSetting,
        ])
      },
      { makes: true },
    )
    this.#copying = next
  }

  async settle(project: string, successors: readonly (readonly [number, number])[]): Promise<void> {
    await this.#database.write(project, async (transaction) => {
      const intake = createIntake(transaction)
      for (const [id, successor] of successors) await intake.settleSuccessor(id, successor)
    })
  }

  async finish(): Promise<void> {
    await this.#database.writeAnywhere((transaction) =>
      transaction.run('DELETE FROM setting WHERE key = $1', [copyingSetting]),
    )
  }
}
