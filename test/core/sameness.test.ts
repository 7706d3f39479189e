import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearlyTheSame, plainForm, Sameness, saysTheSame } from '../../src/core/sameness.ts'

function groupsOf(texts: readonly string[], flags: readonly number[] = []): number[][] {
  const sameness = new Sameness()
  for (const [at, text] of texts.entries()) sameness.add({ id: at + 1, text, flag: flags.includes(at + 1) })
  const steps = sameness.groups()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value.map((ids) => ids.sort((a, b) => a - b))
  }
}

const long = 'the nightly backup of the billing database goes to the cold bucket in frankfurt'

describe('two texts', () => {
  it.each([
    ['Deploy on Friday!', 'deploy  on friday'],
    ['Grüße, Welt', 'GRÜSSE welt'.replace('SS', 'ß')],
    [long, `${long} now`],
    ['at 5 % of the load', 'At 5% of the load!'],
  ])('%j and %j say the same', (a, b) => {
    expect(saysTheSame(a, b)).toBe(true)
  })

  it.each([
    ['the port is 8080', 'the port is 8081'],
    [long, `${long}, not on sundays`],
    [`we do ${long}`, `we don't ${long}`],
    ['🦜', '👍'],
    ['one thing', 'another matter'],
    ['we move the queue from Kafka to Redis', 'we move the queue from Redis to Kafka'],
    ['the new gateway is written in C++', 'the new gateway is written in C#'],
    ['accounts with a balance >= 5 are billed', 'accounts with a balance <= 5 are billed'],
    ['Konten mit Guthaben über ≥ 5 werden belastet', 'Konten mit Guthaben über ≤ 5 werden belastet'],
    ['the offset of the sensor is -100', 'the offset of the sensor is 100'],
    ['retries cost +3 ms', 'retries cost -3 ms'],
    ['the limit per order is $500', 'the limit per order is €500'],
    ['the new logo 👍', 'the new logo 👎'],
    ['the ratio is 1.5', 'the ratio is 1:5'],
  ])('%j and %j do not', (a, b) => {
    expect([saysTheSame(a, b), nearlyTheSame(a, b)]).toEqual([false, false])
  })

  it.each([
    [long, long.replace('nightly', 'weekly')],
    [long, long.replace('cold', 'warm')],
  ])('%j and %j are near enough to be asked about, not the same', (a, b) => {
    expect([saysTheSame(a, b), nearlyTheSame(a, b)]).toEqual([false, true])
  })
})

describe('groups', () => {
  it('are of texts that differ in case, space, punctuation or a few words; a warning is none of them', () => {
    const texts = [
      'Lunch at noon',
      'lunch at NOON.',
      long,
      'something else',
      long.replace('goes', 'moves'),
      long,
    ]
    expect(groupsOf(texts, [6])).toEqual([
      [1, 2],
      [3, 5],
    ])
    expect(groupsOf([])).toEqual([])
  })

  it('hold every pair that says the same, whatever the texts', () => {
    const words = ['red', 'green', 'blue', 'sky', 'sea', 'sun', 'rain', 'not', '7', '8', '.', '🦜']
    const text = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 })
      .map((parts) => parts.join(' '))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 16 }), (texts) => {
        const groups = groupsOf(texts)
        const together = (a: number, b: number) => groups.some((ids) => ids.includes(a) && ids.includes(b))
        for (const [a, one] of texts.entries())
          for (const [b, other] of texts.entries())
            if (a < b && saysTheSame(one, other))
              expect([one, other, together(a + 1, b + 1)]).toEqual([one, other, true])
      }),
    )
  })

  it('have a plain form that is the same whatever case, space and punctuation', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (parts) => {
        const text = parts.join(' ')
        expect(plainForm(plainForm(text))).toBe(plainForm(text))
      }),
    )
  })
})
