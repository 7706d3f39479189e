import { describe, expect, it } from 'vitest'
import { figuresOf } from '../../src/core/quantities/figures.ts'
import { rules, sentencesOf, tellsTrouble } from '../../src/dreams/reading/cues.ts'
import { spansOf } from '../../src/dreams/reading/days.ts'
import { hoursIn } from '../../src/dreams/reading/hours.ts'
import { limitsOf } from '../../src/dreams/reading/limits.ts'
import { tail } from '../../src/dreams/reading/pattern.ts'
import { clausesOf, isEveryday, tokensOf } from '../../src/dreams/reading/reading.ts'
import { localDay, passage, quote } from '../../src/dreams/reading/wording.ts'

const monday = localDay(Date.UTC(2026, 2, 9, 9), 'UTC')
const written = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10)

describe('the days a note names', () => {
  it.each([
    ['a report by noon on Friday 26 June', '2026-06-26', '2026-06-26', true],
    ['back by Friday the 20th', '2026-03-20', '2026-03-20', true],
    ['with family from Tue 14 April through and including the 22nd', '2026-04-14', '2026-04-22', false],
    ['at the fair from Monday 12 to Wednesday 14 October', '2026-10-12', '2026-10-14', false],
    ['closed 13-15 March', '2026-03-13', '2026-03-15', false],
    ['a desk before the first of October', '2026-10-01', '2026-10-01', true],
    ['shut from Tuesday 23 June in the evening until Friday the 26th', '2026-06-23', '2026-06-26', false],
    ['has the 27th to the 3rd of April off', '2026-03-27', '2026-04-03', false],
    ['away 27 to 3 April', '2026-03-27', '2026-04-03', false],
    ['due 2026-04-02', '2026-04-02', '2026-04-02', true],
    ['call them tomorrow', '2026-03-10', '2026-03-10', false],
    ['paid on the 31st', '2026-03-31', '2026-03-31', false],
    ['done by Thursday', '2026-03-12', '2026-03-12', true],
    ['done by Thur', '2026-03-12', '2026-03-12', true],
    [
      'goes up on Monday 8 June and comes back to us on the Friday, the 12th',
      '2026-06-08',
      '2026-06-12',
      false,
    ],
    ['the slip from Monday 8 June, nine working days', '2026-06-08', '2026-06-18', false],
    ['shut 8 June for three days', '2026-06-08', '2026-06-10', false],
    ['over the third weekend of June, that is Saturday the 20th', '2026-06-20', '2026-06-21', false],
    ['pallets come on the last Thursday of the month', '2026-03-26', '2026-03-26', false],
    ['sails on the second Saturday in July', '2026-07-11', '2026-07-11', false],
    ['dark over the second weekend of June', '2026-06-13', '2026-06-14', false],
    ['done by the first Monday of next month', '2026-04-06', '2026-04-06', true],
    ['cataract on Thursday the 28th of May, no driving for a week after', '2026-05-28', '2026-06-03', false],
    ['launch on Monday 10 August, about five days without a break', '2026-08-10', '2026-08-14', false],
    ['poured on Saturday 23 May, and until the Monday after no foot', '2026-05-23', '2026-05-25', false],
    ['resin on Sat 28 March. Nobody sets foot inside till Monday morning', '2026-03-28', '2026-03-30', false],
    ['begins at noon on Friday 12 June and goes on to noon the next day', '2026-06-12', '2026-06-13', false],
    ['on the road from 12 June for twelve weeks', '2026-06-12', '2026-06-12', false],
    ['the fair on 12 June, two weeks later than usual', '2026-06-12', '2026-06-12', false],
    ['fixed for the 14th of next month', '2026-04-14', '2026-04-14', false],
    ['our stand is there Wednesday 10 and Thursday 11 June', '2026-06-10', '2026-06-11', false],
    ['on the phones from Wednesday the 8th', '2026-04-08', '2026-04-08', false],
    ['reopens Monday 8 June, tills promised for that whole week', '2026-06-08', '2026-06-14', false],
    [
      'a lorry takes them on Thursday 11 June and brings them on the Tuesday',
      '2026-06-11',
      '2026-06-16',
      false,
    ],
    ['cold on Friday 12 June, can fire again Saturday midday', '2026-06-12', '2026-06-13', false],
    [
      'begins Monday 8 June; nothing is launched over it until Friday the 19th',
      '2026-06-08',
      '2026-06-19',
      false,
    ],
    ['off from Friday 5 June 18:00 until Sunday evening the 7th', '2026-06-05', '2026-06-07', false],
    ['off from Friday 5 June 18:00 until Sunday', '2026-06-05', '2026-06-07', false],
    ['closed from 3 June 20:00 to the morning of the 5th', '2026-06-03', '2026-06-05', false],
    ['sanded 2 to 6 June. Nobody in before Tuesday the 9th', '2026-06-02', '2026-06-08', false],
    ['the ceremony is on Monday fortnight', '2026-03-23', '2026-03-23', false],
    ['shut on Friday week', '2026-03-20', '2026-03-20', false],
    ['a week on Friday they are here', '2026-03-20', '2026-03-20', false],
    ['the Friday after next is off', '2026-03-20', '2026-03-20', false],
    ['here at seven on Thursday of next week', '2026-03-19', '2026-03-19', false],
    ['next week on Friday at ten', '2026-03-20', '2026-03-20', false],
    ['this coming Saturday', '2026-03-14', '2026-03-14', false],
    ['the cup is on Saturday in two weeks, at seven', '2026-03-28', '2026-03-28', false],
    ['the move: Friday in a fortnight', '2026-03-27', '2026-03-27', false],
    ['fixed for Thursday of the week after next', '2026-03-26', '2026-03-26', false],
    ['at the boathouse at noon a fortnight from today', '2026-03-23', '2026-03-23', false],
    ['locked in the first week of June', '2026-06-01', '2026-06-07', false],
    ['three weeks from Wednesday they are back', '2026-04-01', '2026-04-01', false],
    ['here the day after tomorrow', '2026-03-11', '2026-03-11', false],
    ['new ones before the end of March', '2026-03-31', '2026-03-31', true],
    ['a quote by the end of next month', '2026-04-30', '2026-04-30', true],
  ])('"%s"', (text, from, to, due) => {
    const [span] = spansOf(text, monday)
    expect(span && [written(span.from), written(span.to), span.due]).toEqual([from, to, due])
  })

  it('a stretch with both weekdays is one span', () => {
    expect(spansOf('from Sunday the 15th to Sunday the 22nd of March', monday)).toHaveLength(1)
  })

  it('two days that are not next to each other are no stretch', () => {
    expect(
      spansOf('market on 4 and 11 June', monday).map(({ from, to }) => [written(from), written(to)]),
    ).toEqual([['2026-06-11', '2026-06-11']])
  })

  it('the end of a month is a day to be done by, and no day on which anything is', () => {
    expect(spansOf('done by the end of June', monday)).toMatchObject([{ due: true, loose: true }])
  })

  it('"next Monday" is a guess until that week is the next one', () => {
    expect(spansOf('They come next Friday', monday)).toMatchObject([{ loose: true }])
    expect(spansOf('They come next Monday', monday)).toMatchObject([
      { loose: false, from: monday.number + 7 },
    ])
  })

  it('a version, a share and a time of day are no day', () => {
    expect(spansOf('Version 4.12, at 21:30, 15 % in march order', monday)).toEqual([])
  })

  it('a habit of each month is no day', () => {
    expect(spansOf('Choir meets every first Monday of the month', monday)).toEqual([])
    expect(spansOf('The hen last sat in May', monday)).toEqual([])
  })

  it('a day that its month does not have is none, nor is a year below 1000', () => {
    expect(spansOf('Due on 31 February, February 30 or 2026-02-31; closed 29-31 April', monday)).toEqual([])
    expect(spansOf('Born 0012-03-04', monday)).toEqual([])
    const april = localDay(Date.UTC(2026, 3, 9, 9), 'UTC')
    expect(spansOf('Paid on the 31st', april).map(({ from }) => written(from))).toEqual(['2026-05-31'])
  })

  it('the hours beside them are told, a single one lasts an hour', () => {
    expect(spansOf('On 16 October between eight and twelve', monday)[0]?.hours).toEqual([480, 720])
    expect(spansOf('16 October at 9', monday)[0]?.hours).toEqual([540, 600])
    expect(spansOf('16 October from eight in the morning until about two', monday)[0]?.hours).toEqual([
      480, 840,
    ])
  })

  it.each([
    [
      'Dentist on Monday 9 March at 9:00, dinner with Ana on Tuesday 10 March at 19:00',
      [
        [540, 600],
        [1_140, 1_200],
      ],
    ],
    ['Standup moved to 09:15 daily. The board meets on 12 March at 14:00', [[840, 900]]],
    ['The board meets at 14:00 on 12 March', [[840, 900]]],
    [
      'Samples go out by noon on 12 March, pick-up is at 14:00 on 16 March',
      [
        [720, 780],
        [840, 900],
      ],
    ],
    ['Dentist on 12 March at 9:00. Rent is due on 16 March', [[540, 600], undefined]],
    [
      'Choir on Thursday 12 March and on Thursday 19 March at 18:00',
      [
        [1_080, 1_140],
        [1_080, 1_140],
      ],
    ],
    ['The stand-up moves to 9:45 as of tomorrow. Trains come at 9:33', [[585, 645]]],
    ['Rent is due on 12 March. At 14:00 the board, 16 March', [undefined, [840, 900]]],
    ['Paid on 12 March. Rehearsal 16 March, 18:00 to 20:00', [undefined, [1_080, 1_200]]],
  ])('are those of their own day: "%s"', (text, hours) => {
    expect(spansOf(text, monday).map((span) => span.hours)).toEqual(hours)
  })

  it('are known with their places, of two equal dates as well', () => {
    const text = 'On 12 March the lift stands still; the fitters come on 12 March'
    expect(spansOf(text, monday).map(({ start }) => start)).toEqual([3, text.lastIndexOf('12')])
  })

  it.each([
    ['on the 14th at seven in the evening', [1_140, 1_200]],
    ['Wednesday the 14th, seven in the evening, at the school', [1_140, 1_200]],
    ['from six in the morning until the evening', [360, 1_380]],
    ['closed from one at night till seven in the morning', [60, 420]],
    ['22:00 to 04:00', [1_320, 1_440]],
    ['from six in the evening till midnight', [1_080, 1_439]],
    ['at 4 May', undefined],
    ['from 9.30 pm to 11 pm', [1_290, 1_380]],
    ['at 12 at night', [0, 60]],
  ])('%s', (text, hours) => {
    expect(hoursIn(text)[0]?.hours).toEqual(hours)
  })
})

describe('the figures of a note', () => {
  it.each([
    ['just under a quarter of an hour', 900, 'duration'],
    ['half an hour before it was green', 1_800, 'duration'],
    ['an hour and twenty minutes', 4_800, 'duration'],
    ['2h05 instead', 7_500, 'duration'],
    ['2,900 ms', 2.9, 'duration'],
    ['about 14 thousand nine', 14_900, 'plain'],
    ['makes it fifteen and a half', 15.5, 'plain'],
    ['nought point nine five', 0.95, 'plain'],
    ['three hundred and forty euros', 340, 'money'],
    ['€16,300 now', 16_300, 'money'],
    ['212 GB', 212_000, 'size'],
    ['96 % full', 96, 'share'],
    ['26 min 10 s for all rows', 1_570, 'duration'],
    ['9 min 05 s on the runner', 545, 'duration'],
    ['battery 3.92 V', 3.92, 'voltage'],
    ['480 mV', 0.48, 'voltage'],
    ['an hour fifty-two, straight through', 6_720, 'duration'],
    ['two minutes ten', 130, 'duration'],
    ['1h05 instead of 50 min', 3_900, 'duration'],
    ['a minute and a half', 90, 'duration'],
    ['two and half minutes', 150, 'duration'],
    ['from 02:00 to 03:26', 5_160, 'duration'],
    ['5-10 min', 450, 'duration'],
    ['half a litre', 0.5, 'volume'],
    ['a pint and a half of oil', 0.852, 'volume'],
    ['700 ml', 0.7, 'volume'],
    ['11 lb', 4.989_6, 'mass'],
    ['four and a third kilos', 4.333_333_333, 'mass'],
    ['53 °F', 11.666_666_667, 'temperature'],
    ['a bit over a third of its disk', 33.333_333_333, 'share'],
    ['1 in 28 people', 3.571_428_571, 'share'],
    ['three in every hundred', 3, 'share'],
    ['19 out of 46', 41.304_347_826, 'share'],
    ['a dozen and a half cases', 18, 'plain'],
    ['half a dozen trays', 6, 'plain'],
    ['half a million rows', 500_000, 'plain'],
    ['0.25 m3/day', 250, 'volume'],
    ['takes 0.3m³', 300, 'volume'],
    ['a quarter of a million now', 250_000, 'plain'],
    ['three quarters of a million', 750_000, 'plain'],
    ['5k rows', 5_000, 'plain'],
    ['5M rows', 5_000_000, 'plain'],
    ['5m of cable', 5, 'length'],
    ['€1.5M a year', 1_500_000, 'money'],
    ['800K lines', 800_000, 'plain'],
    ['passed me one mail in ten and dealt with the rest', 10, 'share'],
    ['two cards out of fifty were refused', 4, 'share'],
    ['every third mail came on to me', 33.333_333_333, 'share'],
    ['9 stone 5 on the old scale', 59.418, 'mass'],
    ['10 lb 2 oz', 4.592_7, 'mass'],
    ['-78.5 °C at the door', 78.5, 'frost'],
    ['reads minus eighty dead on', 80, 'frost'],
    ['the door reads seventy-one below.', 71, 'frost'],
    ['heard it a minute and five later', 65, 'duration'],
    ['0.65 of an hour for the import', 2_340, 'duration'],
    ['72 of 100 new players get through', 72, 'share'],
    ['says 69 of each hundred', 69, 'share'],
    ['a little over half get out', 50, 'share'],
    ['a hundred and twenty-odd twins', 120, 'plain'],
    ['little over 4 cubic', 4_000, 'volume'],
  ])('"%s"', (text, value, kind) => {
    const [figure] = figuresOf(text)
    expect(figure?.value).toBeCloseTo(value, 9)
    expect(figure?.kind).toBe(kind)
  })

  it('leave out versions of three parts, paths and times of day', () => {
    expect(figuresOf('4.13.1 at 12:50 in /v2/quote, 2026-03-04, #14, b4, x86_64')).toEqual([])
    expect(figuresOf('a third time at a quarter past, a 3-way merge')).toEqual([])
    expect(figuresOf('every third week, every fourth Tuesday')).toEqual([])
    expect(figuresOf('two meetings in ten days').map(({ kind }) => kind)).toEqual(['plain', 'duration'])
    expect(figuresOf('minus 5 % on all of it, --max-age=-1').map(({ kind }) => kind)).not.toContain('frost')
  })
})

describe('units of measure', () => {
  it('join no notes and are no matter of a limit, by whatever name', () => {
    const named = 'litres kW inches Hz gallons hrs kilograms months bytes'.split(' ')
    expect(
      named.filter((name) => !tokensOf(`a ${name}`).every(({ term }) => term === 'a' || isEveryday(term))),
    ).toEqual([])
    const [limit] = limitsOf('Use at most 300 litres of water a week.')
    expect([...(limit?.terms ?? [])]).toEqual(['us', 'water'])
  })

  it('that are other things, too, measure behind a number alone', () => {
    expect(['db', 'rpm', 'bar', 'lb'].filter(isEveryday)).toEqual([])
    const [clause] = clausesOf('The boiler holds 2 bar.')
    expect(clause?.content.has('bar')).toBe(false)
  })

  it.each([
    ['The budget is €500.', 'The budget is 500 euros.'],
    ['The lease runs two years.', 'The lease runs 24 months.'],
    ['The tank holds 2 cubic metres.', 'The tank holds 2000 litres.'],
    ['Backups take thirty minutes.', 'Backups take 30 min.'],
    ['The motor draws 1.5 kW.', 'The motor draws 1500 watts.'],
  ])('make one amount of %s and %s', (one, other) => {
    const amountsIn = (text: string): string[] =>
      clausesOf(text).flatMap(({ quantities }) =>
        quantities.map(({ measure, amount }) => `${measure} ${amount}`),
      )
    expect(amountsIn(one)).toEqual(amountsIn(other))
  })
})

describe('quotes', () => {
  it('keep a question mark and an exclamation mark, and no full stop', () => {
    expect(quote('Who owns this?')).toBe('“Who owns this?”')
    expect(quote('Sixty-two!')).toBe('“Sixty-two!”')
    expect(passage('Who owns this? Nobody could say.')).toBe('“Who owns this? Nobody could say”')
  })

  it('of a long note begin with the sentence that matters', () => {
    const long = `${'Something else entirely was said here. '.repeat(8)}The desk was promised by May. ${'More of the same followed. '.repeat(8)}`
    expect(passage(long, ['desk'], 120)).toContain('The desk was promised by May')
    expect(passage(long, ['desk'], 120).length).toBeLessThanOrEqual(122)
  })
})

describe('the chance of a pattern', () => {
  it('is that of the binomial tail', () => {
    expect(tail(4, 4, 0.2)).toBeCloseTo(0.0016, 9)
    expect(tail(3, 0, 0.5)).toBeCloseTo(1, 9)
    expect(tail(5, 3, 0.5)).toBeCloseTo(0.5, 9)
  })
})

describe('the sentences of a note', () => {
  it('an initial and a title end none', () => {
    expect(sentencesOf('K. stayed in bed, Dr. Ito came. All well by noon.')).toEqual([
      'K. stayed in bed, Dr. Ito came.',
      'All well by noon.',
    ])
    expect(quote('K. stayed in bed. Dr. Ito came.')).toBe('“K. stayed in bed”')
    expect(quote('K. stayed in bed. Dr. Ito came.', new Set(['ito']))).toBe('“Dr. Ito came”')
  })

  it('one that says what something was set up to do is no rule', () => {
    expect(rules('The pump only runs after the filter was changed, no exceptions')).toBe(true)
    expect(rules('Put the pump on a clock so that it only runs after ten')).toBe(false)
  })

  it('what went well for once is no trouble', () => {
    expect(tellsTrouble('Second sample useless, thrown away')).toBe(true)
    expect(tellsTrouble('No useless sample on the first go, for once')).toBe(false)
  })
})
