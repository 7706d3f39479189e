/**
 * Every number that ranking and scores depend on, in one table. Set by `training/ranking/fit.js`, from the development
 * sets, where nothing else is said; that file describes how.
 */

/** Contribution of each feature in `features.ts` to the blend that orders results. */
export interface BlendWeights {
  readonly cosine: number
  readonly maxSim: number
  readonly coverage: number
  /** Above anything that similarity can contribute: a memory that contains exactly what is named comes before similar ones. */
  readonly codes: number
  readonly names: number
  readonly phrases: number
  readonly time: number
  /** Per factor of e in the number of the passage's pieces: a long text is similar to everything by chance. */
  readonly length: number
}

export const blendWeights: BlendWeights = {
  cosine: 1,
  maxSim: 0.45,
  coverage: 0.1,
  codes: 4,
  names: 0.1,
  phrases: 0.3,
  time: 0.567,
  length: 0.04,
}

/** The same where the nearest are turns of a conversation. */
export interface ConversationWeights extends Pick<BlendWeights, 'maxSim' | 'coverage'> {
  /** For the share of the question's words that a turn has. */
  readonly held: number
  /** For each of `turnsAround`, the share of its blend that a turn is lent. */
  readonly around: readonly number[]
  /** Nothing is lent by the weakest candidates: their share. */
  readonly floor: number
}

export const conversationWeights: ConversationWeights = {
  maxSim: 1,
  coverage: 0.5,
  held: 0.2,
  around: [0.4, 0.7, 0.2],
  floor: 0.4,
}

/**
 * Share of the mean of neutral texts that is subtracted from a question's vector: what is similar to everything
 * answers nothing.
 */
export const neutralShare = 0.4

/** Average cosine of neutral notes and a question with the built-in model: the scale that other models are mapped to. */
export const neutralSpread = { mean: 0.02, deviation: 0.08 }

/**
 * How likely notes are meant by a question that asks for nothing but a time. Set by hand: the development sets hold few
 * such questions.
 */
export const timeAlone = {
  /**
   * A note of the time, where there are `few` or less; of more each is asked for with a little less, by this power of
   * how many.
   */
  written: 0.9,
  few: 10,
  fading: 0.125,
  /** The share of that for a note that tells of the time and was not written then. */
  told: 0.6,
  /** The same for a note of the same days in an earlier year. */
  earlier: 0.6,
  /** All other notes. */
  outside: 0.03,
} as const

/** A logistic model: the coefficients of the inputs named in `score.ts`. */
export interface ScoreModel {
  readonly intercept: number
  readonly coefficients: Readonly<Record<string, number>>
}

export const scoreModels: Readonly<Record<'semantic' | 'conversation' | 'keyword', ScoreModel>> = {
  semantic: {
    intercept: -7.545,
    coefficients: {
      blend: 1.608,
      cosine: 2.88,
      coverage: -4.955,
      held: 7.504,
      rarest: -0.394,
      lacking: 0.979,
      codes: -1.375,
      missing: -1.727,
      names: 0.514,
      unnamed: -0.641,
      time: -0.245,
      distance: 0.536,
      remote: -0.066,
      lead: 3.809,
      lag: 2.866,
      crest: 6.378,
      crowd: 0.103,
      size: 0.186,
      tiny: -0.371,
      first: 0.476,
    },
  },
  conversation: {
    intercept: -5.701,
    coefficients: {
      blend: 0.459,
      cosine: 0.396,
      coverage: -8.21,
      held: 5.364,
      rarest: -0.015,
      lacking: 0.663,
      codes: -0.551,
      missing: -0.851,
      names: 0.079,
      unnamed: 0.532,
      time: -0.926,
      distance: 0.406,
      remote: -0.046,
      lead: 2.273,
      lag: -0.077,
      crest: 3.472,
      crowd: -0.084,
      size: 0.095,
      tiny: 0.328,
      first: -0.033,
    },
  },
  keyword: {
    intercept: -6.439,
    coefficients: {
      coverage: 1.234,
      held: 9.572,
      rarest: 0.803,
      lacking: 0.634,
      codes: 0.758,
      missing: -1.555,
      names: 1.71,
      unnamed: -0.608,
      time: 1.946,
      lead: 3.332,
      lag: 2.913,
      crest: 0.29,
      size: -0.806,
      tiny: 5.889,
      first: 1.281,
    },
  },
}
