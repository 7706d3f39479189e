/**
 * How sure it is that a result is what was asked for: a probability, by a logistic model over the result's features
 * and their surroundings. Its coefficients stand in `weights.ts`; without vectors there is a smaller model of its own.
 */
import type { Ordered } from './rerank.ts'
import { blendWeights, type ScoreModel, scoreModels } from './weights.ts'

/** What is known of a question beside its results. */
export interface Surroundings {
  /** Memories of the project. */
  readonly memories: number
  /** Cosines of memories that were not asked for, as far as is known; with those of neutral notes. */
  readonly background: readonly number[]
  /** Share of the question's terms, by their idf, that no memory holds: 0..1. */
  readonly unknown: number
  /** Cosines of bundled neutral notes. */
  readonly neutral: readonly number[]
}

export interface Scored extends Ordered {
  /** 0..1; never above that of the result before. */
  readonly score: number
}

/** So many neutral notes does the background of a small brain count as. */
const priorSize = 8

export interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** Mean and standard deviation; zeros of none. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: 0, deviation: 0 }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / values.length) }
}

/** The brain's own background, which neutral notes stand in for where it is small. */
function backgroundOf({ background, neutral }: Surroundings): Spread {
  const own = spreadOf(background)
  const bundled = spreadOf(neutral)
  const share = background.length / (background.length + priorSize)
  return {
    mean: share * own.mean + (1 - share) * bundled.mean,
    deviation: share * own.deviation + (1 - share) * bundled.deviation,
  }
}

/** What the model looks at for each of the results, which come best first, by the names in `weights.ts`. */
function scoreInputs(ordered: readonly Ordered[], surroundings: Surroundings): Record<string, number>[] {
  const { mean, deviation } = backgroundOf(surroundings)
  const size = Math.log(Math.max(1, surroundings.memories))
  const [first] = ordered
  return ordered.map(({ features, blend }, at) => {
    const { cosine, soft, coverage, held, codes, names, time } = features
    // Texts kept twice are one answer: the next best is the next that differs.
    const rival = at > 0 ? first : ordered.find((other) => blend - other.blend >= twinBlend)
    const lead = rival === undefined ? 0 : blend - rival.blend
    const distance = deviation > 0 && cosine !== null ? (cosine - mean) / deviation : 0
    return {
      blend: blend - blendWeights.codes * (codes ?? 0),
      cosine: cosine ?? 0,
      soft: soft ?? cosine ?? 0,
      coverage,
      held,
      // The blend without what codes lift it by: that is an input of its own.
      codes: codes ?? 0,
      missing: codes === null ? 0 : 1 - codes,
      names: names ?? 0,
      unnamed: names === null ? 0 : 1 - names,
      time: time ?? 0,
      distance,
      lead: at === 0 ? Math.min(0.4, lead) : 0,
      lag: at === 0 ? 0 : Math.max(-0.4, lead),
      // What stands out among many stands out more.
      crowd: at === 0 ? size * Math.min(0.4, lead) : 0,
      remote: size * distance,
      unknown: surroundings.unknown,
      size,
      tiny: 1 / Math.sqrt(Math.max(1, surroundings.memories)),
      first: at === 0 ? 1 : 0,
    }
  })
}

/** Two results that differ by less are one text kept twice: as likely, each, to be what was asked for. */
const twinBlend = 1e-6

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

const probability = (model: ScoreModel, inputs: Record<string, number>): number =>
  logistic(
    Object.entries(model.coefficients).reduce(
      (sum, [name, coefficient]) => sum + coefficient * (inputs[name] ?? 0),
      model.intercept,
    ),
  )

/** The results with their probabilities; `ordered` comes best first. */
export function score(ordered: readonly Ordered[], surroundings: Surroundings): Scored[] {
  const semantic = ordered.some(({ features }) => features.cosine !== null)
  const model = semantic ? scoreModels.semantic : scoreModels.keyword
  const inputs = scoreInputs(ordered, surroundings)
  let highest = 1
  return ordered.map((result, at) => {
    const before = ordered[at - 1]
    const twin = before !== undefined && before.blend - result.blend < twinBlend
    if (!twin) highest = Math.min(highest, probability(model, inputs[at] ?? {}))
    return { ...result, score: highest }
  })
}
