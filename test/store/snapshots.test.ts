/** Vectors as int8 beside the brain: a one-shot search reads them, and is never wrong whatever became of them. */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ModelIdentity } from '../../src/models/embedder.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { loadVectors } from '../../src/store/sqlite/vectors.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { options, temporaryDirectory } from './brain-file.ts'

const model: ModelIdentity = { name: 'test', hash: '0', dimension: 24 }
/** Rows vec0 keeps together. */
const chunk = 256

/** A unit vector that depends on `seed` alone. */
function vectorOf(seed: number, { dimension } = model): Float32Array {
  const vector = Float32Array.from(
    { length: dimension },
    (_, at) => ((Math.sin(seed * 12.9898 + at * 78.233) * 43758.5) % 1) + 0.01,
  )
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

const embeddingOf = (seed: number, identity = model) => ({
  model: identity,
  passages: [{ start: 0, end: 4, vector: vectorOf(seed, identity), tokens: Uint16Array.of(seed % 60_000) }],
})

const note = (seed: number, caution = 0): NewMemory => ({
  text: `note ${seed}`,
  caution,
  agent: 'a',
  createdAt: 1,
  embedding: embeddingOf(seed),
})

const notes = (count: number, from = 0, caution = 0): NewMemory[] =>
  Array.from({ length: count }, (_, at) => note(from + at, caution))

const open = (file: string, live = false): Promise<Store> =>
  openSqliteStore(file, { ...options, durability: 'normal', create: true, live })

async function openNew(): Promise<{ file: string; compact: string; store: Store }> {
  const directory = temporaryDirectory()
  const file = join(directory, 'brain.db')
  const store = await open(file)
  onTestFinished(() => store.close())
  return { file, compact: join(directory, 'compact-1'), store }
}

async function compactAll({ index }: Store): Promise<void> {
  while (await index.compact());
}

const near = ({ index }: Store, seed: number, { project = 'p', limit = 10, flagsOnly = false } = {}) =>
  index.nearest(project, { model, vector: vectorOf(seed), limit, flagsOnly })

const textsOf = async (store: Store, seed: number, project = 'p'): Promise<string[]> => {
  const matches = await near(store, seed, { project })
  const found = await store.memories.findMany(
    project,
    matches.map(({ memoryId }) => memoryId),
  )
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  return matches.map(({ memoryId }) => texts.get(memoryId) ?? '')
}

/** What is found by a store, and by a process that keeps all vectors in memory. */
async function bothWays(file: string, store: Store, ask: (store: Store) => ReturnType<typeof near>) {
  const lasting = await open(file, true)
  try {
    return [await ask(store), await ask(lasting)].map((matches) =>
      matches.map(({ memoryId, similarity, tokens }) => ({ memoryId, similarity, tokens })),
    )
  } finally {
    await lasting.close()
  }
}

/** Takes vec0's own vectors away, so that what is still found was found in the copies. */
function emptyChunks(file: string, where: string): void {
  const database = loadDatabase(file)
  loadVectors(database)
  database.unsafeMode(true)
  database.exec(`UPDATE vector_1_vector_chunks00 SET vectors = zeroblob(length(vectors)) WHERE ${where}`)
  database.close()
}

const troubles = async (store: Store) => (await store.maintenance.check()).filter(({ ok }) => !ok)

describe('vectors beside the brain', () => {
  it('stand there once their chunk is full, and are what is searched', async () => {
    const { file, compact, store } = await openNew()
    await store.memories.addMany('p', notes(chunk - 1))
    expect(existsSync(compact)).toBe(false)
    await store.memories.add('p', note(chunk - 1))
    expect(statSync(compact).mode & 0o777).toBe(0o600)
    await store.memories.addMany('p', notes(2 * chunk + 7, chunk))
    emptyChunks(file, 'rowid <= 3')
    for (const seed of [0, 300, 3 * chunk - 1, 3 * chunk + 3]) {
      expect((await textsOf(store, seed))[0]).toBe(`note ${seed}`)
    }
    // A process that keeps all vectors in memory begins with them, too.
    const lasting = await open(file, true)
    onTestFinished(() => lasting.close())
    expect((await textsOf(lasting, 300))[0]).toBe('note 300')
  })

  it('give the very answers of a process that keeps them in memory, nearly those of exact search', async () => {
    const { file, store } = await openNew()
    const all = notes(1_000)
    await store.memories.addMany('p', all)
    await store.memories.addMany('p', notes(300, 5_000, 0.5))
    await store.memories.addMany('other', notes(300))
    await compactAll(store)
    let found = 0
    for (let seed = 0; seed < 60; seed += 1) {
      const query = vectorOf(seed + 0.5)
      const ask = (asked: Store) => near(asked, seed + 0.5)
      const matches = await ask(store)
      if (seed < 6) {
        const flags = (asked: Store) => near(asked, seed + 0.5, { flagsOnly: true })
        for (const one of [ask, flags]) {
          const [once, lasting] = await bothWays(file, store, one)
          expect(once).toEqual(lasting)
        }
      }
      const exact = [...notes(1_000), ...notes(300, 5_000)]
        .map((_, at) => {
          const vector = vectorOf(at < 1_000 ? at : 4_000 + at)
          return { id: at + 1, cosine: vector.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0) }
        })
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, 10)
      const wanted = new Set(exact.map(({ id }) => id))
      found += matches.filter(({ memoryId }) => wanted.has(memoryId)).length
      expect(matches[0]?.similarity).toBeCloseTo(exact[0]?.cosine ?? 2, 1)
    }
    expect(found / 600).toBeGreaterThanOrEqual(0.99)
  })

  it('follow every write, whatever is kept and forgotten, by whomever', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        count: fc.constantFrom(1, 20, 130, 256, 400),
        project: fc.constantFrom('p', 'other'),
        caution: fc.constantFrom(0, 0.5),
      }),
      fc.record({ do: fc.constant('forget' as const), from: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ do: fc.constantFrom('compact' as const, 'empty' as const, 'reopen' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const file = join(temporaryDirectory(), 'brain.db')
        let store = await open(file)
        const daemon = await open(file, true)
        const ids: number[] = []
        let seed = 0
        try {
          for (const one of steps) {
            if (one.do === 'add') {
              const added = await store.memories.addMany(one.project, notes(one.count, seed, one.caution))
              ids.push(...added.map(({ id }) => id))
              seed += one.count
            } else if (one.do === 'forget') {
              const doomed = ids.splice(Math.floor(one.from * Math.max(0, ids.length - 12)), 12)
              await Promise.all(doomed.map((id) => daemon.memories.forget(id, () => {})))
            } else if (one.do === 'empty') {
              // The whole last chunk of a shelf, so that vec0 goes on in the one before.
              const doomed = ids.splice(-chunk)
              await Promise.all(doomed.map((id) => store.memories.forget(id, () => {})))
            } else if (one.do === 'compact') {
              await compactAll(daemon)
            } else {
              await store.close()
              store = await open(file)
            }
            for (const project of ['p', 'other']) {
              for (const flagsOnly of [true, false]) {
                const [once, lasting] = await Promise.all(
                  [store, daemon].map((asked) => near(asked, seed - 3, { project, flagsOnly })),
                )
                // vec0 itself, which answers while there are few copies, compares unrounded vectors.
                expect(once?.length).toBe(lasting?.length)
                const [first] = once ?? []
                const best = lasting?.find(({ memoryId }) => memoryId === first?.memoryId)
                // The same is first, or of two that only the rounding parts the other one.
                expect(best === undefined).toBe(first === undefined)
                expect((lasting?.[0]?.similarity ?? 0) - (best?.similarity ?? 0)).toBeLessThan(0.002)
                for (const [at, { similarity }] of (once ?? []).entries()) {
                  expect(Math.abs(similarity - (lasting?.[at]?.similarity ?? 9))).toBeLessThan(0.02)
                }
              }
            }
          }
          expect(await troubles(store)).toEqual([])
        } finally {
          await store.close()
          await daemon.close()
        }
      }),
      { numRuns: 12 },
    )
  })

  it('do not hold what was forgotten', async () => {
    const { file, compact, store } = await openNew()
    const added = await store.memories.addMany('p', notes(3 * chunk))
    await compactAll(store)
    const before = readFileSync(compact)
    const slot = before.length / 3
    // A row begins behind its slot's seal, ids and scales; 24 components take 32 bytes.
    const row = (at: number) => before.subarray(16 + 8 * chunk + at * 32).subarray(0, 24)
    expect(slot).toBe(16 + 8 * chunk + 32 * chunk + 16)
    const secret = Buffer.from(row(40))
    await store.memories.forget(added[40]?.id ?? 0, () => {})
    const after = readFileSync(compact)
    expect(before.includes(secret)).toBe(true)
    expect(after.includes(secret)).toBe(false)
    // The others of that chunk are still found there.
    emptyChunks(file, 'rowid = 1')
    expect((await textsOf(store, 41))[0]).toBe('note 41')
    expect(await textsOf(store, 40)).not.toContain('note 40')
    // The last chunk takes new vectors in its free places, so its copy goes.
    await store.memories.forget(added.at(-1)?.id ?? 0, () => {})
    expect(
      readFileSync(compact)
        .subarray(2 * slot)
        .every((byte) => byte === 0),
    ).toBe(true)
    await store.memories.add('p', note(9_000))
    expect((await textsOf(store, 9_000))[0]).toBe('note 9000')
  })

  it('go where vec0 goes on in a chunk because the later one was emptied', async () => {
    const { store } = await openNew()
    const added = await store.memories.addMany('p', notes(3 * chunk))
    await compactAll(store)
    const doomed = [...added.slice(300, 310), ...added.slice(2 * chunk)]
    await Promise.all(doomed.map(({ id }) => store.memories.forget(id, () => {})))
    await store.memories.add('p', note(9_000))
    for (const seed of [9_000, 5, 290]) expect((await textsOf(store, seed))[0]).toBe(`note ${seed}`)
    await compactAll(store)
    expect((await textsOf(store, 9_000))[0]).toBe('note 9000')
    expect(await troubles(store)).toEqual([])
  })

  it('are not believed when a backup was put back under them', async () => {
    const { file, compact, store } = await openNew()
    await store.memories.addMany('p', notes(2 * chunk + 1))
    const backup = join(temporaryDirectory(), 'backup.db')
    await store.maintenance.backup(backup)
    await store.memories.forget(3, () => {})
    await store.memories.addMany('p', notes(2 * chunk, 10_000))
    await compactAll(store)
    await store.close()
    const newer = readFileSync(compact)
    copyFileSync(backup, file)
    const restored = await open(file)
    onTestFinished(() => restored.close())
    await restored.memories.addMany('p', notes(2 * chunk, 20_000))
    expect((await textsOf(restored, 2))[0]).toBe('note 2')
    expect((await textsOf(restored, 20_300))[0]).toBe('note 20300')
    expect(await textsOf(restored, 10_300)).not.toContain('note 10300')
    expect(await troubles(restored)).toEqual([])
    writeFileSync(compact, newer)
    await compactAll(restored)
    expect((await textsOf(restored, 20_300))[0]).toBe('note 20300')
    expect(await troubles(restored)).toEqual([])
  })

  const accidents: readonly (readonly [string, (compact: string) => void])[] = [
    ['gone', (compact) => rmSync(compact)],
    ['empty', (compact) => truncateSync(compact)],
    ['cut short', (compact) => truncateSync(compact, 20_000)],
    ['garbled', (compact) => writeFileSync(compact, Buffer.alloc(statSync(compact).size, 7))],
    [
      'a link',
      (compact) => {
        rmSync(compact)
        writeFileSync(`${compact}-other`, 'of somebody else', { mode: 0o644 })
        symlinkSync(`${compact}-other`, compact)
      },
    ],
  ]

  it.each(accidents)('may be %s: everything is found, and what can be is made again', async (_, happens) => {
    const { file, compact, store } = await openNew()
    await store.memories.addMany('p', notes(3 * chunk + 5))
    await compactAll(store)
    await store.close()
    happens(compact)
    const again = await open(file)
    onTestFinished(() => again.close())
    for (const seed of [1, 300, 600, 770]) expect((await textsOf(again, seed))[0]).toBe(`note ${seed}`)
    expect(await troubles(again)).toEqual([])
    await again.memories.forget(2, () => {})
    await compactAll(again)
    expect((await again.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
    if (existsSync(`${compact}-other`)) {
      expect(readFileSync(`${compact}-other`, 'utf8')).toBe('of somebody else')
      expect(statSync(`${compact}-other`).mode & 0o777).toBe(0o644)
    }
    expect(await textsOf(again, 1)).not.toContain('note 1')
    expect((await textsOf(again, 600))[0]).toBe('note 600')
    expect(await troubles(again)).toEqual([])
  })

  it('that are not those of the brain are found by a check-up, and made again by a repair', async () => {
    const { compact, store } = await openNew()
    await store.memories.addMany('p', notes(3 * chunk))
    await compactAll(store)
    const whole = readFileSync(compact)
    const wrong = Buffer.from(whole)
    wrong[3_000] = (wrong[3_000] ?? 0) ^ 0x40
    writeFileSync(compact, wrong)
    expect(await troubles(store)).toMatchObject([{ check: 'compact vectors of test', fixable: true }])
    expect((await store.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
    const [seal, content] = [8, whole.length / 3 - 16]
    expect(readFileSync(compact).subarray(seal, content)).toEqual(whole.subarray(seal, content))
  })

  it('are made for an imported brain and for another model, whose old ones go', async () => {
    const { compact, store } = await openNew()
    const staging = await store.transfer.stage('a file')
    await staging.add(
      Array.from({ length: 2 * chunk }, (_, at) => ({
        line: at + 1,
        project: 'p',
        record: {
          type: 'memory' as const,
          id: null,
          text: `note ${at}`,
          caution: 0,
          agent: 'a',
          createdAt: 1,
        },
        embedding: embeddingOf(at),
      })),
      { lines: 2 * chunk, bytes: 1, digest: '' },
    )
    await staging.commit({ progress: () => {}, signal: new AbortController().signal })
    expect(statSync(compact).size).toBeGreaterThan(2 * chunk * model.dimension)
    const next = { ...model, hash: '1', dimension: 40 }
    const waiting = await store.index.withoutVector(next, { after: 0, limit: 1_000 })
    await store.index.addEmbeddings(new Map(waiting.map(({ id }) => [id, embeddingOf(id, next)])))
    expect(await store.index.serve(next)).toBe(true)
    while (await store.index.clearRetired());
    expect(existsSync(compact)).toBe(false)
    expect(existsSync(compact.replace('compact-1', 'compact-2'))).toBe(true)
    const [first] = await store.index.nearest('p', { model: next, vector: vectorOf(77, next), limit: 1 })
    expect(first?.memoryId).toBe(77)
    expect(await troubles(store)).toEqual([])
  })

  it('are nobody else’s: a search of one project finds nothing of another', async () => {
    const { store } = await openNew()
    await store.memories.addMany('p', notes(2 * chunk))
    await store.memories.addMany('other', notes(2 * chunk, 4_000))
    await compactAll(store)
    expect((await textsOf(store, 4_100, 'other'))[0]).toBe('note 4100')
    const found = await textsOf(store, 4_100)
    expect(found).toHaveLength(10)
    expect(found.every((text) => Number(text.slice(5)) < 4_000)).toBe(true)
  })
})
