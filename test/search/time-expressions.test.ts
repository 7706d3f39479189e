import { describe, expect, test } from 'vitest'
import { easterOf, isoWeek, toDay } from '../../src/search/calendar.ts'
import { bestMeeting, readTimes } from '../../src/search/dates.ts'
import { findTimes, type Span } from '../../src/search/time-expressions.ts'

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
const show = ({ from, to, yearly }: Span): string => `${iso(from)}..${iso(to)}${yearly ? ' yearly' : ''}`

/** A Friday. */
const now = new Date(2026, 2, 20, 12).getTime()

describe('times in a text', () => {
  test.each([
    ['the lease ends on 2026-06-30', '2026-06-30..2026-06-30'],
    ['paid on 3 March 2024', '2024-03-03..2024-03-03'],
    ['paid on March 3rd, 2024', '2024-03-03..2024-03-03'],
    ['open 10–14 June', '2026-06-10..2026-06-14 yearly'],
    ['outage of 2 Nov.', '2026-11-02..2026-11-02 yearly'],
    ['31.12.2025 is a Wednesday', '2025-12-31..2025-12-31'],
    ['since February 2024', '2024-02-01..2024-02-29'],
    ['the freeze between 20 Dec and 6 Jan', '2026-12-20..2027-01-06 yearly'],
    ['in the second half of May', '2026-05-18..2026-05-31 yearly'],
    ['delivered in week 36', '2026-08-31..2026-09-06 yearly'],
    ['budget for Q3 2025', '2025-07-01..2025-09-30'],
    ['the last Thursday of June', '2026-06-25..2026-06-25 yearly'],
    ['closed on Good Friday', '2026-04-03..2026-04-03 yearly'],
  ])('"%s" names one', (text, expected) => {
    expect(findTimes(text, 2026).map(show)).toEqual([expected])
  })

  test.each([
    'may I march on with the spring boot upgrade',
    'timeout 2000 ms, port 2024/tcp',
    'version 17.2. is out',
    'the second quarantine rule',
    'fall back to the old parser',
  ])('"%s" names none', (text) => {
    expect(findTimes(text, 2026)).toEqual([])
  })
})

describe('times a question asks about', () => {
  test.each([
    ["what broke on New Year's Eve?", '2026-12-31..2026-12-31 yearly'],
    ['the morning after Halloween', '2026-11-01..2026-11-01 yearly'],
    ['two weeks before Christmas Eve', '2026-12-08..2026-12-12 yearly'],
    ['what happened last Tuesday', '2026-03-17..2026-03-17'],
    ['what did we do yesterday?', '2026-03-19..2026-03-19'],
    ['three days ago', '2026-03-17..2026-03-17'],
    ['what broke on Friday?', '2026-03-20..2026-03-20'],
    ['the deploy of next Monday', '2026-03-23..2026-03-23'],
    ['what we changed this morning', '2026-03-20..2026-03-20'],
    ['two months ago', '2026-01-08..2026-02-01'],
    ['the past three weeks', '2026-02-24..2026-03-02'],
    ['plans of last week', '2026-03-09..2026-03-15'],
    ['the weekend before last', '2026-03-07..2026-03-08'],
    ['in March last year', '2025-03-01..2025-03-31'],
    ['Easter Monday last year', '2025-04-21..2025-04-21'],
    ['last autumn', '2025-09-01..2025-11-30'],
    ['at the close of the third quarter', '2026-09-14..2026-09-30 yearly'],
    ['early in 2024', '2024-01-01..2024-05-27'],
    ['the first days of September', '2026-09-01..2026-09-06 yearly'],
    ['before December begins', '2026-11-17..2026-11-30 yearly'],
    ['the second day of the year', '2026-01-02..2026-01-02 yearly'],
  ])('"%s"', async (query, expected) => {
    expect((await readTimes(query, now)).spans.map(show)).toEqual([expected])
  })

  test('a part that stands before a list holds for all of it', async () => {
    const { spans } = await readTimes('due in the opening days of January and July', now)
    expect(spans.map(show)).toEqual(['2026-01-01..2026-01-07 yearly', '2026-07-01..2026-07-07 yearly'])
  })

  test.each(['how do we deploy?', 'which tests are slow', 'may I restart the broker'])(
    '"%s" asks about none',
    async (query) => {
      expect((await readTimes(query, now)).spans).toEqual([])
    },
  )

  test('a time that only a memory knows is told by the words for it', async () => {
    const { anchor } = await readTimes('what did we test the week before the checkout release?', now)
    expect(anchor?.phrase).toBe('checkout release')
    const day = toDay(2025, 9, 10)
    expect(show(anchor?.shift({ from: day, to: day, yearly: false }) as Span)).toBe('2025-09-03..2025-09-09')
  })
})

describe('how well times meet', () => {
  const on = (year: number, month: number, day: number): Span => {
    const at = toDay(year, month, day)
    return { from: at, to: at, yearly: false }
  }
  const june: Span = { from: toDay(2026, 6, 1), to: toDay(2026, 6, 30), yearly: true }

  test('a day within the asked month meets it fully, whatever its year where none is asked', () => {
    expect(bestMeeting([june], [on(2019, 6, 17)])).toBe(1)
  })

  test('nearer days meet better than farther ones, and hardly at all beyond', () => {
    const asked = [on(2026, 6, 17)]
    const met = [0, 1, 3, 10].map((off) => bestMeeting(asked, [on(2026, 6, 17 + off)]))
    expect(met).toEqual([...met].sort((a, b) => b - a))
    expect(met[0]).toBe(1)
    expect(met[3]).toBeLessThan(0.01)
  })

  test('a whole year says little of one day in it', () => {
    const year: Span = { from: toDay(2026, 1, 1), to: toDay(2026, 12, 31), yearly: false }
    expect(bestMeeting([on(2026, 6, 17)], [year])).toBeLessThan(0.1)
  })
})

test('Easter falls where the tables of the churches have it', () => {
  expect([2000, 2024, 2025, 2026, 2038].map((year) => iso(easterOf(year)))).toEqual([
    '2000-04-23',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2038-04-25',
  ])
})

test('the first week of a year is the one with its first Thursday', () => {
  expect([iso(isoWeek(2026, 1)), iso(isoWeek(2027, 1))]).toEqual(['2025-12-29', '2027-01-04'])
})
