/**
 * Trends: four or more values of one measure that move one way in small steps, whatever the wording. Serial numbers,
 * and sequences that chance may have produced, are no trend.
 */

import type { Figure } from '../../core/quantities/figures.ts'
import { ordersOf } from '../reading/chance.ts'
import { alters } from '../reading/cues.ts'
import { dayOf, medianSimilarity, type Night, noteAt, perNote } from '../reading/material.ts'
import { type FigureReading, isBare, readFigures } from '../reading/measured.ts'
import { focusStart } from '../reading/pairs.ts'
import { isContent, tokensOf } from '../reading/reading.ts'
import { isLogLine } from '../reading/reports.ts'
import { clock, fewestValues, seriesOf } from '../reading/series.ts'
import { groupsBy } from '../reading/ties.ts'
import type { Thought } from '../thought.ts'
import {
  isReadAsOne,
  leastInLongWay,
  leastInWay,
  many,
  meanKinship,
  namesOne,
  readStranger,
  strangerIn,
} from './trend-measure.ts'
import { tellTrend } from './trend-thought.ts'

/** Largest step between neighbours and least change in all, as ratios. */
const largestStep = 1.75
const minChange = 1.12
/** And of many values with a unit: they are no noise, however little it is. */
const minChangeOfMany = 1.03
/** Of times of day: the largest step between neighbours and the least change in all, seconds, and how many there are at least. */
const largestDelay = 5_400
const minDelay = 1_200
const fewestTimes = 5
/** Numbers of what is called otherwise each time are a measure from so many on. */
const fewestMixed = 5
/** And where nothing else makes them a series, how akin their notes are at least. */
const mixedKinship = 0
/** Of the notes of a series that hold a value of its size, so many must lie on the way. */
const minOnTheWay = 0.72
/** A series that shuffled values imitate more often than this is chance. */
const maxByChance = 0.09
/** And one of a log, which has values of everything every day, or of times of day. */
const maxByChanceInLog = 0.02
/** And one of numbers that each count something else. */
const maxByChanceOfMixed = 0.04
const shuffles = 300

export interface Step {
  readonly position: number
  readonly value: number
  readonly figure: Figure
}

/** What is told without a unit is meant in the one that most others are told in: "70 in the hour", of litres. */
function usualScale(readings: readonly FigureReading[], kind: string): number {
  const counts = new Map<number, number>()
  for (const figure of readings.flatMap(({ figures }) => figures))
    if (figure.kind === kind) counts.set(figure.scale, (counts.get(figure.scale) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 1
}

interface Asked {
  readonly kind: string
  readonly scale: number
  /** Whether a price may be told in thousands: "fifteen and a half". */
  readonly large: boolean
}

/** Values a note offers in one kind. */
const offers = ({ position, figures }: FigureReading, { kind, scale, large }: Asked): Step[] => {
  const told = figures.filter((figure) => figure.kind === kind)
  if (kind === clock || (told.length > 0 && !isBare(kind)))
    return told.map((figure) => ({ position, value: figure.value, figure }))
  return figures
    .filter((figure) => figure.kind === kind || isBare(figure.kind))
    .flatMap((figure) => [
      { position, value: figure.value * (isBare(kind) ? 1 : scale), figure },
      ...(large && figure.value < 1_000 && figure.value > 1
        ? [{ position, value: figure.value * 1_000, figure }]
        : []),
    ])
}

/** Whether one value is a small step on from another. */
function isStep(from: Step, to: Step): boolean {
  if (from.figure.kind === clock) return to.value - from.value >= 60 && to.value - from.value <= largestDelay
  const ratio = to.value / from.value
  return ratio > 1.004 && ratio <= largestStep
}

/** The longest way through the notes, one value a note, each a small step on from the last. */
function longestWay(rows: readonly (readonly Step[])[], up: boolean): Step[] {
  const best: { step: Step; length: number; from: number }[] = []
  let end = -1
  for (const steps of rows) {
    const begun = best.length
    for (const step of steps) {
      let from = -1
      let length = 1
      for (let at = 0; at < begun; at += 1) {
        const before = best[at]
        if (before === undefined) continue
        if (before.length < length || !(up ? isStep(before.step, step) : isStep(step, before.step))) continue
        from = at
        length = before.length + 1
      }
      best.push({ step, length, from })
      if (end < 0 || length > (best[end]?.length ?? 0)) end = best.length - 1
    }
  }
  const way: Step[] = []
  for (let at = end; at >= 0; at = best[at]?.from ?? -1) {
    const entry = best[at]
    if (entry !== undefined) way.unshift(entry.step)
  }
  return way
}

export interface Trend {
  readonly way: readonly Step[]
  readonly kind: string
  readonly label: string
  readonly chance: number
  /** How many notes of the series hold a value of its size. */
  readonly among: number
}

/** Numbers that count on: 11, 12, 13, or versions, of which most are one on from the last: 2.19, 2.20, 2.21, 3.0. */
const isSerial = (way: readonly Step[]): boolean => {
  if (!way.every(({ figure }) => figure.kind === 'plain')) return false
  const steps = way.slice(1).map((step, at) => Math.abs(step.value - (way[at]?.value ?? 0)))
  if (way.every(({ value }) => Number.isInteger(value))) return steps.every((step) => step === steps[0])
  const decimals = Math.max(...way.map(({ figure }) => figure.written.split('.')[1]?.length ?? 0))
  return steps.filter((step) => Math.abs(step * 10 ** decimals - 1) < 1e-6).length * 2 > steps.length
}

/** The longer of the ways up and down. */
function eitherWay(rows: readonly (readonly Step[])[]): Step[] {
  const [rising, falling] = [longestWay(rows, true), longestWay(rows, false)]
  return rising.length >= falling.length ? rising : falling
}

/** Whether one of the notes tells that something was done about figures of the kind. */
const tellsItsChange = (night: Night, readings: readonly FigureReading[], kind: string): boolean =>
  readings.some(
    ({ position, figures }) =>
      figures.some((figure) => figure.kind === kind) && alters.test(noteAt(night, position).text),
  )

/** The values of each note from `first` to `last` that are of their size; notes without one are left out. */
function ofTheirSize(rows: readonly (readonly Step[])[], first: Step, last: Step): Step[][] {
  const [least, most] = [Math.min(first.value, last.value), Math.max(first.value, last.value)]
  const [low, high] =
    first.figure.kind === clock ? [least - largestDelay, most + largestDelay] : [least / 1.5, most * 1.5]
  return rows
    .map((row) =>
      row.filter(
        ({ value, position }) =>
          value >= low && value <= high && position >= first.position && position <= last.position,
      ),
    )
    .filter((row) => row.length > 0)
}

/** The share of orders (0..1) in which the values have as long a way; 1 as soon as there are too many of them. */
function shareByChance(rows: readonly (readonly Step[])[], length: number, seed: string): number {
  let [imitated, tried] = [0, 0]
  for (const mixed of ordersOf(rows, shuffles, seed)) {
    tried += 1
    if (eitherWay(mixed).length >= length) imitated += 1
    if (imitated > maxByChance * shuffles) return 1
  }
  return imitated / tried
}

/** Characters before and behind a figure in which a note tells what it is of. */
const around = 40

/** The content words of a note with their places. */
const contentOf = perNote((night, position) => tokensOf(noteAt(night, position).text).filter(isContent))

/** Content words about a figure. */
const wordsAbout = (night: Night, { position, figure }: Step): ReadonlySet<string> =>
  new Set(
    contentOf(night, position)
      .filter(({ start, end }) => start >= figure.start - around && end <= figure.end + around)
      .map(({ term }) => term),
  )

/** The same way by those figures of its notes about which is said what is said about the others. */
function ofOneMatter(night: Night, rows: readonly (readonly Step[])[], way: readonly Step[]): Step[] {
  const up = (way.at(-1)?.value ?? 0) > (way[0]?.value ?? 0)
  const said = way.map((step) => wordsAbout(night, step))
  const follows = (from: Step | undefined, to: Step | undefined): boolean =>
    from === undefined || to === undefined || (up ? isStep(from, to) : isStep(to, from))
  const chosen: Step[] = []
  for (const [at, step] of way.entries()) {
    const others = said.flatMap((words, other) => (other === at ? [] : [...words]))
    const alike = (one: Step): number => {
      const mine = wordsAbout(night, one)
      return others.filter((word) => mine.has(word)).length
    }
    const row = rows.find(([first]) => first?.position === step.position) ?? []
    const fitting = row.filter((one) => follows(chosen.at(-1), one) && follows(one, way[at + 1]))
    chosen.push(fitting.reduce((best, one) => (alike(one) > alike(best) ? one : best), step))
  }
  return chosen
}

/** Whether the values change enough to be told. */
function changesEnough(way: readonly Step[], kind: string): boolean {
  const [first, last] = [way[0]?.value ?? 0, way.at(-1)?.value ?? 0]
  if (kind === clock) return Math.abs(last - first) >= minDelay
  const least = way.length >= many && !isBare(kind) ? minChangeOfMany : minChange
  const ratio = (one: number, other: number): number => Math.max(one / other, other / one)
  // Of a share what is left of the whole may tell more: from 81 to 74 % covered is from 19 to 26 % that is not.
  const ofRest = kind === 'share' && first < 100 && last < 100 ? ratio(100 - first, 100 - last) : 1
  return Math.max(ratio(first, last), ofRest) >= least
}

/** How often values that are shuffled may have as long a way, at most. */
function mostByChance(night: Night, way: readonly Step[], kind: string): number {
  const logged = way.filter(({ position }) => isLogLine(noteAt(night, position).text)).length
  if (logged * 2 > way.length || kind === clock) return maxByChanceInLog
  return isBare(kind) && way.some(({ figure }) => figure.kind !== kind) ? maxByChanceOfMixed : maxByChance
}

/** Readings that may be of one measure, and what they share; nothing where they only lie near each other. */
interface Series {
  readonly label: string
  readonly readings: readonly FigureReading[]
  /** They were made at one hour of one weekday. */
  readonly isWeekly: boolean
  /** A reader takes them for values of one measure. */
  readonly isRead: boolean
}

function trendIn(
  night: Night,
  { label, readings, isWeekly, isRead }: Series,
  kind: string,
): Omit<Trend, 'label'> | undefined {
  const isLarge = (figure: Figure): boolean => figure.kind !== clock && figure.value >= 1_000
  const large = readings.filter(({ figures }) => figures.some(isLarge)).length >= 2
  const asked = { kind, large, scale: usualScale(readings, kind) }
  const rows = readings.map((reading) => offers(reading, asked)).filter((row) => row.length > 0)
  if (rows.length < fewestValues) return undefined
  const way = eitherWay(rows)
  const [first, last] = [way[0], way.at(-1)]
  const fewest = kind === clock ? fewestTimes : fewestValues
  if (first === undefined || last === undefined || way.length < fewest) return undefined
  // A number that does not say of what may be of anything: half of them say it, and without a unit all of them are alike, or
  // many and of one thing: "180 sessions", "214 backends" on one server.
  const ofKind = way.filter(({ figure, value }) => figure.kind === kind && figure.value === value)
  const mayMix =
    isRead ||
    (isBare(kind) &&
      way.length >= fewestMixed &&
      (label !== '' || isWeekly || meanKinship(night, way) >= mixedKinship))
  if (!mayMix && ofKind.length < way.length * (isBare(kind) && !large ? 1 : 0.5)) return undefined
  const since = readings.filter(({ position }) => position > last.position)
  if (tellsItsChange(night, since, kind)) return undefined
  if (!changesEnough(way, kind) || isSerial(way)) return undefined
  if (dayOf(night, last.position) - dayOf(night, first.position) < 5) return undefined
  const sized = ofTheirSize(rows, first, last)
  if (way.length / sized.length < minOnTheWay) return undefined
  const seed = `${night.input.seed} ${way.map(({ position }) => position).join(' ')}`
  const chance = shareByChance(sized, way.length, seed)
  if (chance > (isRead ? maxByChance : mostByChance(night, way, kind))) return undefined
  return { way: ofOneMatter(night, rows, way), kind, chance, among: sized.length }
}

/** A trend of notes none of which is a stranger to the others. */
function trendOfOne(night: Night, series: Series, kind: string): Omit<Trend, 'label'> | undefined {
  const trend = trendIn(night, series, kind)
  const strange = trend && strangerIn(night, trend.way)
  if (strange === undefined) return trend
  const readings = series.readings.filter(({ position }) => position !== strange)
  return trendOfOne(night, { ...series, readings }, kind)
}

/** Whether the notes on the way speak of one thing beyond what made them a series. */
function coheres(
  night: Night,
  { way, kind }: Pick<Trend, 'way' | 'kind'>,
  { label, isWeekly, isRead }: Series,
): boolean {
  if (isRead) return true
  const { concordance, unrelatedBaseline } = night
  // Prices of all sorts of things lie near each other: those of one thing name it.
  if (kind === 'money' && label === '' && !namesOne(night, way)) return false
  const median = medianSimilarity(
    night,
    way.map(({ position }) => position),
  )
  const leastKinship = way.length >= many && kind !== clock ? leastInLongWay : leastInWay
  const isKin = unrelatedBaseline !== undefined && meanKinship(night, way) >= leastKinship
  if (isWeekly && way.length >= fewestMixed) return meanKinship(night, way) >= leastInLongWay
  // What is done at some hour is done every day.
  if (kind === clock) return isKin
  if (isKin && !isBare(kind) && label === '') return true
  if (unrelatedBaseline !== undefined && median !== undefined)
    return median >= (label === '' ? unrelatedBaseline.near - 0.05 : unrelatedBaseline.akin - 0.08)
  // Without vectors a second word must bear it out in most of them.
  const counts = new Map<number, number>()
  for (const { position } of way)
    for (const term of concordance.termsOf(position)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return [...counts.values()].filter((count) => count >= way.length * 0.6).length >= 2
}

const tellsUnit = (way: readonly Step[]): boolean =>
  way.every(({ figure }) => figure.kind !== 'plain' && !figure.kind.startsWith('count'))

/** A trend that is worth being told, without what a reader takes for a stranger at its ends. */
function toldTrend(night: Night, series: Series, kind: string): Omit<Trend, 'label'> | undefined {
  const trend = trendOfOne(night, series, kind)
  if (trend === undefined || !coheres(night, trend, series)) return undefined
  const { label, isRead } = series
  if (!isRead && !isReadAsOne(night, trend.way)) return undefined
  // Bare numbers may be of anything: more of them are asked for.
  if (!isRead && !tellsUnit(trend.way) && trend.way.length < fewestValues + 1 && label === '')
    return undefined
  const strange = readStranger(night, trend.way)
  if (strange === undefined) return trend
  const readings = series.readings.filter(({ position }) => position !== strange)
  return toldTrend(night, { ...series, readings }, kind)
}

/** Figures that move one way, in no particular order; of two that share notes the longer one. */
export function* trends(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const readings = new Map<number, FigureReading>()
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    if (position % 50 === 0) yield
    const reading = readFigures(night, position)
    if (reading !== undefined) readings.set(position, reading)
  }
  // How often or how long the same trouble came is a measure of it.
  const read = [...(yield* groupsBy(night, 'measures')), ...(yield* groupsBy(night, 'again'))]
  const found: Trend[] = []
  for (const { label, positions, isWeekly, isRead } of [
    ...read.map(({ positions }) => ({ label: '', positions, isWeekly: false, isRead: true })),
    ...[...(yield* seriesOf(night, readings)).values()].map((one) => ({ ...one, isRead: false })),
  ]) {
    yield
    const held = positions.flatMap((position) => readings.get(position) ?? [])
    const one = { label, readings: held, isWeekly, isRead }
    const kinds = new Set(held.flatMap(({ figures }) => figures.map(({ kind }) => kind)))
    for (const kind of kinds) {
      const trend = toldTrend(night, one, kind)
      if (trend !== undefined) found.push({ ...trend, label })
    }
  }
  const kept: Trend[] = []
  for (const trend of found.sort((a, b) => b.way.length - a.way.length || a.chance - b.chance)) {
    const mine = new Set(trend.way.map(({ position }) => position))
    if (kept.some((other) => other.way.filter(({ position }) => mine.has(position)).length >= 2)) continue
    kept.push(trend)
  }
  return kept.map((trend) => ({
    kind: 'trend',
    signal: Math.min(1, 0.6 + 0.06 * trend.way.length),
    sourceMemoryIds: trend.way.map(({ position }) => noteAt(night, position).id),
    thought: tellTrend(night, trend),
    reasons: [
      `${trend.way.length} of ${trend.among} values lie on one way (${trend.kind})`,
      `shuffled values do so in ${Math.round(trend.chance * 100)} of 100 cases`,
    ],
  }))
}
