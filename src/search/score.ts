/**
 * The probability that a result is what was asked for: a logistic model over the result's features and their
 * surroundings. Its coefficients are in `weights.ts`; without vectors a smaller model is used.
 */
import { logistic } from '../core/logistic.ts'
import { medianOf } from '../core/median.ts'
import type { Misfit } from '../core/misfit.ts'
import { maxPieceIdf } from '../core/ranking.ts'
import type { Ordered } from './rerank.ts'
import { blendWeights, misfitCeiling, type ScoreModel, scoreModels, timeAlone } from './weights.ts'

/** What is known about a question besides its results. */
export interface Surroundings {
  /** Memories of the project. */
  readonly memories: number
  /** Cosines of memories unrelated to the question, as far as is known. */
  readonly unrelatedBaseline: readonly number[]
  /** Cosines of bundled neutral notes. */
  readonly neutral: readonly number[]
  /** Whether the nearest are turns of a conversation. */
  readonly conversation: boolean
  /** Notes of the time that is asked for and nothing else; undefined for all other questions. */
  readonly ofTime?: number | undefined
}

export interface Scored extends Ordered {
  /** 0..1; never above that of the result before. */
  readonly score: number
}

/** Neutral notes in a small brain count as this many of its own unrelated ones. */
const priorSize = 8

export interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** Mean and standard deviation; zeros without values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: 0, deviation: 0 }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / values.length) }
}

/** A value beyond so many standard deviations of the others, told by their median deviation, counts as at that distance. */
const outlying = 3

/** Mean and deviation without what a few strangers do to them: one note of another matter among many of one. */
function robustSpreadOf(values: readonly number[]): Spread {
  const middle = medianOf(values)
  // The median deviation of a normal distribution is 0.6745 of its standard deviation.
  const reach = (outlying / 0.6745) * medianOf(values.map((value) => Math.abs(value - middle)))
  return spreadOf(values.map((value) => Math.min(middle + reach, Math.max(middle - reach, value))))
}

/** What unrelated memories score here; neutral notes stand in for them in a small brain. */
function baselineOf({ unrelatedBaseline, neutral }: Surroundings): Spread {
  const own = robustSpreadOf(unrelatedBaseline)
  const bundled = spreadOf(neutral)
  const share = unrelatedBaseline.length / (unrelatedBaseline.length + priorSize)
  return {
    mean: share * own.mean + (1 - share) * bundled.mean,
    deviation: share * own.deviation + (1 - share) * bundled.deviation,
  }
}

/** A result is compared with this many of the next best. */
const crowdSize = 5

/**
 * What stands above the crowd: a blend, less the mean of the best others; texts kept twice count once. The only memory
 * of a brain stands above nothing at all; the only one that shares words with the question stands above others that are
 * not known.
 */
function crestsOf(ordered: readonly Ordered[]): number[] {
  const best: number[] = []
  for (const { blend } of ordered) {
    if (best.length > crowdSize) break
    if (best.length === 0 || (best.at(-1) ?? 0) - blend >= twinBlend) best.push(blend)
  }
  return ordered.map(({ blend, features }) => {
    const others = best.filter((other) => Math.abs(other - blend) >= twinBlend).slice(0, crowdSize)
    if (others.length === 0) return features.cosine === null ? 0 : blend
    return blend - spreadOf(others).mean
  })
}

/** The model's inputs for each of the results, which are sorted best first, by their names in `weights.ts`. */
export function scoreInputs(
  ordered: readonly Ordered[],
  surroundings: Surroundings,
): Record<string, number>[] {
  const { mean, deviation } = baselineOf(surroundings)
  const size = Math.log(Math.max(1, surroundings.memories))
  const [first] = ordered
  const crests = crestsOf(ordered)
  return ordered.map(({ features, blend }, at) => {
    const { cosine, coverage, held, rarest, lacking, codes, names, time } = features
    // Texts kept twice are one answer: the next best is the next that differs.
    const rival = at > 0 ? first : ordered.find((other) => blend - other.blend >= twinBlend)
    const lead = rival === undefined ? 0 : blend - rival.blend
    const distance = deviation > 0 && cosine !== null ? (cosine - mean) / deviation : 0
    return {
      blend: blend - blendWeights.codes * (codes ?? 0),
      cosine: cosine ?? 0,
      coverage,
      held,
      rarest: Math.min(maxPieceIdf, rarest),
      lacking: Math.log1p(lacking),
      // The blend without what codes lift it by: that is an input of its own.
      codes: codes ?? 0,
      missing: codes === null ? 0 : 1 - codes,
      names: names ?? 0,
      unnamed: names === null ? 0 : 1 - names,
      time: time ?? 0,
      distance,
      lead: at === 0 ? Math.min(0.4, lead) : 0,
      lag: at === 0 ? 0 : Math.max(-0.4, lead),
      crest: Math.max(-0.5, Math.min(0.5, crests[at] ?? 0)),
      // What stands out among many stands out more.
      crowd: at === 0 ? size * Math.min(0.4, lead) : 0,
      remote: size * distance,
      size,
      tiny: 1 / Math.sqrt(Math.max(1, surroundings.memories)),
      first: at === 0 ? 1 : 0,
    }
  })
}

/** Results that differ by less are the same text kept twice, and equally likely to be what was asked for. */
const twinBlend = 1e-6

/** The model as a function of inputs by their names. */
function probabilityBy({ coefficients, intercept }: ScoreModel) {
  const names = Object.keys(coefficients)
  const weights = Object.values(coefficients)
  return (inputs: Record<string, number>): number => {
    let sum = intercept
    // By index: pairs and their iterators would be tens of thousands of objects for one question.
    for (let at = 0; at < names.length; at += 1) sum += (weights[at] ?? 0) * (inputs[names[at] ?? ''] ?? 0)
    return logistic(sum)
  }
}

/** The probability where nothing but a time is asked for, which every note of that time answers. */
const probabilityOfTime = ({ place, features }: Ordered, notes: number): number =>
  place === undefined
    ? timeAlone.outside
    : timeAlone.written * Math.min(1, timeAlone.few / notes) ** timeAlone.fading * (features.time ?? 0)

/** The results with their probabilities; `ordered` is sorted best first. */
export function score(ordered: readonly Ordered[], surroundings: Surroundings): Scored[] {
  const { ofTime } = surroundings
  if (ofTime !== undefined)
    return ordered.map((result) => ({ ...result, score: probabilityOfTime(result, ofTime) }))
  const semantic = ordered.some(({ features }) => features.cosine !== null)
  const probability = probabilityBy(
    scoreModels[semantic ? (surroundings.conversation ? 'conversation' : 'semantic') : 'keyword'],
  )
  const inputs = scoreInputs(ordered, surroundings)
  let highest = 1
  return ordered.map((result, at) => {
    const before = ordered[at - 1]
    const twin = before !== undefined && before.blend - result.blend < twinBlend
    if (!twin) highest = Math.min(highest, probability(inputs[at] ?? {}))
    return { ...result, score: highest }
  })
}

/** A result, and what keeps it from being an answer, if anything is known to. */
export interface Result extends Scored {
  readonly misfit?: Misfit | undefined
}

/** How well a memory meets the time that is asked about, at least and at most, to be of it and of another. */
const [ofTheTime, ofAnother] = [0.6, 0.25]

/** The results, those that cannot be what was asked for with a low score at most and behind the others. */
export function holdBack(
  results: readonly Scored[],
  misfits: ReadonlyMap<number, Misfit | undefined>,
): readonly Result[] {
  const met = results.some(({ features }) => (features.time ?? 0) >= ofTheTime)
  return results
    .map((result): Result => {
      const { time } = result.features
      const elsewhen = met && time !== null && time < ofAnother ? 'elsewhen' : undefined
      const misfit = misfits.get(result.id) ?? elsewhen
      return misfit === undefined
        ? result
        : { ...result, misfit, score: Math.min(misfitCeiling, result.score) }
    })
    .toSorted((a, b) => b.score - a.score)
}
