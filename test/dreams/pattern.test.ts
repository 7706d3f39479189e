/** What times alone show: how often chance makes what is called improbable. */
import { describe, expect, it } from 'vitest'
import { msPerDay, msPerHour } from '../../src/core/durations.ts'
import { follows, type Moment } from '../../src/dreams/reading/pattern.ts'

/** Numbers 0..1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const momentAt = (at: number): Moment => ({
  at,
  day: Math.floor(at / msPerDay),
  weekday: Math.floor(at / msPerDay) % 7,
  hour: (at % msPerDay) / msPerHour,
})

describe('one kind of event soon after another', () => {
  it('is no more often improbable than it says, where both come at random', () => {
    const random = createRandom(7)
    const draw = (count: number, days: number): Moment[] =>
      Array.from({ length: count }, () => random() * days * msPerDay)
        .sort((a, b) => a - b)
        .map(momentAt)
    const all = draw(600, 60)
    const chances = Array.from({ length: 20_000 }, () => {
      const of = (count: number) =>
        Array.from({ length: count }, () => all[Math.floor(random() * all.length)])
          .filter((one) => one !== undefined)
          .sort((a, b) => a.at - b.at)
      return follows(of(3 + Math.floor(random() * 6)), of(3 + Math.floor(random() * 6)), all).chance
    })
    for (const level of [0.01, 0.001])
      expect(chances.filter((chance) => chance <= level).length / chances.length).toBeLessThan(2 * level)
  })

  it('is improbable where each of one comes an hour after each of the other', () => {
    const days = [3, 11, 19, 28, 40, 52]
    const event = days.map((day) => momentAt(day * msPerDay + 9 * msPerHour))
    const effect = days.map((day) => momentAt(day * msPerDay + 10 * msPerHour))
    const others = Array.from({ length: 300 }, (_, at) => momentAt(at * 4.7 * msPerHour))
    expect(follows(effect, event, [...others, ...event, ...effect]).chance).toBeLessThan(1e-9)
  })
})
