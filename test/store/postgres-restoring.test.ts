/** A brain put back from a dump into a server that never had one, whose transactions have other numbers. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDatabase } from '../../src/store/postgres/roles.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { PostgresServer, postgresTools } from '../faults/postgres-server.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { forget } from './by-project.ts'
import { fill, readAll } from './everything.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

async function start(name: string): Promise<PostgresServer> {
  const server = await PostgresServer.make(join(temporaryDirectory(), name))
  onTestFinished(() => server.end())
  await server.start()
  return server
}

async function open(server: PostgresServer): Promise<Store> {
  const store = await openPostgresStore(server.address('brain', 'postgres'), {
    label: 'test',
    warn: () => {},
  })
  onTestFinished(() => store.close())
  return store
}

test.skipIf(postgresTools === undefined)(
  'a brain restored on another server answers as before, and notices what is written and forgotten since',
  async () => {
    const [first, second] = [await start('first'), await start('second')]
    const preparation = await prepareDatabase(first.address('admin', 'postgres'))
    await preparation.run()
    await preparation.close()
    // So that what is written here bears numbers that the other server reaches much later.
    await first.ask(
      'DO $$ BEGIN FOR n IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$',
    )
    const before = await open(first)
    const ids = [await fill(before, 'mine'), await fill(before, 'theirs')] as const
    // Calls are counted in memory first.
    const { calls: _, ...answers } = await readAll(before, 'mine', ...ids)

    const dump = join(temporaryDirectory(), 'brain.dump')
    const run = (program: string, words: readonly string[]): void =>
      void execFileSync(join(postgresTools ?? '', program), words, { stdio: 'pipe' })
    const at = (server: PostgresServer) => ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'admin']
    run('pg_dump', [...at(first), '-n', 'brain', '-Fc', '-f', dump, 'postgres'])
    await second.ask('CREATE ROLE brain_owner; CREATE ROLE brain LOGIN NOINHERIT; CREATE EXTENSION vector')
    run('pg_restore', [...at(second), '-d', 'postgres', '--exit-on-error', dump])
    const repair = await prepareDatabase(second.address('admin', 'postgres'))
    await repair.run()
    await repair.close()

    const after = await open(second)
    expect(await readAll(after, 'mine', ...ids)).toMatchObject(answers)
    const near = async (text: string): Promise<(number | undefined)[]> =>
      (await after.index.nearest('mine', { model, vector: vectorOf(text), limit: 50 })).map(
        ({ memoryId }) => memoryId,
      )
    const text = 'written on the new server'
    const added = await after.memories.add('mine', {
      text,
      caution: 0,
      agent: 'a',
      createdAt: 1,
      embedding: embed(text),
    })
    expect((await near(text))[0]).toBe(added.id)
    await forget(after, 'mine', ids[0].flag)
    expect(await near(text)).not.toContain(ids[0].flag)
    const known = (await second.ask<{ n: number }>(
      `SELECT count(*)::int AS n FROM brain.passage WHERE written < pg_snapshot_xmax(pg_current_snapshot())`,
    )) as { n: number }[]
    expect(known).toEqual([{ n: 1 }])
  },
  180_000,
)
