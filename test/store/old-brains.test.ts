/** Brains that version 0.1.0 made, on their way to vectors of this version's model: see fixtures/brains-0.1.0. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { migrations } from '../../src/store/sqlite/migrations.ts'
import type { Store } from '../../src/store/store.ts'
import { oldBrains, unpackOldBrain } from '../fixtures/old-brains.ts'
import { temporaryDirectory, withStore } from './brain-file.ts'
import { embedLacking, forget, own } from './by-project.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const endpoint = { name: 'http:letters', hash: 'e9499ef27f1ad855628f37ab8e1ad4d8', dimension: 16 }

async function listAll({ memories, maintenance }: Store) {
  const projects = await maintenance.projects()
  const lists = await Promise.all(
    projects.map(async (project) => ({
      project,
      texts: await memories.list(project, { after: 0, limit: 100 }),
    })),
  )
  return lists.flatMap(({ project, texts }) => texts.map(({ id, text }) => ({ project, id, text })))
}

const troubles = async (store: Store) => (await store.maintenance.check()).filter(({ ok }) => !ok)

/** Vectors of the old model as they stand in a file, float32, by passage. */
function oldVectors(file: string): Buffer[] {
  const database = loadDatabase(file, { readonly: true })
  try {
    const { vectors } = database
      .prepare<[], { vectors: Buffer }>('SELECT vectors FROM vector_1_vector_chunks00 LIMIT 1')
      .get() ?? { vectors: Buffer.alloc(0) }
    // Some bytes of each, of components that have some.
    return [0, 1, 2].map((at) => Buffer.from(vectors.subarray(at * 1024 + 64, at * 1024 + 96)))
  } finally {
    database.close()
  }
}

test.each(oldBrains)(
  '%s: every memory is there, waits for its vector, and has it in the end',
  async (name) => {
    const file = unpackOldBrain(name, temporaryDirectory())
    const old = oldVectors(file)
    expect(readFileSync(file).includes(old[0] ?? '')).toBe(true)
    await withStore(file, async (store) => {
      const all = await listAll(store)
      expect(all.length).toBeGreaterThanOrEqual(16)
      expect(await store.index.servedModel()).toBeUndefined()
      expect((await store.index.upkeep()).waiting).toEqual(await store.maintenance.projects())
      expect(await troubles(store)).toEqual([])
      // The copy made before is for whoever wants to go back, until something that it holds is forgotten.
      expect(
        readdirSync(join(file, '..')).filter((one) => one.startsWith(`before-schema-${migrations.length}-`)),
      ).toHaveLength(1)
      const [some] = all
      if (some === undefined) throw new Error('the brain is empty')
      await forget(store, some.project, some.id)
      const waiting: number[] = []
      await embedLacking(store, model, ({ id, text }) => {
        waiting.push(id)
        return embed(text)
      })
      expect(waiting).toEqual(all.slice(1).map(({ id }) => id))
      expect(await store.index.servedModel()).toEqual(model)
      while (await store.index.tidy());
      expect(await store.index.upkeep()).toEqual({ waiting: [], untidy: false })
      for (const { project, text } of all.slice(1, 6)) {
        const [best] = await store.index.nearest(project, { model, vector: vectorOf(text), limit: 1 })
        expect(own(await store.memories.find(project, best?.memoryId ?? 0))?.text).toBe(text)
      }
      expect(await troubles(store)).toEqual([])
    })
    const bytes = readFileSync(file)
    for (const vector of old) expect(bytes.includes(vector)).toBe(false)
  },
)

test('vectors of an endpoint are kept as int8, so that its reindex goes on where it stopped', async () => {
  const file = unpackOldBrain('half-reindexed', temporaryDirectory())
  await withStore(file, async (store) => {
    expect(await store.index.lacking(endpoint)).toBe(24)
    const [first] = await store.memories.list('default', { after: 0, limit: 1 })
    const [passage] = await store.index.passages('default', endpoint, [first?.id ?? 0])
    const counted = new Float32Array(16)
    for (const letter of first?.text ?? '')
      counted[letter.charCodeAt(0) % 16] = (counted[letter.charCodeAt(0) % 16] ?? 0) + 1
    const length = Math.hypot(...counted)
    for (const [at, component] of counted.entries())
      expect(passage?.vector[at]).toBeCloseTo(component / length, 2)
  })
})

test('a vector of it that is damaged is left behind, and its memory waits', async () => {
  const file = unpackOldBrain('half-reindexed', temporaryDirectory())
  const database = loadDatabase(file)
  database.unsafeMode(true)
  database.exec(
    "UPDATE vector_2_vector_chunks00 SET vectors = CAST(x'0000c07f' || substr(vectors, 5) AS BLOB)",
  )
  database.close()
  await withStore(file, async (store) => expect(await store.index.lacking(endpoint)).toBe(25))
})

test.each(oldBrains)('%s: what 0.1.0 kept of its vectors beside the brain goes with them', async (name) => {
  const file = unpackOldBrain(name, temporaryDirectory())
  const beside = join(file, '..', 'compact-1')
  writeFileSync(beside, 'int8')
  await withStore(file, async (store) => {
    while (await store.index.tidy());
  })
  expect(readdirSync(join(file, '..'))).not.toContain('compact-1')
})
