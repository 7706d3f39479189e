import { describe, expect, it } from 'vitest'
import { thinkAtOnce } from '../../../src/dreams/thinking.ts'
import { dream, inputOf, ofKind } from '../night-input.ts'
import { dreamOfGroups, readerOf } from '../reader.ts'

/** A moment in March, hours after nine. */
const at = (on: number, hours: number): number => Date.UTC(2026, 2, on, 9) + hours * 3_600_000

/** Notes of no interest on all days of a month, each so many hours after nine. */
const archive = (hoursOf: (index: number) => number) =>
  Array.from({ length: 80 }, (_, index) => {
    const on = 1 + (index % 28)
    return [on, `Ordinary matter number ${index} of the archive`, { at: at(on, hoursOf(index)) }] as const
  })

describe('recurrences', () => {
  it('a subject of two words on three days is a theme', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [3, 'Checkout test flaky again, passed on the second run'],
        [8, 'Release delayed by an hour because the checkout test was flaky'],
        [12, 'Reran the flaky checkout test four times'],
      ]),
    )
    expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2, 3]])
    expect(found[0]?.thought).toMatch(/three/i)
  })

  it('a thing that is without what it needs, or cannot be used, is in trouble', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [3, 'Card terminal without network from seven until ten'],
        [8, 'Card terminal: no card payments after six'],
        [12, 'Could not take money by the card terminal'],
      ]),
    )
    expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2, 3]])
  })

  it('names those who noted it, and of whoever gave no name that there are others', () => {
    const texts = [
      'Card terminal without network from seven until ten',
      'Card terminal: no card payments after six',
      'Could not take money by the card terminal',
    ]
    const by = (agents: readonly string[]) =>
      ofKind('recurrence', dream(agents.map((agent, at) => [3 + 4 * at, texts[at] ?? '', { agent }])))[0]
        ?.thought
    expect(by(['ben', 'default', 'dana'])).toContain('noted three times by ben, dana and others since')
    expect(by(['ben', 'default', 'ben'])).toContain('noted three times by ben and others since')
    expect(by(['default', 'default', 'default'])).toContain('noted three times since')
  })

  it('a flag warns of trouble and is none that came back', () => {
    const found = (caution: number) =>
      ofKind(
        'recurrence',
        dream([
          [3, 'Card terminal without network from seven until ten'],
          [8, 'Card terminal: no card payments after six'],
          [12, 'Card terminals fail when the network is down, keep a cash box', { caution }],
        ]),
      )
    expect(found(0)).toHaveLength(1)
    expect(found(0.6)).toEqual([])
  })

  it('what hangs somewhere is in none', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [3, 'Duty roster hangs in the passage'],
        [8, 'Duty roster for the harvest hangs by the stove'],
        [12, 'Duty roster is new and hangs over the sink'],
      ]),
    )
    expect(found).toEqual([])
  })

  it.each([2026, 1942])(
    'trouble on one weekday beyond chance is told so, with what else happens then: %d',
    (year) => {
      // A calendar repeats itself every 28 years.
      const back = (2026 - year) * 365.25 * 86_400_000
      const routine = Array.from(
        { length: 60 },
        (_, at) => [1 + at, `Ordinary matter number ${at} of the archive`, { agent: 'clerk' }] as const,
      )
      const { notes, ...rest } = inputOf(
        [
          [1, 'The cleaners come every Monday before nine'],
          [2, 'Scale drifts, weighing failed twice'],
          [9, 'Weighing failed, the scale shows nonsense'],
          [16, 'Scale useless before noon, weighing failed'],
          [23, 'Scale failed again while weighing'],
          [30, 'No weighing today, the scale failed'],
          ...routine,
        ],
        { now: 1_777_000_000_000 - back },
      )
      const then = notes.map((note) => ({ ...note, at: note.at - back }))
      const found = ofKind('recurrence', thinkAtOnce({ ...rest, notes: then }))
      expect(found[0]?.thought).toContain('Monday all five times')
      expect(found[0]?.thought).toContain('cleaners come every Monday')
      expect(found[0]?.reasons.join(' ')).toContain('by chance in')
    },
  )

  it('a weekday that chance explains is not told', () => {
    const found = dream([
      [2, 'Search timeouts before noon'],
      [9, 'More search timeouts before noon, then quiet'],
      [16, 'Search timeouts yet again before noon'],
    ])
    expect(found.map(({ thought }) => thought).join(' ')).not.toContain('Monday')
  })

  /** Scanners that are offline so many hours after each change of the firewall's rules; routine on all days. */
  const afterRules = ([first, second, third]: readonly [number, number, number]) =>
    ofKind(
      'recurrence',
      dream([
        [3, 'Merged the firewall rules of the warehouse', { at: at(3, 0) }],
        [3, 'Scanners offline in hall two', { at: at(3, first) }],
        [11, 'Changed two firewall rules', { at: at(11, 1) }],
        [11, 'All scanners offline for a while', { at: at(11, 1 + second) }],
        [20, 'Removed old firewall rules', { at: at(20, 0) }],
        [20, 'Hall two: scanners offline', { at: at(20, third) }],
        ...archive((index) => 4 + (index % 5)),
      ]),
    )

  it('trouble each time soon after one kind of change is told with the change', () => {
    expect(afterRules([0.5, 0.6, 0.7])[0]?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('what comes within a minute is told in a minute, not minutes', () => {
    expect(afterRules([0.5, 0.6, 0.7])[0]?.thought).toContain('within 42 minutes of another')
    expect(afterRules([0.01, 0.02, 0.02])[0]?.thought).toContain('within 1 minute of another')
  })

  /** A lorry on some days, and a gate that sticks the morning after; routine on all days. */
  const afterLorries = (days: readonly number[], gate = 'Slipway gate would not close') => {
    return ofKind(
      'recurrence',
      dream([
        ...days.flatMap((on, index) => [
          [on, `The gravel lorry came through, load ${index}`, { at: at(on, 6) }] as const,
          [on + 1, `${gate}, try ${index}`, { at: at(on + 1, 0.3 * index) }] as const,
        ]),
        ...archive((index) => 1 + (index % 9)),
      ]),
    ).filter(({ thought }) => thought.includes('one thing came within'))
  }

  it('one thing that comes the day after another is told, whatever the two say', () => {
    const [told] = afterLorries([3, 11, 20])
    expect(told?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5, 6])
    expect(told?.thought).toContain('Three times')
  })

  it('but not what both do on their weekday', () => {
    expect(afterLorries([3, 10, 17])).toEqual([])
  })

  it('nor plans, whose notes tell when they were made', () => {
    expect(afterLorries([3, 11, 20], 'Slipway gate is to be painted on 27 March')).toEqual([])
    expect(afterLorries([3, 11, 20], 'Slipway gate was painted')).toHaveLength(1)
  })

  /** School classes and a full tank, each in other words; only their vectors say what is what. */
  const visits = [
    'Year four all morning',
    'St Bede, loud',
    'Kellerby Juniors arrived',
    'Hilltop brought thirty',
  ]
  const tanks = ['Beeps, full to its edge', 'Brimming, light red', 'Screaming again', 'Alarm on, empty me']
  const afterVisits = (
    days: readonly number[],
    {
      off = '',
      after = 'Not even half, left it so',
      alike = 0.3,
      wrong = true,
      again = 0.5,
      causes = 0.3,
    } = {},
  ) =>
    ofKind(
      'recurrence',
      dreamOfGroups(
        [
          ...days.flatMap((on, index) => [
            [on, visits[index] ?? '', { at: at(on, 1), agent: 'kit' }] as const,
            [on, tanks[index] ?? '', { at: at(on, 4.5), agent: index % 2 === 0 ? 'ben' : 'ada' }] as const,
          ]),
          ...(off === ''
            ? []
            : ([
                [24, off, { at: at(24, 1), agent: 'kit' }],
                [24, after, { at: at(24, 4.6), agent: 'ben' }],
              ] as const)),
          ...archive((index) => 2 + (index % 9)),
        ],
        (text) =>
          visits.includes(text) || text === off ? 0 : tanks.includes(text) || text === after ? 1 : undefined,
        [0.6, alike],
        {
          reader: readerOf(
            (text) => (wrong && tanks.includes(text) ? 'trouble' : undefined),
            (older, newer) => {
              if (tanks.includes(newer)) return tanks.includes(older) ? { again } : { causes }
              return visits.includes(older) && visits.includes(newer) ? { again: 0.5 } : {}
            },
          ),
        },
      ),
    ).filter(({ thought }) => thought.includes('one thing came within'))

  it('one sort of note that follows another is told by their meaning, in whatever words', () => {
    const [told] = afterVisits([3, 9, 13, 19])
    expect(told?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(told?.thought).toContain('Four times')
    expect(told?.reasons.join(' ')).toContain('likely more than chance')
  })

  it('but not where what follows is not alike, is read as other trouble each time, or tells of nothing wrong', () => {
    expect(afterVisits([3, 9, 13, 19], { again: 0.01 })).toEqual([])
    expect(afterVisits([3, 9, 13, 19], { alike: 0, causes: 0.002 })).toEqual([])
    expect(afterVisits([3, 9, 13, 19], { wrong: false })).toEqual([])
  })

  it('but not what both do on their weekday as it should be, and not fewer than three times', () => {
    expect(afterVisits([3, 10, 17, 24], { wrong: false })).toEqual([])
    expect(afterVisits([3, 9])).toEqual([])
  })

  it('an occasion that was called off is told as such, and one on which nothing went wrong', () => {
    const [told] = afterVisits([3, 9, 13, 19], { off: 'The class cancelled' })
    expect(told?.thought).toContain('Four times')
    expect(told?.thought).toContain('Once it seems to have been called off: “The class cancelled”')
    const [other] = afterVisits([3, 9, 13, 19], { off: 'Class outside, all day', after: 'Not a single beep' })
    expect(other?.thought).toContain('Four times')
    expect(other?.thought).toContain('Once nothing seems to have gone wrong: “Class outside')
  })

  it('a theme from several agents names them', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [2, 'Search timeouts before noon', { agent: 'planner' }],
        [10, 'More search timeouts before noon, then quiet', { agent: 'reviewer' }],
        [16, 'Search timeouts yet again before noon', { agent: 'planner' }],
      ]),
    )
    expect(found[0]?.thought).toContain('planner and reviewer')
  })

  const nearMisses: [string, Parameters<typeof dream>[0]][] = [
    [
      'two notes',
      [
        [3, 'Checkout test flaky again'],
        [8, 'Flaky checkout test delayed the release'],
      ],
    ],
    [
      'three notes on two days',
      [
        [3, 'Checkout test flaky again'],
        [3, 'Reran the flaky checkout test'],
        [8, 'Checkout test was flaky'],
      ],
    ],
    [
      'one note pasted three times',
      [
        [3, 'Rotate the signing key'],
        [8, 'Rotate the signing key'],
        [12, 'Rotate the signing key'],
      ],
    ],
    [
      'one shared name',
      [
        [3, 'Otto planted leeks'],
        [8, 'Otto finished the crossword'],
        [12, 'Chess evening with Otto'],
      ],
    ],
    [
      'shared everyday words',
      [
        [3, 'Good day at work'],
        [8, 'Bad day, much work'],
        [12, 'Work day without end'],
      ],
    ],
    [
      'three notes over half a year',
      [
        [-150, 'Checkout test flaky again'],
        [-60, 'The flaky checkout test'],
        [12, 'Checkout test was flaky'],
      ],
    ],
  ]
  for (const [what, lines] of nearMisses) {
    it(`${what} are no theme`, () => {
      expect(ofKind('recurrence', dream(lines))).toEqual([])
    })
  }

  it('what is noted daily is routine, no theme', () => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => [1 + at, `Moisture sensor reading ${at} taken at the greenhouse`] as const,
    )
    expect(ofKind('recurrence', dream(lines))).toEqual([])
  })
})

describe('trouble that is read as the same', () => {
  const texts = [
    'git clones crawling, some gave up',
    'Nobody could fetch anything for a quarter of an hour',
    'Checkout step timed out on nine machines',
    'The repository server did not answer again',
  ]
  const told = (days: readonly number[], hours: readonly number[], again = 0.9) => {
    const lines = days.map(
      (on, index) => [on, texts[index] ?? '', { at: at(on, hours[index] ?? 0) }] as const,
    )
    return ofKind(
      'recurrence',
      dreamOfGroups(
        [...lines, ...archive((index) => index % 7)],
        (text) => (texts.includes(text) ? 0 : undefined),
        [0.3],
        {
          reader: readerOf(
            (text) => (texts.includes(text) ? 'trouble' : undefined),
            (older, newer) => (texts.includes(older) && texts.includes(newer) ? { again } : {}),
          ),
        },
      ),
    )
  }

  it('is told where most of it comes on one weekday', () => {
    const [thought] = told([3, 10, 17, 24], [0, 2, 4, 7])
    expect(thought?.sourceMemoryIds).toEqual([1, 2, 3, 4])
    expect(thought?.thought).toContain('four times on a Tuesday (3 March')
    expect(thought?.thought).not.toContain('at about')
  })

  it('is told where it comes at one hour of any day, four times and more', () => {
    const [thought] = told([3, 11, 19, 27], [7, 7.1, 7.2, 7.4])
    expect(thought?.thought).toContain('four times at about 16:')
    expect(told([3, 11, 19], [7, 7.1, 7.2])).toEqual([])
  })

  it('is not told where it comes at any time, or is read as several troubles', () => {
    expect(told([3, 11, 20, 26], [0, 2, 4, 7])).toEqual([])
    expect(told([3, 10, 17, 24], [0, 2, 4, 7], 0.002)).toEqual([])
  })
})
