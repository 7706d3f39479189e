/**
 * Trouble that comes back at one time of the week or of the day, in ever other words: of all notes of what goes wrong, those most
 * alike among the ones of such a time, tested against shuffled times. Knows likeness and times; what it is called is
 * asked elsewhere.
 */
import { drawFrom, hashText, shuffled } from './chance.ts'
import type { Moment } from './pattern.ts'

/** Notes of a crowd, each of another day. */
const size = 4
/** The newest notes of trouble that are looked at. */
const most = 60
/**
 * What a crowd of one weekday gains where two of its notes are of one time of day as well; and how far apart these are,
 * hours.
 */
const sameHour = 0.1
const nearHour = 1.5
const shuffles = 400

/** When a crowd comes: on a weekday, 0 is Sunday, or about an hour of any day, 0..24. */
export type When = Readonly<{ weekday: number }> | Readonly<{ hour: number }>

export interface Crowd {
  /** Places among what was given, oldest first. */
  readonly places: readonly number[]
  readonly when: When
  /** The share of shuffled times that make notes as much alike crowd, 0..1. */
  readonly chance: number
}

const hoursApart = (a: number, b: number): number => Math.min(Math.abs(a - b), 24 - Math.abs(a - b))

const whens: readonly When[] = [
  ...Array.from({ length: 7 }, (_, weekday) => ({ weekday })),
  ...Array.from({ length: 32 }, (_, at) => ({ hour: at * 0.75 })),
]

interface Alike {
  readonly places: readonly number[]
  readonly when: When
  /** Mean likeness of each with each. */
  readonly likeness: number
}

/** Of the notes of one time the most alike, of as many days; undefined where there are too few. */
function mostAlike(
  when: When,
  moments: readonly Moment[],
  likeness: (a: number, b: number) => number,
): Alike | undefined {
  const isThen = ({ weekday, hour }: Moment): boolean =>
    'hour' in when ? hoursApart(hour, when.hour) <= nearHour / 2 : weekday === when.weekday
  const held = moments.flatMap((moment, place) => (isThen(moment) ? [place] : []))
  if (held.length < size) return undefined
  const alike = (a: number, b: number): number => {
    const [one, other] = [moments[a], moments[b]]
    const isSameHour =
      'weekday' in when &&
      one !== undefined &&
      other !== undefined &&
      hoursApart(one.hour, other.hour) <= nearHour
    return likeness(a, b) + (isSameHour ? sameHour : 0)
  }
  let best: Alike | undefined
  for (const first of held) {
    const near = held.filter((place) => place !== first).sort((a, b) => alike(first, b) - alike(first, a))
    const places = [first]
    for (const place of near)
      if (places.length < size && !places.some((other) => moments[other]?.day === moments[place]?.day))
        places.push(place)
    if (places.length < size) continue
    const pairs = places.flatMap((a, at) => places.slice(at + 1).map((b) => alike(a, b)))
    const mean = pairs.reduce((sum, one) => sum + one, 0) / pairs.length
    if (best === undefined || mean > best.likeness) best = { places, when, likeness: mean }
  }
  return best
}

function mostCrowded(
  moments: readonly Moment[],
  likeness: (a: number, b: number) => number,
): Alike | undefined {
  let best: Alike | undefined
  for (const when of whens) {
    const found = mostAlike(when, moments, likeness)
    if (found !== undefined && found.likeness > (best?.likeness ?? -1)) best = found
  }
  return best
}

/**
 * The notes that crowd most at one time of the week or day, if shuffled times do not give as much too often: `likeness` of two by
 * their places, `moments` when they were made, with hours and their fractions, oldest first.
 */
export function* crowdIn(
  moments: readonly Moment[],
  likeness: (a: number, b: number) => number,
  { seed, maxChance }: { seed: string; maxChance: number },
): Generator<undefined, Crowd | undefined> {
  const from = Math.max(0, moments.length - most)
  const recent = moments.slice(from)
  const likenesses = recent.map((_, a) =>
    Float64Array.from(recent, (_one, b) => likeness(from + a, from + b)),
  )
  const alike = (a: number, b: number): number => likenesses[a]?.[b] ?? 0
  const best = mostCrowded(recent, alike)
  if (best === undefined) return undefined
  const draw = drawFrom(hashText(seed))
  let as = 0
  for (let at = 0; at < shuffles; at += 1) {
    yield
    if ((mostCrowded(shuffled(recent, draw), alike)?.likeness ?? -1) >= best.likeness) as += 1
    if (as > maxChance * shuffles) return undefined
  }
  const places = best.places.map((place) => from + place).sort((a, b) => a - b)
  return { places, when: best.when, chance: as / shuffles }
}
