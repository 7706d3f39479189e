import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ModelIdentity } from '../../src/models/embedder.ts'
import type { PassageMatch } from '../../src/store/candidates.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { LiveIndex } from '../../src/store/sqlite/live-index.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { loadVectors, VectorTables } from '../../src/store/sqlite/vectors.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { embedLacking, forget } from './by-project.ts'

const dimension = 32
const model: ModelIdentity = { name: 'test', hash: '0', dimension }

/** A unit vector that depends on `seed` alone. */
function vectorOf(seed: number): Float32Array {
  const vector = Float32Array.from(
    { length: dimension },
    (_, at) => (Math.sin(seed * 12.9898 + at * 78.233) * 43.7) % 1,
  )
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

const memoryOf = (seed: number, caution = 0): NewMemory => ({
  text: `note ${seed}`,
  caution,
  agent: 'test',
  createdAt: 1_700_000_000_000 + seed,
  embedding: {
    model,
    passages: [{ start: 0, end: 6, vector: vectorOf(seed), tokens: Uint16Array.of(seed, seed + 1) }],
  },
})

let directory = ''
let live: Store
let plain: Store

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'brain-live-'))
  const options = { durability: 'normal', create: true, label: 'a test', warn: () => {} } as const
  plain = await openSqliteStore(join(directory, 'brain.db'), options)
  live = await openSqliteStore(join(directory, 'brain.db'), { ...options, mode: 'service' })
})

afterEach(async () => {
  await live.close()
  await plain.close()
  rmSync(directory, { recursive: true, force: true })
})

const idsOf = (matches: readonly PassageMatch[]): number[] => matches.map(({ memoryId }) => memoryId)
const near = (store: Store, seed: number, limit = 5) =>
  store.index.nearest('p', { model, vector: vectorOf(seed), limit })

/** The vectors of the file in memory, of so many bytes at most. */
async function follow(maxBytes?: number) {
  const file = join(directory, 'brain.db')
  const connection = new Connection(loadDatabase(file), { file, holders: () => [] })
  onTestFinished(() => connection.close())
  await loadVectors(connection.database)
  const index = new LiveIndex(connection, new VectorTables(connection, true), maxBytes)
  return { rows: () => index.rows({ id: 1, dimension }) }
}

describe('vectors in memory', () => {
  test('answer as the stored index does, with cosine and pieces', async () => {
    await plain.memories.addMany(
      'p',
      Array.from({ length: 700 }, (_, at) => memoryOf(at)),
    )
    await plain.memories.addMany('other', [memoryOf(5)])
    for (const seed of [3, 77, 400]) {
      const [inMemory, stored] = [await near(live, seed), await near(plain, seed)]
      expect(idsOf(inMemory)).toEqual(idsOf(stored))
      expect(inMemory[0]?.tokens).toEqual(Uint16Array.of(seed, seed + 1))
      expect(inMemory[0]?.similarity).toBeCloseTo(1, 2)
    }
  })

  test('hold what another process wrote after they were filled', async () => {
    await plain.memories.addMany(
      'p',
      Array.from({ length: 300 }, (_, at) => memoryOf(at)),
    )
    await near(live, 1)
    const added = await plain.memories.addMany(
      'p',
      Array.from({ length: 600 }, (_, at) => memoryOf(1000 + at)),
    )
    expect(idsOf(await near(live, 1333, 1))).toEqual([added[333]?.id])
  })

  test('hold what this process wrote', async () => {
    await near(live, 1)
    const { id } = await live.memories.add('p', memoryOf(9))
    expect(idsOf(await near(live, 9, 1))).toEqual([id])
  })

  test('drop what was forgotten, by whomever', async () => {
    const added = await plain.memories.addMany(
      'p',
      Array.from({ length: 50 }, (_, at) => memoryOf(at)),
    )
    expect(idsOf(await near(live, 7, 1))).toEqual([added[7]?.id])
    await forget(plain, 'p', added[7]?.id)
    const found = idsOf(await near(live, 7, 50))
    expect(found).not.toContain(added[7]?.id)
    expect(found).toHaveLength(49)
  })

  test('drop what was forgotten also after more removals than are kept', async () => {
    const added = await plain.memories.addMany(
      'p',
      Array.from({ length: 1_200 }, (_, at) => memoryOf(at)),
    )
    expect(idsOf(await near(live, 7, 1))).toEqual([added[7]?.id])
    await Promise.all(added.slice(0, 1_150).map(({ id }) => forget(plain, 'p', id)))
    const left = added.slice(1_150).map(({ id }) => id)
    // Several ask at once, each before the vectors are read anew.
    for (const found of await Promise.all([7, 8, 9].map((seed) => near(live, seed, 1_200)))) {
      expect(idsOf(found).sort((a, b) => a - b)).toEqual(left)
    }
    await plain.close()
    const database = loadDatabase(join(directory, 'brain.db'), { readonly: true })
    const kept = database.prepare('SELECT count(*) FROM removed_passage').pluck().get()
    database.close()
    expect(kept).toBe(1_000)
  })

  test('are read anew once more was forgotten than is left, and not before', async () => {
    const { rows } = await follow()
    const add = (count: number, from: number) =>
      plain.memories.addMany(
        'p',
        Array.from({ length: count }, (_, at) => memoryOf(from + at)),
      )
    const replace = async (old: readonly { id: number }[], from: number) => {
      const added = await add(old.length, from)
      for (let at = 0; at < old.length; at += 500)
        await forget(plain, 'p', ...old.slice(at, at + 500).map(({ id }) => id))
      return added
    }
    await add(700, 0)
    let passing = await add(900, 1_000)
    const first = await rows()
    passing = await replace(passing, 2_000)
    expect(await rows()).toBe(first)
    passing = await replace(passing, 3_000)
    const second = await rows()
    expect(second).not.toBe(first)
    expect(second?.isWorn).toBe(false)
    expect(idsOf(await near(live, 3_500, 1))).toEqual([passing[500]?.id])
    expect(idsOf(await near(live, 2_500, 1_600))).toHaveLength(1_600)
  })

  test('are given up where they come to be more than memory holds, and read where they lie', async () => {
    await plain.memories.addMany('p', [memoryOf(1), memoryOf(2)])
    const { rows: all } = await follow()
    const bytes = (await all())?.bytes ?? 0
    const { rows } = await follow(bytes)
    expect(await rows()).toBeDefined()
    await plain.memories.addMany(
      'p',
      Array.from({ length: 400 }, (_, at) => memoryOf(10 + at)),
    )
    expect(await rows()).toBeUndefined()
    expect(await rows()).toBeUndefined()
  })

  test('keep flags in a partition of their own', async () => {
    await plain.memories.addMany(
      'p',
      Array.from({ length: 20 }, (_, at) => memoryOf(at)),
    )
    const flag = await plain.memories.add('p', memoryOf(500, 0.9))
    const flags = await live.index.nearest('p', {
      model,
      vector: vectorOf(3),
      limit: 5,
      among: { now: 0, kind: 'flag' },
    })
    expect(idsOf(flags)).toEqual([flag.id])
    expect(idsOf(await near(live, 500, 1))).toEqual([flag.id])
  })

  test('compare and sample as the stored index does', async () => {
    await plain.memories.addMany(
      'p',
      Array.from({ length: 90 }, (_, at) => memoryOf(at)),
    )
    const ask = async (store: Store, size: number) => {
      const { passages, sample } = await store.index.candidates('p', {
        terms: ['3', '80', '9999'],
        matches: 5,
        nearest: { model, vector: vectorOf(12), limit: 2 },
        sample: { size, from: 90 },
        among: { now: 0 },
        texts: false,
      })
      return [...passages, ...sample]
    }
    for (const size of [0, 30, 80]) {
      const [inMemory, stored] = [await ask(live, size), await ask(plain, size)]
      expect(inMemory).toHaveLength(4 + size)
      expect(idsOf(inMemory)).toEqual(idsOf(stored))
      for (const [at, match] of inMemory.entries()) {
        expect(match.similarity).toBeCloseTo(stored[at]?.similarity ?? 2, 2)
        expect(match.tokens).toEqual(stored[at]?.tokens)
      }
    }
  })

  test('follow a change of the served model', async () => {
    const [first] = await plain.memories.addMany('p', [memoryOf(1), memoryOf(2)])
    await near(live, 1)
    const next = { ...model, hash: '1' }
    const passages = (id: number) => [
      { start: 0, end: 6, vector: vectorOf(id * 31), tokens: Uint16Array.of(id) },
    ]
    await embedLacking(plain, next, ({ id }) => ({ model: next, passages: passages(id) }))
    expect(await plain.index.serve(next)).toBe(true)
    const found = await live.index.nearest('p', {
      model: next,
      vector: vectorOf((first?.id ?? 0) * 31),
      limit: 1,
    })
    expect(idsOf(found)).toEqual([first?.id])
    expect(await near(live, 1)).toEqual([])
  })
})
