/**
 * Every number that ranking and scores depend on, in one table. Set only by `training/ranking/fit.js`, from the
 * development sets; that file describes how.
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
  time: 0.568,
  length: 0.04,
}

/**
 * Share of the mean of neutral texts that is subtracted from a question's vector: what is similar to everything
 * answers nothing.
 */
export const neutralShare = 0.4

/** Average cosine of neutral notes and a question with the built-in model: the scale that other models are mapped to. */
export const neutralSpread = { mean: 0.02, deviation: 0.08 }

/** A logistic model: the coefficients of the inputs named in `score.ts`. */
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
      maxSim: -0.008,
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
