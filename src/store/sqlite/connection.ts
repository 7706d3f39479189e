/**
 * One connection to a brain's file: cached statements, reads, and writes that share commits. Knows locking
 * and durability; nothing of records.
 */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import { isBusy, toBrainError } from './faults.ts'

/** How long a locked store is waited for before the caller hears of it, in milliseconds. */
export const busyTimeout = 5_000

/** Jobs one commit may carry: keeps the event loop free between two of them. */
const jobsPerCommit = 64

interface Job {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export type Row = Record<string, number | bigint | string | Uint8Array | null>
export type Value = number | bigint | string | Uint8Array | null

export class Connection {
  readonly database: BetterSqlite3.Database
  readonly #file: string
  readonly #inode: number | undefined
  readonly #statements = new Map<string, BetterSqlite3.Statement<Value[]>>()
  #queue: Job[] = []
  #flushing: Promise<void> | undefined
  #closed = false

  /** Takes an open database over; `file` is watched for replacement unless it lives in memory. */
  constructor(database: BetterSqlite3.Database, file: string) {
    this.database = database
    this.#file = file
    this.#inode = database.memory ? undefined : statSync(file).ino
  }

  #prepare(sql: string): BetterSqlite3.Statement<Value[]> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare<Value[]>(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** All rows. The caller names the columns it selected. */
  all<T = Row>(sql: string, ...values: Value[]): T[] {
    return this.#prepare(sql).all(...values) as T[]
  }

  first<T = Row>(sql: string, ...values: Value[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined
  }

  /** Executes one statement; returns the rows changed and the last row id. */
  run(sql: string, ...values: Value[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values)
    return { changes, id: Number(lastInsertRowid) }
  }

  /** One consistent view for everything `work` reads. */
  async read<T>(work: () => T): Promise<T> {
    if (this.#closed) throw new BrainError('storage', 'the brain was closed')
    return this.#patiently(() => {
      if (this.database.inTransaction) return work()
      this.database.exec('BEGIN')
      try {
        return work()
      } finally {
        if (this.database.inTransaction) this.database.exec('COMMIT')
      }
    })
  }

  /**
   * Runs `work` inside BEGIN IMMEDIATE; resolves after COMMIT and not before. Writes that wait together share
   * one commit, each in a savepoint of its own, so that one refusal undoes only itself.
   */
  write<T>(work: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new BrainError('storage', 'the brain was closed'))
    return new Promise<T>((resolve, reject) => {
      // The queue is of mixed types; each job's own resolve gets what its own work returned.
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      this.#flushing ??= this.#drain()
    })
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets writes that arrive together travel together.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      while (this.#queue.length > 0) {
        await this.#commit(this.#queue.splice(0, jobsPerCommit))
        if (this.#queue.length > 0) await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      this.#flushing = undefined
    }
  }

  async #commit(jobs: Job[]): Promise<void> {
    const settled: (() => void)[] = []
    try {
      await this.#patiently(() => this.database.exec('BEGIN IMMEDIATE'))
      this.#requireSameFile()
      for (const job of jobs) settled.push(this.#perform(job))
      this.database.exec('COMMIT')
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('ROLLBACK')
      for (const job of jobs) job.reject(toBrainError(error))
      return
    }
    for (const settle of settled) settle()
  }

  #perform(job: Job): () => void {
    this.database.exec('SAVEPOINT job')
    try {
      const value = job.work()
      this.database.exec('RELEASE job')
      return () => job.resolve(value)
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction; then nobody's work survived.
      if (!this.database.inTransaction) throw error
      this.database.exec('ROLLBACK TO job; RELEASE job')
      return () => job.reject(toBrainError(error))
    }
  }

  /** Retries while another process holds the lock, without blocking this one's event loop. */
  async #patiently<T>(attempt: () => T): Promise<T> {
    const deadline = Date.now() + busyTimeout
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || Date.now() >= deadline) throw toBrainError(error)
        await sleep(1 + Math.random() * 9)
      }
    }
  }

  /** A write into a file that was deleted or swapped would be acknowledged into nothing. */
  #requireSameFile(): void {
    if (this.#inode === undefined) return
    const found = statSync(this.#file, { throwIfNoEntry: false })
    if (found?.ino === this.#inode) return
    throw new BrainError(
      'storage',
      'the brain file was deleted or replaced while it was open: nothing was written; restart this process',
    )
  }

  /** Empties the write-ahead log into the file, so that overwritten content is gone from both. */
  async scrub(): Promise<void> {
    if (this.database.memory) return
    // TRUNCATE waits for readers; a busy one leaves the log to the next checkpoint.
    await this.#patiently(() => this.database.pragma('wal_checkpoint(TRUNCATE)'))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    while (this.#flushing !== undefined) await this.#flushing
    this.#closed = true
    this.database.close()
  }
}
