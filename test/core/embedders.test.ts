/** How settings name embedders. */
import { expect, it } from 'vitest'
import { isEmbedder, isPlainEmbedder } from '../../src/core/embedders.ts'

it('an embedder is a provider, with a model of the catalogue where it has one, or none', () => {
  for (const text of ['builtin', 'http', 'none', 'fastembed:bge-small-en-v1.5'])
    expect(isEmbedder(text), text).toBe(true)
  for (const text of [
    '',
    'fastembed',
    'fastembed:',
    'fastembed:../secrets',
    'fastembed:a b',
    'builtin:x',
    'other:x',
  ])
    expect(isEmbedder(text), text).toBe(false)
})

it('only what has no catalogue can be used as it is', () => {
  const plain = ['builtin', 'http', 'none', 'fastembed', 'fastembed:x'].filter(isPlainEmbedder)
  expect(plain).toEqual(['builtin', 'http', 'none'])
})
