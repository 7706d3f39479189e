/** A store in SQLite of its own for a test, closed when that ends. */
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

export async function openInFile(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), 'brain-store-'))
  const store = await openSqliteStore(join(directory, 'brain.db'), options)
  onTestFinished(async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })
  return store
}
