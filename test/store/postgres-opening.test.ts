import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { prepareDatabase } from '../../src/store/postgres/roles.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { startPostgres, type TestServer } from './postgres.ts'

const warn = (): void => {}

describe('a brain on PostgreSQL', () => {
  let server: TestServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgres()
  })
  beforeEach(async () => {
    await server.clear()
    database = new Database(server.url, { label: 'test', connections: server.connections })
    onTestFinished(() => database.close())
  })
  afterAll(() => server.close())

  const insert = `INSERT INTO memory (project_id, text, terms, length, caution, agent, created_at)
    VALUES (nullif(current_setting('brain.project'), '')::bigint, $1, '', 3, 0, 'a', 0)`
  const keep = (project: string, text: string) =>
    database.write(project, (transaction) => transaction.run(insert, [text]), { makes: true })

  test('opens as the role that init made', async () => {
    const store = await openPostgresStore(server.url, { label: 'test', connections: 1, warn })
    await store.close()
  })

  test('is refused to the role once that owns a part of it', async () => {
    const [role] = (await server.administer(
      "SELECT grantee FROM information_schema.role_table_grants WHERE table_schema = 'brain' AND grantee NOT LIKE '%owner' LIMIT 1",
    )) as { grantee: string }[]
    await server.administer(
      `GRANT ${role?.grantee === 'brain' ? 'brain_owner' : `${role?.grantee}_owner`} TO ${role?.grantee}`,
    )
    try {
      const opening = openPostgresStore(server.url, { label: 'test', connections: 1, warn })
      await expect(opening).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining('owns the brain'),
      })
    } finally {
      await server.administer(
        `REVOKE ${role?.grantee === 'brain' ? 'brain_owner' : `${role?.grantee}_owner`} FROM ${role?.grantee}`,
      )
    }
  })

  test('shows a transaction one project, whatever the statement asks for', async () => {
    await keep('one', 'mine')
    await keep('two', 'theirs')
    const all = await database.read('one', (transaction) => transaction.all('SELECT text FROM memory'))
    expect(all).toEqual([{ text: 'mine' }])
    const none = await database.readAnywhere((transaction) => transaction.all('SELECT text FROM memory'))
    expect(none).toEqual([])
    const absent = await database.read('three', (transaction) => transaction.all('SELECT text FROM memory'))
    expect(absent).toEqual([])
  })

  test('takes no record for another project', async () => {
    await keep('one', 'mine')
    await keep('two', 'theirs')
    const other = database.write('one', (transaction) =>
      transaction.run('UPDATE memory SET project_id = project_id + 1'),
    )
    await expect(other).rejects.toMatchObject({ kind: 'storage' })
  })

  test('counts memories and their terms', async () => {
    await keep('one', 'a')
    await keep('one', 'b')
    await keep('two', 'c')
    await database.write('one', (transaction) => transaction.run("DELETE FROM memory WHERE text = 'a'"))
    const tallies = await database.readAnywhere((transaction) =>
      transaction.all(
        'SELECT name, sum(memories) AS memories, sum(terms) AS terms FROM tally JOIN project ON id = project_id GROUP BY name ORDER BY name',
      ),
    )
    expect(tallies).toEqual([
      { name: 'one', memories: 1, terms: 3 },
      { name: 'two', memories: 1, terms: 3 },
    ])
  })

  test('keeps nothing of a write that was refused, and no project for it', async () => {
    const refusal = new Error('no')
    const writing = database.write(
      'one',
      async (transaction) => {
        await transaction.run(insert, ['a'])
        throw refusal
      },
      { makes: true },
    )
    await expect(writing).rejects.toBe(refusal)
    const projects = await database.readAnywhere((transaction) => transaction.all('SELECT name FROM project'))
    expect(projects).toEqual([])
  })

  test('takes part in one write at a time of two that meet', async () => {
    await keep('one', 'a')
    const lengthen = () =>
      database.write('one', async (transaction) => {
        const row = await transaction.first<{ length: number }>('SELECT length FROM memory FOR UPDATE')
        await transaction.run('UPDATE memory SET length = $1', [(row?.length ?? 0) + 1])
      })
    await Promise.all(Array.from({ length: 10 }, lengthen))
    const row = await database.read('one', (transaction) => transaction.first('SELECT length FROM memory'))
    expect(row).toEqual({ length: 13 })
  })

  test('says whose an id is only as far as that it is taken', async () => {
    await keep('two', 'theirs')
    const taken = await database.read('one', (transaction) =>
      transaction.first("SELECT is_taken('memory', 1) AS one, is_taken('memory', 2) AS two"),
    )
    expect(taken).toEqual({ one: true, two: false })
  })

  test('is made ready twice without a change', async () => {
    if (process.env.BRAIN_TEST_POSTGRES === undefined) return
    await keep('one', 'mine')
    const url = new URL(process.env.BRAIN_TEST_POSTGRES)
    url.pathname = new URL(server.url).pathname
    const role = new URL(server.url).username
    const preparation = await prepareDatabase(url.href, { role, owner: `${role}_owner` })
    await preparation.run()
    await preparation.close()
    expect(preparation.plan).toHaveLength(1)
    const all = await database.read('one', (transaction) => transaction.all('SELECT text FROM memory'))
    expect(all).toEqual([{ text: 'mine' }])
  })
})
