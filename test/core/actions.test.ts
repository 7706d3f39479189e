/** What a step does and to what; and when that is gentler than what a warning speaks of. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGentlerThan, toStep } from '../../src/core/actions.ts'

const isGentler = (topic: string, warning: string): boolean => {
  const step = toStep(topic)
  return step !== undefined && isGentlerThan(step, warning)
}

const warning = 'Deleting the customer table lost a week of orders'

describe('a step', () => {
  it.each([
    ['add an index to the customer table', 'an index to the customer table'],
    ['Dropped the users table', 'the users table'],
    ["please let's drop the users table", "please let's  the users table"],
    ['Never deploy on Friday', 'Never  on Friday'],
  ])('is a verb and what it is done to: %s', (text, object) => {
    expect(toStep(text)?.object).toBe(object)
  })

  it.each([
    'the customer table',
    'git push --force',
    '東京都に住んでいます',
    '',
    '🦊',
    'delete',
    'please delete it',
  ])('is not told from a text that begins with no known verb, or holds nothing else: %s', (text) => {
    expect(toStep(text)).toBeUndefined()
  })

  it('is told or not of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        expect(() => toStep(a)).not.toThrow()
        expect(typeof isGentler(`check ${a}`, `Deleting ${b}`)).toBe('boolean')
      }),
    )
  })
})

describe('a gentler step than a warning speaks of', () => {
  it.each([
    ['add an index to the customer table', warning],
    ['count the rows of the customer table', warning],
    ['Describing the customer table', warning],
    ['list the objects in the bucket', 'Never empty the bucket'],
    ['write a test for the import', 'The import must not run twice'],
  ])('looks, measures, tells, keeps or adds: %s', (topic, text) => {
    expect(isGentler(topic, text)).toBe(true)
  })

  it.each([
    ['drop the customer table', warning, 'the action warned of, in another word'],
    ['alter the customer table', warning, 'another change'],
    ['write to the customer table', warning, 'a change of what is written to'],
    ['write to customers about the outage', warning, 'a message that goes out'],
    ['review and drop the customer table', warning, 'a second verb'],
    ['check credentials into git', 'Do not commit secrets', 'a verb with another meaning'],
    ['read the secrets', 'Reading the secrets was logged as an attack', 'gentle, and warned of'],
    ['check the certificate', 'Disabling certificate checks went wrong', 'a word of the same kind'],
    ['list the customers', 'The customer table is sacred', 'no action is warned of'],
    ['add a column at noon', 'Changing the schema at noon locked it', 'adding is a change'],
    ['the customer table', warning, 'no action'],
  ])('is not: %s (%s: %s)', (topic, text) => {
    expect(isGentler(topic, text)).toBe(false)
  })

  it('is never the very words of the warning', () => {
    const verbs = 'add check count delete deploy describe drop export list move read run stop write'.split(
      ' ',
    )
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...verbs, 'table', 'never', 'not', 'the', 'deleting'), { maxLength: 8 }),
        (words) => {
          expect(isGentler(words.join(' '), words.join(' '))).toBe(false)
        },
      ),
    )
  })
})
