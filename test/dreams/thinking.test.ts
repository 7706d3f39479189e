import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoBrain } from '../../src/cli/demo-notes.ts'
import { logLikelihoodOf } from '../../src/core/sprt.ts'
import { rank } from '../../src/dreams/ranking.ts'
import { think, thinkAtOnce } from '../../src/dreams/thinking.ts'
import type { NightInput, Thought } from '../../src/dreams/thought.ts'
import { day, dream, inputOf } from './night-input.ts'

/** The sample brain as a night's input, without vectors. */
function demoInput(now: number): NightInput {
  const brain = demoBrain(now)
  return {
    now,
    seed: 1,
    limit: 30,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    notes: brain.notes.map((note, at) => ({ id: at + 1, ...note })),
    beliefs: brain.beliefs.map(({ at, text, confidence, evidence }, index) => ({
      belief: { id: index + 1, text, confidence, createdAt: at },
      trail: evidence.map(({ kind, strength, note, at: createdAt }, id) => ({
        id: id + 1,
        kind,
        strength,
        note,
        createdAt,
        logLikelihood: logLikelihoodOf(kind, strength),
      })),
    })),
    predictions: brain.predictions.flatMap(({ at, prediction, confidence, resolution }, index) =>
      resolution === null ? [{ prediction: { id: index + 1, prediction, confidence, createdAt: at } }] : [],
    ),
  }
}

const now = Date.UTC(2026, 4, 20, 12)
const idOf = (input: NightInput, part: string): number =>
  input.notes.find(({ text }) => text.includes(part))?.id ?? Number.NaN

describe('the sample brain', () => {
  const input = demoInput(now)
  const thoughts = thinkAtOnce(input)
  const has = (kind: string, ...parts: string[]): boolean => {
    const ids = parts.map((part) => idOf(input, part)).sort((a, b) => a - b)
    return thoughts.some(
      (thought) => thought.kind === kind && thought.sourceMemoryIds.join(' ') === ids.join(' '),
    )
  }

  it('holds at least sixty notes over three weeks, the last of yesterday', () => {
    expect(input.notes.length).toBeGreaterThanOrEqual(60)
    const [first, last] = [input.notes[0]?.at ?? 0, input.notes.at(-1)?.at ?? 0]
    expect(new Date(last).getDate()).toBe(new Date(now - 86_400_000).getDate())
    expect(Math.round((last - first) / 86_400_000)).toBe(20)
  })

  it('gives up what was planted in it', () => {
    expect(has('tension', 'up to 48 hours', 'up to 24 hours')).toBe(true)
    expect(has('recurrence', 'timeouts this morning', 'timeouts again', 'timeouts between')).toBe(true)
    expect(has('echo', 'Never run the season import', 'Marketing asks')).toBe(true)
    expect(has('settled', 'latency dropped to 210')).toBe(true)
    expect(has('drift', 'Exit survey', 'Removed the account step')).toBe(true)
    expect(has('bridge', 'temporary files to db-07', 'disk of db-07')).toBe(true)
    expect(has('collision', 'certificate of api.harbour.example', 'flight to Lisbon')).toBe(true)
    expect(has('cause', 'Upgraded libvips', 'went through libvips')).toBe(true)
  })

  it('claims no other tension, echo, settlement or drift', () => {
    const counts = Object.fromEntries(
      ['tension', 'echo', 'settled', 'drift', 'recurrence'].map((kind) => [
        kind,
        thoughts.filter((thought) => thought.kind === kind).length,
      ]),
    )
    expect(counts).toEqual({ tension: 1, echo: 1, settled: 1, drift: 1, recurrence: 1 })
  })

  it('a first night of five tells five different kinds', () => {
    const five = thinkAtOnce({ ...input, limit: 5 })
    expect(new Set(five.map(({ kind }) => kind)).size).toBe(5)
  })
})

describe('a night', () => {
  it('an uneventful brain gives no thought', () => {
    expect(dream([])).toEqual([])
    expect(thinkAtOnce(inputOf([], { notes: [] }))).toEqual([])
  })

  it('the same input and seed give the same thoughts, in any order of the notes', () => {
    const input = demoInput(now)
    const again = thinkAtOnce({ ...input, notes: [...input.notes].reverse() })
    expect(again).toEqual(thinkAtOnce(input))
  })

  it('another seed finds the same and may word it otherwise', () => {
    const bare = (thoughts: readonly Thought[]) =>
      thoughts.map(({ kind, sourceMemoryIds }) => [kind, sourceMemoryIds])
    const [one, two] = [thinkAtOnce(demoInput(now)), thinkAtOnce({ ...demoInput(now), seed: 99 })]
    expect(bare(two)).toEqual(bare(one))
    expect(two.map(({ thought }) => thought)).not.toEqual(one.map(({ thought }) => thought))
  })

  it('any notes at all give sourced thoughts of at most three sentences, within the limit', () => {
    const words = fc.constantFrom(
      ...'db-07 Marta never not is 30 minutes 45 deploy failed libvips upgraded harbour mooring . ? search timeouts €5 “ \n 14 April 🙂'.split(
        ' ',
      ),
    )
    const text = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.array(words, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(' ')),
    )
    const note = fc.record({
      text,
      at: fc.integer({ min: day(1), max: day(40) }),
      caution: fc.constantFrom(0, 0, 0, 0.9),
      agent: fc.constantFrom('a', 'b'),
    })
    fc.assert(
      fc.property(fc.array(note, { maxLength: 25 }), fc.integer({ min: 0, max: 8 }), (drawn, limit) => {
        const notes = drawn.map((one, at) => ({ id: at + 1, ...one }))
        const thoughts = thinkAtOnce({ ...inputOf([]), notes, limit, now: day(41) })
        expect(thoughts.length).toBeLessThanOrEqual(limit)
        const names = thoughts.map(({ kind, sourceMemoryIds }) => `${kind} ${sourceMemoryIds.join(' ')}`)
        expect(new Set(names).size).toBe(names.length)
        for (const { signal, sourceMemoryIds, thought } of thoughts) {
          expect(signal).toBeGreaterThan(0)
          expect(signal).toBeLessThanOrEqual(1)
          expect(sourceMemoryIds.length).toBeGreaterThan(0)
          expect(sourceMemoryIds.every((id) => id >= 1 && id <= notes.length)).toBe(true)
          expect(thought.isWellFormed()).toBe(true)
          expect(
            thought
              .replace(/“[^”]*”/g, 'x')
              .split(/[.!?]+(?:\s|$)/)
              .filter(Boolean).length,
          ).toBeLessThanOrEqual(3)
          expect(thought.length).toBeLessThan(700)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('pauses often on the way', () => {
    const steps = think(demoInput(now))
    let pauses = 0
    while (!steps.next().done) pauses += 1
    expect(pauses).toBeGreaterThan(5)
  })
})

describe('picking', () => {
  const thought = (kind: Thought['kind'], signal: number, ...sourceMemoryIds: number[]): Thought => ({
    kind,
    signal,
    sourceMemoryIds,
    thought: '',
    reasons: [],
  })

  it('the strongest comes first and a second look at the same notes gives way to another subject', () => {
    const picked = rank(
      [thought('echo', 0.9, 1, 2), thought('tension', 0.6, 1, 2), thought('bridge', 0.6, 5, 6)],
      { limit: 2 },
    )
    expect(picked.map(({ kind }) => kind)).toEqual(['echo', 'bridge'])
  })

  it('never more than asked for', () => {
    expect(rank([thought('echo', 0.9, 1), thought('bridge', 0.9, 2, 3)], { limit: 1 })).toHaveLength(1)
    expect(rank([thought('echo', 0.9, 1)], { limit: 0 })).toEqual([])
  })
})
