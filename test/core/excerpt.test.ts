import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExcerpts, exceeds, excerptOf } from '../../src/core/excerpt.ts'

const excerptAround = (text: string, query: string, limit: number): string =>
  createExcerpts(query)(text, limit)

const filler = (count: number): string => 'Nothing of this matters to anybody. '.repeat(count)

test('a short text is its own excerpt, on one line', () => {
  expect(excerptAround('the deploy\n  failed', 'deploy', 40)).toBe('the deploy failed')
})

test('a text is as long as it has characters, whatever they are made of', () => {
  expect(exceeds('🙂'.repeat(40), 40)).toBe(false)
  expect(exceeds('🙂'.repeat(41), 40)).toBe(true)
  expect(excerptOf('🙂'.repeat(40), 40)).toBe('🙂'.repeat(40))
})

test('an excerpt is the stretch that has most of what was asked, from the sentence it stands in', () => {
  const text = `${filler(30)}A lock broke. The deploy keys are in the vault under ops. ${filler(30)}`
  const excerpt = excerptAround(text, 'where are the deploy keys', 120)
  expect(excerpt).toMatch(/^…The deploy keys are in the vault under ops\./)
})

test('words are met in any form', () => {
  const text = `${filler(30)}We deployed it on Friday. ${filler(30)}`
  expect(excerptAround(text, 'deploying', 100)).toContain('deployed')
})

test.each([
  ['visible', 'visibility'],
  ['relate', 'relational'],
  ['ties', 'tied'],
  ['oclock', "o'clock"],
  ['pool', 'dbPoolSize'],
  ['größe', 'GRÖSSE/größe'],
])('%s is met in %s', (asked, written) => {
  expect(excerptAround(`${filler(30)}Here ${written} stands. ${filler(30)}`, asked, 100)).toContain(written)
})

test('a word longer than an excerpt hides none behind it', () => {
  const text = `${filler(30)}deploy-${'x'.repeat(300)} deploy keys ${filler(30)}`
  expect(excerptAround(text, 'deploy keys', 100)).toContain('deploy keys')
})

test('a text that has none of the words is shown from its beginning', () => {
  const text = `Ada owns billing. ${filler(30)}`
  expect(excerptAround(text, 'kubernetes', 100)).toBe(excerptOf(text, 100))
  expect(excerptAround(text, 'the of and', 100)).toBe(excerptOf(text, 100))
})

test('what the beginning has is shown from there, though it comes again', () => {
  const text = `The queue is Redis. ${filler(20)}The queue was RabbitMQ. ${filler(20)}`
  expect(excerptAround(text, 'queue', 100).startsWith('The queue is Redis.')).toBe(true)
})

test('a sentence of characters beyond the first 65,536 is kept whole', () => {
  const sentence = `${'\u{1f511}'.repeat(50)}.`
  expect(excerptOf(`${sentence} ${filler(3)}`, 80)).toBe(`${sentence} …`)
})

test('no excerpt is longer than asked for, and each is made of the text', () => {
  const words = fc.array(
    fc.constantFrom('deploy', 'key', 'vault.', 'x', '\u{1f511}', 'Größe', 'and', '鍵は金庫に'),
    {
      maxLength: 200,
    },
  )
  fc.assert(
    fc.property(words, words, fc.integer({ min: 40, max: 200 }), (text, query, limit) => {
      const line = text.join(' ')
      const excerpt = excerptAround(line, query.slice(0, 5).join(' '), limit)
      expect([...excerpt].length).toBeLessThanOrEqual(limit)
      expect(excerpt.isWellFormed()).toBe(true)
      expect(line).toContain(excerpt.replace(/^…/, '').replace(/ ?…$/, ''))
    }),
  )
})
