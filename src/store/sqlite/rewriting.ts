/**
 * Writes a brain's pages anew, so that they hold what its rows hold and nothing else: when SQLite moves rows between pages it
 * leaves copies where they stood, which zeroing what is deleted does not reach. Knows when that is due, also after a kill.
 */
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { BrainError, reasonOf } from '../../core/errors.ts'
import { addonFile, distrust } from './binding.ts'
import type { Connection } from './connection.ts'
import { toBrainError } from './faults.ts'
import { busyTimeout } from './locks.ts'
import { readSetting, removeSetting, writeSetting } from './settings.ts'

/** The setting that stands from the moment something is forgotten until no page tells of it any more. */
const due = 'rewriting_due'

/** Notes, in the write that forgets, that the pages have to be written anew. */
export function noteDue(connection: Connection): void {
  // One in memory has no pages that outlive it.
  if (connection.file === undefined) return
  writeSetting(connection, due, '')
}

/** Whether pages may still hold what was forgotten. */
export const isRewritingDue = (connection: Connection): boolean => readSetting(connection, due) !== undefined

/** Bytes of a brain that are written anew in some twentieth of a second; a larger one is, beside the event loop. */
const quickly = 2 * 2 ** 20

/** Above it the copy that SQLite makes on the way is a file: it holds what lives, and nothing that was forgotten. */
const inMemory = 64 * 2 ** 20

const statements = (bytes: number): string =>
  `${distrust} PRAGMA temp_store = ${bytes > inMemory ? 'FILE' : 'MEMORY'}; PRAGMA secure_delete = ON; VACUUM`

/** better-sqlite3's native part as its own code drives it, which the thread does not have. */
const thread = `
  const { parentPort, workerData: { addon, file, timeout, sql } } = require('node:worker_threads')
  const { exports } = ((module) => (process.dlopen(module, addon), module))({ exports: {} })
  if (!exports.isInitialized) exports.setErrorConstructor(function (message, code) { this.message = message; this.code = code })
  let fault
  const database = new exports.Database(file, file, false, false, true, timeout, null, null)
  try { database.exec(sql) } catch ({ code, message }) { fault = { code, message } }
  database.close()
  parentPort.postMessage(fault)`

function rewriteBeside(file: string, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(thread, {
      eval: true,
      execArgv: [],
      workerData: { addon: addonFile(), file, timeout: busyTimeout, sql: statements(bytes) },
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that writes the brain anew ended early')))
    worker.once('message', (fault?: { code: string; message: string }) =>
      fault === undefined ? resolve() : reject(Object.assign(new Error(fault.message), { code: fault.code })),
    )
  })
}

/** Those who wait for the same connection's pages share one rewriting. */
const waiting = new WeakMap<Connection, { running: Promise<unknown>; next: Promise<void> | undefined }>()

async function rewriteNow(connection: Connection): Promise<void> {
  const { file } = connection
  if (file === undefined) return
  const bytes = statSync(file).size
  await connection.aside(() => {
    if (bytes > quickly) return rewriteBeside(file, bytes)
    connection.database.exec(statements(bytes))
  })
  if (!(await connection.scrub())) {
    throw new BrainError('busy', 'other processes are reading the write-ahead log')
  }
  await connection.write(() => removeSetting(connection, due))
}

/**
 * Resolves when no page and no log holds anything but the rows there are. @throws BrainError `storage` or `busy`; it is noted
 * as due then.
 */
export function rewritePages(connection: Connection): Promise<void> {
  const state = waiting.get(connection) ?? { running: Promise.resolve(), next: undefined }
  waiting.set(connection, state)
  state.next ??= state.running.then(() => {
    state.next = undefined
    const running = rewriteNow(connection)
    state.running = running.catch(() => {})
    return running
  })
  return state.next
}

/** The same after something was forgotten. @throws BrainError `storage` that says so, and the remedy. */
export async function rewriteAfterForgetting(connection: Connection, what: string): Promise<void> {
  try {
    await rewritePages(connection)
  } catch (error) {
    const known = toBrainError(error)
    const busy = known instanceof BrainError && known.kind === 'busy'
    const sentence = reasonOf(known)
    // What else a failing disk is answered with does not hold here: it is forgotten.
    const [why] = busy ? ['other processes are using it'] : sentence.split(': nothing was written')
    // Never `busy`, which says to try again: a second time it is not found.
    throw new BrainError(
      'storage',
      `${what} is forgotten, but pieces of it may still be in the file (${why}): run \`brain doctor --fix\` to remove them`,
      { cause: error },
    )
  }
}
