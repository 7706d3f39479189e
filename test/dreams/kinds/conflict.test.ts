import { describe, expect, it } from 'vitest'
import { dreamOf, type Lines } from '../reader.ts'

const rule = 'Whatever changes the tariff table is looked over by a second person before it goes out.'
const act = 'Pushed the spring prices to the tariff table at noon, then a long walk with the dog.'

const apart = (later: number): Lines => [
  [1, rule, { agent: 'Ana' }],
  [later, act, { agent: 'Ben' }],
]

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

  it('needs a reader', () => {
    const texts = dreamOf(apart(24), { breaks: 0.97 }, { stand: undefined as never })
    expect(texts.filter(({ thought }) => thought.includes('Was the rule kept?'))).toEqual([])
  })
})

it('tells of one author’s brain as of one by many', () => {
  const lines: Lines = [
    [1, rule],
    [24, act],
  ]
  const asked = (found: ReturnType<typeof dreamOf>) =>
    found.filter(({ thought }) => thought.includes('Was the rule kept?'))
  expect(asked(dreamOf(lines, { breaks: 0.97 }))).toHaveLength(1)
  const among = [...lines, [10, 'Ordinary matter', { agent: 'Ben' }]] as Lines
  expect(asked(dreamOf(among, { breaks: 0.97 }))).toHaveLength(0)
})
