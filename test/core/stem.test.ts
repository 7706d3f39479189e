import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stem } from '../../src/core/stem.ts'

// Examples of the paper's own steps, carried through to the end of the algorithm.
const examples: readonly (readonly [string, string])[] = [
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['ties', 'ti'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['bled', 'bled'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['troubled', 'troubl'],
  ['sized', 'size'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['hissing', 'hiss'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['digitizer', 'digit'],
  ['operator', 'oper'],
  ['feudalism', 'feudal'],
  ['hopefulness', 'hope'],
  ['formaliti', 'formal'],
  ['triplicate', 'triplic'],
  ['formative', 'form'],
  ['electrical', 'electr'],
  ['goodness', 'good'],
  ['revival', 'reviv'],
  ['allowance', 'allow'],
  ['inference', 'infer'],
  ['adjustable', 'adjust'],
  ['replacement', 'replac'],
  ['adoption', 'adopt'],
  ['communism', 'commun'],
  ['effective', 'effect'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
]

describe('stem', () => {
  test.each(examples)('%s becomes %s', (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  test('forms of one word meet', () => {
    for (const forms of [
      ['deploy', 'deploys', 'deployed', 'deploying'],
      ['migration', 'migrations'],
      ['connect', 'connected', 'connecting', 'connection', 'connections'],
    ]) {
      expect(new Set(forms.map(stem)).size).toBe(1)
    }
  })

  test('what is no lower-case English word stays as it is', () => {
    for (const word of ['v1', 'naïve', '東京', 'ab', 'error42', '']) expect(stem(word)).toBe(word)
  })

  test('a stem is never longer than its word and never empty', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        const stemmed = stem(word)
        expect(stemmed.length).toBeGreaterThan(0)
        expect(stemmed.length).toBeLessThanOrEqual(word.length + 1)
      }),
    )
  })
})
