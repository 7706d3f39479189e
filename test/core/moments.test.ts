import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comingMomentOf, endsDay, momentOf, spanOf } from '../../src/core/moments.ts'

const now = Date.parse('2026-11-22T10:30:00Z')
const at = (text: string) => {
  const moment = momentOf(text, now)
  return moment && [new Date(moment.first).toISOString(), new Date(moment.last).toISOString()]
}

describe('a moment', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['yesterday', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    [' Today ', '2026-11-22T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
    ['tomorrow', '2026-11-23T00:00:00.000Z', '2026-11-23T23:59:59.999Z'],
    ['last friday', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['Last  Sunday', '2026-11-15T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
    ['last week', '2026-11-09T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
    ['this week', '2026-11-16T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
    ['last month', '2026-10-01T00:00:00.000Z', '2026-10-31T23:59:59.999Z'],
    ['this year', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['31 January 2026', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
    ['Jan 31, 2027', '2027-01-31T00:00:00.000Z', '2027-01-31T23:59:59.999Z'],
    ['1st of December', '2025-12-01T00:00:00.000Z', '2025-12-01T23:59:59.999Z'],
    ['22 nov', '2026-11-22T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
    ['29 February', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['3d', '2026-11-19T10:30:00.000Z', '2026-11-19T10:30:00.000Z'],
    ['2w', '2026-11-08T10:30:00.000Z', '2026-11-08T10:30:00.000Z'],
    ['90m', '2026-11-22T09:00:00.000Z', '2026-11-22T09:00:00.000Z'],
    ['2026-11-20T08:00:00+02:00', '2026-11-20T06:00:00.000Z', '2026-11-20T06:00:00.000Z'],
  ])('%s lasts from %s to %s', (text, first, last) => {
    expect(at(text)).toEqual([first, last])
  })

  it.each([
    '',
    'soon',
    'friday',
    'this friday',
    'next day',
    'last toString',
    '2026-02-30',
    '2026-02-30T10:00Z',
    '2027-04-31T10:00:00+02:00',
    '2026-13-01',
    '3y',
    '-3d',
    '2026-11-20T08:00',
    'toString',
    '20-11-2026',
    '30 February 2026',
    '0 May',
    '5 Lenz 2026',
    'May 2026',
  ])('is not meant by %j', (text) => {
    expect(at(text)).toBeUndefined()
  })

  it('never ends before it begins', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const moment = momentOf(text, now)
        if (moment !== undefined) expect(moment.last).toBeGreaterThanOrEqual(moment.first)
      }),
    )
  })
})

describe('a moment to come', () => {
  it.each([
    ['tomorrow', '2026-11-23T23:59:59.999Z'],
    ['today', '2026-11-22T23:59:59.999Z'],
    ['next friday', '2026-11-27T23:59:59.999Z'],
    ['next sunday', '2026-11-29T23:59:59.999Z'],
    ['next week', '2026-11-29T23:59:59.999Z'],
    ['next month', '2026-12-31T23:59:59.999Z'],
    ['next year', '2027-12-31T23:59:59.999Z'],
    ['yesterday', '2026-11-21T23:59:59.999Z'],
    ['2w', '2026-12-06T23:59:59.999Z'],
    ['0d', '2026-11-22T23:59:59.999Z'],
    ['90m', '2026-11-22T12:00:00.000Z'],
    ['2026-12-24', '2026-12-24T23:59:59.999Z'],
  ])('%s lasts until %s', (text, last) => {
    expect(new Date(comingMomentOf(text, now)?.last ?? 0).toISOString()).toBe(last)
  })

  it('lies as far ahead as the same span lies behind', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), fc.constantFrom('m', 'h', 'd', 'w'), (count, unit) => {
        const span = `${count}${unit}`
        const [ahead, behind] = [comingMomentOf(span, now), momentOf(span, now)]
        expect((ahead?.first ?? 0) - now).toBe(now - (behind?.first ?? 0))
        expect((ahead?.first ?? 0) - now).toBe(spanOf(span))
      }),
    )
  })

  it('ends its day where it names one', () => {
    expect(comingMomentOf('1 May', now)?.first).toBe(Date.parse('2027-05-01T00:00:00Z'))
    expect(endsDay(comingMomentOf('2026-12-24', now)?.last ?? 0)).toBe(true)
    expect(endsDay(comingMomentOf('2w', now)?.last ?? 0)).toBe(true)
    expect(endsDay(comingMomentOf('5h', now)?.last ?? 0)).toBe(false)
  })
})
