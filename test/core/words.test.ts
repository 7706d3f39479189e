import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stem } from '../../src/core/stem.ts'
import {
  isStopTerm,
  stopStems,
  stopWords,
  toIdentifiers,
  toQueryTerms,
  toTerms,
} from '../../src/core/words.ts'

describe('terms', () => {
  test('ASCII text has the terms that the same text has in any script', () => {
    const words = fc.stringMatching(/^[eEaAxZ19_ .:/'-]{0,40}$/)
    fc.assert(
      fc.property(words, (text) => {
        const accented = text.replaceAll('e', 'é').replaceAll('E', 'É')
        expect(toTerms(accented)).toEqual(toTerms(text))
        expect(toIdentifiers(accented)).toEqual(toIdentifiers(text))
      }),
      { numRuns: 500 },
    )
  })

  test('the stem of every stop word is a stop term, and no other word was written among them', () => {
    const stems = [...stopWords].map(stem)
    expect(stems.filter((word) => !isStopTerm(word))).toEqual([])
    expect([...stopStems].filter((word) => !stems.includes(word))).toEqual([])
  })

  test('words meet in any case, accent and inflection', () => {
    expect(toTerms('Naïve DEPLOYS')).toEqual(toTerms('naive deployed'))
  })

  test('an apostrophe does not part a word', () => {
    expect(toTerms("don’t don't")).toEqual(['dont', 'dont'])
  })

  test.each([
    ['v1.8.3'],
    ['ECONNRESET'],
    ['user_id_fk'],
    ['src/store/open.ts'],
    ['open.ts'],
    ['http://localhost:4747/v1'],
    ['C:\\Users\\marta'],
    ['re-ranking'],
    ['camelCaseName'],
    ['a1b2c3d'],
  ])('%s is found whole inside a sentence', (identifier) => {
    const terms = new Set(toTerms(`We saw ${identifier}, and then (${identifier}).`))
    for (const term of toQueryTerms(identifier)) expect(terms).toContain(term)
    expect(terms).toContain(toTerms(identifier).at(-1))
  })

  test('a file is found by its name alone', () => {
    expect(toTerms('broken in src/store/open.ts')).toContain('open.ts')
  })

  test.each([
    ['東京都に住んでいます', '東京'],
    ['東京都に住んでいます', '住ん'],
    ['我们昨天部署了新版本', '部署'],
    ['데이터베이스를 백업했다', '백업'],
    ['黒猫が好き', '猫'],
  ])('in %s the part %s is found', (text, part) => {
    const terms = new Set(toTerms(text))
    for (const term of toQueryTerms(part)) expect(terms).toContain(term)
  })

  test('parts of camel case are words of their own', () => {
    expect(toTerms('parseHTTPResponse')).toEqual(
      expect.arrayContaining(['pars', 'http', 'respons', 'parsehttpresponse']),
    )
  })

  test('no term holds a space, a quote or a control character, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of toTerms(text)) {
          expect(term).not.toMatch(/[\s"\u0000-\u001f]/)
          expect(term).not.toBe('')
          expect(term.length).toBeLessThanOrEqual(96)
        }
      }),
    )
  })

  test('what is written alike is found alike', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 12 }), fc.lorem({ maxCount: 3 }), (text, query) => {
        const terms = new Set(toTerms(`${text} ${query}`))
        for (const term of toQueryTerms(query)) expect(terms).toContain(term)
      }),
    )
  })
})

describe('query terms', () => {
  test('stop words are left out', () => {
    expect(toQueryTerms('what is the migration lock')).toEqual(toTerms('migration lock'))
  })

  test('stop words stay when nothing else is asked', () => {
    expect(toQueryTerms('to be or not to be')).toEqual(['to', 'be', 'or', 'not'])
    expect(isStopTerm('not')).toBe(true)
  })

  test('each term is asked once', () => {
    expect(toQueryTerms('lock locks locked')).toEqual(['lock'])
  })

  test('punctuation and emoji alone ask for nothing', () => {
    expect(toQueryTerms('"*" -- () 🎉')).toEqual([])
  })
})

describe('identifiers', () => {
  test.each([
    ['why did v1.8.3 fail', ['v1.8.3']],
    ['ECONNRESET again', ['econnreset']],
    ['the user_id_fk constraint', ['user_id_fk']],
    ['see src/store/open.ts', ['src/store/open.ts']],
    ['error E1234', ['e1234']],
    ['Deploy on Friday', []],
    ['AWS is down', []],
  ])('of "%s"', (query, expected) => {
    expect(toIdentifiers(query)).toEqual(expected)
  })

  test('every identifier is one of the terms of the text that holds it', () => {
    for (const query of ['v1.8.3', 'ECONNRESET', 'user_id_fk', 'src/store/open.ts', 'fooBar']) {
      for (const identifier of toIdentifiers(query)) expect(toTerms(`x ${query} y`)).toContain(identifier)
    }
  })
})
