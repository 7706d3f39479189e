import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { search } from '../../src/search/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { dated, diary, misspelt, type Question, today } from './diary.ts'

const noon = (date: string): number => new Date(`${date}T12:00:00`).getTime()

let store: Store
const embedders = createEmbedderPool({
  config: defaults,
  environment: {},
  warn: (message) => {
    throw new Error(message)
  },
})

beforeAll(async () => {
  store = await openSqliteStore(':memory:', {
    durability: 'normal',
    create: true,
    label: 'test',
    warn: () => {},
  })
  const embedder = await embedders.configured()
  const texts = diary.map(({ text }) => text)
  const passages = await embedder.embedTexts(texts)
  await store.memories.addMany(
    'bakery',
    diary.map(({ text, on }, at) => ({
      text,
      caution: 0,
      agent: 'default',
      createdAt: noon(on),
      embedding: { model: embedder.identity, passages: passages[at] ?? [] },
    })),
  )
})

afterAll(async () => {
  await embedders.close()
  await store.close()
})

const ask = (query: string) => search({ project: 'bakery', store, embedders, now: () => noon(today) }, query)

/** The questions whose answer does not come first. */
async function missesOf(questions: readonly Question[]): Promise<string[]> {
  const misses: string[] = []
  for (const { query, answer } of questions) {
    const { ranked } = await ask(query)
    const [memory] = await store.memories.findMany('bakery', [ranked[0]?.id ?? 0])
    if (!memory?.text.startsWith(answer)) misses.push(`${query} -> ${memory?.text}`)
  }
  return misses
}

describe('a diary', () => {
  test('misspelt questions find their answers first, but for one in thirty', async () => {
    expect((await missesOf(misspelt)).length).toBeLessThanOrEqual(1)
  })

  test('questions by time find their answers first, but for six in thirty', async () => {
    expect((await missesOf(dated)).length).toBeLessThanOrEqual(6)
  })

  test('how a question was read is told', async () => {
    expect((await ask('kuberntes node pool')).corrections).toEqual([
      { written: 'kuberntes', read: 'kubernetes' },
    ])
    expect((await ask('kubernetes node pool')).corrections).toEqual([])
  })

  test('scores lie in 0..1 and never rise', async () => {
    for (const { query } of [...misspelt, ...dated]) {
      const scores = (await ask(query)).ranked.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    }
  })

  test('what nothing here answers is told by low scores', async () => {
    for (const query of [
      'who won the chess tournament in Reykjavik?',
      'the firmware of the submarine sonar',
    ]) {
      expect((await ask(query)).ranked[0]?.score ?? 0).toBeLessThan(0.3)
    }
  })
})
