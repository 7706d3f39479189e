/** The index of a brain on PostgreSQL beside SQLite's: the same memories and questions give the same, to the last digit. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import type { CandidateQuery } from '../../src/store/candidates.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import type { MemoryFilter } from '../../src/store/memory-life.ts'
import { Database } from '../../src/store/postgres/connection.ts'
import { createIndexStore } from '../../src/store/postgres/search.ts'
import { termsOf } from '../../src/store/rows/memories.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Embedding, NewMemory, Store } from '../../src/store/store.ts'
import { diary } from '../search/diary.ts'
import { keepIn } from './keep-in-postgres.ts'
import { startPostgres, type TestServer } from './postgres.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

let server: TestServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.close())

const connect = (): Database => {
  const database = new Database(server.url, { label: 'test', connections: server.connections })
  onTestFinished(() => database.close())
  return database
}

const openSqlite = (): Promise<Store> =>
  openSqliteStore(':memory:', { durability: 'normal', create: true, label: 'test', warn: () => {} })

describe('a search over real notes', () => {
  const embedders = createEmbedderPool({ config: defaults, environment: {}, warn: () => {} })
  let sqlite: Store
  let database: Database
  let postgres: IndexStore
  const questions: { text: string; vector: Float32Array }[] = []
  let embeddingModel: Embedding['model']

  beforeAll(async () => {
    await server.clear()
    database = new Database(server.url, { label: 'test', connections: server.connections })
    postgres = createIndexStore(database)
    sqlite = await openSqlite()
    const embedder = await embedders.configured()
    embeddingModel = embedder.identity
    const { createNotes } = (await import(new URL('../../bench/notes.js', import.meta.url).href)) as {
      createNotes: (seed: number) => { note: () => string; query: () => string }
    }
    const made = createNotes(11)
    const texts = [
      ...diary.map(({ text }) => text),
      ...Array.from({ length: 250 }, () => made.note()),
      `${made.note()} `.repeat(20),
    ]
    const passages = await embedder.embedTexts(texts)
    const notes = texts.map(
      (text, at): NewMemory => ({
        text,
        caution: at % 9 === 0 ? 0.5 + (at % 5) / 10 : 0,
        agent: at % 4 === 0 ? 'other' : 'default',
        createdAt: 1_000 + at,
        tags: at % 5 === 0 ? ['fifth', 'all'] : ['all'],
        ...(at % 7 === 0 && { expiresAt: 2_000 + at }),
        // Some wait to be healed.
        ...(at % 13 !== 0 && { embedding: { model: embedder.identity, passages: passages[at] ?? [] } }),
      }),
    )
    // What another project holds changes nothing.
    for (const project of ['another', 'mine']) {
      await sqlite.memories.addMany(project, notes)
      await keepIn(database, project, notes)
    }
    const asked = [
      ...diary.slice(0, 30).map(({ text }) => text.slice(0, 60)),
      ...Array.from({ length: 30 }, () => made.query()),
    ]
    for (const text of asked) questions.push({ text, vector: (await embedder.embedQuery(text)).vector })
  })
  afterAll(async () => {
    await database.close()
    await sqlite.close()
    await embedders.close()
  })

  const filters: readonly (readonly [string, MemoryFilter])[] = [
    ['all', { now: 0 }],
    ['those that have not expired', { now: 2_100 }],
    ['a tag', { now: 0, tags: ['fifth', 'none'] }],
    ['an agent', { now: 0, agent: 'other' }],
    ['a time', { now: 2_050, since: 1_020, until: 1_120 }],
    ['flags', { now: 0, kind: 'flag' }],
    ['no flags', { now: 2_100, kind: 'memory', tags: ['all'] }],
    ['nothing', { now: 0, tags: ['none'] }],
  ]

  test.each(filters)('among %s finds the same as SQLite, to the last digit', async (name, among) => {
    for (const { text, vector } of questions.slice(0, name === 'all' ? undefined : 12)) {
      const query: CandidateQuery = {
        terms: termsOf(text).split(' '),
        matches: 60,
        nearest: { model: embeddingModel, vector, limit: 100 },
        sample: { size: 32, from: 100 },
        among,
        texts: true,
      }
      const [own, theirs] = [
        await postgres.candidates('mine', query),
        await sqlite.index.candidates('mine', query),
      ]
      expect(own.matches).toEqual(theirs.matches)
      expect(own.statistics).toEqual(theirs.statistics)
      expect(own.passages).toEqual(theirs.passages)
      expect(own.sample).toEqual(theirs.sample)
      expect(new Map([...own.memories].sort())).toEqual(new Map([...theirs.memories].sort()))
      expect(own.served).toEqual(theirs.served)
    }
  })

  test('of flags finds the same as SQLite, to the last digit', async () => {
    for (const { text, vector } of questions) {
      const query = {
        terms: [...new Set(termsOf(text).split(' '))],
        nearest: { model: embeddingModel, vector, limit: 20 },
        gravest: 10,
        now: 2_100,
      }
      const [own, theirs] = [
        await postgres.flagCandidates('mine', query),
        await sqlite.index.flagCandidates('mine', query),
      ]
      const sorted = (found: typeof own) => ({
        ...found,
        memories: [...found.memories].sort((a, b) => a.id - b.id),
      })
      expect(sorted(own)).toEqual(sorted(theirs))
    }
  })

  test('knows the same terms in the same order', async () => {
    for (const prefix of ['a', 'the', 'zz', 'in']) {
      expect(await postgres.termsFrom('mine', prefix)).toEqual(await sqlite.index.termsFrom('mine', prefix))
    }
  })

  test('gives the same vectors', async () => {
    const ids = [1, 2, 3, 14]
    expect(await postgres.passages('mine', embeddingModel, ids)).toEqual(
      await sqlite.index.passages('mine', embeddingModel, ids),
    )
    expect(await postgres.backlog('mine')).toBe(await sqlite.index.backlog('mine'))
    const page = { after: 10, limit: 5 }
    expect(await postgres.withoutVector('mine', embeddingModel, page)).toEqual(
      await sqlite.index.withoutVector('mine', embeddingModel, page),
    )
    const waiting = { before: 200, limit: 5, flagsOnly: true }
    expect(await postgres.waiting('mine', embeddingModel, waiting)).toEqual(
      await sqlite.index.waiting('mine', embeddingModel, waiting),
    )
    expect(await postgres.lacking(embeddingModel)).toBe(await sqlite.index.lacking(embeddingModel))
  })
})

describe('the vectors of a brain on PostgreSQL', () => {
  let database: Database
  let index: IndexStore
  beforeEach(async () => {
    await server.clear()
    database = connect()
    index = createIndexStore(database, { exactUpTo: 40 })
  })

  const note = (text: string, rest: Partial<NewMemory> = {}): NewMemory => ({
    text,
    caution: 0,
    agent: 'a',
    createdAt: 1,
    embedding: embed(text),
    ...rest,
  })
  const near = async (text: string, among?: MemoryFilter, limit = 3): Promise<number[]> =>
    (await index.nearest('mine', { model, vector: vectorOf(text), limit, ...(among && { among }) })).map(
      ({ memoryId }) => memoryId,
    )
  const forget = (id: number) =>
    database.write('mine', (transaction) =>
      transaction.run('DELETE FROM memory WHERE project_id = $1 AND id = $2', [transaction.projectId, id]),
    )

  test('are found as soon as they are kept, and no more once they are forgotten, by whichever daemon', async () => {
    const other = connect()
    await keepIn(database, 'mine', [note('red apples'), note('green pears')])
    expect(await near('red apples')).toEqual([1, 2])
    await keepIn(other, 'mine', [note('red apples again')])
    expect(await near('red apples', undefined, 2)).toEqual([1, 3])
    await forget(1)
    expect(await near('red apples')).toEqual([3, 2])
    expect((await index.termStatistics('mine', ['appl'])).frequency).toEqual(new Map([['appl', 1]]))
    expect((await index.termStatistics('mine', ['appl'])).documents).toBe(2)
  })

  test('of another project are never found', async () => {
    await keepIn(database, 'mine', [note('red apples')])
    await keepIn(database, 'theirs', [note('red apples')])
    expect(await near('red apples')).toEqual([1])
    expect(await index.passages('mine', model, [1, 2])).toHaveLength(1)
  })

  test('of very many come from an index, and lose none of those that are nearest', async () => {
    const texts = Array.from({ length: 120 }, (_, at) => `note ${at} of ${at % 10} about ${at % 17}`)
    await keepIn(
      database,
      'theirs',
      texts.map((text) => note(text)),
    )
    await keepIn(
      database,
      'mine',
      texts.map((text, at) => note(text, { caution: at % 6 === 0 ? 0.5 : 0, tags: [`t${at % 3}`] })),
    )
    const asked: readonly (readonly [string, MemoryFilter])[] = [
      ['note 5 of 5', { now: 0 }],
      ['about 3', { now: 0, kind: 'flag' }],
      ['about 9', { now: 0, kind: 'memory' }],
      ['note 77', { now: 0, tags: ['t1'] }],
    ]
    const answers = () => Promise.all(asked.map(([text, among]) => near(text, among, 10)))
    const exact = await answers()
    expect((await index.upkeep()).untidy).toBe(true)
    // Whatever else runs on the server is waited for.
    await expect
      .poll(async () => {
        while (await index.tidy());
        return (await index.upkeep()).untidy
      })
      .toBe(false)
    expect(
      await database.readAnywhere((transaction) => transaction.all('SELECT ready FROM indexed')),
    ).toEqual([{ ready: true }, { ready: true }])
    expect(await answers()).toEqual(exact)
    await keepIn(database, 'mine', [note('note 5 of 5')])
    expect((await near('note 5 of 5'))[0]).toBe(241)
    await forget(241)
    expect(await answers()).toEqual(exact)
  })

  test('of another model are served once every memory has them, and the former go', async () => {
    const next = { ...model, hash: 'beef' }
    await keepIn(database, 'mine', [note('red apples'), note('green pears')])
    await keepIn(database, 'theirs', [note('blue plums')])
    expect(await index.serve(next)).toBe(false)
    expect(await index.lacking(next)).toBe(3)
    for (const project of ['mine', 'theirs']) {
      const lacking = await index.withoutVector(project, next, { after: 0, limit: 10 })
      const embeddings = new Map(lacking.map(({ id, text }) => [id, embed(text, next)]))
      expect(await index.addEmbeddings(project, embeddings)).toBe(lacking.length)
    }
    expect(await index.serve(next)).toBe(true)
    expect(await index.servedModel()).toEqual(next)
    expect(await near('red apples')).toEqual([])
    expect((await index.upkeep()).untidy).toBe(true)
    for (let turns = 0; turns < 20 && (await index.tidy()); turns += 1);
    expect(await index.upkeep()).toEqual({ waiting: [], untidy: false })
    const [found] = await index.nearest('mine', {
      model: next,
      vector: vectorOf('green pears', next),
      limit: 1,
    })
    expect(found?.memoryId).toBe(2)
  })

  test('are healed: a memory kept without waits for one, and is told of no more once it has it', async () => {
    await keepIn(database, 'mine', [note('red apples')])
    const { embedding: _, ...bare } = note('green pears')
    await keepIn(database, 'mine', [bare])
    expect(await index.upkeep()).toEqual({ waiting: ['mine'], untidy: false })
    expect(
      (await index.waiting('mine', model, { before: 99, limit: 9, flagsOnly: false })).map(({ id }) => id),
    ).toEqual([2])
    expect(
      await index.addEmbeddings('mine', new Map([[2, embed('green pears')]]), { onlyServed: true }),
    ).toBe(1)
    expect(await index.addEmbeddings('mine', new Map([[2, embed('green pears')]]))).toBe(0)
    expect(await index.upkeep()).toEqual({ waiting: [], untidy: false })
    expect(await near('green pears', undefined, 1)).toEqual([2])
  })
})
