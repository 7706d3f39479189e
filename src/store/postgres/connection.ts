/**
 * Connections to a brain's database and the transactions over them: one project each, which the database itself holds
 * every statement to. Knows retries, lost connections and statements; nothing of records.
 */
import pg from 'pg'
import { pause } from '../../clock.ts'
import { BrainError } from '../../core/errors.ts'
import { isConflict, isCrowded, isLost, isOnStandby, toBrainError } from './faults.ts'
import { Servers } from './servers.ts'
import {
  type Asked,
  begins,
  ClientTransaction,
  commit,
  Held,
  type HeldTransaction,
  isGone,
  NotBegun,
  type Transaction,
} from './transaction.ts'
import { valueTypes } from './values.ts'

type Work<T> = (transaction: Transaction) => Promise<T>

export interface DatabaseOptions {
  readonly password?: string | undefined
  /** What the server lists these connections as. */
  readonly label: string
  /** Connections at most, 1 or more. */
  readonly connections?: number
  /** Whether who asks is ended after seconds, as an agent's hook is. */
  readonly hurried?: boolean
  /** Milliseconds for which a connection, a lock or a statement is waited for. */
  readonly timeouts?: Partial<Timeouts>
}

interface Timeouts {
  readonly connection: number
  readonly lock: number
  readonly statement: number
}

const usualTimeouts: Timeouts = { connection: 10_000, lock: 5_000, statement: 60_000 }
const hurriedTimeouts: Timeouts = { connection: 1_500, lock: 500, statement: 2_000 }
const usualConnections = 10

/** Runs of one transaction before its conflict is the caller's. */
const maxRuns = 8

/** Runs of a read over connections that are lost; the server may be on its way up again. */
const maxReads = 4

/** Statements that the server keeps prepared for a connection; others are prepared each time. */
const maxStatements = 256

/** A connection and the names under which it has statements prepared. */
interface Prepared {
  readonly prefix: string
  readonly names: Map<string, string>
}

/** What is written is given by keys: to plan a statement again for other keys takes longer than to run it. */
const planOnce = ", set_config('plan_cache_mode', 'force_generic_plan', true)"

let connections = 0

/** Milliseconds for which a held transaction may wait for its holder. */
const maxIdle = 1_800_000

export class Database {
  readonly #pool: pg.Pool
  readonly #servers: Servers
  readonly #timeouts: Timeouts
  readonly #projects = new Map<string, number>()
  readonly #prepared = new WeakMap<pg.PoolClient, Prepared>()
  /** Where names are looked for that have no schema before them. */
  #path = 'brain, public'
  /** Reads that have their answers and whose ends are not answered yet. */
  readonly #endings = new Set<Promise<unknown>>()
  #losses = 0
  #closed = false
  #admits: (client: pg.ClientBase) => Promise<void> = async () => {}

  constructor(
    url: string,
    { password, label, connections = usualConnections, hurried = false, timeouts }: DatabaseOptions,
  ) {
    this.#timeouts = { ...(hurried ? hurriedTimeouts : usualTimeouts), ...timeouts }
    this.#servers = new Servers(url, password)
    this.#pool = new pg.Pool({
      Client: this.#servers.Client,
      onConnect: async (client) => {
        await this.#servers.require(client)
        await this.#admits(client)
      },
      application_name: label,
      max: connections,
      connectionTimeoutMillis: this.#timeouts.connection / this.#servers.count,
      // The server ends a statement itself; this is for a network that no longer delivers its answer.
      query_timeout: this.#timeouts.statement + this.#timeouts.lock,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      // Statements that do not wait for each other's answers travel together.
      pipeline: true,
      types: valueTypes,
    })
    // Of connections that nobody uses: the next to ask gets another.
    this.#pool.on('error', () => this.#noteLoss())
    // One that ends as it is handed over is nobody's for a moment, and an error that nobody hears ends the process.
    this.#pool.on('connect', (client) => void client.on('error', () => {}))
  }

  /** Says where pgvector's types are, if that is not `public`. */
  useExtension(schema: string): void {
    this.#path = `brain, ${pg.escapeIdentifier(schema)}`
  }

  /** Asks this of every further connection; it is not used where that throws. */
  admit(admits: (client: pg.ClientBase) => Promise<void>): void {
    this.#admits = admits
  }

  /** How many connections were lost: what was kept of an earlier answer may be of a server that is no more. */
  get losses(): number {
    return this.#losses
  }

  /** What answers next may be another server, with what was kept in another backup. */
  #noteLoss(): void {
    this.#losses += 1
    this.#projects.clear()
  }

  /** One consistent view of a project; repeated over another connection when this one is lost. */
  read<T>(project: string, work: Work<T>): Promise<T> {
    return this.#reading(async (client) => this.#run(client, { kind: 'read', project }, work))
  }

  /**
   * Changes a project; resolves after COMMIT and not before. Run again when it meets another's change, so that `work` does
   * nothing else. A missing project is created if `makes` is set; otherwise it is empty.
   * @throws BrainError `storage` when the connection is lost, saying whether it is known that nothing was written.
   */
  write<T>(project: string, work: Work<T>, { makes = false } = {}): Promise<T> {
    return this.#writing(async (client) => this.#run(client, { kind: 'write', project, makes }, work))
  }

  /** Changes several projects, all or none; `work` receives their ids and enters them. Missing ones are created. */
  async writeEach<T>(
    projects: ReadonlySet<string>,
    work: (transaction: Transaction, idOf: (project: string) => number) => Promise<T>,
  ): Promise<T> {
    const ids = new Map<string, number>()
    const value = await this.#writing((client) =>
      this.#run(client, { kind: 'write' }, async (transaction) => {
        for (const project of projects)
          ids.set(project, this.#projects.get(project) ?? (await transaction.ensureProject(project)))
        return work(transaction, (project) => ids.get(project) ?? 0)
      }),
    )
    for (const [project, id] of ids) this.#projects.set(project, id)
    return value
  }

  /** One consistent view of what belongs to no project. */
  readAnywhere<T>(work: Work<T>): Promise<T> {
    return this.#reading(async (client) => this.#run(client, { kind: 'read' }, work))
  }

  /** Changes what belongs to no project. */
  writeAnywhere<T>(work: Work<T>): Promise<T> {
    return this.#writing(async (client) => this.#run(client, { kind: 'write' }, work))
  }

  /** One consistent view for as long as its holder wants it: of no project until it enters one. */
  async hold(): Promise<HeldTransaction> {
    try {
      const client = await this.#connect()
      let lost: Error | undefined
      const onError = (error: Error): void => {
        lost = error
      }
      client.on('error', onError)
      const release = (): void => {
        client.off('error', onError)
        if (lost !== undefined) this.#noteLoss()
        client.release(lost)
      }
      try {
        await this.#begin(client, 'read', 0)
        await client.query(`SELECT set_config('idle_in_transaction_session_timeout', '${maxIdle}', true)`)
      } catch (error) {
        lost ??= isGone(error) ? error : undefined
        release()
        throw error instanceof NotBegun ? error.cause : error
      }
      return new Held(client, (error) => {
        lost ??= error
        release()
      })
    } catch (error) {
      throw toBrainError(error)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all(this.#endings)
    await this.#pool.end()
  }

  async #reading<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const until = Date.now() + this.#timeouts.statement
    for (let runs = 1; ; runs += 1) {
      try {
        return await this.#withClient(run)
      } catch (error) {
        const again = isGone(error) || isConflict(error)
        // Whoever waited for an answer that long waits no second time.
        if (runs >= maxReads || !again || this.#closed || Date.now() >= until)
          throw toBrainError(error instanceof NotBegun ? error.cause : error)
        await pause(runs * runs * 50 * (0.5 + Math.random()))
      }
    }
  }

  async #writing<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let runs = 1; ; runs += 1) {
      try {
        return await this.#withClient(run)
      } catch (error) {
        const again = isConflict(error) || error instanceof NotBegun
        if (runs >= maxRuns || !again) throw toBrainError(error instanceof NotBegun ? error.cause : error)
        await pause(runs * 5 * Math.random())
      }
    }
  }

  async #withClient<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw new BrainError('storage', 'the brain was closed')
    const client = await this.#connect()
    let lost: Error | undefined
    const onError = (error: Error): void => {
      lost = error
    }
    // Between two statements nobody else hears of it.
    client.on('error', onError)
    try {
      return await run(client)
    } catch (error) {
      if (isGone(error)) lost ??= error
      throw error
    } finally {
      client.off('error', onError)
      if (lost !== undefined) this.#noteLoss()
      client.release(lost)
    }
  }

  /** Where several servers are named, one of them may be about to be the primary. */
  async #connect(): Promise<pg.PoolClient> {
    const until = Date.now() + this.#timeouts.connection
    for (;;) {
      const address = this.#servers.current
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (isCrowded(error) || error instanceof BrainError) throw error
        this.#noteLoss()
        // Whoever waited that long for an answer does not wait so long again.
        if (Date.now() >= until) throw toBrainError(error)
        if (this.#servers.count === 1 || this.#closed) throw error
        this.#servers.passOver(address)
        await pause(100)
      }
    }
  }

  async #run<T>(
    client: pg.PoolClient,
    asked: Asked,
    work: (transaction: ClientTransaction) => Promise<T>,
  ): Promise<T> {
    const known = asked.project === undefined ? 0 : this.#projects.get(asked.project)
    const begun = this.#begin(client, asked.kind, known ?? 0)
    // What follows need not wait: over a connection on which it was not begun it finds no table, and learns why.
    begun.catch(() => {})
    const transaction = new ClientTransaction((sql, values) =>
      client.query({ ...this.#nameOf(client, sql), text: sql, values }),
    )
    try {
      await transaction.start(asked, known)
      const value = await work(transaction)
      await begun
      if (asked.kind === 'write') await commit(client)
      // Whoever uses the connection next comes after it.
      else this.#endLater(client)
      // Not before: a project whose first write was undone is not there.
      if (asked.project !== undefined && transaction.firstId > 0)
        this.#projects.set(asked.project, transaction.firstId)
      return value
    } catch (error) {
      const reason: unknown = await begun.then(
        () => error,
        (failure: unknown) => failure,
      )
      // A connection that cannot even do that is lost, of which the next to use it hears.
      if (!isGone(reason)) await client.query('ROLLBACK').catch(() => {})
      throw reason
    }
  }

  #endLater(client: pg.PoolClient): void {
    const ending: Promise<unknown> = client
      .query('COMMIT')
      .catch(() => {})
      .finally(() => this.#endings.delete(ending))
    this.#endings.add(ending)
  }

  /** In one round trip: statements of a project see its id from the first on. */
  async #begin(client: pg.PoolClient, kind: keyof typeof begins, projectId: number): Promise<void> {
    const { lock, statement } = this.#timeouts
    try {
      await client.query(
        `${begins[kind]}; SELECT set_config('search_path', ${pg.escapeLiteral(this.#path)}, true),
         set_config('brain.project', '${projectId}', true), set_config('lock_timeout', '${lock}', true),
         set_config('statement_timeout', '${statement}', true),
         set_config('idle_in_transaction_session_timeout', '${statement}', true)${kind === 'write' ? planOnce : ''}`,
      )
    } catch (error) {
      // A server that takes no writes any more is another's standby by now.
      const elsewhere = this.#servers.count > 1 && isOnStandby(error)
      throw isLost(error) || elsewhere ? new NotBegun(error) : error
    }
  }

  /** A unique name for a connection's statement: with poolers and PGlite several connections share prepared statements. */
  #nameOf(client: pg.PoolClient, sql: string): { name: string } | Record<string, never> {
    let prepared = this.#prepared.get(client)
    if (prepared === undefined) {
      connections += 1
      prepared = { prefix: `brain_${process.pid}_${connections}`, names: new Map() }
      this.#prepared.set(client, prepared)
    }
    const known = prepared.names.get(sql)
    if (known !== undefined) return { name: known }
    if (prepared.names.size >= maxStatements) return {}
    const name = `${prepared.prefix}_${prepared.names.size}`
    prepared.names.set(sql, name)
    return { name }
  }
}
