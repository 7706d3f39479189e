/**
 * PostgreSQL servers of a drill's own, to be restarted, killed, copied and promoted; from the programs that
 * BRAIN_TEST_POSTGRES_TOOLS names. Knows the server's tools and nothing of brains.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { ownPort } from '../http/own-port.ts'
import { sleep } from './processes.ts'

/** Where the server's programs are; undefined where none are to be had. */
export const postgresTools = process.env.BRAIN_TEST_POSTGRES_TOOLS

/** The server refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

export class PostgresServer {
  readonly port: number
  readonly #data: string
  readonly #settings: readonly string[]

  private constructor(data: string, port: number, settings: readonly string[]) {
    this.#data = data
    this.port = port
    this.#settings = settings
  }

  /** A new one, not started yet; `settings` as `name=value`. `data` is made, or there and empty. */
  static async make(data: string, settings: readonly string[] = []): Promise<PostgresServer> {
    const made = new PostgresServer(data, await ownPort(), settings)
    made.#own()
    made.#run('initdb', ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
    return made
  }

  /** A standby of this one, which goes on with what this one writes. Started. */
  async standby(data: string): Promise<PostgresServer> {
    const made = new PostgresServer(data, await ownPort(), [])
    made.#own()
    this.#run('pg_basebackup', [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(this.port),
      '-U',
      'admin',
      '-R',
      '-c',
      'fast',
    ])
    await made.start()
    return made
  }

  #own(): void {
    mkdirSync(this.#data, { recursive: true, mode: 0o700 })
    if (nobody.uid === undefined) return
    chownSync(this.#data, nobody.uid, nobody.gid)
    chmodSync(dirname(this.#data), 0o711)
  }

  #run(program: string, words: readonly string[]): void {
    // What it leaves running would keep a pipe open.
    execFileSync(join(postgresTools ?? '', program), words, {
      ...nobody,
      cwd: '/',
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: this.#data },
    })
  }

  /** Returns once it answers. */
  async start(): Promise<void> {
    const settings = [`port=${this.port}`, 'shared_buffers=32MB', 'max_connections=100', ...this.#settings]
    const options = `-h 127.0.0.1 -k ${this.#data} ${settings.map((one) => `-c ${one}`).join(' ')}`
    const words = ['-D', this.#data, '-w', '-t', '60', '-l', `${this.#data}/log`, '-o', options, 'start']
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#run('pg_ctl', words)
      } catch (error) {
        // After a kill its processes end one by one, and before the last did none may be started.
        if (tries === 20) throw error
        await sleep(500)
      }
    }
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.#run('pg_ctl', ['-D', this.#data, '-m', mode, '-w', 'stop'])
  }

  /** Ends it, in whatever state it is. */
  end(): void {
    try {
      this.stop('immediate')
    } catch {
      // It was not running.
    }
  }

  /** Lets a standby take writes; returns once it does. */
  promote(): void {
    this.#run('pg_ctl', ['-D', this.#data, '-w', 'promote'])
  }

  /** Ends the server as the system does when memory runs out: nothing is said, nothing is finished. */
  kill(): void {
    process.kill(Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  }

  address(user: string, database: string): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  /** Asks as the administrator. */
  async ask<Row extends pg.QueryResultRow>(sql: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.address('admin', database) })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }
}
