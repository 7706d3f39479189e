/**
 * Which notes may hold values of one measure: those that share a word, name successive versions of a thing, lie near each other,
 * or are akin. Knows figures and kinship; whether the values go one way is asked elsewhere.
 */
import { msPerMinute, msPerWeek } from '../../core/durations.ts'
import { addTo } from '../../core/lists.ts'
import { kinshipOf } from './kinship.ts'
import { isTelling, type Night, noteAt, surfaceIn } from './material.ts'
import { type FigureReading, isBare, widest } from './measured.ts'
import { isContent } from './reading.ts'

/** Values of a series at least. */
export const fewestValues = 4
const maxPlaces = 60
/** Of so many of the newest notes with a figure of a kind each is compared with each. */
const maxInPool = 200
/** The kind of figures that are times of day. */
export const clock = 'clock'
/** The least kinship at which a note belongs to another one's pool. */
const leastOfPool = -1.7

/** Of each note those that may speak of what it measures, by kind of figure: near it, or with a value of its size. */
function* addPools(
  night: Night,
  readings: ReadonlyMap<number, FigureReading>,
  add: (positions: readonly number[]) => void,
): Generator<undefined, void> {
  const byKind = new Map<string, number[]>()
  // Numbers without a unit may be of anything.
  for (const { position, figures } of readings.values())
    for (const kind of new Set(figures.map((figure) => figure.kind)))
      if (!isBare(kind)) addTo(byKind, kind, position)
  for (const [kind, held] of byKind) {
    const newest = held.slice(-maxInPool)
    const valuesOf = (position: number): number[] =>
      (readings.get(position)?.figures ?? []).flatMap((figure) =>
        figure.kind === kind ? [figure.value] : [],
      )
    for (const position of newest) {
      yield
      add(newest.filter((other) => other === position || kinshipOf(night, position, other) >= leastOfPool))
      for (const least of valuesOf(position)) {
        const isOfSize = (value: number): boolean => value >= least && value <= widest * least
        add(newest.filter((other) => valuesOf(other).some(isOfSize)))
      }
    }
  }
}

/** Minutes by which a weekly occasion may be noted sooner or later. */
const weeklyWithin = 75

/** Of each note those that were made at its hour of its weekday: a weekly round, whatever it is called. */
function* weeklyOf(
  night: Night,
  readings: ReadonlyMap<number, FigureReading>,
): Generator<undefined, number[][]> {
  const held = [...readings.keys()].slice(-maxInPool)
  const found: number[][] = []
  for (const position of held) {
    yield
    const { at } = noteAt(night, position)
    const isOfRound = (other: number): boolean => {
      const apart = (noteAt(night, other).at - at) / msPerWeek
      return Math.abs(apart - Math.round(apart)) * msPerWeek <= weeklyWithin * msPerMinute
    }
    found.push(held.filter(isOfRound))
  }
  return found
}

/** Two words in a row that several of the notes have, with these: "cold room", though rooms are in every other note. */
function phrasesIn(
  { concordance }: Night,
  readings: ReadonlyMap<number, FigureReading>,
): Map<string, number[]> {
  const phrases = new Map<string, number[]>()
  const surfaces = new Map<string, string>()
  for (const position of readings.keys()) {
    const tokens = concordance.read(position).tokens
    for (const [at, token] of tokens.entries()) {
      const next = tokens[at + 1]
      if (next === undefined || next.start - token.end !== 1 || token.kind !== 'word' || next.kind !== 'word')
        continue
      if (!isContent(token) || !isContent(next)) continue
      const key = `${token.term} ${next.term}`
      surfaces.set(key, `${token.surface} ${next.surface}`)
      addTo(phrases, key, position)
    }
  }
  return new Map(
    [...phrases]
      .filter(([, positions]) => positions.length >= fewestValues && positions.length <= maxPlaces)
      .map(([key, positions]) => [surfaces.get(key) ?? key, positions]),
  )
}

/**
 * Notes that may speak of one measure: they share a word or two in a row, are successive versions of a thing, or lie
 * near each other.
 */
export function* seriesOf(
  night: Night,
  readings: ReadonlyMap<number, FigureReading>,
): Generator<undefined, Map<string, { label: string; positions: number[]; isWeekly: boolean }>> {
  const { concordance, unrelatedBaseline } = night
  const series = new Map<string, { label: string; positions: number[]; isWeekly: boolean }>()
  const add = (label: string, positions: readonly number[], isWeekly = false): void => {
    const sorted = [...new Set(positions)].sort((a, b) => a - b)
    if (sorted.length < fewestValues) return
    const key = sorted.join(' ')
    if (!series.has(key)) series.set(key, { label, positions: sorted, isWeekly })
  }
  const terms = new Set<number>()
  const versions = new Map<string, number[]>()
  for (const position of readings.keys()) {
    for (const term of concordance.termsOf(position)) terms.add(term)
    for (const [, major] of noteAt(night, position).text.matchAll(
      /(?<![\d.])(\d{1,3})\.\d{1,3}(?:\.\d+)?(?![\d%])/g,
    )) {
      addTo(versions, major ?? '', position)
    }
  }
  for (const term of terms) {
    const places = concordance.placesOf(term)
    if (places.length > maxPlaces || !isTelling(night, term)) continue
    const held = [...places].filter((place) => readings.has(place))
    if (held.length >= fewestValues) add(surfaceIn(night, held.at(-1) ?? 0, term), held)
  }
  for (const [phrase, positions] of phrasesIn(night, readings)) add(phrase, positions)
  yield
  for (const [major, positions] of versions) add(`${major}.x`, positions)
  if (unrelatedBaseline === undefined) return series
  yield* addPools(night, readings, (positions) => add('', positions))
  for (const positions of yield* weeklyOf(night, readings)) add('', positions, true)
  for (const position of readings.keys()) {
    const near = (night.neighbours.get(position) ?? [])
      .filter(
        ({ similarity, position: place }) => similarity >= unrelatedBaseline.near && readings.has(place),
      )
      .map(({ position: place }) => place)
    if (near.length > 0) add('', [position, ...near])
    const kinds = new Set(
      readings
        .get(position)
        ?.figures.map(({ kind }) => kind)
        .filter((kind) => !isBare(kind)),
    )
    for (const kind of kinds) {
      const akin = (night.neighbours.get(position) ?? [])
        .filter(
          ({ similarity, position: place }) =>
            similarity >= unrelatedBaseline.akin + 0.05 &&
            readings.get(place)?.figures.some((figure) => figure.kind === kind),
        )
        .map(({ position: place }) => place)
      add('', [position, ...akin])
    }
  }
  return series
}
