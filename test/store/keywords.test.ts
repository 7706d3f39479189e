/** Keyword matches beside BM25 computed from every memory. */

import { expect, test } from 'vitest'
import { chooseTerms, inverseDocumentFrequency, normalizedBm25 } from '../../src/core/bm25.ts'
import { toTerms } from '../../src/core/words.ts'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'
import { matchingOf } from './matching.ts'

/** Texts of 3 to 40 words, the first of which are far more frequent than the last. */
function makeTexts(count: number): string[] {
  const random = drawFrom(7)
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + Math.floor(random() * 38) }, () => `w${Math.floor(random() ** 3 * 500)}`).join(
      ' ',
    ),
  )
}

const countsOf = (terms: readonly string[]) =>
  terms.reduce((counts, term) => counts.set(term, (counts.get(term) ?? 0) + 1), new Map<string, number>())

/** Ids by BM25, best first; none that holds no term. */
function exhaustive(texts: ReadonlyMap<number, string>, asked: readonly string[]): Map<number, number> {
  const all = [...texts].map(([id, text]) => ({ id, terms: toTerms(text) }))
  const averageLength = all.reduce((sum, { terms }) => sum + terms.length, 0) / all.length
  const query = asked.map((term) => ({
    term,
    idf: inverseDocumentFrequency(all.length, all.filter(({ terms }) => terms.includes(term)).length),
    identifier: false,
  }))
  return new Map(
    all
      .filter(({ terms }) => terms.some((term) => asked.includes(term)))
      .map(({ id, terms }) => [
        id,
        normalizedBm25(query, { counts: countsOf(terms), length: terms.length }, averageLength),
      ]),
  )
}

const queries = [['w400'], ['w20'], ['w7', 'w90'], ['w3', 'w60', 'w250'], ['w9', 'w44', 'w45', 'w300']]

test.each(adapters)(
  'the matches of a store in %s are those BM25 puts first, at least 97 of 100',
  async (_, open) => {
    const store = await open()
    const { memories, removal } = store
    const rest = { caution: 0, agent: 'tester', createdAt: 1_000 }
    const added = await memories.addMany(
      'mine',
      makeTexts(1_500).map((text) => ({ ...rest, text })),
    )
    // A number each, so that the statistics of what is forgotten are no part of the answer.
    for (const { id } of added.slice(0, 100)) await forget({ removal }, 'mine', id)
    const texts = new Map(added.slice(100).map(({ id, text }) => [id, text]))
    let [found, wanted] = [0, 0]
    for (const terms of queries) {
      const looked = chooseTerms(terms, await store.index.termStatistics('mine', terms))
      const scores = exhaustive(texts, looked)
      const matches = await matchingOf(store, { terms, limit: 30 })
      const least = [...scores.values()].sort((a, b) => b - a)[Math.min(30, scores.size) - 1] ?? 0
      expect(matches).toHaveLength(Math.min(30, scores.size))
      wanted += matches.length
      for (const { id, counts, length } of matches) {
        if ((scores.get(id) ?? 0) >= least - 1e-9) found += 1
        const held = toTerms(texts.get(id) ?? '')
        expect(length).toBe(held.length)
        expect(counts).toEqual(new Map([...countsOf(held)].filter(([term]) => looked.includes(term))))
      }
    }
    expect(found / wanted).toBeGreaterThanOrEqual(0.97)
  },
)

test.each(adapters)(
  'a store in %s lists the terms of one project that begin alike, and none that is forgotten',
  async (_, open) => {
    const store = await open()
    const keep = (project: string, text: string) =>
      store.memories.add(project, { text, caution: 0, agent: 'tester', createdAt: 1_000 })
    await keep('mine', 'kubernetes and kubectl beside a kettle')
    const { id } = await keep('mine', 'kubeflow')
    await keep('theirs', 'kubelet')
    await forget(store, 'mine', id)
    expect(await store.index.termsFrom('mine', 'kube')).toEqual(toTerms('kubectl kubernetes'))
    expect(await store.index.termsFrom('nobody', 'kube')).toEqual([])
  },
)
