import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Brain, openBrains } from './brain.ts'
import { dated, diary, misspelt, type Question, today } from './diary.ts'

const noon = (date: string): number => new Date(`${date}T12:00:00`).getTime()

const brains = openBrains()
let brain: Brain

beforeAll(async () => {
  brain = await brains.brainOf(
    diary.map(({ text, on }) => ({ text, at: noon(on) })),
    noon(today),
  )
})

afterAll(async () => {
  await brain.close()
  await brains.close()
})

const ask = (query: string) => brain.ask(query)

/** The questions whose answer does not come first. */
async function missesOf(questions: readonly Question[]): Promise<string[]> {
  const misses: string[] = []
  for (const { query, answer } of questions) {
    const [first = -1] = await brain.places(query)
    const text = diary[first]?.text
    if (!text?.startsWith(answer)) misses.push(`${query} -> ${text}`)
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
