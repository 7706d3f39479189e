/**
 * A transaction as the adapters of this folder use it, over a connection: statements, the project it is in, its end. Knows
 * nothing of pools and of what is tried again.
 */
import type pg from 'pg'
import { BrainError } from '../../core/errors.ts'
import { isLost, toBrainError, unsure } from './faults.ts'

export type Row = Record<string, unknown>
export type Scalar = string | number | bigint | boolean | Uint8Array | null
export type Value = Scalar | readonly Scalar[]

/** One transaction; what it reads and writes is of one project. Of no use once its work is done. */
export interface Transaction {
  /** Of the project; 0, which none has, where there is no such project, and outside of any. */
  readonly projectId: number
  /** All rows. The caller names the columns it selected. */
  all<T = Row>(sql: string, values?: readonly Value[]): Promise<T[]>
  first<T = Row>(sql: string, values?: readonly Value[]): Promise<T | undefined>
  /** Executes one statement; returns how many rows it changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>
  /** Goes over to another project, for work that is done project by project; statements asked from now on are of that one. */
  enter(projectId: number): Promise<void>
}

export const begins = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
} as const

/** A view in somebody's hands. */
export interface HeldTransaction extends Transaction {
  /** Lets go of it; nothing where that was done. */
  end(): Promise<void>
}

export interface Asked {
  readonly kind: keyof typeof begins
  readonly project?: string
  readonly makes?: boolean
}

/** A connection that was lost before anything was asked over it. */
export class NotBegun extends Error {
  constructor(cause: unknown) {
    super('the transaction was not begun', { cause })
  }
}

/** A commit that was asked for, and no answer came. */
class LostCommit extends Error {}

/** Whether the connection is of no use any more. */
export const isGone = (error: unknown): error is Error =>
  error instanceof NotBegun ||
  isLost(error) ||
  (error instanceof BrainError && error.cause instanceof LostCommit)

/** Ends a write; returns once it is durable. @throws BrainError `storage` where nobody knows whether it is. */
export async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query('COMMIT')
    if (command === 'COMMIT') return
  } catch (error) {
    if (isLost(error)) throw unsure(new LostCommit('no answer to COMMIT', { cause: error }))
    throw error
  }
  // A statement failed and its error was swallowed.
  throw new Error('the transaction was rolled back where it was to be committed')
}

type Query = (sql: string, values: unknown[]) => Promise<{ rows: unknown[]; rowCount: number | null }>

export class ClientTransaction implements Transaction {
  readonly #query: Query
  #projectId = 0
  #firstId = 0

  constructor(query: Query) {
    this.#query = query
  }

  get projectId(): number {
    return this.#projectId
  }

  /** Of the project that the transaction was begun for. */
  get firstId(): number {
    return this.#firstId
  }

  /** Finds the project that is asked for, unless it is known, or makes it. */
  async start({ project, makes }: Asked, known: number | undefined): Promise<void> {
    if (project === undefined) return
    const id = known ?? (await (makes === true ? this.ensureProject(project) : this.#find(project))) ?? 0
    if (known === undefined && id > 0) await this.enter(id)
    this.#projectId = id
    this.#firstId = id
  }

  /** The id of a project, which is made where there is none. */
  async ensureProject(project: string): Promise<number> {
    return (await this.#find(project)) ?? this.#make(project)
  }

  async #find(project: string): Promise<number | undefined> {
    return (await this.first<{ id: number }>('SELECT id FROM project WHERE name = $1', [project]))?.id
  }

  async #make(project: string): Promise<number> {
    const made = await this.first<{ id: number }>(
      'INSERT INTO project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id',
      [project],
    )
    // Made by another meanwhile, whose commit was waited for.
    return made?.id ?? (await this.#find(project)) ?? 0
  }

  async enter(projectId: number): Promise<void> {
    const entered = this.first("SELECT set_config('brain.project', $1, true)", [String(projectId)])
    // What is asked next comes after it on the server as well.
    this.#projectId = projectId
    await entered
  }

  async all<T = Row>(sql: string, values: readonly Value[] = []): Promise<T[]> {
    return (await this.#query(sql, [...values])).rows as T[]
  }

  async first<T = Row>(sql: string, values?: readonly Value[]): Promise<T | undefined> {
    return (await this.all<T>(sql, values))[0]
  }

  async run(sql: string, values: readonly Value[] = []): Promise<number> {
    return (await this.#query(sql, [...values])).rowCount ?? 0
  }
}

export class Held extends ClientTransaction implements HeldTransaction {
  readonly #client: pg.PoolClient
  readonly #release: (lost: Error | undefined) => void
  #ended = false

  constructor(client: pg.PoolClient, release: (lost: Error | undefined) => void) {
    super(async (sql, values) => {
      try {
        return await client.query({ text: sql, values })
      } catch (error) {
        throw toBrainError(error)
      }
    })
    this.#client = client
    this.#release = release
  }

  async end(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    const lost = await this.#client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    )
    this.#release(lost)
  }
}
