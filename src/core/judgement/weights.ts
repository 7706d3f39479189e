/**
 * The logistic table of the gut-check: its parts fitted on plans that an earlier model had not seen (training/pair/fit.py),
 * intercept and the model's own weight set by hand on plans that this one had not; the weight of a time is that of the
 * plans that meet one. Knows numbers alone. A part that came out against its meaning was noise, and weighs nothing; words
 * in common are left to the pair model.
 */
import type { FeatureName } from './features.ts'

export interface Weights {
  readonly intercept: number
  /** Log odds for each unit of a part. */
  readonly parts: Readonly<Record<FeatureName | 'cosine' | 'reader', number>>
}

/** A plan in the words of the warning falls under it, whatever else. */
const sameText = 6
/** A plan that does what must not be left undone; set by hand, such plans are rare among those fitted on. */
const keepsDuty = -2
/** By hand, too: "clean up after review" is no reason to stop. */
const vague = -1.2
/** The same: "never force-push", and the plan pushes or commits. */
const unforced = -3
/** The same: "never push to main", and the plan pushes its own branch, or pulls. */
const unpushed = -4
/** The same: "never push to main", and the plan does. */
const pushed = 2.5
/** The same: plans that are the ban itself are rare. */
const refuses = -5
/** By hand: a ban on Fridays says nothing of a Monday. Few plans of the batches name a time that their warning leaves free. */
const goodTime = -4
/** By hand, as certain as the words of the warning: what was done about a mishap is not the mishap. */
const remedies = -6
/** By hand, for commands that only read; over the batches it costs nothing. */
const harmlessCommand = -0.8

export const withReader: Weights = {
  intercept: -1,
  parts: {
    sharedWords: 0,
    sharedNames: 0,
    sameText,
    advised: -0.88,
    prevents: -0.25,
    keepsDuty,
    looks: -1.03,
    gentler: -0.31,
    safely: -1.07,
    live: 0.36,
    careless: 0.19,
    harmfulCommand: 0.26,
    harmlessCommand,
    unforced,
    unpushed,
    pushed,
    badTime: 1.5,
    goodTime,
    vague,
    refuses,
    remedies,
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
    sharedWords: 0,
    sharedNames: 0,
    sameText,
    advised: -0.56,
    prevents: -1.22,
    keepsDuty,
    looks: -1.95,
    gentler: -0.88,
    safely: -0.92,
    live: 0.53,
    careless: 0.72,
    harmfulCommand: 0.47,
    harmlessCommand: 0,
    unforced,
    unpushed,
    pushed,
    badTime: 1.5,
    goodTime,
    vague,
    refuses,
    remedies,
    cosine: 5,
    reader: 0,
  },
}

/** What names the nearest flags, beside a cosine that weighs 1; fitted on which flag a plan was written for. */
export const nearnessWeights = { logit: 0.048, sharedWords: 0.26, sharedNames: 0.23 }
