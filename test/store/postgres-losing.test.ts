/** Connections to PostgreSQL that are cut, as a server that restarts cuts them. */
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, type TestServer } from './postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startPostgres()
})
beforeEach(() => server.clear())
afterAll(() => server.close())

/** The server's address through a relay whose connections can be cut. */
async function relay(): Promise<{ url: string; cut: () => void }> {
  const url = new URL(server.url)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  const listening: Server = createServer((near) => {
    const far = dial(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listening.close())
  const address = listening.address()
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function open(): Promise<{ database: Database; cut: () => void }> {
  const { url, cut } = await relay()
  const database = new Database(url, { label: 'test', connections: 1 })
  onTestFinished(() => database.close())
  return { database, cut }
}

const insert = `INSERT INTO memory (project_id, text, caution, agent, created_at) VALUES ($1, $2, 0, 'a', 0)`
const count = async (database: Database): Promise<number> =>
  (await database.read('one', (transaction) => transaction.all('SELECT id FROM memory'))).length

describe('a lost connection to PostgreSQL', () => {
  test('is nothing to a read, which is asked again', async () => {
    const { database, cut } = await open()
    await database.write('one', (transaction) => transaction.run(insert, [transaction.projectId, 'x']), {
      makes: true,
    })
    let reads = 0
    const found = await database.read('one', async (transaction) => {
      reads += 1
      if (reads === 1) cut()
      return transaction.all('SELECT text FROM memory')
    })
    expect(found).toEqual([{ text: 'x' }])
    expect(reads).toBe(2)
    expect(database.losses).toBeGreaterThan(0)
  })

  test('while nothing was asked is nothing to a write', async () => {
    const { database, cut } = await open()
    const keep = () =>
      database.write('one', (transaction) => transaction.run(insert, [transaction.projectId, 'x']), {
        makes: true,
      })
    await keep()
    cut()
    await keep()
    expect(await count(database)).toBe(2)
  })

  test('in the middle of a write leaves nothing of it, says so, and is not asked again', async () => {
    const { database, cut } = await open()
    let writes = 0
    const writing = database.write(
      'one',
      async (transaction) => {
        writes += 1
        await transaction.run(insert, [transaction.projectId, 'x'])
        cut()
        await transaction.run(insert, [transaction.projectId, 'y'])
      },
      { makes: true },
    )
    await expect(writing).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('nothing was written'),
    })
    expect(writes).toBe(1)
    expect(await count(database)).toBe(0)
  })

  test('before the answer to a commit is an error that does not say that nothing was written', async () => {
    const { database, cut } = await open()
    const writing = database.write(
      'one',
      async (transaction) => {
        await transaction.run(insert, [transaction.projectId, 'x'])
        // Once the commit is on its way.
        queueMicrotask(() => setImmediate(cut))
      },
      { makes: true },
    )
    const outcome = await writing.then(
      () => 'written',
      (error: Error) => error.message,
    )
    // A server may be quicker than the cut.
    if (outcome !== 'written') expect(outcome).toContain('whether this was written is not known')
  })
})
