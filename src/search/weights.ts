/**
 * Every number that ranking and scores depend on, in one table. Fitted on the development sets by
 * `training/ranking/fit.py`, which says how; nothing else sets them.
 */

/** What each feature of `features.ts` adds to the blend that orders results. */
export interface BlendWeights {
  readonly cosine: number
  readonly soft: number
  readonly coverage: number
  readonly held: number
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
  soft: 0.35,
  coverage: 0.1,
  held: 0,
  codes: 4,
  names: 0.25,
  phrases: 0.2,
  time: 0.45,
  length: 0.03,
}

/** Share of the mean of neutral texts that is taken off a question's vector: what is near everything answers nothing. */
export const neutralShare = 0.4

/** A logistic model: the coefficients of the inputs that `score.ts` names. */
export interface ScoreModel {
  readonly intercept: number
  readonly coefficients: Readonly<Record<string, number>>
}

export const scoreModels: { readonly semantic: ScoreModel; readonly keyword: ScoreModel } = {
  semantic: { intercept: -6, coefficients: { blend: 8, size: -0.3, first: 1, lead: 5 } },
  keyword: { intercept: -3, coefficients: { coverage: 4, held: 3, size: -0.2, first: 1, lead: 3 } },
}
