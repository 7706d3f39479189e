/** Another program writes into the very file, or its log, that a process has open: nothing is acknowledged into that. */
import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { FileGuard } from '../../src/store/sqlite/file-guard.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { makeBrain, options, remember, temporaryDirectory, textsOf, withStore } from './brain-file.ts'
import { forget } from './by-project.ts'

/** Into the file as it is, as `cp` and `rsync --inplace` write. */
const overwrite = (file: string, content: Uint8Array): void => writeFileSync(file, content, { flag: 'r+' })

async function openLive(file: string) {
  const store = await openSqliteStore(file, { ...options, mode: 'service' })
  onTestFinished(() => store.close())
  return store
}

const refusal = { kind: 'storage', message: expect.stringContaining('written into by another program') }

describe('a brain that is open', () => {
  it('is opened anew when a backup is copied over its file, and the backup is what is there then', async () => {
    const file = await makeBrain()
    const backup = join(temporaryDirectory(), 'backup.db')
    await withStore(file, (store) => store.maintenance.backup(backup))
    const store = await openLive(file)
    for (let at = 0; at < 50; at += 1) await remember(store, `after the backup ${at}`)
    copyFileSync(backup, file)
    await expect(remember(store, 'lost')).rejects.toMatchObject(refusal)
    await remember(store, 'on top of the backup')
    expect(await textsOf(store)).toEqual(['the cache is warm', 'on top of the backup'])
    await store.close()
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm', 'on top of the backup'])
    await withStore(file, async ({ maintenance }) => {
      expect((await maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
    })
    expect(readdirSync(join(file, '..')).some((name) => /^brain\.db\.replaced-\d+-wal$/.test(name))).toBe(
      true,
    )
  })

  it('gives all its records one after another, also once it was opened anew', async () => {
    const file = await makeBrain()
    const backup = join(temporaryDirectory(), 'backup.db')
    await withStore(file, (store) => store.maintenance.backup(backup))
    const store = await openLive(file)
    const typesOf = async () => {
      const types: string[] = []
      for await (const { type } of store.transfer.records()) types.push(type)
      for await (const { record } of store.transfer.copies('mine')) types.push(record.type)
      return types
    }
    await remember(store, 'after the backup')
    expect(await typesOf()).toEqual(['project', 'memory', 'memory', 'memory', 'memory'])
    copyFileSync(backup, file)
    await expect(remember(store, 'lost')).rejects.toMatchObject(refusal)
    expect(await typesOf()).toEqual(['project', 'memory', 'memory'])
  })

  it('does a backup no harm that is copied over its file before it is closed', async () => {
    const file = await makeBrain()
    const backup = readFileSync(file)
    const store = await openLive(file)
    await remember(store, 'after the backup')
    overwrite(file, backup)
    await store.close()
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm'])
  })

  it.each([
    ['cut to nothing', (log: string) => truncateSync(log)],
    ['cut short', (log: string) => truncateSync(log, statSync(log).size - 4096)],
    ['another one', (log: string) => overwrite(log, Buffer.alloc(statSync(log).size, 7))],
    ['begun anew', (log: string) => overwrite(log, readFileSync(log).fill(7, 16, 24))],
  ])('takes no write when its log is %s', async (_, spoil) => {
    const file = await makeBrain()
    const store = await openLive(file)
    await remember(store, 'in the log')
    spoil(`${file}-wal`)
    await expect(remember(store, 'lost')).rejects.toMatchObject(refusal)
    await remember(store, 'in a new log')
    await store.close()
    const texts = await withStore(file, textsOf)
    expect(texts).toContain('in a new log')
    expect(texts).not.toContain('lost')
  })

  it('takes no write when an earlier state is copied over what a checkpoint has written since', async () => {
    const file = await makeBrain()
    const backup = join(temporaryDirectory(), 'backup.db')
    await withStore(file, (store) => store.maintenance.backup(backup))
    const store = await openLive(file)
    await remember(store, 'in the log')
    const other = loadDatabase(file)
    onTestFinished(() => void other.close())
    // A table makes the first page another one.
    other.exec('CREATE TABLE passing (a); DROP TABLE passing; PRAGMA wal_checkpoint')
    overwrite(file, readFileSync(backup))
    await expect(remember(store, 'lost')).rejects.toMatchObject(refusal)
  })

  it('has its log looked at only by who holds the lock to write, since to others it does not stand still', async () => {
    const file = await makeBrain()
    const database = loadDatabase(file)
    database.exec("PRAGMA journal_mode = WAL; UPDATE memory SET text = 'in the log'")
    const guard = new FileGuard(file)
    onTestFinished(() => {
      guard.close()
      database.close()
    })
    truncateSync(`${file}-wal`)
    expect([guard.findRewritten(false), guard.findRewritten(true)]).toEqual([undefined, 'log'])
  })

  it('takes no write when its file is cut short', async () => {
    const file = await makeBrain()
    const store = await openLive(file)
    await remember(store, 'in the log')
    truncateSync(file, statSync(file).size >> 1)
    await expect(remember(store, 'lost')).rejects.toMatchObject(refusal)
  })

  it('is not taken for rewritten by what its own processes do', async () => {
    const file = await makeBrain()
    const [one, other] = [await openLive(file), await openLive(file)]
    for (let at = 0; at < 40; at += 1) {
      const { id } = await remember(one, `note ${at} ${'long '.repeat(400)}`)
      await remember(other, `other ${at}`)
      if (at % 4 === 0) await forget(other, 'mine', id)
      if (at % 10 === 0) await withStore(file, (third) => remember(third, 'of a third'))
    }
    expect((await textsOf(one)).length).toBe(1 + 40 + 30 + 4)
  })
})
