/** Long conversations, with the built-in encoder: what answers is found though only the turn before it names what is asked. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { openBrains } from './brain.ts'

const brains = openBrains()
afterAll(() => brains.close())

/** A turn of the conversation, or a question with the turns that answer it. */
type Line =
  | { readonly turn: string; readonly at: string; readonly text: string }
  | { readonly question: string; readonly evidence: readonly string[] }

const lines = readFileSync(new URL('../../training/ranking/conversations/one.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Line => JSON.parse(line))
const turns = lines.flatMap((line) => ('turn' in line ? [line] : []))
const questions = lines.flatMap((line) => ('question' in line ? [line] : []))

/** Share of the questions that have an answer among the first ten results, of the conversation's turns in the order of `kept`. */
async function shareFound(kept: readonly (typeof turns)[number][]): Promise<number> {
  const brain = await brains.brainOf(
    kept.map(({ at, text }) => ({ text, at: Date.parse(at) })),
    Date.UTC(2026, 6),
  )
  let found = 0
  for (const { question, evidence } of questions) {
    const { ranked, conversation } = await brain.ask(question)
    expect(conversation).toBe(true)
    const turnsFound = ranked.slice(0, 10).map(({ id }) => kept[brain.placeOf(id)]?.turn ?? '')
    if (turnsFound.some((turn) => evidence.includes(turn))) found += 1
  }
  await brain.close()
  return found / questions.length
}

test('turns are understood with those around them', async () => {
  const inOrder = await shareFound(turns)
  // Every seventh, then those after them: none stands beside what it was said with.
  const apart = await shareFound(
    Array.from({ length: 7 }).flatMap((_, from) => turns.filter((_, at) => at % 7 === from)),
  )
  expect(inOrder).toBeGreaterThan(0.62)
  expect(inOrder).toBeGreaterThan(apart + 0.15)
})
