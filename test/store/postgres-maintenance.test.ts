/** What a check-up of a brain on PostgreSQL finds, and that a repair mends it without losing a text. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { emptyServer } from './contract.ts'
import { matchingOf } from './matching.ts'
import { embed } from './test-embedder.ts'

async function openFilled() {
  const server = await emptyServer()
  const { url, connections } = server
  const store = await openPostgresStore(url, { label: 'test', connections, warn: () => {} })
  onTestFinished(() => store.close())
  const note = { caution: 0, agent: 'a', createdAt: 1 }
  for (const project of ['mine', 'theirs']) {
    await store.memories.add(project, {
      ...note,
      text: 'the cache is warm',
      embedding: embed('the cache is warm'),
    })
    await store.memories.add(project, { ...note, text: 'never drop the table', caution: 0.9 })
  }
  const wrong = async () => (await store.maintenance.check()).filter(({ ok }) => !ok)
  return { server, store, wrong }
}

describe('a check-up of PostgreSQL', () => {
  test('finds nothing wrong with a brain in use, and says what it runs on', async () => {
    const { store, wrong } = await openFilled()
    expect(await wrong()).toEqual([])
    const findings = await store.maintenance.check()
    expect(findings.find(({ check }) => check === 'server')?.detail).toMatch(
      /^PostgreSQL \d+\.\d+, pgvector /,
    )
    expect(findings.map(({ check }) => check)).toContain('vectors of test')
  })

  test.each([
    ['counts are off', 'UPDATE brain.tally SET memories = memories + 3, terms = 0', 'counts of mine'],
    [
      'waiting memories are miscounted',
      'UPDATE brain.tally SET unembedded = unembedded + 1',
      'counts of mine',
    ],
    ['keyword entries are missing', 'DELETE FROM brain.posting', 'keywords of mine'],
    [
      'a keyword entry is of no memory',
      'UPDATE brain.posting SET memory_id = memory_id + 900',
      'keywords of mine',
    ],
    ['words of flags are missing', 'DELETE FROM brain.flag_term', 'keywords of mine'],
    ['a memory lacks its vector and waits for none', 'DELETE FROM brain.passage', 'backlog of mine'],
  ])('mends it where %s', async (_, damage, check) => {
    const { server, store, wrong } = await openFilled()
    await server.administer(damage)
    expect((await wrong()).map((finding) => [finding.check, finding.fixable])).toContainEqual([check, true])
    expect((await store.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
    expect(await matchingOf(store, { terms: ['tabl'], limit: 9 })).toHaveLength(1)
    expect(await store.memories.count('mine')).toBe(2)
  })

  test('tells of a table that is not held to one project', async () => {
    const { server, wrong } = await openFilled()
    await server.administer('ALTER TABLE brain.memory NO FORCE ROW LEVEL SECURITY')
    try {
      expect(await wrong()).toMatchObject([{ check: 'isolation', fixable: false }])
    } finally {
      await server.administer('ALTER TABLE brain.memory FORCE ROW LEVEL SECURITY')
    }
  })

  test('leaves backups to the server, and knows how large the brain is', async () => {
    const { store } = await openFilled()
    await expect(store.maintenance.backup('/nowhere/backup.db')).rejects.toMatchObject({ kind: 'refused' })
    expect(await store.maintenance.size()).toBeGreaterThan(100_000)
  })
})
