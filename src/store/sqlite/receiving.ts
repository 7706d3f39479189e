/**
 * A copy of another brain on its way into SQLite, batch by batch. With each commits how far it has come, so that a copy that
 * was cut off is gone on with; and while that is known the brain is nobody's to use.
 */
import { requireVectors } from '../search/usable-vectors.ts'
import { type Copying, copyingSetting, isPart, requireSameCopy, resumeCopy } from '../staging-rules.ts'
import type { CopiedRecord, Receiving } from '../transfer.ts'
import { writeAnnotations } from './annotations.ts'
import type { Connection } from './connection.ts'
import { Intake, isUntouched } from './intake.ts'
import { readSetting, removeSetting, writeSetting } from './settings.ts'
import { createSwitching } from './switching.ts'
import type { VectorTables } from './vectors.ts'

const readCopying = (connection: Connection): string | undefined => readSetting(connection, copyingSetting)

/** @throws BrainError `storage` for a brain of which only a part has arrived. */
export function requireWhole(connection: Connection): void {
  if (readCopying(connection) !== undefined) throw isPart()
}

export class SqliteReceiving implements Receiving {
  readonly #connection: Connection
  readonly #vectors: VectorTables
  readonly reached: Copying['reached']
  #copying: Copying

  private constructor(connection: Connection, vectors: VectorTables, copying: Copying) {
    this.#connection = connection
    this.#vectors = vectors
    this.#copying = copying
    this.reached = copying.reached
  }

  /** See `TransferStore.receive`. */
  static begin(
    connection: Connection,
    vectors: VectorTables,
    source: string,
  ): Promise<SqliteReceiving | undefined> {
    return connection.write(() => {
      const [kept, untouched] = [readCopying(connection), isUntouched(connection)]
      const copying = resumeCopy(source, { kept, untouched })
      if (copying === undefined) return undefined
      if (kept === undefined) writeSetting(connection, copyingSetting, JSON.stringify(copying))
      return new SqliteReceiving(connection, vectors, copying)
    })
  }

  #createIntake(): Intake {
    return new Intake({
      connection: this.#connection,
      vectors: this.#vectors,
      present: undefined,
      token: '',
      idOf: (_, id) => id,
    })
  }

  async add(project: string, records: readonly CopiedRecord[]): Promise<void> {
    const last = records.at(-1)?.record
    if (last === undefined) return
    for (const { embedding } of records) requireVectors(embedding)
    const next: Copying = { ...this.#copying, reached: { project, type: last.type, id: last.id } }
    await this.#connection.write(() => {
      requireSameCopy(readCopying(this.#connection), this.#copying)
      const intake = this.#createIntake()
      for (const one of records) {
        intake.take(project, one.record, { embedding: one.embedding })
        writeAnnotations(this.#connection, one)
      }
      writeSetting(this.#connection, copyingSetting, JSON.stringify(next))
    })
    this.#copying = next
  }

  async settle(_project: string, successors: readonly (readonly [number, number])[]): Promise<void> {
    await this.#connection.write(() => {
      const intake = this.#createIntake()
      for (const [id, successor] of successors) intake.settleSuccessor(id, successor)
    })
  }

  async finish(): Promise<void> {
    await this.#connection.write(() => removeSetting(this.#connection, copyingSetting))
    // What makes search quick, in short commits of its own; what is not done now is done later.
    const { compact } = createSwitching(this.#connection, this.#vectors)
    while (await compact().catch(() => false));
  }
}
