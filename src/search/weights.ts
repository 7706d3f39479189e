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
  maxSim: 0.3,
  coverage: 0.127,
  codes: 4,
  names: 0.1,
  phrases: 0.3,
  time: 0.5,
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
 * How much a question of how things stand now lifts the memories whose blend is at least the share `near` of the best: those that
 * tell of a change, and the newest of them, the others by their order of days. Chosen by hand on `training/ranking/questions`.
 */
export const presentWeights = { near: 0.75, changed: 0.25, newest: 0.2 } as const

/**
 * Share of the mean of neutral texts that is subtracted from a question's vector: what is similar to everything
 * answers nothing.
 */
export const neutralShare = 0.4

/** Average cosine of neutral notes and a question with the built-in model: the scale that other models are mapped to. */
export const neutralSpread = { mean: 0.02, deviation: 0.08 }

/**
 * Highest score of a note that tells nothing of the kind that is asked for, or of another year or room than the one named. Of
 * 84 such results of `training/ranking/questions` that the model gave 0.3 and more 6 were right, of 36 of other sets 12, most
 * of which no question asked for.
 */
export const misfitCeiling = 0.2

/**
 * Highest score of a first result behind a later note on its matter that tells of a change. Of 18 such results of six brains
 * full of changes none was right; of 47 among notes written to mislead, where what only adds and what is of another thing speak
 * of changes, too, 18.
 */
export const outdatedCeiling = 0.4

/**
 * Highest score of a result beside which a later note on its matter is named, unless the question asks how it was. Of
 * 200 such results that had 0.9 and more 35 were right: of two things that are alike and of what no note changes 29 of
 * 31, of what changed none of 148, in logs 5 of 20.
 */
export const laterCeiling = 0.6

/**
 * Highest score of a note that comes first because it tells of a change on the matter of the first result: of 67 such
 * cases 46 were right, 17 of 18 in six brains full of changes and 29 of 49 among notes written to mislead.
 */
export const changedCeiling = 0.7

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
    intercept: -6.01,
    coefficients: {
      blend: -0.82,
      cosine: 5.943,
      coverage: -8.703,
      held: 6.496,
      rarest: -0.342,
      lacking: 0.592,
      codes: -0.344,
      missing: -2.531,
      names: -0.128,
      unnamed: -0.794,
      time: 0.887,
      distance: 0.095,
      remote: -0.011,
      lead: 2.529,
      lag: 5.05,
      crest: 8.062,
      crowd: -0.313,
      size: 0.108,
      tiny: 0.052,
      first: 0.628,
    },
  },
  conversation: {
    intercept: -5.769,
    coefficients: {
      blend: 0.477,
      cosine: 0.917,
      coverage: -7.771,
      held: 4.248,
      rarest: 0.034,
      lacking: 0.333,
      codes: -0.616,
      missing: -0.917,
      names: -0.039,
      unnamed: 0.431,
      time: -0.571,
      distance: 0.496,
      remote: -0.067,
      lead: 2.365,
      lag: -0.199,
      crest: 3.502,
      crowd: -0.063,
      size: 0.206,
      tiny: 0.728,
      first: -0.157,
    },
  },
  keyword: {
    intercept: -5.366,
    coefficients: {
      coverage: -4.822,
      held: 9.175,
      rarest: -0.038,
      lacking: 0.172,
      codes: 0.873,
      missing: -1.201,
      names: 0.999,
      unnamed: -0.793,
      time: 1.914,
      lead: 1.617,
      lag: 6.376,
      crest: 0.94,
      size: -0.168,
      tiny: 5.873,
      first: 1.781,
    },
  },
}
