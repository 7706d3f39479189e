/** Whether the values of a way are of one measure: by how akin their notes are, and as a reader takes them, two and two. */
import { sentencesOf } from '../reading/cues.ts'
import { kinshipOf } from '../reading/kinship.ts'
import { type Night, noteAt } from '../reading/material.ts'
import { meanOdds, readInRow } from '../reading/standings.ts'
import type { Step } from './trend.ts'

/** Values of which less is asked for each: so many that go one way are no noise. */
export const many = 6

/** Whether all notes of a way name one thing. */
export function namesOne({ concordance }: Night, way: readonly Step[]): boolean {
  const [first = [], ...others] = way.map(({ position }) => [...concordance.termsOf(position)])
  return first.some((term) => !concordance.isEveryday(term) && others.every((terms) => terms.includes(term)))
}

/** The least mean, of each note with each, at which those of a way speak of one measure; of many values it is less. */
export const leastInWay = -1
export const leastInLongWay = -2

export function meanKinship(night: Night, way: readonly Step[]): number {
  const kinships = way.flatMap(({ position }, at) =>
    way.slice(at + 1).map((other) => kinshipOf(night, position, other.position)),
  )
  return kinships.reduce((sum, one) => sum + one, 0) / kinships.length
}

/** A note less akin to the others than this, where they are so akin among themselves, has a figure of something else. */
const stranger = -1.4
const amongOthers = 0.5

/** The position of the note on a way that is a stranger to the others; undefined without one. */
export function strangerIn(night: Night, way: readonly Step[]): number | undefined {
  if (night.unrelatedBaseline === undefined) return undefined
  const kin = way.map(({ position }) => {
    const others = way.filter((other) => other.position !== position)
    return others.reduce((sum, other) => sum + kinshipOf(night, position, other.position), 0) / others.length
  })
  const worst = kin.indexOf(Math.min(...kin))
  const others = way.filter((_, at) => at !== worst)
  return (kin[worst] ?? 0) < stranger && meanKinship(night, others) > amongOthers
    ? way[worst]?.position
    : undefined
}

/**
 * The least sum of how akin the notes of a way are and of the mean log odds at which a reader takes them for values of one
 * measure: what lies near together is read with less doubt, so that in 39 brains by others three more trends are told. Of
 * many values it is less.
 */
const asOne = -2
const manyAsOne = -4

/** The sentence of a note that tells the value. */
function sentenceOf(night: Night, { position, figure }: Step): string {
  const { text } = noteAt(night, position)
  return sentencesOf(text).find((sentence) => sentence.includes(figure.written)) ?? text
}

/** The mean log odds, of each value with the next, at which what is said of them alone is read as of one measure. */
function readInSentences(night: Night, way: readonly Step[]): number {
  const { reader } = night.input
  const sentences = way.map((step) => sentenceOf(night, step))
  const read = sentences
    .slice(1)
    .flatMap((sentence, at) => reader?.stand(sentences[at] ?? '', sentence) ?? [])
  return meanOdds(read, 'measures') ?? 0
}

/**
 * Whether the values of a way are of one measure, as they are read; where nobody reads, so it is said. Told in passing beside
 * other matters, the sentences of the values are read by themselves.
 */
export function isReadAsOne(night: Night, way: readonly Step[]): boolean {
  const positions = way.map(({ position }) => position)
  const read = readInRow(night, positions, 'measures')
  if (read === undefined) return true
  const kinship = night.unrelatedBaseline === undefined ? 0 : meanKinship(night, way)
  const least = (way.length >= many ? manyAsOne : asOne) - kinship
  return read >= least || readInSentences(night, way) >= least
}

/**
 * The mean log odds of the note at an end of a way, with those nearest to it, below which a reader takes its value for one of
 * something else: of 26 trends of others none is at an end, and of eight strangers there five are.
 */
const readAsStranger = -3.2
const nearestOnWay = 3

/** The position of a note at an end of a way whose value is of something else, as it is read; undefined without one. */
export function readStranger(night: Night, way: readonly Step[]): number | undefined {
  const ends = [way, way.toReversed()].map((steps) => steps.map(({ position }) => position))
  const oddsOf = ([end = 0, ...others]: readonly number[]): number => {
    const read = others
      .slice(0, nearestOnWay)
      .flatMap((other) => readInRow(night, [Math.min(end, other), Math.max(end, other)], 'measures') ?? [])
    return read.length === 0 ? 0 : read.reduce((sum, odds) => sum + odds, 0) / read.length
  }
  const [worst] = ends
    .map((positions) => ({ position: positions[0], odds: oddsOf(positions) }))
    .sort((a, b) => a.odds - b.odds)
  return worst !== undefined && worst.odds < readAsStranger ? worst.position : undefined
}
