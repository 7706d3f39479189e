/** How places in files are spelt. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromPlace, maxCites, toPlace, uniteCitations } from '../../src/core/citations.ts'

it('a place is a path below the brain, and lines where some are meant', () => {
  expect(toPlace('src/x.ts')).toEqual({ path: 'src/x.ts', firstLine: null, lastLine: null })
  expect(toPlace(' ./src/x.ts:10-40 ')).toEqual({ path: 'src/x.ts', firstLine: 10, lastLine: 40 })
  expect(toPlace('a b/c:7')).toEqual({ path: 'a b/c', firstLine: 7, lastLine: 7 })
  expect(toPlace('notes 12:30.md')).toEqual({ path: 'notes 12:30.md', firstLine: null, lastLine: null })
})

it.each([
  '',
  '/etc/passwd',
  '../x',
  'a/../../x',
  'a//b',
  'a/./b',
  'a/',
  '.',
  '..',
  ':10',
  'x:0',
  'x:9-3',
  'x:99999999-99999999',
  'C:/x',
  'a\\..\\b',
  'a\u0000b',
  'a\nb',
  'x'.repeat(1_025),
])('%j spells none', (text) => {
  expect(toPlace(text)).toBeUndefined()
})

it('what a place is written as spells it', () => {
  const part = fc.stringMatching(/^[\w .-]{1,8}$/).filter((one) => !/^\.*$/.test(one) && one.trim() === one)
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.nat(1_000),
      fc.nat(100),
      (parts, first, more) => {
        const path = parts.join('/')
        const lines =
          first === 0 ? { firstLine: null, lastLine: null } : { firstLine: first, lastLine: first + more }
        expect(toPlace(fromPlace({ path, ...lines }))).toEqual({ path, ...lines })
      },
    ),
  )
})

it('what several cite is each place once, as it was stamped last, and of too many the last stamped', () => {
  const cite = (path: string, stampedAt: number) => ({
    ...{ path, firstLine: null, lastLine: null },
    ...{ hash: `${path} ${stampedAt}`, stampedAt },
  })
  const others = Array.from({ length: maxCites - 1 }, (_, at) => cite(`x${at}`, 10 + at))
  const united = uniteCitations([cite('a', 50), ...others, cite('old', 1), cite('a', 2)])
  expect(united.map(({ hash }) => hash)).toEqual([...others.map(({ hash }) => hash), 'a 50'])
})
