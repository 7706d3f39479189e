/** The disk of the PostgreSQL server is full: of its tables, or of its write-ahead log, without which it stops. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDatabase } from '../../src/store/postgres/roles.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { PostgresServer, postgresTools } from './postgres-server.ts'
import { kill, serveBrain, sleep, startBrain } from './processes.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const mayMount = ((): boolean => {
  if (postgresTools === undefined) return false
  const disk = mountSmallDisk(1)
  disk?.remove()
  return disk !== undefined
})()

/** Incompressible, so that the server stores as many bytes as there are letters. */
const noteOf = (at: number): string => {
  let [text, state] = [`note ${at}`, at + 1]
  while (text.length < 6_000) {
    state = (state * 48_271) % 2_147_483_647
    text += ` ${state.toString(36)}`
  }
  return text
}

interface Setting {
  readonly disk: SmallDisk
  readonly server: PostgresServer
  readonly address: string
  readonly remember: (text: string) => Promise<{ status: number; body: Record<string, unknown> }>
  /** The exit code of a command and what it said. */
  readonly command: (...words: string[]) => Promise<[number | null, string]>
}

/** A daemon and commands on a server whose tables or log are on a small disk. */
async function setUp(small: 'tables' | 'log'): Promise<Setting> {
  const directory = temporaryDirectory()
  const disk = mountSmallDisk(64)
  if (disk === undefined) throw new Error('no disk could be mounted')
  onTestFinished(() => disk.remove())
  if (process.getuid?.() === 0) chownSync(disk.directory, 65_534, 65_534)
  const data = join(directory, 'data')
  const server = await PostgresServer.make(data, ['min_wal_size=32MB', 'max_wal_size=32MB'])
  onTestFinished(() => server.end())
  if (small === 'log') {
    execFileSync('cp', ['-a', join(data, 'pg_wal'), disk.directory])
    rmSync(join(data, 'pg_wal'), { recursive: true })
    symlinkSync(join(disk.directory, 'pg_wal'), join(data, 'pg_wal'))
  }
  await server.start()
  if (small === 'tables') await server.ask(`CREATE TABLESPACE small LOCATION '${disk.directory}'`)
  await server.ask(`CREATE DATABASE team ${small === 'tables' ? 'TABLESPACE small' : ''}`)
  const preparation = await prepareDatabase(server.address('admin', 'team'))
  await preparation.run()
  await preparation.close()
  const address = server.address('brain', 'team')
  const how = { environment: { BRAIN_STORE: address, BRAIN_EMBEDDER: 'none' } }
  const command = async (...words: string[]): Promise<[number | null, string]> => {
    const running = startBrain(directory, words, how)
    running.child.stdin?.end()
    const line = await running.firstLine
    return [await running.ended, running.said() || (line ?? '')]
  }
  const [, made] = await command('key', 'create', '--json')
  const home = join(directory, 'daemon')
  mkdirSync(home)
  const daemon = await serveBrain(home, { ...how, key: JSON.parse(made).key })
  onTestFinished(() => kill(daemon.running))
  return {
    disk,
    server,
    address,
    command,
    remember: (text) => daemon.call('/v1/remember', { text }),
  }
}

/** Writes until one is refused; returns what was acknowledged, and what the refusal said. */
async function writeUntilRefused({ remember }: Setting) {
  const acknowledged: string[] = []
  for (;;) {
    const text = noteOf(acknowledged.length)
    const { status, body } = await remember(text)
    if (status !== 200) return { acknowledged, refused: text, status, error: body.error }
    acknowledged.push(text)
  }
}

async function textsOf(address: string): Promise<string[]> {
  const store = await openPostgresStore(address, { label: 'test', warn: () => {} })
  try {
    return (await store.memories.list('default', { after: 0, limit: 100_000 })).map(({ text }) => text)
  } finally {
    await store.close()
  }
}

const full = "the server's disk is full or failing: nothing was written; free some space and try again"

test.skipIf(!mayMount)(
  'a full disk under the tables refuses a write in a sentence, and takes the next once there is room',
  async () => {
    const setting = await setUp('tables')
    const { disk, address, command, remember } = setting
    disk.fill(1_000_000)
    const { acknowledged, refused, status, error } = await writeUntilRefused(setting)
    expect([status, error]).toEqual([503, full])
    expect(acknowledged.length).toBeGreaterThan(5)
    expect(await command('remember', refused)).toEqual([5, `brain: ${full}`])
    expect(await textsOf(address)).toEqual(acknowledged)
    disk.free()
    expect(await remember(refused)).toMatchObject({ status: 200 })
    expect(await command('remember', 'room again')).toEqual([0, expect.stringContaining('remembered')])
    expect(await textsOf(address)).toEqual([...acknowledged, refused, 'room again'])
  },
  180_000,
)

test.skipIf(!mayMount)(
  'a full disk under the log, which stops the server, loses nothing acknowledged',
  async () => {
    const setting = await setUp('log')
    const { disk, server, address, command, remember } = setting
    disk.fill(1_000_000)
    const { acknowledged, refused, status, error } = await writeUntilRefused(setting)
    expect(status).toBe(503)
    expect(error).toMatch(
      /^the (database cannot be reached|connection to the database was lost)[^\n]*; [^\n]*$/,
    )
    disk.free()
    // As an administrator does who finds it stopped; it may have come up by itself.
    await server.start().catch(() => {})
    for (let tries = 0; (await remember('room again')).status !== 200 && tries < 60; tries += 1)
      await sleep(500)
    const texts = await textsOf(address)
    // Whether the last was written was not known.
    expect(texts.filter((text) => text !== refused && text !== 'room again')).toEqual(acknowledged)
    expect(texts).toContain('room again')
    expect(await command('recall', 'room')).toEqual([0, expect.anything()])
  },
  180_000,
)
