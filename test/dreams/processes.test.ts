import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { compiledCode } from '../compiled-code.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { contextOf, remember, telling } from './night-context.ts'

const executable = fileURLToPath(new URL('../../bin/brain.js', import.meta.url))

interface Ended {
  readonly out: string
  readonly err: string
  readonly code: number | null
}

function start(directory: string, args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [executable, '--dir', directory, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      BRAIN_EMBEDDER: 'none',
      TZ: 'UTC',
      ...compiledCode,
      ...more,
    },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ out, err, code }))
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended, said: () => out }
}

const run = (directory: string, args: readonly string[], more?: Record<string, string>): Promise<Ended> =>
  start(directory, args, more).ended

/** A brain on disk with a store to look into it from here. */
async function makeBrain(): Promise<{ directory: string; store: Store }> {
  const directory = temporaryDirectory()
  await run(directory, ['init', '--yes'])
  const store = await openSqliteStore(join(directory, '.brain', 'brain.db'), {
    durability: 'normal',
    create: false,
    label: 'test',
    warn: () => {},
  })
  onTestFinished(() => store.close())
  return { directory, store }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

describe('dreams of a brain that several processes work on', () => {
  it('are thought by brain dream, shown once by brain dreams and again by --read', async () => {
    const { directory, store } = await makeBrain()
    const ids = await remember(contextOf(store, 'default'), telling)
    const dreamt = JSON.parse((await run(directory, ['--json', 'dream'])).out)
    expect(dreamt.dreams).toHaveLength(1)
    expect(dreamt.dreams[0].source_memory_ids).toEqual([ids[0], ids.at(-1)])
    expect(JSON.parse((await run(directory, ['dreams', '--json'])).out)).toEqual(dreamt)
    expect(JSON.parse((await run(directory, ['dreams', '--json'])).out)).toEqual({ dreams: [] })
    expect(JSON.parse((await run(directory, ['dreams', '--read', '--json'])).out)).toEqual(dreamt)
    expect((await run(directory, ['dream'])).out).toContain('no thought worth keeping')
  })

  it('are kept by brain dream, which prints how each begins and leaves them unread', async () => {
    const { directory, store } = await makeBrain()
    await remember(contextOf(store, 'default'), telling)
    const { out } = await run(directory, ['dream'])
    expect(out).toContain('kept one thought, unread: read them with `brain dreams`')
    expect(out.trim().split('\n')).toHaveLength(2)
    expect(await store.dreams.countUnread('default')).toBe(1)
    const explained = await run(directory, ['dreams', '--explain'])
    expect(explained.out).toContain('bridge\n')
    expect(explained.out).toContain('- an identifier that stands in these two notes alone')
    expect(await store.dreams.countUnread('default')).toBe(1)
  })

  it('are judged by their reader, which moves the weight of their kind and says so', async () => {
    const { directory, store } = await makeBrain()
    await remember(contextOf(store, 'default'), telling)
    const [kept] = JSON.parse((await run(directory, ['--json', 'dream'])).out).dreams
    const dismissed = await run(directory, ['dream', 'feedback', String(kept.id), 'dismiss'])
    expect(dismissed.out).toContain(
      `dream ${kept.id}: dismissed. Thoughts of its kind (bridge) now weigh 0.89`,
    )
    expect(dismissed.out).toContain('1.00 before')
    const again = JSON.parse(
      (await run(directory, ['--json', 'dream', 'feedback', String(kept.id), 'keep'])).out,
    )
    expect(again).toMatchObject({ id: kept.id, kind: 'bridge', feedback: 'keep' })
    expect(again.weight).toBeGreaterThan(1)
    const unknown = await run(directory, ['dream', 'feedback', '99', 'keep'])
    expect(unknown.code).toBe(3)
    expect(unknown.err).toContain('dream 99 not found')
  })

  it('are kept by no night that was killed', async () => {
    const { directory, store } = await makeBrain()
    await remember(contextOf(store, 'default'), telling)
    const { child, ended } = start(directory, ['dream'])
    child.kill('SIGKILL')
    await ended
    expect(await store.dreams.list('default', { limit: 5 })).toEqual([])
    expect(JSON.parse((await run(directory, ['--json', 'dream'])).out).dreams).toHaveLength(1)
  })

  it('come to one of the processes that ask at once, each exactly once', async () => {
    const { directory, store } = await makeBrain()
    const ids = await remember(
      contextOf(store, 'default'),
      Array.from({ length: 12 }, (_, at) => [2, `note ${at}`] as const),
    )
    await store.dreams.addMany(
      'default',
      ids.map((id) => ({
        kind: 'echo' as const,
        thought: `about ${id}`,
        sourceMemoryIds: [id],
        novelty: 1,
        createdAt: 1,
      })),
    )
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => run(directory, ['dreams', '--limit', '4', '--json'])),
    )
    const seen = taken.flatMap(({ out }) => JSON.parse(out).dreams.map((dream: { id: number }) => dream.id))
    expect(seen).toHaveLength(12)
    expect(new Set(seen).size).toBe(12)
  })

  it('are made by daemons when the last night was missed: once, however many daemons there are', async () => {
    const { directory, store } = await makeBrain()
    await remember(contextOf(store, 'default'), telling)
    const daemons = [1, 2].map(() => start(directory, ['serve', '--port', '0', '--dream-at', '00:00']))
    await until(async () => (await store.dreams.countUnread('default')) > 0)
    // The later one may still be starting, when a signal ends it like any process.
    await until(async () => daemons.every(({ said }) => said().includes('listening')))
    for (const { child } of daemons) child.kill('SIGTERM')
    const codes = (await Promise.all(daemons.map(({ ended }) => ended))).map(({ code }) => code)
    expect(codes).toEqual([0, 0])
    expect(await store.dreams.countUnread('default')).toBe(1)
  })

  it('are not made by a daemon that was told not to', async () => {
    const { directory, store } = await makeBrain()
    await remember(contextOf(store, 'default'), telling)
    const { child, ended } = start(directory, ['serve', '--port', '0', '--no-dreams', '--json'])
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    // Nobody has claimed the night.
    const now = Date.now()
    expect(await store.dreams.claimNight('default', { since: now - 1, now, holdFor: 1_000 })).toBe(true)
  })

  it('take their wording from the endpoint that is configured', async () => {
    const { directory, store } = await makeBrain()
    await remember(contextOf(store, 'default'), telling)
    const better = 'The nightly export writes its temporary files to db-07, whose disk stood at 97 %.'
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ choices: [{ message: { content: better } }] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const { out } = await run(directory, ['dream', '--json'], {
      BRAIN_DREAM_LLM_URL: `http://127.0.0.1:${port}/v1`,
      BRAIN_DREAM_LLM_MODEL: 'small',
    })
    expect(JSON.parse(out).dreams[0].thought).toBe(better)
  })

  it('refuse a seed or a number of dreams that is none', async () => {
    const { directory } = await makeBrain()
    expect((await run(directory, ['dream', '--seed', 'x'])).code).toBe(2)
    expect(await run(directory, ['dream', '--max', '0'])).toMatchObject({
      code: 2,
      err: 'brain: dream.max must be an integer between 1 and 50\n',
    })
    expect((await run(directory, ['serve', '--port', '0', '--dream-at', '3am'])).code).toBe(2)
  })
})
