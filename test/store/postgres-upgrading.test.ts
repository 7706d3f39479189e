/**
 * A database that is brought to a later schema under daemons that know nothing of it, as `brain store init` of a later version
 * does. Needs a server that takes several connections.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Step, steps } from '../../src/store/postgres/migrations.ts'
import { prepareDatabase } from '../../src/store/postgres/roles.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { startPostgres, type TestServer } from './postgres.ts'

const administrator = process.env.BRAIN_TEST_POSTGRES

/** A step that adds, and one after which daemons of the first version cannot go on. */
const adding: Step = { sql: () => 'ALTER TABLE memory ADD COLUMN mood text', oldestReader: 1 }
const taking: Step = { sql: () => 'ALTER TABLE memory DROP COLUMN pinned_at', oldestReader: 3 }

describe.skipIf(administrator === undefined)('a later schema', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.close())

  async function init(own: readonly Step[]): Promise<void> {
    const url = new URL(administrator ?? '')
    url.pathname = new URL(server.url).pathname
    const role = new URL(server.url).username
    const preparation = await prepareDatabase(url.href, { role, owner: `${role}_owner`, steps: own })
    try {
      await preparation.run()
    } finally {
      await preparation.close()
    }
  }

  async function open(): Promise<Store> {
    const store = await openPostgresStore(server.url, { label: 'test', connections: 4, warn: () => {} })
    onTestFinished(() => store.close())
    return store
  }

  const versions = async () =>
    (await server.administer('SELECT version FROM brain.schema ORDER BY version')) as { version: number }[]
  const note = (text: string) => ({ text, caution: 0, agent: 'a', createdAt: 1 })

  test('is made once by several who make it at once, while a daemon of the version before goes on', async () => {
    const daemon = await open()
    let going = true
    const written: string[] = []
    const writing = async (): Promise<void> => {
      for (let at = 0; going; at += 1)
        written.push((await daemon.memories.add('mine', note(`note ${at}`))).text)
    }
    const worked = writing()
    await Promise.all(Array.from({ length: 4 }, () => init([...steps, adding])))
    expect(await versions()).toEqual([{ version: 1 }, { version: 2 }])
    const before = written.length
    await expect.poll(() => written.length).toBeGreaterThan(before)
    going = false
    await worked
    const kept = await (await open()).memories.list('mine', { after: 0, limit: 10_000 })
    expect(kept.map(({ text }) => text)).toEqual(written)
  })

  test('that takes away is said to a daemon of the version before, which has lost nothing', async () => {
    const daemon = await open()
    const { id } = await daemon.memories.add('mine', note('the last of the old ones'))
    await init([...steps, adding, taking])
    const told = {
      kind: 'storage',
      message: expect.stringMatching(/newer brain \(schema 3\).*upgrade brain$/),
    }
    await expect(daemon.memories.add('mine', note('too late'))).rejects.toMatchObject(told)
    await expect(daemon.memories.count('mine')).rejects.toMatchObject(told)
    await expect(open()).rejects.toMatchObject(told)
    expect(await server.administer(`SELECT text FROM brain.memory WHERE id >= ${id}`)).toEqual([
      { text: 'the last of the old ones' },
    ])
  })
})
