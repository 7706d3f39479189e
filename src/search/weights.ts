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
  soft: 0.45,
  coverage: 0.1,
  codes: 4,
  names: 0.1,
  phrases: 0.3,
  time: 0.568,
  length: 0.04,
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
    intercept: -5.205,
    coefficients: {
      blend: 2.605,
      cosine: 3.439,
      soft: -0.008,
      coverage: -4.634,
      held: 2.167,
      codes: 0.342,
      missing: -1.526,
      names: 0.635,
      unnamed: -0.697,
      time: 0.184,
      distance: 0.663,
      remote: -0.077,
      lead: 5.125,
      lag: 5.426,
      crowd: 0.634,
      unknown: -0.286,
      size: -0.016,
      tiny: 0.967,
      first: 0.581,
    },
  },
  keyword: {
    intercept: -3.79,
    coefficients: {
      coverage: 1.894,
      held: 7.967,
      codes: 1.396,
      missing: -1.522,
      names: 2.051,
      unnamed: -0.6,
      time: 1.942,
      lead: 2.946,
      lag: 2.059,
      unknown: 0.491,
      size: -0.43,
      tiny: 2.083,
      first: 1.55,
    },
  },
}
