/** Connections to PostgreSQL that are cut, as a server that restarts cuts them. */
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Database, type DatabaseOptions } from '../../src/store/postgres/connection.ts'
import { startPostgres, type TestServer } from './postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startPostgres()
})
beforeEach(() => server.clear())
afterAll(() => server.close())

/** The server's address through a relay whose connections can be cut. */
interface Relay {
  readonly url: string
  readonly cut: () => void
  /** Cuts the one on which this is asked next, in place of the answer. */
  readonly cutAt: (asked: string) => void
  /** Holds back what either side says from now on, as a network does that has lost its way. */
  readonly stall: (stalled: boolean) => void
}

async function relay(): Promise<Relay> {
  const url = new URL(server.url)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let stalled = false
  let awaited: string | undefined
  const listening: Server = createServer((near) => {
    const far = dial(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (chunk) => void (stalled || other.write(chunk)))
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    near.on('data', (chunk) => {
      if (awaited === undefined || !chunk.includes(awaited)) return
      awaited = undefined
      far.removeAllListeners('data').once('data', () => near.destroy())
    })
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
    cutAt: (asked) => {
      awaited = asked
    },
    stall: (now) => {
      stalled = now
    },
  }
}

async function open(options: Partial<DatabaseOptions> = {}): Promise<Relay & { database: Database }> {
  const way = await relay()
  const database = new Database(way.url, { label: 'test', connections: 1, ...options })
  onTestFinished(() => database.close())
  return { ...way, database }
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

  test('that was held long is heard of wherever it is lost', async () => {
    const { database } = await open()
    const heard: (() => number)[] = []
    database.admit(async (client) => void heard.push(() => client.listenerCount('error')))
    await count(database)
    const before = heard.map((listeners) => listeners())
    await (await database.hold()).end()
    expect(heard.map((listeners) => listeners())).toEqual(before)
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
    const { database, cutAt } = await open()
    const writing = database.write(
      'one',
      async (transaction) => {
        await transaction.run(insert, [transaction.projectId, 'x'])
        cutAt('COMMIT')
      },
      { makes: true },
    )
    await expect(writing).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('whether this was written is not known'),
    })
    expect(await count(database)).toBe(1)
  })
})

// PGlite has a single session, which a stalled transaction keeps.
describe.skipIf(process.env.BRAIN_TEST_POSTGRES === undefined)('a network that stalls', () => {
  test('ends each request in a sentence, and holds nobody up once it is back', async () => {
    const timeouts = { connection: 500, lock: 300, statement: 500 }
    const { database, stall, cut } = await open({ timeouts })
    const keep = (text: string) =>
      database.write('one', (transaction) => transaction.run(insert, [transaction.projectId, text]), {
        makes: true,
      })
    await keep('before')
    const told = (part: string) => ({ kind: 'storage', message: expect.stringContaining(part) })
    const midway = database.write('one', async (transaction) => {
      await transaction.run(insert, [transaction.projectId, 'in the middle'])
      stall(true)
      await transaction.run(insert, [transaction.projectId, 'of it'])
    })
    await expect(midway).rejects.toMatchObject(told('nothing was written'))
    await expect(count(database)).rejects.toMatchObject(told('cannot be reached'))
    await expect(keep('meanwhile')).rejects.toMatchObject(told('cannot be reached'))
    // What the server never heard is over for it when its side notices.
    cut()
    stall(false)
    await keep('after')
    const texts = await database.read('one', (transaction) =>
      transaction.all('SELECT text FROM memory ORDER BY id'),
    )
    expect(texts).toEqual([{ text: 'before' }, { text: 'after' }])
  })
})

describe.skipIf(process.env.BRAIN_TEST_POSTGRES === undefined)('an address of several servers', () => {
  test('is that of the one that answers', async () => {
    const { url, stall } = await relay()
    const { url: other } = await relay()
    const both = url.replace(new URL(url).host, `${new URL(url).host},${new URL(other).host}`)
    const timeouts = { connection: 1_000, lock: 500, statement: 500 }
    const database = new Database(both, { label: 'test', connections: 1, timeouts })
    onTestFinished(() => database.close())
    stall(true)
    expect(await count(database)).toBe(0)
  })
})
