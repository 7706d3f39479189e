/** A store of its own for each test, and the adapters the contract suites run against. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'

const options = { durability: 'normal', create: true, label: 'test', warn: () => {} } as const

export async function openInMemory(): Promise<Store> {
  const store = await openSqliteStore(':memory:', options)
  onTestFinished(() => store.close())
  return store
}

async function openInFile(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), 'brain-store-'))
  const store = await openSqliteStore(join(directory, 'brain.db'), options)
  onTestFinished(async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })
  return store
}

/** Every way to open a store; each is closed when its test ends. */
export const adapters: readonly (readonly [string, () => Promise<Store>])[] = [
  ['SQLite in memory', openInMemory],
  ['SQLite in a file', openInFile],
]
