/** The same brain gives every question and every plan the same candidates in the same order, whichever store keeps it. */
import { expect, test } from 'vitest'
import type { CandidateQuery } from '../../src/store/candidates.ts'
import type { Store } from '../../src/store/store.ts'
import { adapters } from './contract.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const words = ['boat', 'cache', 'rust', 'table', 'uncle', 'yesterday', 'harbour', 'build', 'paint', 'engine']

/** Turns of a conversation, of two passages each, or notes; some without vectors, some expired, some flags. */
async function fill(store: Store, talk: boolean): Promise<void> {
  const word = (at: number, step: number) => words[(at * step + ((at / 7) | 0)) % words.length] ?? ''
  const turn = (at: number) => `Did you see the ${word(at, 3)}?\nYou did see the ${word(at, 3)}, ${at}!`
  const note = (at: number) => `The ${word(at, 3)} needs the ${word(at, 7)}.\nNumber ${at} of ${word(at, 9)}`
  await store.memories.addMany(
    'mine',
    Array.from({ length: 320 }, (_, at) => {
      const text = talk ? turn(at) : note(at)
      return {
        text,
        caution: at % 29 === 5 ? (at % 10) / 10 : 0,
        agent: at % 2 === 0 ? 'even' : 'odd',
        createdAt: 1_000 + at,
        ...(at % 31 === 0 && { expiresAt: 5_000 }),
        ...(at % 23 !== 0 && { embedding: embed(text) }),
      }
    }),
  )
}

const questions: Partial<CandidateQuery>[] = [
  {},
  { texts: true },
  { nearest: undefined, texts: true },
  { nearest: { model, vector: vectorOf('the boat'), limit: 0 } },
  { nearest: { model, vector: vectorOf('my uncle'), limit: 300 }, texts: true },
  { nearest: { model: { ...model, hash: 'beef' }, vector: vectorOf('boat'), limit: 20 } },
  { sample: { size: 32, from: 400 } },
  { among: { now: 6_000, agent: 'odd' }, texts: true },
  { among: { now: 6_000, since: 1_100, until: 1_200, kind: 'memory' }, texts: true },
  { among: { now: 6_000, kind: 'flag' } },
]

/** Lists in their order, maps by their keys. */
async function answersOf(store: Store) {
  const answers: unknown[] = []
  for (const question of questions) {
    const found = await store.index.candidates('mine', {
      terms: ['boat', 'uncl', 'absent'],
      matches: 40,
      nearest: { model, vector: vectorOf('did you see my boat'), limit: 100 },
      sample: { size: 32, from: 300 },
      among: { now: 0 },
      texts: false,
      ...question,
    })
    answers.push(found)
    const counted = await store.index.termStatistics('mine', ['boat', 'uncl'])
    const terms = ['boat', 'uncl']
    const query = { terms, matches: 9, sample: { size: 8, from: 300 }, among: { now: 0 }, texts: false }
    answers.push(await store.index.candidates('mine', { ...query, ...question, statistics: counted }))
  }
  for (const gravest of [3, 200])
    for (const limit of [0, 4])
      answers.push(
        await store.index.flagCandidates('mine', {
          terms: ['boat', 'tabl'],
          nearest: { model, vector: vectorOf('paint the boat'), limit },
          gravest,
          now: 6_000,
        }),
      )
  answers.push(await store.index.flagCandidates('mine', { terms: ['boat'], gravest: 3, now: 0 }))
  for (const kind of [undefined, 'flag', 'memory'] as const)
    answers.push(
      await store.index.nearest('mine', {
        model,
        vector: vectorOf('engine'),
        limit: 30,
        among: { now: 6_000, ...(kind && { kind }) },
      }),
    )
  return answers
}

test.each(
  adapters.slice(1).flatMap(([name, open]) => [true, false].map((talk) => [name, talk, open] as const)),
)(
  '%s gives the candidates that SQLite in memory gives (turns of a conversation: %s)',
  async (_, talk, open) => {
    const [, openFirst] = adapters[0] ?? expect.unreachable()
    const [one, other] = [await openFirst(), await open()]
    await fill(one, talk)
    await fill(other, talk)
    const [expected, told] = [await answersOf(one), await answersOf(other)]
    expect(expected[0]).toMatchObject({ conversation: talk })
    expect(told).toEqual(expected)
  },
)
