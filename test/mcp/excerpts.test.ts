import { expect, it } from 'vitest'
import { shortenTexts } from '../../src/mcp/excerpts.ts'

const longNote = (id: number): { id: number; text: string } => ({
  id,
  text: `${'The courier came late again. '.repeat(2_000)}Alarm ${id} rang. ${'Nobody was at the desk. '.repeat(50)}`,
})

it('others have their turn between any two long texts that are cut', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const results = Array.from({ length: 50 }, (_, id) => longNote(id))
  const shortened = await shortenTexts({ results, mode: 'keyword' }, { query: 'which alarm rang?' })
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(results.length)
  expect(shortened).toEqual({
    mode: 'keyword',
    results: results.map(({ id }) => ({
      id,
      excerpt: expect.stringContaining(`Alarm ${id} rang.`),
      truncated: true,
    })),
  })
})

it('records without a text or with a short one are left as they are', async () => {
  const output = { results: [{ id: 1, text: 'Ada owns billing.' }, { id: 2 }, 'word'], count: 3 }
  expect(await shortenTexts(output, {})).toEqual(output)
})
