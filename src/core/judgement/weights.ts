/**
 * The logistic table of the gut-check: its parts fitted on plans that an earlier model had not seen (training/pair/fit.py),
 * intercept and the model's own weight set by hand on plans that this one had not. Knows numbers alone. A part that came
 * out against its meaning was noise, and weighs nothing.
 */
import type { FeatureName } from './features.ts'

export interface Weights {
  readonly intercept: number
  /** Log odds for each unit of a part. */
  readonly parts: Readonly<Record<FeatureName | 'cosine' | 'reader', number>>
}

/** Set by hand: what is too rare among the plans fitted on, or means now this and now that. The fit takes these from here. */
export const handWeights = {
  /** Words in common speak for and against by turns: the pair model knows when. */
  sharedWords: 0,
  sharedNames: 0,
  /** A plan in the words of the warning falls under it, whatever else. */
  sameText: 6,
  /** Of 1,800 such plans 1,700 fell under their warning, four fifths of those that were written to differ in little. */
  within: 1.5,
  /** The reader has hardly met a plan that stands in its warning as it is. */
  quoted: 3.5,
  /**
   * Of 1,300 such plans beside their warnings 190 fell under them; of the ways that a warning itself recommends the
   * reader takes many for danger.
   */
  safer: -2,
  /** A plan that does what must not be left undone. */
  keepsDuty: -2,
  /** "Clean up after review" is no reason to stop. */
  vague: -1.2,
  /** "Deploy to staging" is not "never restore production data into staging"; the reader has met few plans so bare. */
  placeAlone: -2.5,
  /** "Never force-push", and the plan pushes or commits. */
  unforced: -3,
  /** "Never push to main", and the plan pushes its own branch, or pulls. */
  unpushed: -4,
  /** "Never push to main", and the plan does. */
  pushed: 2.5,
  /** "No deletes on the table readings", and the plan drops or truncates it: the reader hears another word. */
  destroyed: 2.5,
  /** Plans that are the ban itself are rare. */
  refuses: -5,
  /** Few plans of the batches name a time that their warning names, or leaves free: a ban on Fridays says nothing of a Monday. */
  badTime: 1.5,
  goodTime: -4,
  /** "For longer than two minutes", and the plan takes five, or one: hardly any plan of the batches names such. */
  beyond: 1.5,
  inBounds: -4,
  /** As certain as the words of the warning: what was done about a mishap is not the mishap. */
  remedies: -6,
  /** For commands that only read; over the batches it costs nothing. */
  harmlessCommand: -0.8,
} satisfies Partial<Weights['parts']>

export const withReader: Weights = {
  intercept: -1.3,
  parts: {
    ...handWeights,
    advised: -0.88,
    prevents: -0.25,
    looks: -1.03,
    gentler: -0.31,
    safely: -1.07,
    live: 0.36,
    careless: 0.19,
    harmfulCommand: 0.26,
    cosine: 0,
    reader: 0.75,
  },
}

/**
 * Intercept and cosine are set by hand: between plans written for one warning likeness tells nothing, but it is all
 * that tells which warning is meant.
 */
export const withoutReader: Weights = {
  intercept: -3.5,
  parts: {
    ...handWeights,
    advised: -0.56,
    prevents: -1.22,
    looks: -1.95,
    gentler: -0.88,
    safely: -0.92,
    live: 0.53,
    careless: 0.72,
    harmfulCommand: 0.47,
    harmlessCommand: 0,
    cosine: 5,
    reader: 0,
  },
}

/** What names the nearest flags, beside a cosine that weighs 1; fitted on which flag a plan was written for. */
export const nearnessWeights = { logit: 0.048, sharedWords: 0.26, sharedNames: 0.23 }
