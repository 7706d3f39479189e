/**
 * Whether the times of some notes follow a pattern, tested against chance: the same weekday, the same part of a
 * weekday, or soon after another kind of event. Knows times and counts; not what the notes say.
 */

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

/** When a note was made, locally. */
export interface Moment {
  /** 0 is Sunday. */
  readonly weekday: number
  /** 0..23. */
  readonly hour: number
  readonly day: number
  readonly at: number
}

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
  readonly chance: number
}

/** How often `later` moments come within `reach` milliseconds after one of `earlier`, against all the brain's moments. */
export function follows(
  later: readonly Moment[],
  earlier: readonly Moment[],
  { all, reach }: { all: readonly Moment[]; reach: number },
): Following {
  const before = (moment: Moment): number =>
    earlier.findIndex(({ at }) => moment.at > at && moment.at - at <= reach)
  const pairs = later.flatMap((moment, at) => {
    const found = before(moment)
    return found < 0 ? [] : [[at, found] as const]
  })
  const distinct = new Set(pairs.map(([, found]) => found)).size
  const base = all.filter((moment) => before(moment) >= 0).length
  const share = Math.min(0.6, (base + 1) / (all.length + 2))
  return { pairs, chance: tail(later.length, Math.min(pairs.length, distinct), share) }
}
