import { describe, expect, test } from 'vitest'
import { easterOf, isoWeek, namedDays, type Span, seasons, toDay } from '../../src/search/calendar.ts'
import { bestMeeting, readTimes } from '../../src/search/dates.ts'
import { findTimes } from '../../src/search/time-expressions.ts'

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
    ['Termin am 27. November um 12 Uhr', '2026-11-27..2026-11-27 yearly'],
    ['at the gate, November 12 Uhr', '2026-11-01..2026-11-30 yearly'],
    ['born on 29 February', '2024-02-29..2024-02-29 yearly'],
    ['moved in this May', '2026-05-01..2026-05-31 yearly'],
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
    'paid on 31 February, or February 30th',
    'on 2026-02-31 and 31.02.2026',
    'a build of 0012-11-12, in 12',
    'this may break the build',
    'if it fails, may we retry',
    'we have to march through the list',
    'march 2 steps forward, may 12 machines restart',
    'the first may be wrong, the 12 may fail',
    'port 12, version 3.11, a second sun that sat',
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
    ['a year ago', '2025-01-19..2025-05-19'],
    ['in the last two years', '2024-03-20..2026-03-20'],
    ['in the last year', '2025-03-20..2026-03-20'],
    ['on leap day', '2024-02-29..2024-02-29 yearly'],
    ['the past three weeks', '2026-02-27..2026-03-20'],
    ['the past month', '2026-02-18..2026-03-20'],
    ['since 12 March', '2026-03-12..2026-03-20'],
    ['since December', '2025-12-01..2026-03-20'],
    ['what changed after 12 March 2026?', '2026-03-13..2026-03-20'],
    ['everything before 12 March', '1900-01-01..2026-03-11'],
    ['until 12 March', '1900-01-01..2026-03-12'],
    ['what is due before 12 April', '2026-03-20..2026-04-12'],
    ['what must be done by 12 April', '2026-03-20..2026-04-12'],
    ['what do I have to do before the 12th of April', '2026-03-20..2026-04-12'],
    ['what did we do before 12 March', '1900-01-01..2026-03-11'],
    ['since yesterday', '2026-03-19..2026-03-20'],
    ['since Tuesday', '2026-03-17..2026-03-20'],
    ['last Thanksgiving', '2025-11-27..2025-11-27'],
    ['after last Christmas', '2025-12-27..2026-03-20'],
    ['just after 12 March', '2026-03-12..2026-03-12 yearly'],
    ['since last week', '2026-03-09..2026-03-15'],
    ['what happened on Friday the 13th', '2026-03-13..2026-03-13'],
    ['what will happen on Friday the 13th', '2026-11-13..2026-11-13'],
    ['we met on the 13th', '2026-03-13..2026-03-13'],
    ['to pay by the 13th', '2026-04-13..2026-04-13'],
    ['in the week of 12 March 2026', '2026-03-09..2026-03-15'],
    ['on the 25th, what broke', '2026-02-25..2026-02-25'],
    ['on the 25th of this month', '2026-03-25..2026-03-25'],
    ['on Friday, 13 March 2026', '2026-03-13..2026-03-13'],
    ['what did we do on Monday', '2026-03-16..2026-03-16'],
    ['who sat with the sun team last Tuesday', '2026-03-17..2026-03-17'],
    ['what is planned in february', '2026-02-01..2026-02-28 yearly'],
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

  /** A Monday. */
  const monday = new Date(2026, 10, 23, 14).getTime()

  test.each([
    ['what happened from the 16th to the 18th', '2026-11-16..2026-11-18'],
    ['what happened between Nov 14 and 17', '2026-11-14..2026-11-17 yearly'],
    ['what did we do between the 4th and the 6th', '2026-11-04..2026-11-06'],
    ['what changed from the 28th until the 3rd', '2026-10-28..2026-11-03'],
    ['from the 4th to the 6th of last month', '2026-10-04..2026-10-06'],
    ['from Monday to Wednesday last week', '2026-11-16..2026-11-18'],
    ['what broke between Tuesday and Thursday', '2026-11-17..2026-11-19'],
    ['from Friday to Monday of last week', '2026-11-13..2026-11-16'],
    ['from Friday to Monday', '2026-11-20..2026-11-23'],
    ['what is due from Wednesday to Friday', '2026-11-25..2026-11-27'],
  ])('the range "%s" ends where it is told to', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(show)).toEqual([expected])
  })

  test.each([
    ['two Fridays ago', '2026-11-13'],
    ['what broke on Friday two weeks ago', '2026-11-13'],
    ['who was on call three weeks ago on Wednesday', '2026-11-04'],
    ['the call on Tuesday a fortnight ago', '2026-11-10'],
    ['Monday a week ago', '2026-11-16'],
    ['what broke three Mondays ago', '2026-11-02'],
    ['who was away the Tuesday before last', '2026-11-10'],
  ])('of "%s" the last that was is the first', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(show)).toEqual([`${expected}..${expected}`])
  })

  test.each([
    ['what did we do this Friday', ['2026-11-20']],
    ['what is due this Friday', ['2026-11-27']],
    ['can I deploy this Friday', ['2026-11-20', '2026-11-27']],
    ['what broke this Monday', ['2026-11-23']],
  ])('"%s" is the day that was or the one that comes, by the tense', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(show)).toEqual(expected.map((day) => `${day}..${day}`))
  })

  test.each([
    ['what did we change in the last month', '2026-10-24..2026-11-23'],
    ['what did we change last month', '2026-10-01..2026-10-31'],
    ['over the past week', '2026-11-16..2026-11-23'],
    ['the last couple of weeks', '2026-11-09..2026-11-23'],
    ['what was decided three weeks back', '2026-10-30..2026-11-05'],
    ['two days back', '2026-11-21..2026-11-21'],
    ['what was deployed recently', '2026-11-02..2026-11-23'],
  ])('"%s" is counted from today', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(show)).toEqual([expected])
  })

  test('who joined recently is no time', async () => {
    expect((await readTimes('what may a recently joined developer see', monday)).spans).toEqual([])
  })

  test.each([
    'Q4',
    'the first week of November',
    'Good Friday',
    'yesterday evening',
    'what changed since Thursday',
  ])('"%s" asks for the notes of a time and nothing else', async (query) => {
    expect(await readTimes(query, monday)).toMatchObject({ only: true })
  })

  test('a number alone is no year', async () => {
    expect(await readTimes('2024', monday)).toMatchObject({ only: false })
  })

  test.each([
    ['what happened since the release', 'release', '2026-11-12..2026-11-23'],
    ['what changed after the 3.4 release?', '3.4 release', '2026-11-12..2026-11-23'],
    ['anything new since our release?', 'release', '2026-11-12..2026-11-23'],
    ['what did we do before the code freeze', 'code freeze', '1900-01-01..2026-11-11'],
    ['what happened the week before our release', 'release', '2026-11-05..2026-11-11'],
    ['the week before our release', 'release', '2026-11-05..2026-11-11'],
    ['before the release', 'release', '1900-01-01..2026-11-11'],
  ])('"%s" asks for all notes from an event on, or up to it', async (query, phrase, expected) => {
    const { anchor, only } = await readTimes(query, monday)
    expect({ phrase: anchor?.phrase, only }).toEqual({ phrase, only: true })
    const day = toDay(2026, 11, 12)
    expect(show(anchor?.shift({ from: day, to: day, yearly: false }) as Span)).toBe(expected)
  })

  test.each([
    'what broke since the release',
    'who paid before the price change',
    'what do we do after the deploy',
    'what to do before the release',
    'what happens the day after the deploy',
  ])('"%s" asks for something', async (query) => {
    expect(await readTimes(query, monday)).toMatchObject({ only: false })
  })

  test.each([
    ['what is happening on Wednesday', ['2026-11-25']],
    ['what is on the 25th', ['2026-11-25']],
    ['who comes on Friday', ['2026-11-27']],
    ['what is planned for Thursday', ['2026-11-26']],
    ['what do we have on Thursday', ['2026-11-26']],
    ['who is coming on the 27th', ['2026-11-27']],
    ['what happened on Wednesday', ['2026-11-18']],
    ['what did we do on Friday', ['2026-11-20']],
    ['what was planned for Thursday', ['2026-11-19']],
    ['notes from Thursday', ['2026-11-19']],
    ['do we know what broke on Friday', ['2026-11-20']],
    ['deploy on Friday', ['2026-11-20', '2026-11-27']],
    ['the backup on the 25th', ['2026-10-25', '2026-11-25']],
    ['what did we say is due on Friday', ['2026-11-20', '2026-11-27']],
  ])('the tense of "%s" tells which day', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(({ from }) => iso(from))).toEqual(expected)
  })

  test.each([
    ['what happened over the weekend', '2026-11-21..2026-11-22'],
    ['what broke on the weekend?', '2026-11-21..2026-11-22'],
    ['at the weekend', '2026-11-21..2026-11-22'],
    ['what changed since the weekend', '2026-11-21..2026-11-23'],
    ['what is planned for the weekend', '2026-11-28..2026-11-29'],
  ])('"%s" tells of the last weekend, or the next', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(show)).toEqual([expected])
  })

  test('on a Sunday "over the weekend" is this one', async () => {
    const sunday = new Date(2026, 10, 22, 14).getTime()
    const { spans } = await readTimes('what broke over the weekend', sunday)
    expect(spans.map(show)).toEqual(['2026-11-21..2026-11-22'])
  })

  test.each([
    ['on Monday of last week', '2026-11-16'],
    ['what happened Monday last week', '2026-11-16'],
    ['on the Friday of last week', '2026-11-20'],
    ['what is due on Monday next week', '2026-11-30'],
    ['what did we do on Tuesday the week before last', '2026-11-10'],
  ])('"%s" is one day', async (query, expected) => {
    expect((await readTimes(query, monday)).spans.map(show)).toEqual([`${expected}..${expected}`])
  })

  test('"since last week" asks for more than that week', async () => {
    expect(await readTimes('what did we do since last week', now)).toMatchObject({ only: false })
  })

  test('a part that stands before a list holds for all of it', async () => {
    const { spans } = await readTimes('due in the opening days of January and July', now)
    expect(spans.map(show)).toEqual(['2026-01-01..2026-01-07 yearly', '2026-07-01..2026-07-07 yearly'])
  })

  test.each([
    'how do we deploy?',
    'which tests are slow',
    'may I restart the broker',
    'this may break, may it not?',
    'march through port 12 of version 3.11',
    'the second sun server',
    'who sat on the 13th floor',
    'the 5th replica',
    'the meeting on 31 february',
    'what did we do in 12',
    'on sun hardware',
    'error 2024 in room 2025',
    'may I deploy on Friday',
    'can we ship on a Friday',
    'should we merge on Friday?',
    'is it ok to deploy on Fridays',
    'are agents allowed to push on Friday',
    'could I push on the weekend',
    'the weekend deploy',
    'moved from the 3rd to the 4th generation',
  ])('"%s" asks about none', async (query) => {
    const { spans, subject, only } = await readTimes(query, now)
    expect({ spans, subject, only }).toEqual({ spans: [], subject: query, only: false })
  })

  test.each([
    ['of blanks', `what was yesterday${' '.repeat(60_000)}x`, 'what was x'],
    [
      'of weeks',
      `what broke yesterday in billing ${'two weeks '.repeat(6_000)}ago`,
      /^what broke in billing two weeks/,
    ],
  ])('a long question %s is read as soon as a short one', async (_, query, subject) => {
    const { user } = process.cpuUsage()
    const asked = await readTimes(query, now)
    // Microseconds: it takes tens of thousands of them, and took more than ten million.
    expect(process.cpuUsage().user - user).toBeLessThan(3_000_000)
    expect(asked.spans).toHaveLength(1)
    expect(asked.subject).toEqual(typeof subject === 'string' ? subject : expect.stringMatching(subject))
  })

  test.each([
    ['notes from yesterday about billing', 'billing'],
    ['what broke on Friday the 13th?', 'what broke?'],
    ['what did we decide in August last year about JSON', 'what did we decide about JSON'],
    ['which server failed in mid-March 2024?', 'which server failed?'],
    ["yesterday's deploy", 'deploy'],
    ['where are the winter tyres from last year', 'where are the winter tyres'],
    ['what did Jan say in March, April and June', 'what did Jan say'],
    ['what did June do last week', 'what did June do'],
    ['has April finished the rota since Monday', 'has April finished the rota'],
    ['the Christmas tree of 2024', 'the Christmas tree'],
    ['HR setting to alter before December begins', 'HR setting to alter'],
    ['logs/2026-03-12.gz is broken', 'logs/2026-03-12.gz is broken'],
  ])('"%s" is about "%s"', async (query, subject) => {
    expect(await readTimes(query, now)).toMatchObject({ subject, only: false })
  })

  test.each([
    'notes from yesterday',
    'what did we do last week',
    'what did we note in March?',
    "anything from Valentine's Day?",
    'please show me everything since 12 March',
    'what comes up in December?',
    'events in December',
    'anything scheduled for Friday?',
    'what happened in the morning of 20 November?',
    'today',
  ])('"%s" asks for nothing else', async (query) => {
    expect(await readTimes(query, now)).toMatchObject({ only: true })
  })

  /** What a pattern without alternatives but in groups stands for, each word with a capital. */
  function spellings(pattern: string): string[] {
    const [all, group, optional, letter] = /\(\?:([^()]*)\)(\??)|(\\?[^()])\?/.exec(pattern) ?? []
    if (all === undefined) return [pattern.replace(/(?<![\w'])[a-z]/g, (first) => first.toUpperCase())]
    const choices = [
      ...(group?.split('|') ?? [letter?.replace('\\', '') ?? '']),
      ...(optional === '' ? [] : ['']),
    ]
    return choices.flatMap((choice) => spellings(pattern.replace(all, () => choice)))
  }

  test.each(
    [...namedDays, ...seasons].flatMap(([pattern, of]) =>
      (pattern.match(/(?:\([^()]*\)|[^|(])+/g) ?? [])
        .flatMap(spellings)
        .map((name) => [name, of(2026)] as const),
    ),
  )('%s is read', async (name, [from, to]) => {
    const { spans } = await readTimes(`what happened in ${name}?`, now)
    expect(spans.map(show)).toEqual([show({ from, to, yearly: true })])
  })

  test.each([
    'what did May do?',
    'why did april change the boiler settings',
    'when will Jun be back?',
    'is August on holiday?',
    'which assumption was wrong?',
    'what is the assumption behind the cache',
    'Assumption of the plan',
  ])('"%s" is about no feast', async (query) => {
    expect((await readTimes(query, now)).spans).toEqual([])
  })

  test('a time that only a memory knows is told by the words for it', async () => {
    const { anchor } = await readTimes('what did we test the week before the checkout release?', now)
    expect(anchor?.phrase).toBe('checkout release')
    const day = toDay(2025, 9, 10)
    expect(show(anchor?.shift({ from: day, to: day, yearly: false }) as Span)).toBe('2025-09-03..2025-09-09')
  })
})

test('a range that ends in the next year ends on its last day, in a leap year, too', () => {
  expect(findTimes('between October and March', 2027).map(show)).toEqual(['2027-10-01..2028-03-31 yearly'])
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

  test('a day beyond the date that a range is open from is as far as from a day', () => {
    const since: Span = { from: toDay(2020, 1, 1), to: toDay(2026, 6, 17), yearly: false, open: true }
    expect(bestMeeting([since], [on(2024, 2, 2)])).toBe(1)
    expect(bestMeeting([since], [on(2019, 12, 20)])).toBeLessThan(0.01)
  })

  test.each([
    ['Thanksgiving', [2025, 11, 27], [2025, 11, 26]],
    ['Easter Monday', [2025, 4, 21], [2025, 4, 6]],
    ['the day before Good Friday', [2024, 3, 28], [2024, 4, 2]],
    ['from Good Friday to Easter Monday', [2024, 3, 30], [2024, 4, 4]],
  ] as const)('of "%s" every year has its own date', (words, its, other) => {
    const asked = findTimes(words, 2026)
    const [day, otherDay] = [on(its[0], its[1], its[2]), on(other[0], other[1], other[2])]
    expect(bestMeeting(asked, [day])).toBe(1)
    expect(bestMeeting([day], asked)).toBeGreaterThanOrEqual(0.5)
    expect(bestMeeting(asked, [otherDay])).toBeLessThan(0.5)
    expect(bestMeeting(asked, findTimes(words, its[0]))).toBe(1)
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
