import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toTerms } from '../../src/core/words.ts'
import {
  applyCorrections,
  findCorrections,
  type KnownWords,
  slipsBetween,
  spellingsNear,
} from '../../src/search/typos.ts'
import { readWordList } from '../../src/search/word-list.ts'

const words = readWordList('models')

/** A brain of one text. */
function brainOf(text: string): KnownWords {
  const terms = toTerms(text)
  const written = text.match(/\p{L}+/gu) ?? []
  return {
    frequencies: async (asked) =>
      new Map(asked.flatMap((term) => (terms.includes(term) ? [[term, 1] as const] : []))),
    termsFrom: async (prefix) => terms.filter((term) => term.startsWith(prefix)),
    spelling: async (term) => written.find((word) => toTerms(word).includes(term))?.toLowerCase(),
    isWord: (word) => words.has(word),
  }
}

const read = async (query: string, text: string): Promise<string> =>
  applyCorrections(query, await findCorrections(query, brainOf(text)))

describe('misspelt words', () => {
  const text = 'Kubernetes and Prometheus run on Postgres; Ingeborg owns the index of bookings. Order queue.'

  test.each([
    ['kuberntes', 'kubernetes'],
    ['Promethues alerts', 'Prometheus alerts'],
    ['who runs postgers', 'who runs postgres'],
    ['ingebrog', 'ingeborg'],
    ['inedx of orders', 'index of orders'],
    ['orderqueue', 'order queue'],
    ['wich index', 'which index'],
  ])('%s is read as %s', async (query, expected) => {
    expect(await read(query, text)).toBe(expected)
  })

  test.each([
    'kubernetes',
    'the hosting bill of progress',
    'postgres-14 and ingeburg_id',
    'toggle the endpoint, lint and parser',
    'x86 pods, e2e',
    'index1',
    'größe',
  ])('%s is left as it is', async (query) => {
    expect(await read(query, text)).toBe(query)
  })

  test('a word of the vocabulary is not taken for one that the brain holds', async () => {
    expect(await read('which tale', 'the table is full')).toBe('which tale')
  })
})

describe('edits', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdef'), minLength: 2, maxLength: 7 })

  test('every near spelling is one slip away', () => {
    fc.assert(
      fc.property(word, (given) => {
        for (const spelling of spellingsNear(given).keys()) expect(slipsBetween(given, spelling, 2)).toBe(1)
      }),
    )
  })

  test('slips count the same both ways, and none between equals', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(slipsBetween(a, b, 7)).toBe(slipsBetween(b, a, 7))
        expect(slipsBetween(a, a, 2)).toBe(0)
      }),
    )
  })
})

test('the word list knows words of this field and none of their misspellings', () => {
  for (const word of ['endpoint', 'kubernetes', 'toggle', 'invoice', 'lorry'])
    expect(words.has(word)).toBe(true)
  for (const word of ['enviroment', 'kuberntes', 'recieve', 'untill']) expect(words.has(word)).toBe(false)
})
