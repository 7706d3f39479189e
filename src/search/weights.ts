/**
 * Every number that ranking and scores depend on, in one table. Fitted on the development sets by
 * `training/ranking/fit.js`, which says how; nothing else sets them.
 */

/** What each feature of `features.ts` adds to the blend that orders results. */
export interface BlendWeights {
  readonly cosine: number
  readonly soft: number
  readonly coverage: number
  /** Above all that likeness can give: what holds the very thing that is named stands before what is like it. */
  readonly codes: number
  readonly names: number
  readonly phrases: number
  readonly time: number
  /** For each factor of e in the passage's pieces: a long text is near everything by chance. */
  readonly length: number
}

export const blendWeights: BlendWeights = {
  cosine: 1,
  soft: 0.416,
  coverage: 0.1,
  codes: 4,
  names: 0.2,
  phrases: 0.3,
  time: 0.5,
  length: 0.034,
}

/** Share of the mean of neutral texts that is taken off a question's vector: what is near everything answers nothing. */
export const neutralShare = 0.4

/** What neutral notes score for a question with the built-in model, on average: the scale that others are put on. */
export const neutralSpread = { mean: 0.02, deviation: 0.08 }

/** A logistic model: the coefficients of the inputs that `score.ts` names. */
export interface ScoreModel {
  readonly intercept: number
  readonly coefficients: Readonly<Record<string, number>>
}

export const scoreModels: { readonly semantic: ScoreModel; readonly keyword: ScoreModel } = {
  semantic: {
    intercept: -5.587,
    coefficients: {
      blend: 2.75,
      cosine: 2.816,
      soft: 0.646,
      coverage: -4.201,
      held: 2.611,
      codes: 0.454,
      missing: -1.514,
      names: -0.522,
      unnamed: -0.499,
      time: 0.499,
      distance: 0.775,
      remote: -0.084,
      lead: 4.866,
      lag: 5.062,
      crowd: 0.342,
      unknown: -0.219,
      size: -0.023,
      tiny: 0.984,
      first: 0.734,
    },
  },
  keyword: {
    intercept: -3.915,
    coefficients: {
      coverage: 1.871,
      held: 8.042,
      codes: 1.379,
      missing: -1.582,
      names: 1.559,
      unnamed: -0.414,
      time: 1.462,
      lead: 2.833,
      lag: 1.962,
      unknown: 0.531,
      size: -0.408,
      tiny: 2.272,
      first: 1.564,
    },
  },
}
