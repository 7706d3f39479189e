import { expect, test } from 'vitest'
import type { Passage } from '../../src/models/embedder.ts'
import type { EmbedderPool } from '../../src/models/pool.ts'
import { heal, startBackfill } from '../../src/sleep/backfill.ts'
import type { Store } from '../../src/store/store.ts'
import { forget } from '../store/by-project.ts'
import { openInMemory } from '../store/temporary-store.ts'

const identity = { name: 'letters', hash: '0', dimension: 8 }

function toPassage(text: string): Passage {
  const vector = new Float32Array(8)
  vector[text.length % 8] = 1
  return { start: 0, end: text.length, vector, tokens: new Uint16Array() }
}

/** An embedder that refuses some texts, behind a network that may be down. */
function createPool(
  options: { down?: boolean; refuses?: string } = {},
): EmbedderPool & { batches: string[][]; down: boolean } {
  const batches: string[][] = []
  const embedder = {
    identity,
    embedTexts: async (texts: readonly string[]) => {
      batches.push([...texts])
      if (pool.down) throw new Error('the network is down')
      if (texts.some((text) => options.refuses !== undefined && text.includes(options.refuses)))
        throw new Error('this text is not for me')
      return texts.map((text) => [toPassage(text)])
    },
    embedQuery: async (query: string) => toPassage(query),
    close: async () => {},
  }
  const pool = {
    batches,
    down: options.down ?? false,
    current: async () => embedder,
    configured: async () => embedder,
    successor: async () => undefined,
    of: async () => embedder,
    attempt: async <T>(work: () => Promise<T>) => work().catch(() => undefined),
    pieces: async () => undefined,
    reader: async () => undefined,
    nightReader: async () => undefined,
    neutralNotes: () => {
      throw new Error('nothing is embedded in a process beside this one here')
    },
    close: async () => {},
  }
  return pool
}

/** Memories kept while no embedder answered. */
async function keepUnembedded(store: Store, texts: readonly string[]): Promise<void> {
  await store.memories.addMany(
    'p',
    texts.map((text) => ({ text, caution: 0, agent: 'a', createdAt: 1 })),
  )
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `note ${at}`)

test('every memory without a vector gets one, in batches, and is then found by meaning', async () => {
  const store = await openInMemory()
  await keepUnembedded(store, numbered(50))
  const pool = createPool()
  expect(await heal({ store, embedders: pool })).toBe(50)
  expect(await store.index.backlog('p')).toBe(0)
  expect(Math.max(...pool.batches.map((batch) => batch.length))).toBeLessThanOrEqual(16)
  const near = await store.index.nearest('p', {
    model: identity,
    vector: toPassage('note 1').vector,
    limit: 5,
  })
  expect(near).toHaveLength(5)
})

test('a second round finds nothing to do', async () => {
  const store = await openInMemory()
  await keepUnembedded(store, numbered(3))
  const pool = createPool()
  await heal({ store, embedders: pool })
  expect(await heal({ store, embedders: pool })).toBe(0)
  expect(pool.batches).toHaveLength(1)
})

test('one text that no embedder takes does not keep the others from being healed', async () => {
  const store = await openInMemory()
  await keepUnembedded(store, [...numbered(5), 'poison', ...numbered(40)])
  const pool = createPool({ refuses: 'poison' })
  expect(await heal({ store, embedders: pool })).toBe(45)
  expect(await store.index.backlog('p')).toBe(1)
  // Once among others, once alone.
  expect(pool.batches.filter((batch) => batch.includes('poison'))).toHaveLength(2)
})

test('an embedder that is down is left alone after a few attempts, and healed from once it answers', async () => {
  const store = await openInMemory()
  await keepUnembedded(store, numbered(100))
  const pool = createPool({ down: true })
  expect(await heal({ store, embedders: pool })).toBe(0)
  expect(pool.batches.length).toBeLessThan(5)
  pool.down = false
  expect(await heal({ store, embedders: pool })).toBe(100)
})

test('a memory forgotten while it was being embedded stays forgotten', async () => {
  const store = await openInMemory()
  await keepUnembedded(store, ['goes', 'stays'])
  const pool = createPool()
  const { embedTexts } = await pool.current().then((embedder) => embedder ?? expect.unreachable())
  const embedder = {
    ...(await pool.current()),
    embedTexts: async (texts: readonly string[]) => {
      await forget(store, 'p', 1)
      return embedTexts(texts)
    },
  }
  const healed = await heal({ store, embedders: { ...pool, current: async () => embedder as never } })
  expect(healed).toBe(1)
  expect(await store.memories.count('p')).toBe(1)
})

test('the background heals round after round until it is stopped', async () => {
  const store = await openInMemory()
  const pool = createPool()
  const faults: unknown[] = []
  const backfill = startBackfill({ store, embedders: pool, every: 10, fault: (error) => faults.push(error) })
  for (const text of ['first', 'second']) {
    await keepUnembedded(store, [text])
    await expect.poll(() => store.index.backlog('p')).toBe(0)
  }
  await backfill.stop()
  await keepUnembedded(store, ['after the end'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await store.index.backlog('p')).toBe(1)
  expect(faults).toEqual([])
})

test('when another model comes to be served meanwhile, nothing is healed for the one before', async () => {
  const store = await openInMemory()
  const texts = Array.from({ length: 40 }, (_, at) => `note ${at}`)
  const vectorsOf = (model: typeof identity, text: string) => ({ model, passages: [toPassage(text)] })
  const add = (text: string, embedded: boolean) =>
    store.memories.add('mine', {
      text,
      caution: 0,
      agent: 'a',
      createdAt: 1,
      ...(embedded && { embedding: vectorsOf(identity, text) }),
    })
  for (const text of texts) await add(text, true)
  for (const text of texts) await add(text, false)
  const pool = createPool()
  const next = { ...identity, hash: '1' }
  const { attempt } = pool
  // Between reading what is to be healed and writing it the switch is made.
  pool.attempt = async (work) => {
    const waiting = await store.index.withoutVector('mine', next, { after: 0, limit: 100 })
    await store.index.addEmbeddings(
      'mine',
      new Map(waiting.map(({ id, text }) => [id, vectorsOf(next, text)])),
    )
    expect(await store.index.serve(next)).toBe(true)
    return attempt(work)
  }
  expect(await heal({ store, embedders: pool })).toBe(0)
  expect(pool.batches).toHaveLength(1)
  expect(await store.index.lacking(identity)).toBe(80)
})
