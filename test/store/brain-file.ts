/** Brains in files for tests: made, opened for a moment, crashed, and looked at as a user without privileges. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'

export const options = { durability: 'full', create: false, label: 'test', warn: () => {} } as const

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'brain-file-'))
  onTestFinished(() => {
    if (existsSync(directory)) chmodSync(directory, 0o700)
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

export const remember = ({ memories }: Store, text: string) =>
  memories.add('mine', { text, caution: 0, agent: 'tester', createdAt: 1_000 })

export const textsOf = async ({ memories }: Store) =>
  (await memories.list('mine', { after: 0, limit: 100 })).map(({ text }) => text)

let template: Uint8Array | undefined

/** The bytes of a closed brain with one memory; made once, so that a test need not wait for the disk. */
async function makeTemplate(): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'brain-template-'))
  try {
    const file = join(directory, 'brain.db')
    const store = await openSqliteStore(file, { ...options, create: true })
    await remember(store, 'the cache is warm')
    await store.close()
    return readFileSync(file)
  } finally {
    // Now, not when the process exits: a worker of the test runner is ended without that.
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A closed brain with one memory; returns its file. */
export async function makeBrain(directory = temporaryDirectory()): Promise<string> {
  template ??= await makeTemplate()
  const file = join(directory, 'brain.db')
  mkdirSync(directory, { recursive: true })
  writeFileSync(file, template, { mode: 0o600 })
  return file
}

/** Opens for the length of `work`. */
export async function withStore<T>(file: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(file, options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** A brain as a crash leaves it: everything since the last checkpoint is in the log alone. */
export async function crashed(change: (database: BetterSqlite3.Database) => void): Promise<string> {
  const file = await makeBrain()
  const live = loadDatabase(file)
  live.pragma('journal_mode = WAL')
  change(live)
  const copy = join(temporaryDirectory(), 'brain.db')
  for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
  live.close()
  return copy
}

/** Runs `work` as a user to whom permissions apply, in case the tests run as root. */
export async function asUser<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const nobody = 65_534
  if (process.getuid?.() !== 0) return work()
  for (const name of ['.', ...readdirSync(directory)]) chownSync(join(directory, name), nobody, nobody)
  process.seteuid?.(nobody)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

/** The number of a process that has ended: it belongs to nobody until it comes round again. */
export const deadProcess = (): number => Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }))
