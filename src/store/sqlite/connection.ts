/**
 * One connection to a brain's file: cached statements, reads, and writes that share commits. Knows locking
 * and durability; nothing of records.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { milliseconds, pause, yieldToEventLoop } from '../../clock.ts'
import { BrainError } from '../../core/errors.ts'
import { loadDatabase } from './binding.ts'
import { isBusy, toBrainError } from './faults.ts'
import type { FileGuard } from './file-guard.ts'
import { FileIdentity } from './file-identity.ts'
import { type Bound, Handle, type Value } from './handle.ts'
import { busyError, busyTimeout, retryWhileBusy } from './locks.ts'
import { disarmLog, dropRemains } from './orphaned-wal.ts'
import type { WaitingSignal } from './presence.ts'

/** Commits after which a one-shot process does not yet check whether another program wrote into the file. */
const uncheckedCommits = 4

/** Maximum number of jobs in a commit, and milliseconds after which it takes no further ones: others need the event loop. */
const jobsPerCommit = 64
const workPerCommit = 20

interface Job {
  readonly work: () => unknown
  readonly repeatable: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Does the work of a job, and returns what reports its result to whoever waits for it. */
function perform({ work, resolve }: Job): () => void {
  const value = work()
  return () => resolve(value)
}

export type Row = Record<string, number | bigint | string | Uint8Array | null>

export interface ConnectionOptions {
  /** Where the brain is; undefined for one in memory. */
  readonly file: string | undefined
  /** Other processes that have the brain open, for a caller whose wait timed out. */
  readonly holders: () => readonly string[]
  /** Why this brain takes no writes, if it takes none. */
  readonly refusal?: BrainError | undefined
  /** Tells writers of each other; absent in memory. */
  readonly waiting?: WaitingSignal
  /** Whether this process lives for one command. */
  readonly oneshot?: boolean
  /** Milliseconds to wait for a locked store; `busyTimeout` when absent. */
  readonly patience?: number | undefined
  /** Notices who else writes into the file. */
  readonly guard?: FileGuard | undefined
  /** Told once that this connection is of no use any more, and that another may be opened. */
  readonly onRewritten?: (() => void) | undefined
}

/** Work that is interrupted now and then; what it yields tells others how far it came. */
export type Steps = Generator<() => void, void, undefined>

/** Milliseconds that a writer yields to those already waiting. */
const courtesy = 2

export class Connection {
  readonly database: BetterSqlite3.Database
  readonly #options: ConnectionOptions
  readonly #identity: FileIdentity | undefined
  readonly #schema: number
  readonly #own: Handle
  /** Whether a long transaction is under way and has given others a turn, who are not to see what it wrote. */
  #hasPaused = false
  /** What they read with meanwhile: whatever was committed before. */
  #others: Handle | undefined
  #queue: Job[] = []
  #flushing: Promise<void> | undefined
  #closed = false
  #closing: Promise<void> | undefined
  #commits = 0
  #rewritten: BrainError | undefined

  /** Takes over an open database whose schema is today's. */
  constructor(database: BetterSqlite3.Database, options: ConnectionOptions) {
    this.database = database
    this.#own = new Handle(database)
    this.#options = options
    this.#identity = options.file === undefined ? undefined : new FileIdentity(options.file)
    this.#schema = this.#readSchema()
    if (!options.oneshot) options.guard?.findRewritten(false)
  }

  /** Where the brain is; undefined for one in memory. */
  get file(): string | undefined {
    return this.#options.file
  }

  #readSchema(): number {
    return Number(this.first('PRAGMA user_version')?.user_version)
  }

  get #handle(): Handle {
    const { file } = this.#options
    if (!this.#hasPaused || file === undefined) return this.#own
    this.#others ??= new Handle(loadDatabase(file, { readonly: true }))
    return this.#others
  }

  /** All rows. The caller names the columns it selected. */
  all<T = Row>(sql: string, ...values: Bound[]): T[] {
    return this.#handle.prepare(sql).all(...values) as T[]
  }

  first<T = Row>(sql: string, ...values: Bound[]): T | undefined {
    return this.#handle.prepare(sql).get(...values) as T | undefined
  }

  /** Executes one statement; returns the number of rows changed and the last row id. */
  run(sql: string, ...values: Bound[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#handle.prepare(sql).run(...values)
    return { changes, id: Number(lastInsertRowid) }
  }

  /** Whether this brain accepts writes; otherwise each is refused with the reason. */
  get writable(): boolean {
    return this.#options.refusal === undefined
  }

  /** The first row of one statement, which is a consistent view by itself. */
  find<T = Row>(sql: string, ...values: Value[]): Promise<T | undefined> {
    return this.#whileOpen(() => this.first<T>(sql, ...values))
  }

  /** One consistent view for everything `work` reads. */
  read<T>(work: () => T): Promise<T> {
    return this.#whileOpen(() => {
      const { database } = this.#handle
      if (database.inTransaction) return work()
      this.run('BEGIN')
      try {
        return work()
      } finally {
        if (database.inTransaction) this.run('COMMIT')
      }
    })
  }

  async #whileOpen<T>(work: () => T): Promise<T> {
    // What is in memory alone has no second handle.
    while (this.#hasPaused && this.file === undefined) await this.#flushing
    return this.#retryWhileBusy(() => {
      if (this.#rewritten !== undefined) throw this.#rewritten
      if (this.#closed || !this.database.open) throw new BrainError('storage', 'the brain was closed')
      return work()
    })
  }

  /**
   * Runs `work` inside BEGIN IMMEDIATE; resolves after COMMIT and not before. Writes that wait together share
   * one commit, each in a savepoint of its own, so that one refusal undoes only itself. Those that are `repeatable`,
   * since they touch nothing but the database, share a savepoint: when one of them fails, they are run again.
   */
  write<T>(work: () => T, { repeatable = false } = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new BrainError('storage', 'the brain was closed'))
    if (this.#options.refusal) return Promise.reject(this.#options.refusal)
    return new Promise<T>((resolve, reject) => {
      // The queue is of mixed types; each job's own resolve gets what its own work returned.
      this.#queue.push({ work, repeatable, resolve: resolve as (value: unknown) => void, reject })
      this.#flushing ??= this.#drain()
    })
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets writes that arrive together travel together.
    await yieldToEventLoop()
    try {
      while (this.#queue.length > 0) {
        await this.#commit(this.#queue.splice(0, jobsPerCommit))
        if (this.#queue.length > 0) await yieldToEventLoop()
      }
    } finally {
      this.#flushing = undefined
    }
  }

  /**
   * One transaction for work too long to hold up the event loop, in steps: between any two others have a turn, who read what
   * was committed before, and are told what the step yields. Other writes of this process wait for it; those of other
   * processes meet the busy timeout.
   */
  async exclusive(work: () => Steps): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing
    if (this.#closed) throw new BrainError('storage', 'the brain was closed')
    if (this.#options.refusal) throw this.#options.refusal
    let release = (): void => {}
    this.#flushing = new Promise((resolve) => {
      release = resolve
    })
    try {
      await this.#retryWhileBusy(() => this.database.exec('BEGIN IMMEDIATE'))
      this.#requireSameBrain()
      for (const tell of work()) {
        this.#hasPaused = true
        tell()
        await yieldToEventLoop()
        this.#hasPaused = false
      }
      this.database.exec('COMMIT')
      this.#requireSameFile()
    } catch (error) {
      this.#abandon()
      throw toBrainError(error)
    } finally {
      this.#hasPaused = false
      this.#others?.database.close()
      this.#others = undefined
      this.#flushing = this.#queue.length > 0 ? this.#drain() : undefined
      release()
    }
  }

  /** Such work in one transaction of this database, too, which nobody else reads. */
  *within(work: () => Steps): Steps {
    this.database.exec('BEGIN IMMEDIATE')
    try {
      yield* work()
      this.database.exec('COMMIT')
    } finally {
      this.#abandon()
    }
  }

  /** Runs `work` while no write of this process is under way; those that come wait for it. */
  async aside(work: () => unknown): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing
    if (this.#closed) throw new BrainError('storage', 'the brain was closed')
    if (this.#options.refusal) throw this.#options.refusal
    const done = this.#retryWhileBusy(() => {
      this.#requireSameFile()
      this.#requireUntouched(false)
      return work()
    })
    this.#flushing = done.then(
      () => {},
      () => {},
    )
    try {
      await done
    } finally {
      this.#flushing = this.#queue.length > 0 ? this.#drain() : undefined
    }
  }

  /** Never rejects: every job hears of its own fate. */
  async #commit(jobs: Job[]): Promise<void> {
    const settled: (() => void)[] = []
    try {
      if (this.#options.waiting?.isRaised()) await pause(courtesy + Math.random() * courtesy)
      await this.#retryWhileBusy(() => this.run('BEGIN IMMEDIATE'))
      this.#requireSameBrain()
      const deadline = milliseconds() + workPerCommit
      const [first, ...others] = jobs
      // To a job alone a savepoint is the transaction once more.
      if (first !== undefined && others.length === 0) settled.push(perform(first))
      while (settled.length < jobs.length && milliseconds() < deadline)
        settled.push(...this.#perform(jobs.slice(settled.length), deadline))
      this.#queue.unshift(...jobs.splice(settled.length))
      this.run('COMMIT')
      // Once more: what was committed into a file that went away meanwhile is not acknowledged.
      this.#requireSameFile()
      this.#requireUntouched(false)
    } catch (error) {
      this.#abandon()
      for (const job of jobs) job.reject(toBrainError(error))
      return
    }
    for (const settle of settled) settle()
  }

  #abandon(): void {
    try {
      if (this.database.inTransaction) this.database.exec('ROLLBACK')
    } catch {
      // SQLite rolls back by itself when the connection or the process ends; what matters is who is told.
    }
  }

  /**
   * Runs the first of `jobs`, and those after it that share its savepoint until the deadline; how each that ran hears of it.
   * A savepoint makes FTS5 write out what it has gathered of new words: one for each would cost every remember that much.
   */
  #perform(jobs: readonly Job[], deadline: number): (() => void)[] {
    const other = jobs.findIndex(({ repeatable }) => !repeatable)
    const together = other === -1 ? jobs : jobs.slice(0, Math.max(1, other))
    const settled: (() => void)[] = []
    this.run('SAVEPOINT job')
    try {
      for (const job of together) {
        settled.push(perform(job))
        if (milliseconds() >= deadline) break
      }
      this.run('RELEASE job')
      return settled
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction; then nobody's work survived.
      if (!this.database.inTransaction) throw error
      this.database.exec('ROLLBACK TO job; RELEASE job')
      const [first, ...rest] = together.slice(0, settled.length + 1)
      if (first === undefined) throw error
      if (rest.length === 0) return [() => first.reject(toBrainError(error))]
      return [first, ...rest].flatMap((job) => this.#perform([job], deadline))
    }
  }

  async #retryWhileBusy<T>(attempt: () => T): Promise<T> {
    try {
      const { waiting, patience: limit = busyTimeout } = this.#options
      return await retryWhileBusy(attempt, { waiting, limit })
    } catch (error) {
      throw isBusy(error) ? busyError(this.#options.holders(), error) : toBrainError(error)
    }
  }

  #requireSameBrain(): void {
    this.#requireSameFile()
    this.#requireUntouched(true)
    if (this.#readSchema() === this.#schema) return
    throw new BrainError(
      'storage',
      'the brain was upgraded by a newer version while it was open: nothing was written; upgrade and restart this process',
    )
  }

  /** A write to a file or log that was deleted or replaced would be acknowledged but lost. */
  #requireSameFile(): void {
    if (this.#identity?.holds() !== false) return
    throw new BrainError(
      'storage',
      'the brain file was deleted or replaced while it was open: nothing was written; restart this process',
    )
  }

  /** SQLite would mix what another program wrote in the meantime with its own memory and log. */
  #requireUntouched(locked: boolean): void {
    this.#commits += 1
    if (this.#rewritten !== undefined) throw this.#rewritten
    if (
      this.#commits <= (this.#options.oneshot ? uncheckedCommits : 0) ||
      this.#options.guard?.findRewritten(locked) === undefined
    )
      return
    this.#rewritten = new BrainError(
      'storage',
      'the brain file was written into by another program while it was open: nothing was written; ' +
        'try again, look what is there now, and put a backup in its place with `brain restore`',
    )
    this.#options.onRewritten?.()
    throw this.#rewritten
  }

  /**
   * Empties the write-ahead log into the file, so that overwritten content is gone from both.
   * Returns false when others read the log for longer than the busy timeout.
   */
  async scrub(): Promise<boolean> {
    if (this.#options.file === undefined) return true
    const deadline = Date.now() + busyTimeout
    for (;;) {
      // A busy log is reported, not thrown.
      const [result] = await this.#retryWhileBusy(() => {
        this.#requireUntouched(false)
        return this.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      })
      if (result?.busy === 0) return true
      if (Date.now() >= deadline) return false
      await pause(5 + Math.random() * 20)
    }
  }

  /** Waits for writes that are queued. Whoever asks while another closes waits for the same. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing
    this.#closed = true
    const { file, guard } = this.#options
    const spared = this.#options.oneshot && this.#commits <= uncheckedCommits
    const rewritten = this.#rewritten !== undefined || (!spared && guard?.findRewritten(false) !== undefined)
    guard?.close()
    // What took the place of a file that went away is another's, with its log.
    const disarmed = file !== undefined && rewritten && this.#identity?.holds()
    if (disarmed) disarmLog(file)
    this.database.close()
    if (disarmed) dropRemains(file)
  }
}
