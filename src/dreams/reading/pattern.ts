/**
 * Whether the times of some notes follow a pattern, tested against chance: the same weekday, the same part of a
 * weekday, or soon after another kind of event. Knows times and counts; not what the notes say.
 */
import { msPerHour, msPerMinute } from '../../core/durations.ts'

/** P(at least `hits` of `count`) when each hits with `chance` (binomial). */
export function tail(count: number, hits: number, chance: number): number {
  let sum = 0
  let term = (1 - chance) ** count
  for (let at = 0; at <= count; at += 1) {
    if (at >= hits) sum += term
    term *= ((count - at) / (at + 1)) * (chance / (1 - chance))
  }
  return Math.min(1, sum)
}

/** When a note was made, or what it tells of happened, locally. */
export interface Moment {
  /** 0 is Sunday. */
  readonly weekday: number
  /** 0..24. */
  readonly hour: number
  /** The note itself names the hour. */
  readonly isTold?: boolean
  readonly day: number
  readonly at: number
}

/** Hours of the day by which what comes at one time of it may be noted sooner or later; and by which it is told. */
const sameHour = 1.25
const sameToldHour = 0.3

/** Whether two hours of the day, 0..24, are of one time of it; midnight is between 23 and 1. */
export function areSameHour(a: number, b: number, within = sameHour): boolean {
  const apart = Math.abs(a - b)
  return Math.min(apart, 24 - apart) <= within
}

/** Whether both notes name the hour, and the same one. */
export const areSameToldHour = (a: Moment, b: Moment): boolean =>
  a.isTold === true && b.isTold === true && areSameHour(a.hour, b.hour, sameToldHour)

/** Night, early, forenoon, noon, afternoon, evening. */
const parts = [0, 6, 9, 12, 14, 18, 24]
const partOf = (hour: number): number =>
  parts.findIndex((from, at) => hour >= from && hour < (parts[at + 1] ?? 25))

export interface Slot {
  readonly weekday: number
  /** How many of the notes fall on it. */
  readonly hits: number
  /** P of so many by chance, given how often this brain is written to then; not yet corrected. */
  readonly chance: number
  /** On that weekday at one time of day. */
  readonly sharp: boolean
}

/** Which of the week's slots some moments crowd into; days count once. */
export function crowdedSlot(moments: readonly Moment[], all: readonly Moment[]): Slot | undefined {
  const days = new Map(moments.map((moment) => [moment.day, moment]))
  const once = [...days.values()]
  const baseDays = new Map(all.map((moment) => [moment.day, moment]))
  let best: Slot | undefined
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const on = once.filter((moment) => moment.weekday === weekday)
    if (on.length < 3 || on.length < once.length - 1) continue
    // How the brain's own notes spread over the week, never below an even spread over seven days.
    const share = [...baseDays.values()].filter((moment) => moment.weekday === weekday).length / baseDays.size
    const notes = all.filter((moment) => moment.weekday === weekday).length / all.length
    const chance = tail(once.length, on.length, Math.min(0.6, Math.max(share, notes, 1 / 7)))
    if (best === undefined || chance < best.chance) best = { weekday, hits: on.length, chance, sharp: false }
    const part = partOf(on[0]?.hour ?? 0)
    if (on.length === once.length && on.every(({ hour }) => partOf(hour) === part)) {
      const there = all.filter((moment) => moment.weekday === weekday && partOf(moment.hour) === part).length
      const sharp = tail(once.length, on.length, Math.min(0.6, (there + 1) / (all.length + 7)))
      if (sharp < best.chance) best = { weekday, hits: on.length, chance: sharp, sharp: true }
    }
  }
  return best
}

export interface Following {
  /** Pairs of indices: an event and what it followed. */
  readonly pairs: readonly (readonly [later: number, earlier: number])[]
  /** Milliseconds from the one to the other, least and most. */
  readonly lags: readonly [least: number, most: number]
  /** P of so many that follow so regularly by chance; not yet corrected. */
  readonly chance: number
}

/** What follows comes within a day, however late on it: milliseconds. */
export const reach = 30 * msPerHour
/** Closer together than this lags say no more: people do not note things to the minute. */
export const finestLag = 15 * msPerMinute

/**
 * How often `later` moments come within `reach` after one of `earlier`, against all the brain's moments: that
 * so many follow one, that so many are followed, and that the time between them is always about the same.
 */
export function follows(
  later: readonly Moment[],
  earlier: readonly Moment[],
  all: readonly Moment[],
): Following {
  const isSoon = (first: Moment, then: Moment): boolean => then.at > first.at && then.at - first.at <= reach
  const pairs = later.flatMap((moment, at) => {
    const found = earlier.findLastIndex((one) => isSoon(one, moment))
    return found < 0 ? [] : [[at, found] as const]
  })
  const times = pairs.map(([then, first]) => (later[then]?.at ?? 0) - (earlier[first]?.at ?? 0))
  const lags = [Math.min(...times), Math.max(...times)] as const
  const hits = Math.min(
    new Set(pairs.map(([, first]) => first)).size,
    new Set(pairs.map(([then]) => later[then]?.day)).size,
  )
  if (hits < 2) return { pairs, lags, chance: 1 }
  const shareOf = (isNear: (moment: Moment) => boolean): number =>
    Math.min(0.9, (all.filter(isNear).length + 1) / (all.length + 2))
  const after = shareOf((moment) => earlier.some((one) => isSoon(one, moment)))
  const before = shareOf((moment) => later.some((one) => isSoon(moment, one)))
  const spread = Math.max(finestLag, lags[1] - lags[0]) / reach
  const regular = Math.min(1, pairs.length * spread ** (pairs.length - 1))
  // Not their product: where most follow one, most are followed.
  const chance = Math.min(tail(later.length, hits, after), tail(earlier.length, hits, before)) * regular
  return { pairs, lags, chance }
}
