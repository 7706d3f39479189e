/** A snapshot of the vectors beside the brain: a process that runs once reads it, and is never wrong whatever became of it. */
import {
  copyFileSync,
  readdirSync,
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
import type { PassageMatch } from '../../src/store/candidates.ts'
import { hashOf } from '../../src/store/search/int8-vector.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { among } from '../../src/store/sqlite/snapshots.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { loadVectors } from '../../src/store/sqlite/vectors.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { options, temporaryDirectory } from './brain-file.ts'
import { embedLacking, forget } from './by-project.ts'

const model: ModelIdentity = { name: 'test', hash: '0', dimension: 24 }
/** Rows vec0 keeps together. */
const chunk = 256
/** Vectors that are worth a snapshot. */
const many = 1_100

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
  openSqliteStore(file, {
    ...options,
    durability: 'normal',
    create: true,
    mode: live ? 'service' : 'embedded',
  })

const snapshotsBeside = (file: string): string[] =>
  readdirSync(join(file, '..'))
    .filter((name) => /^(vectors|compact)-/.test(name))
    .map((name) => join(file, '..', name))

/** The one snapshot there is. */
function snapshotOf(file: string): string {
  const [snapshot, ...others] = snapshotsBeside(file)
  if (snapshot === undefined || others.length > 0) throw new Error('there is not one snapshot')
  return snapshot
}

async function openNew(): Promise<{ file: string; store: Store }> {
  const file = join(temporaryDirectory(), 'brain.db')
  const store = await open(file)
  onTestFinished(() => store.close())
  return { file, store }
}

async function tidyAll({ index }: Store): Promise<void> {
  while (await index.tidy());
}

const flagsAlone = { among: { now: 0, kind: 'flag' } } as const

const near = ({ index }: Store, seed: number, { project = 'p', limit = 10, flagsOnly = false } = {}) =>
  index.nearest(project, { model, vector: vectorOf(seed), limit, ...(flagsOnly && flagsAlone) })

const textsOf = async (store: Store, seed: number, project = 'p'): Promise<string[]> => {
  const matches = await near(store, seed, { project })
  const found = await store.memories.findMany(
    project,
    matches.map(({ memoryId }) => memoryId),
  )
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  return matches.map(({ memoryId }) => texts.get(memoryId) ?? '')
}

const plain = (matches: readonly PassageMatch[] = []) =>
  matches.map(({ memoryId, similarity, tokens }) => ({ memoryId, similarity, tokens }))

/** What is found by a store, and by a process that keeps all vectors in memory. */
async function bothWays(file: string, store: Store, ask: (store: Store) => ReturnType<typeof near>) {
  const lasting = await open(file, true)
  try {
    return [plain(await ask(store)), plain(await ask(lasting))]
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

/** Some notes beside the vector of another, nearest or not. */
const beside = async ({ index }: Store, notes: readonly number[], seed: number) => {
  const { passages } = await index.candidates('p', {
    terms: notes.map(String),
    matches: notes.length,
    nearest: { model, vector: vectorOf(seed), limit: 0 },
    among: { now: 0 },
    texts: false,
  })
  return new Map(passages.map(({ memoryId, similarity }) => [memoryId, similarity]))
}

describe('a snapshot', () => {
  it('is made once there are many vectors, and is what is searched', async () => {
    const { file, store } = await openNew()
    await store.memories.addMany('p', notes(chunk))
    await tidyAll(store)
    expect(snapshotsBeside(file)).toEqual([])
    await store.memories.addMany('p', notes(many, chunk))
    expect((await store.index.upkeep()).untidy).toBe(true)
    await tidyAll(store)
    expect((await store.index.upkeep()).untidy).toBe(false)
    expect(statSync(snapshotOf(file)).mode & 0o777).toBe(0o600)
    await store.memories.addMany('p', notes(7, 5_000))
    emptyChunks(file, 'rowid <= 3')
    for (const seed of [0, 300, many, 5_003]) expect((await textsOf(store, seed))[0]).toBe(`note ${seed}`)
    // A process that keeps all vectors in memory begins with it, too.
    const lasting = await open(file, true)
    onTestFinished(() => lasting.close())
    expect((await textsOf(lasting, 300))[0]).toBe('note 300')
  })

  it('gives the very answers of a process that keeps vectors in memory, nearly those of exact search', async () => {
    const { file, store } = await openNew()
    const all = notes(1_000)
    await store.memories.addMany('p', all)
    await store.memories.addMany('p', notes(300, 5_000, 0.5))
    await store.memories.addMany('other', notes(300))
    await tidyAll(store)
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

  it('follows every write, whatever is kept and forgotten, by whomever', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        count: fc.constantFrom(1, 20, 130, 256, 1_200),
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
              await Promise.all(doomed.map((id) => forget(daemon, 'p', id)))
            } else if (one.do === 'empty') {
              // The whole last chunk of a partition, so that vec0 goes on in the one before.
              const doomed = ids.splice(-chunk)
              await Promise.all(doomed.map((id) => forget(store, 'p', id)))
            } else if (one.do === 'compact') {
              await tidyAll(daemon)
            } else {
              await store.close()
              store = await open(file)
            }
            for (const project of ['p', 'other']) {
              for (const flagsOnly of [true, false]) {
                const [once, lasting] = await Promise.all(
                  [store, daemon].map((asked) => near(asked, seed - 3, { project, flagsOnly })),
                )
                expect(plain(once)).toEqual(plain(lasting))
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

  it('does not outlive what was forgotten, nor does what version 0.1.0 had instead, or a draft', async () => {
    const { file, store } = await openNew()
    const added = await store.memories.addMany('p', notes(many))
    await tidyAll(store)
    const old = join(file, '..', 'compact-1')
    for (const left of [old, join(file, '..', 'vectors-1-abc.draft')]) writeFileSync(left, 'vectors')
    await forget(store, 'p', added[40]?.id)
    expect(snapshotsBeside(file)).toEqual([])
    expect(await textsOf(store, 40)).not.toContain('note 40')
    expect((await textsOf(store, 41))[0]).toBe('note 41')
    await tidyAll(store)
    expect(await textsOf(store, 40)).not.toContain('note 40')
    expect((await textsOf(store, 41))[0]).toBe('note 41')
    expect(await troubles(store)).toEqual([])
  })

  it('that something was forgotten of while it was made is not kept', async () => {
    const { file, store } = await openNew()
    await store.memories.addMany('p', notes(2 * many))
    const other = await open(file)
    onTestFinished(() => other.close())
    const made = store.index.tidy()
    await forget(other, 'p', 5)
    expect(await made).toBe(false)
    expect(snapshotsBeside(file)).toEqual([])
    expect(await textsOf(store, 4)).not.toContain('note 4')
  })

  it('is not believed when a backup was put back under it', async () => {
    const { file, store } = await openNew()
    await store.memories.addMany('p', notes(many))
    const backup = join(temporaryDirectory(), 'backup.db')
    await store.maintenance.backup(backup)
    await forget(store, 'p', 3)
    await store.memories.addMany('p', notes(many, 10_000))
    await tidyAll(store)
    await store.close()
    const path = snapshotOf(file)
    const newer = readFileSync(path)
    copyFileSync(backup, file)
    const restored = await open(file)
    onTestFinished(() => restored.close())
    await restored.memories.addMany('p', notes(many, 20_000))
    const look = async () => {
      expect((await textsOf(restored, 2))[0]).toBe('note 2')
      expect((await textsOf(restored, 20_300))[0]).toBe('note 20300')
      expect(await textsOf(restored, 10_300)).not.toContain('note 10300')
      expect(await troubles(restored)).toEqual([])
    }
    await look()
    await tidyAll(restored)
    await look()
    writeFileSync(snapshotOf(file), newer)
    expect((await textsOf(restored, 20_300))[0]).toBe('note 20300')
    expect(await textsOf(restored, 10_300)).not.toContain('note 10300')
    await restored.maintenance.repair()
    await look()
  })

  const flip = (path: string, at: number): void => {
    const bytes = readFileSync(path)
    bytes[at] = (bytes[at] ?? 0) ^ 0x40
    writeFileSync(path, bytes)
  }

  /** Another list of blocks under a hash of its own, as whoever makes a whole brain can write it. */
  const forge = (path: string, figure: number, value: number): void => {
    const bytes = readFileSync(path)
    const trailer = bytes.length - 5 * 8
    const list = trailer - bytes.readDoubleLE(trailer + 3 * 8) * 4 * 8
    bytes.writeDoubleLE(value, list + figure * 8)
    const words = new Uint32Array(Uint8Array.from(bytes.subarray(list, trailer)).buffer)
    bytes.writeDoubleLE(hashOf(words), trailer + 4 * 8)
    writeFileSync(path, bytes)
  }

  const accidents: readonly (readonly [string, (path: string) => void])[] = [
    ['gone', (path) => rmSync(path)],
    ['empty', (path) => truncateSync(path)],
    ['cut short', (path) => truncateSync(path, 20_000)],
    ['garbled', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size, 7))],
    ['another in an id', (path) => flip(path, 400)],
    ['another in a factor', (path) => flip(path, 5_000)],
    ['another in a check', (path) => flip(path, 9_000)],
    ['another in a vector', (path) => flip(path, 20_000)],
    ['another in the list of its blocks', (path) => flip(path, statSync(path).size - 60)],
    ['another in its trailer', (path) => flip(path, statSync(path).size - 30)],
    ...[Number.NaN, -1, 0.5, 2 ** 60, Number.POSITIVE_INFINITY].flatMap(
      (value): [string, (path: string) => void][] => [
        [`forged to begin a block at ${value}`, (path) => forge(path, 2, value)],
        [`forged to have ${value} rows in a block`, (path) => forge(path, 1, value)],
      ],
    ),
    [
      'a link',
      (path) => {
        rmSync(path)
        writeFileSync(join(path, '..', 'other'), 'of somebody else', { mode: 0o644 })
        symlinkSync(join(path, '..', 'other'), path)
      },
    ],
  ]

  it.each(accidents)(
    'may be %s: everything is found, doctor tells, and it is made again',
    async (_, happens) => {
      const { file, store } = await openNew()
      await store.memories.addMany('p', notes(many))
      await tidyAll(store)
      await store.close()
      happens(snapshotOf(file))
      const again = await open(file)
      onTestFinished(() => again.close())
      for (const seed of [1, 300, 600, 1_070]) expect((await textsOf(again, seed))[0]).toBe(`note ${seed}`)
      const lasting = await open(file, true)
      for (const seed of [1, 600]) expect((await textsOf(lasting, seed))[0]).toBe(`note ${seed}`)
      await lasting.close()
      expect((await again.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
      expect((await textsOf(again, 600))[0]).toBe('note 600')
      expect(statSync(snapshotOf(file)).isFile()).toBe(true)
      const other = join(file, '..', 'other')
      if (statSync(other, { throwIfNoEntry: false }) !== undefined)
        expect(readFileSync(other, 'utf8')).toBe('of somebody else')
    },
  )

  it('reads few passages of others, however far those of a chunk lie apart', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 }), (unordered) => {
        const ids = unordered.sort((a, b) => a - b)
        const [condition, ...parameters] = among(ids)
        const database = loadDatabase(':memory:')
        database.exec(`CREATE TABLE passage (id INTEGER PRIMARY KEY);
          WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000) INSERT INTO passage SELECT 50 * n FROM n;
          INSERT OR IGNORE INTO passage SELECT value FROM json_each('${JSON.stringify(ids)}')`)
        const read = database
          .prepare(`SELECT id FROM passage WHERE ${condition}`)
          .pluck()
          .all(...parameters)
        database.close()
        expect(read).toEqual(expect.arrayContaining(ids))
        expect(read.length).toBeLessThanOrEqual(4 * ids.length)
      }),
      { numRuns: 20 },
    )
  })

  it('that is damaged is found by a check-up', async () => {
    const { file, store } = await openNew()
    await store.memories.addMany('p', notes(many))
    await tidyAll(store)
    flip(snapshotOf(file), 20_000)
    expect(await troubles(store)).toMatchObject([{ check: 'snapshot of test', fixable: true }])
  })

  it('is made for an imported brain and for another model, whose old one goes', async () => {
    const { file, store } = await openNew()
    const staging = await store.transfer.stage('a file')
    await staging.add(
      Array.from({ length: many }, (_, at) => ({
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
      { lines: many, bytes: 1, digest: '' },
    )
    await staging.commit({ progress: () => {}, signal: new AbortController().signal })
    const former = snapshotOf(file)
    expect(statSync(former).size).toBeGreaterThan(many * model.dimension)
    const next = { ...model, hash: '1', dimension: 40 }
    await embedLacking(store, next, ({ id }) => embeddingOf(id, next))
    expect(await store.index.serve(next)).toBe(true)
    await tidyAll(store)
    expect(snapshotOf(file)).not.toBe(former)
    const [first] = await store.index.nearest('p', { model: next, vector: vectorOf(77, next), limit: 1 })
    expect(first?.memoryId).toBe(77)
    expect(await troubles(store)).toEqual([])
  })

  it('is searched for one project alone', async () => {
    const { store } = await openNew()
    await store.memories.addMany('p', notes(many))
    await store.memories.addMany('other', notes(many, 4_000))
    await tidyAll(store)
    expect((await textsOf(store, 4_100, 'other'))[0]).toBe('note 4100')
    const found = await textsOf(store, 4_100)
    expect(found).toHaveLength(10)
    expect(found.every((text) => Number(text.slice(5)) < 4_000)).toBe(true)
  })

  it('is where single vectors are read when several are compared, the others and damaged ones where vec0 has them', async () => {
    const { file, store } = await openNew()
    const kept = await store.memories.addMany('p', notes(many))
    await tidyAll(store)
    await store.memories.addMany('p', notes(3, 5_000))
    const near = kept[107]?.id ?? 0
    const wanted = [...kept.keys()].filter((at) => at % 100 === 7).concat(5_000, 5_001, 5_002)
    const whole = await beside(store, wanted, 107)
    expect(whole.size).toBe(wanted.length)
    expect(whole.get(near)).toBeGreaterThan(0.999)
    // Rows in the middle of the file are others now: not those that their passages were kept with.
    const snapshot = snapshotOf(file)
    const bytes = readFileSync(snapshot)
    bytes.fill(1, bytes.length >> 1, (bytes.length >> 1) + 150 * model.dimension)
    writeFileSync(snapshot, bytes)
    expect(await beside(store, wanted, 107)).toEqual(whole)
    writeFileSync(snapshot, readFileSync(snapshot).subarray(0, 100))
    expect(await beside(store, wanted, 107)).toEqual(whole)
    rmSync(snapshot)
    expect(await beside(store, wanted, 107)).toEqual(whole)
    writeFileSync(snapshot, bytes)
    emptyChunks(file, 'true')
    const rest = await beside(store, wanted, 107)
    expect(rest.get(near)).toBe(whole.get(near))
    expect(rest.size).toBeLessThan(wanted.length)
  })
})

it('is there where two processes made one at the same time', async () => {
  const file = join(temporaryDirectory(), 'brain.db')
  const [one, other] = [await open(file), await open(file)]
  for (const store of [one, other]) onTestFinished(() => store.close())
  await one.memories.addMany('mine', notes(many))
  await one.index.serve(model, { after: new Map(), without: [] })
  await Promise.all([one.index.tidy(), other.index.tidy()])
  const database = loadDatabase(file)
  const named = database.prepare('SELECT generation FROM snapshot').pluck().all()
  database.close()
  expect(named.map((generation) => Number(generation).toString(36))).toEqual(
    snapshotsBeside(file).map((path) => path.split('-').at(-1)),
  )
  expect(named).toHaveLength(1)
})
