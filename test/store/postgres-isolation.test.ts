/**
 * That the database itself holds a transaction to one project: whatever a statement leaves out, nothing of another project is
 * read, changed or told, and no table stands outside of it.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { requireReady } from '../../src/store/postgres/requirements.ts'
import { createPostgresStore, openPostgresStore } from '../../src/store/postgres/store.ts'
import type { Transaction } from '../../src/store/postgres/transaction.ts'
import { emptyServer, timeouts } from './contract.ts'
import { fill, readAll } from './everything.ts'
import { embed } from './test-embedder.ts'

/**
 * What a statement asks of its project's rows, asked of all rows; how many there are is no secret, as their project's
 * name is none.
 */
const withoutProject = (sql: string): string =>
  sql
    .replaceAll(/\b(\w+\.)?project_id = (\w+)\.project_id\b/g, 'true')
    .replaceAll(/(?<!FROM tally WHERE )\b(\w+\.)?project_id = (\$\d+)/g, '(($2::bigint IS NULL) IS NOT NULL)')

/** A database whose statements have lost their filters by project; values that are inserted stay. */
class Unfiltered extends Database {
  readonly statements = new Set<string>()

  #strip(transaction: Transaction): Transaction {
    const strip = (sql: string): string => {
      const stripped = withoutProject(sql)
      if (stripped !== sql) this.statements.add(stripped)
      return stripped
    }
    return {
      get projectId() {
        return transaction.projectId
      },
      all: (sql, ...rest) => transaction.all(strip(sql), ...rest),
      first: (sql, values) => transaction.first(strip(sql), values),
      run: (sql, values) => transaction.run(strip(sql), values),
      enter: (projectId) => transaction.enter(projectId),
    }
  }

  override read<T>(project: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.read(project, (transaction) => work(this.#strip(transaction)))
  }

  override write<T>(
    project: string,
    work: (transaction: Transaction) => Promise<T>,
    options?: { makes?: boolean },
  ): Promise<T> {
    return super.write(project, (transaction) => work(this.#strip(transaction)), options)
  }

  override readAnywhere<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.readAnywhere((transaction) => work(this.#strip(transaction)))
  }

  override writeAnywhere<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.writeAnywhere((transaction) => work(this.#strip(transaction)))
  }
}

async function openBoth() {
  const server = await emptyServer()
  const options = { label: 'test', connections: server.connections, timeouts, warn: () => {} }
  // What it counts of calls is written when it closes.
  const filling = await openPostgresStore(server.url, options)
  const mine = await fill(filling, 'mine')
  const theirs = await fill(filling, 'theirs')
  await filling.close()
  const unfiltered = new Unfiltered(server.url, options)
  unfiltered.useExtension(await unfiltered.readAnywhere(requireReady))
  const store = await openPostgresStore(server.url, options)
  const careless = createPostgresStore(unfiltered, 'service')
  onTestFinished(async () => void (await Promise.all([store.close(), careless.close()])))
  return { server, unfiltered, store, careless, mine, theirs }
}

describe('a project on PostgreSQL', () => {
  test('is all that is read, where no statement asks for a project', async () => {
    const { unfiltered, store, careless, mine, theirs } = await openBoth()
    const expected = await readAll(store, 'mine', mine, theirs)
    const read = await readAll(careless, 'mine', mine, theirs)
    expect(unfiltered.statements.size).toBeGreaterThan(50)
    expect(read).toEqual(expected)
    expect(JSON.stringify(read)).not.toContain('theirs')
    expect(read.memories[1]).toBe('elsewhere')
  })

  test('is all that is changed, where no statement asks for a project', async () => {
    const { store, careless, mine, theirs } = await openBoth()
    const before = await readAll(store, 'theirs', mine, theirs)
    const found: unknown[] = []
    const look = (record: unknown): never => {
      found.push(record)
      throw new Error('not this one')
    }
    const attempts = [
      () => careless.memories.amend('mine', theirs.memory, look),
      () => careless.memories.mark('mine', theirs.memory, look),
      () => careless.beliefs.amend('mine', { id: theirs.belief }, look),
      () => careless.beliefs.supersede('mine', theirs.belief, look),
      () => careless.predictions.forecast('mine', theirs.prediction, look),
      () => careless.predictions.resolve('mine', theirs.prediction, look),
      () => careless.predictions.reopen('mine', theirs.prediction, look),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('not this one')
    expect(found).toEqual(attempts.map(() => 'elsewhere'))
    const kinds = ['memory', 'belief', 'prediction', 'dream', 'observation'] as const
    for (const kind of kinds) await careless.removal.forget('mine', { kind, ids: [theirs[kind]] }, () => {})
    const ids = { kept: mine.memory, older: [theirs.memory] }
    expect(await careless.memories.merge('mine', ids, look)).toBe(false)
    expect(
      await careless.predictions.prove('mine', theirs.prediction, { command: 'true # theirs', proof: 'x' }),
    ).toBe(false)
    expect(
      await careless.dreams.rate('mine', { id: theirs.dream, verdict: 'dismiss', now: 9 }),
    ).toBeUndefined()
    expect(await careless.dreams.markRead('mine', theirs.dream, 9)).toBeUndefined()
    expect((await careless.dreams.take('mine', 50, 9)).map(({ id }) => id)).not.toContain(theirs.dream)
    expect(await careless.exemptions.add('mine', { flagId: theirs.flag, topic: 'x', now: 9 })).toBe(false)
    await careless.verdicts.add('mine', { memoryId: theirs.memory, score: 1, right: false, createdAt: 9 })
    await expect(
      careless.citations.replace('mine', { kind: 'memory', id: theirs.memory }, []),
    ).rejects.toThrow('is gone')
    const embedding = embed('another text')
    expect(await careless.index.addEmbeddings('mine', new Map([[theirs.memory, embedding]]))).toBe(0)
    await careless.dreams.endNight('mine', 9)
    expect(await readAll(store, 'theirs', mine, theirs)).toEqual(before)
  })

  test('has every table that names a project to itself', async () => {
    const { server } = await openBoth()
    const tables = (await server.administer(
      `SELECT relname::text AS name, EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid
         AND attname = 'project_id') AS owned
       FROM pg_class WHERE relnamespace = 'brain'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') ORDER BY 1`,
    )) as { name: string; owned: boolean }[]
    const shared = tables.filter(({ owned }) => !owned).map(({ name }) => name)
    expect(shared).toEqual(['model', 'project', 'schema', 'setting'])
    const again = new Database(server.url, { label: 'test', connections: server.connections })
    onTestFinished(() => again.close())
    for (const { name } of tables.filter(({ owned, name }) => owned && name !== 'tally')) {
      const seen = await again.read('mine', (transaction) =>
        transaction.all(`SELECT 1 FROM ${name} WHERE project_id <> $1`, [transaction.projectId]),
      )
      expect([name, seen.length]).toEqual([name, 0])
      const none = await again.readAnywhere((transaction) => transaction.all(`SELECT 1 FROM ${name}`))
      expect([name, none.length]).toEqual([name, 0])
      const gone = await again.write('mine', (transaction) =>
        transaction.run(`DELETE FROM ${name} WHERE project_id <> $1`, [transaction.projectId]),
      )
      expect([name, gone]).toEqual([name, 0])
      const take = () =>
        again.write('mine', (transaction) =>
          transaction.run(`UPDATE ${name} SET project_id = project_id + 1`),
        )
      const [held] = (await server.administer(`SELECT count(*)::int AS n FROM brain.${name}`)) as {
        n: number
      }[]
      if (name !== 'indexed') expect([name, (held?.n ?? 0) >= 2]).toEqual([name, true])
      if ((held?.n ?? 0) > 0) await expect(take(), name).rejects.toMatchObject({ kind: 'storage' })
      else await take()
    }
  })

  test('is told of a key by whoever has its id, and of no other', async () => {
    const { careless, server } = await openBoth()
    expect(await careless.keys.find('keymine0')).toMatchObject({ project: 'mine' })
    expect(await careless.keys.find('keytheir')).toBeUndefined()
    const database = new Database(server.url, { label: 'test', connections: server.connections })
    onTestFinished(() => database.close())
    const seen = await database.readAnywhere(async (transaction) => {
      await transaction.first("SELECT set_config('brain.key', 'keymine0', true)")
      return transaction.all('SELECT id FROM key')
    })
    expect(seen).toEqual([{ id: 'keymine0' }])
  })
})
