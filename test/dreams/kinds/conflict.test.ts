import { describe, expect, it } from 'vitest'
import type { DreamNote } from '../../../src/dreams/thought.ts'
import type { Roles } from '../../../src/models/night-model.ts'
import { dreamOf, type Lines, readerOf, standing } from '../reader.ts'

const rule = 'Whatever changes the tariff table is looked over by a second person before it goes out.'
const act = 'Pushed the spring prices to the tariff table at noon, then a long walk with the dog.'

const apart = (later: number): Lines => [
  [1, rule, { agent: 'Ana' }],
  [later, act, { agent: 'Ben' }],
]

/** What holds somebody to something, as a rule or as a decision, and what goes against either. */
const undecided = (note: DreamNote): Roles => ({
  ...readerOf(() => undefined).rolesOf(note),
  ...(note.text === rule ? { rule: 0.4, decision: 0.4 } : { breaks: 0.4, reverses: 0.4 }),
})

const undecidedRule =
  (binding: string) =>
  (note: DreamNote): Roles =>
    readerOf((text) => (text === binding ? 'rule' : 'breaks')).rolesOf(note)

describe('conflicts that only reading tells', () => {
  it.each([
    ['contradicts', 'tension', 'Can both be so?'],
    ['reverses', 'reversal', 'Was this decided anew?'],
    ['breaks', 'rule', 'Was the rule kept?'],
    ['ignores', 'preference', 'Was this wish thought of?'],
  ] as const)('asks about a note that %s an older one, with both of them', (name, kind, asked) => {
    const [thought] = dreamOf(apart(24), { [name]: 0.97 })
    expect(thought).toMatchObject({ kind, sourceMemoryIds: [1, 2] })
    expect(thought?.thought).toContain(asked)
    expect(thought?.thought).toContain('looked over by a second person')
    expect(thought?.thought).toContain('at noon')
    expect(thought?.reasons.join(' ')).toContain(name)
  })

  it('asks only whether they go together where a conflict is less likely than not', () => {
    const told = [0.97, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4].flatMap((breaks) => dreamOf(apart(24), { breaks }))
    const asked = told.map(
      ({ kind, reasons }) => [kind, Number(/(\d+) %/.exec(reasons.join(' '))?.[1])] as const,
    )
    expect(asked.length).toBeGreaterThan(0)
    for (const [kind, percent] of asked) expect(kind).toBe(percent >= 50 ? 'rule' : 'tension')
  })

  it.each([
    ['at nine', false],
    ['at nine in the evening', true],
    ['at half past ten', false],
    ['at half past one', true],
  ])('asks about no call within the hours that were asked for: %s', (when, isAsked) => {
    const lines: Lines = [
      [1, 'Calls of the tariff group only between 08:00 and 12:00, I write after that.', { agent: 'Ana' }],
      [24, `Called the tariff group ${when} and told them the spring prices.`, { agent: 'Ben' }],
    ]
    expect(dreamOf(lines, { ignores: 0.97 }).length > 0).toBe(isAsked)
  })

  it('holds a conflict likelier that is read the other way round, too', () => {
    const { rolesOf } = readerOf((text) => (text === rule ? 'rule' : 'breaks'))
    const percentOf = (stand: (first: string) => number) => {
      const reader = { rolesOf, stand: (first: string) => standing({ breaks: stand(first) }) }
      const [thought] = dreamOf(apart(24), {}, { reader })
      return Number(/(\d+) %/.exec(thought?.reasons.join(' ') ?? '')?.[1])
    }
    expect(percentOf(() => 0.1)).toBeGreaterThan(percentOf((first) => (first === rule ? 0.1 : 0.001)))
  })

  it('quotes of a long note the part that conflicts', () => {
    const long = `Long talk about suppliers and about who drives to the fair this year, until the coffee was cold and the cake was gone. ${rule} Then home.`
    const partly = {
      stand: (older: string, newer: string) =>
        standing(newer === act && older.includes('second person') ? { breaks: 0.97 } : {}),
      rolesOf: undecidedRule(long),
    }
    const [thought] = dreamOf(
      [
        [1, long, { agent: 'Ana' }],
        [24, act, { agent: 'Ben' }],
      ],
      {},
      { reader: partly },
    )
    expect(thought?.thought).toContain('“Whatever changes the tariff table')
    expect(thought?.thought).not.toContain('Long talk')
  })

  it('leads with the newer note where something else was told to go against the older one before', () => {
    const told = [{ kind: 'rule', sourceMemoryIds: [1, 1_003] }] as const
    const [thought] = dreamOf(apart(24), { breaks: 0.99 }, { told })
    expect(thought?.sourceMemoryIds).toEqual([1, 2])
    expect(thought?.thought).toMatch(/^Was the rule kept\? On 24 March: “Pushed the spring prices/)
    expect(thought?.thought).toMatch(/“Whatever changes the tariff table[^”]*…”, which was told before/)
  })

  it('asks only whether they go together where two sorts are as likely', () => {
    const both = { stand: () => standing({ breaks: 0.48, reverses: 0.48 }), rolesOf: undecided }
    const [thought] = dreamOf(apart(24), {}, { reader: both })
    expect(thought).toMatchObject({ kind: 'tension', sourceMemoryIds: [1, 2] })
    expect(thought?.thought).toContain('Do these two go together?')
  })

  it('says nothing where the reader sees none, however near the notes are', () => {
    expect(dreamOf(apart(24), {})).toEqual([])
    expect(dreamOf(apart(24), { same: 0.97 })).toEqual([])
  })

  it('says nothing of two notes of a day, of a question and of a warning', () => {
    expect(dreamOf(apart(1), { breaks: 0.97 })).toEqual([])
    expect(
      dreamOf([apart(24)[0] ?? [1, ''], [24, 'Who pushed the spring prices to the tariff table?']], {
        breaks: 0.97,
      }),
    ).toEqual([])
    const warning: Lines = [
      [1, rule],
      [24, act, { caution: 0.9 }],
    ]
    expect(
      dreamOf(warning, { breaks: 0.97 }).filter(({ thought }) => thought.includes('Was the rule kept?')),
    ).toEqual([])
  })

  it('says nothing of a change that the newer note tells of itself', () => {
    const told = (newer: string) =>
      dreamOf([apart(24)[0] ?? [1, rule], [24, newer, { agent: 'Ben' }]], { reverses: 0.97 })
    expect(told(`${act} The decision about a second person is off since Monday.`)).toEqual([])
    for (const openly of ['no longer two but one', 'in place of 2 persons', 'down from 2'])
      expect(told(`${act} One person it is, ${openly}.`)).toEqual([])
    expect(told('We changed our minds about the tariff table, anybody may push it.')).toEqual([])
    expect(told('Anybody may push the tariff table, as far as I know.')).toHaveLength(1)
  })

  it('says nothing of what a rule itself names as its exception', () => {
    const told = (exception: string) =>
      dreamOf([[1, `${rule} ${exception}`, { agent: 'Ana' }], apart(24)[1] ?? [24, act]], { breaks: 0.97 })
    expect(told('The one exception is the spring prices.')).toEqual([])
    expect(told('The one exception is the logo.')).toHaveLength(1)
    expect(told('No exceptions, not for the spring prices either.')).toHaveLength(1)
  })

  it('needs a reader', () => {
    const texts = dreamOf(apart(24), { breaks: 0.97 }, { reader: undefined as never })
    expect(texts.filter(({ thought }) => thought.includes('Was the rule kept?'))).toEqual([])
  })
})

describe('what does not lie near', () => {
  const asked = (more: Parameters<typeof dreamOf>[2]) =>
    dreamOf(apart(24), { breaks: 0.97 }, { findNear: () => [], ...more }).filter(({ thought }) =>
      thought.includes('Was the rule kept?'),
    )

  it('is read where the one states a rule and the other tells of what breaks one', () => {
    expect(asked({})).toHaveLength(1)
  })

  it('is not read where the two do nothing of the kind', () => {
    let read = 0
    const reader = readerOf(() => 'plan')
    const rolesOf = (note: DreamNote): Roles => ({
      ...reader.rolesOf(note),
      trouble: 0,
      breaks: 0,
      unkept: 0,
    })
    const counting = (older: string, newer: string) => {
      read += 1
      return reader.stand(older, newer)
    }
    expect(asked({ reader: { rolesOf, stand: counting } })).toEqual([])
    expect(read).toBe(0)
  })
})

it('is named by what the two do as well as by what was read', () => {
  const lines = apart(24)
  const wish = (text: string) => (text === lines[0]?.[1] ? ('wish' as const) : ('ignores' as const))
  const reader = readerOf(wish)
  const torn: typeof reader.stand = (older, newer) => {
    const standing = reader.stand(older, newer)
    return older === lines[0]?.[1] && newer === lines[1]?.[1]
      ? { ...standing, none: 0.1, breaks: 0.45, ignores: 0.4 }
      : standing
  }
  expect(dreamOf(lines, {}, { reader: { ...reader, stand: torn } }).map(({ kind }) => kind)).toContain(
    'preference',
  )
})

it('tells of one author’s brain as of one by many, though another added a note', () => {
  const asked = (...authors: [older?: string, newer?: string, other?: string]) => {
    const by = (agent = 'default') => ({ agent })
    const lines: Lines = [
      [1, rule, by(authors[0])],
      [24, act, by(authors[1])],
      [10, 'Ordinary matter', { ...by(authors[2]), id: 1_500 }],
    ]
    const [thought] = dreamOf(lines, { breaks: 0.25 })
    expect(thought?.thought).toContain('Was the rule kept?')
    return Number(/(\d+) %/.exec(thought?.reasons.join(' ') ?? '')?.[1])
  }
  expect(asked(undefined, undefined, 'Ben')).toBe(asked())
  // Where most notes have named authors, several others write the rest of them.
  expect(asked('Ana', 'Ana', 'Ben')).toBeLessThan(asked('Ana', 'Ben', 'Ben'))
})
