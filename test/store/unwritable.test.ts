/** A brain on a read-only disk, or taken away while it is open: reads go on, and no write is acknowledged into nothing. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { mountSmallDisk } from '../faults/small-disk.ts'
import { asUser, makeBrain, options, remember, textsOf, withStore } from './brain-file.ts'
import { matchingOf } from './matching.ts'

describe('a brain where nothing can be written', () => {
  it('is read, in a directory and a file that are read-only; a write says so', async () => {
    const file = await makeBrain()
    const directory = join(file, '..')
    chmodSync(file, 0o400)
    chmodSync(directory, 0o500)
    const before = readFileSync(file)
    await asUser(directory, async () => {
      await withStore(file, async (store) => {
        expect(await textsOf(store)).toEqual(['the cache is warm'])
        expect(await matchingOf(store, { terms: ['warm'], limit: 5 })).toHaveLength(1)
        await expect(remember(store, 'no')).rejects.toMatchObject({
          kind: 'storage',
          message: expect.stringContaining('read-only'),
        })
        expect(await textsOf(store)).toEqual(['the cache is warm'])
      })
    })
    chmodSync(directory, 0o700)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(directory)).toEqual(['brain.db'])
  })

  it('is read when the file alone is read-only; a write says so', async () => {
    const file = await makeBrain()
    chmodSync(file, 0o400)
    await asUser(join(file, '..'), async () => {
      await withStore(file, async (store) => {
        expect(await textsOf(store)).toEqual(['the cache is warm'])
        await expect(remember(store, 'no')).rejects.toMatchObject({ kind: 'storage' })
      })
    })
  })

  it.skipIf(process.platform === 'win32')(
    'is read on a disk that is read-only; a write says so',
    async (test) => {
      const disk = mountSmallDisk(8)
      if (disk === undefined) return test.skip('no disk may be mounted here')
      onTestFinished(() => disk.remove())
      const file = join(disk.directory, 'brain.db')
      copyFileSync(await makeBrain(), file)
      execFileSync('mount', ['-o', 'remount,ro', disk.directory])
      await withStore(file, async (store) => {
        expect(await textsOf(store)).toEqual(['the cache is warm'])
        await expect(remember(store, 'no')).rejects.toMatchObject({
          kind: 'storage',
          message: expect.stringContaining('read-only'),
        })
      })
    },
  )

  it('that may not be read at all is refused', async () => {
    const file = await makeBrain()
    chmodSync(file, 0)
    await asUser(join(file, '..'), async () => {
      await expect(openSqliteStore(file, options)).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('cannot be opened'),
      })
    })
  })
})

describe('a brain that goes away while it is open', () => {
  const losses = [
    ['deleted', (file: string) => rmSync(file)],
    ['moved away', (file: string) => renameSync(file, `${file}.old`)],
    ['deleted with its directory', (file: string) => rmSync(join(file, '..'), { recursive: true })],
    ['without its log', (file: string) => rmSync(`${file}-wal`)],
    [
      'with another log',
      (file: string) => {
        renameSync(`${file}-wal`, `${file}.old`)
        copyFileSync(`${file}.old`, `${file}-wal`)
      },
    ],
  ] as const

  async function expectNoWrite(file: string, { rest, lose }: { rest: number; lose: (file: string) => void }) {
    const store = await openSqliteStore(file, options)
    await remember(store, 'before')
    await sleep(rest)
    await remember(store, 'long after')
    lose(file)
    await expect(remember(store, 'into nothing')).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('restart this process'),
    })
    expect(await textsOf(store)).toEqual(['the cache is warm', 'before', 'long after'])
    await store.close()
  }

  it.each(losses)('%s takes no further write; reads go on', async (_, lose) => {
    await expectNoWrite(await makeBrain(), { rest: 0, lose })
  })

  it('takes no further write either after its directory was left alone for a while', async () => {
    const files = await Promise.all(losses.map(() => makeBrain()))
    await Promise.all(losses.map(([, lose], at) => expectNoWrite(files[at] ?? '', { rest: 2_700, lose })))
  })

  it('takes no further write when another brain stands in its place, and does that one no harm', async () => {
    const file = await makeBrain()
    const store = await openSqliteStore(file, options)
    await remember(store, 'before')
    renameSync(join(file, '..'), `${join(file, '..')}.old`)
    onTestFinished(() => rmSync(`${join(file, '..')}.old`, { recursive: true, force: true }))
    await makeBrain(join(file, '..'))
    const successor = await openSqliteStore(file, options)
    await remember(successor, 'in the new one')
    await expect(remember(store, 'into nothing')).rejects.toMatchObject({ kind: 'storage' })
    await store.close()
    await remember(successor, 'after the old one closed')
    await successor.close()
    expect(await withStore(file, textsOf)).toEqual([
      'the cache is warm',
      'in the new one',
      'after the old one closed',
    ])
  })
})
