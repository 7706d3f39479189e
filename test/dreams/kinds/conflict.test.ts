import { describe, expect, it } from 'vitest'
import type { FindNear, NightInput } from '../../../src/dreams/thought.ts'
import { type Standing, standings } from '../../../src/models/night-model.ts'
import { dream, inputOf } from '../night-input.ts'

/** A reader's answer with some probabilities given; of the others `none` has nearly all. */
const standing = (told: Partial<Standing>): Standing => {
  const little = 0.002
  const rest = 1 - Object.values(told).reduce((sum, share) => sum + share, 0)
  const others = standings.filter((name) => told[name] === undefined)
  return {
    ...(Object.fromEntries(
      others.map((name) => [name, name === 'none' ? rest - little * (others.length - 1) : little]),
    ) as Standing),
    ...told,
  }
}

const rule = 'Whatever changes the tariff table is looked over by a second person before it goes out.'
const act = 'Pushed the spring prices to the tariff table at noon, then a long walk with the dog.'

type Lines = Parameters<typeof inputOf>[0]

/** Dreams of two notes, each the other's nearest among unrelated ones, by a reader that has this to say of them. */
function dreamOf(lines: Lines, told: Partial<Standing>, more: Partial<NightInput> = {}) {
  const notes = inputOf(lines).notes.map((note, at) => {
    const vector = new Float32Array(32)
    vector[note.id < 1_000 ? 0 : 1 + (at % 31)] = note.id === 2 ? 0.5 : 1
    if (note.id === 2) vector[31] = Math.sqrt(0.75)
    return { ...note, vector }
  })
  const findNear: FindNear = (vector, limit) =>
    notes
      .map(({ id, vector: own }) => ({
        id,
        similarity: own.reduce((sum, x, at) => sum + x * (vector[at] ?? 0), 0),
      }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, limit)
  const texts = lines.map(([, text]) => text)
  const stand: NightInput['stand'] = (older, newer) =>
    standing(older === texts[0] && newer === texts[1] ? told : {})
  return dream(lines, { notes, findNear, stand, ...more })
}

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
