import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compose, headingOf, type Line, toLine } from '../../src/operations/block.ts'

const line = (id: number, length: number): Line =>
  toLine({ kind: 'memory', id, at: 0, text: 'word '.repeat(Math.ceil(length / 5)).slice(0, length) })

const lines = fc
  .array(fc.integer({ min: 1, max: 240 }), { maxLength: 60 })
  .map((lengths) => lengths.map((length, at) => line(at + 1, length)))

test('a block is never longer than asked for, shows beginnings of its sections, and counts the rest', () => {
  fc.assert(
    fc.property(lines, lines, fc.integer({ min: 100, max: 2_000 }), (ours, theirs, tokens) => {
      const sections = [
        { heading: headingOf({}), lines: ours, rest: [] },
        { heading: headingOf({ own: true }), lines: theirs, rest: [] },
      ]
      const { text, shown, omitted } = compose(sections, tokens)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(tokens * 3)
      expect(shown + omitted).toBe(ours.length + theirs.length)
      const [first = '', second = ''] = text.split(headingOf({ own: true }))
      const told = [first, second].map((part) => part.split('\n').filter((one) => one.startsWith('- ')))
      expect(told[0]).toEqual(ours.slice(0, told[0]?.length).map((one) => one.text))
      expect(told[1]).toEqual(theirs.slice(0, told[1]?.length).map((one) => one.text))
      expect((told[0]?.length ?? 0) + (told[1]?.length ?? 0)).toBe(shown)
    }),
  )
})

test('a long project leaves the person’s own brain a quarter of the block, and takes the rest of it', () => {
  const many = Array.from({ length: 60 }, (_, at) => line(at + 1, 200))
  const { text } = compose(
    [
      { heading: headingOf({}), lines: many, rest: [] },
      { heading: headingOf({ own: true }), lines: many, rest: [] },
    ],
    1_000,
  )
  const [, own = ''] = text.split(`${headingOf({ own: true })}\n`)
  expect(own.length).toBeGreaterThan(3_000 * 0.15)
  expect(own.length).toBeLessThan(3_000 * 0.3)
  expect(text.length).toBeGreaterThan(3_000 - 300)
})

test('a record that matters for two reasons stands once, where it comes first', () => {
  const twice = [line(1, 10), line(2, 10), line(1, 10)]
  const { text, shown } = compose([{ heading: headingOf({}), lines: twice, rest: [] }], 1_000)
  expect(shown).toBe(2)
  expect(text.match(/memory \d/g)).toEqual(['memory 1', 'memory 2'])
})

test('nothing to say is no text', () => {
  expect(
    compose([{ heading: headingOf({}), lines: [], rest: ['3 more unread dreams (`brain dreams`)'] }], 1_000)
      .text,
  ).toBe('')
})
