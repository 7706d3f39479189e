/**
 * The gut-check: what flags and past predictions say about a topic. Knows relevances as numbers in 0..1 and
 * never how they were found; every number behind the verdict is handed out, so that anyone can recompute it.
 */
import { meanOf } from './calibration.ts'
import type { Memory, Prediction, Resolution } from './records.ts'
import { outcomeValue } from './surprise.ts'

export const verdicts = ['danger', 'caution', 'clear'] as const
export type Verdict = (typeof verdicts)[number]

const dangerFrom = 0.34
const cautionFrom = 0.12

/** The band a risk (0..1) falls in. */
export function verdictOf(risk: number): Verdict {
  if (risk >= dangerFrom) return 'danger'
  return risk >= cautionFrom ? 'caution' : 'clear'
}

/** How a relevance was found: by likeness of meaning, or as the share of shared words. */
export type RelevanceKind = 'meaning' | 'words'

/**
 * Relevance that chance alone gives, by its kind: so much is taken off before it counts. By meaning, the nearest of
 * twenty unrelated flags stays below it for 19 topics of 20 (another domain) or 17 of 20 (the same); a paraphrase
 * that shares words stands above .9.
 */
export const noiseFloors: Readonly<Record<RelevanceKind, number>> = { meaning: 0.6, words: 0.2 }

/** Relevance (0..1) with the noise floor of its kind taken off and the rest stretched to 0..1. */
export const effectiveRelevanceOf = (relevance: number, kind: RelevanceKind): number =>
  Math.min(1, Math.max(0, (relevance - noiseFloors[kind]) / (1 - noiseFloors[kind])))

/** What stays of the relevance of a warning whose action is not the topic's: enough for caution, never for danger. */
const otherAction = 0.7

/** How a topic compares with a flag, part by part. */
export interface Nearness {
  /** Relevance of the whole topic, 0..1. */
  readonly whole: number
  /** Relevance of what its action is done to, 0..1; undefined when no action can be told from it. */
  readonly object: number | undefined
  /** Whether its action is certainly gentler than the one warned of. */
  readonly gentler: boolean
}

/** From this relevance on, what the action is done to is likelier the same than not. */
const sameObject = 0.5

/**
 * Relevance, 0..1, by meaning: at most that of the whole topic. An action alone in common is no likeness: while what it
 * is done to is likelier something else, up to half is taken off. Of a gentler action on the same thing .7 is left.
 */
export function relevanceByMeaning({ whole, object, gentler }: Nearness): number {
  const met = object === undefined ? whole : whole * Math.min(1, 0.5 + object * (0.5 / sameObject))
  return gentler ? otherAction * met : met
}

/** Share, 0..1, of the weight of all terms that is on those `held`. */
export function shareOfWeight(weights: ReadonlyMap<string, number>, held: Iterable<string>): number {
  let all = 0
  for (const weight of weights.values()) all += weight
  let covered = 0
  for (const term of held) covered += weights.get(term) ?? 0
  return all > 0 ? Math.min(1, covered / all) : 0
}

/** A flag and how much it has to do with the topic, 0..1. */
export interface RelevantFlag extends Pick<Memory, 'id' | 'text' | 'caution'> {
  readonly relevance: number
  readonly kind: RelevanceKind
}

/** A flag with the numbers that make its risk: `risk` is `caution * effectiveRelevance`. */
export interface WeighedFlag extends RelevantFlag {
  readonly effectiveRelevance: number
  readonly risk: number
}

/** The flag that puts the topic most at risk; among equals the more cautious, then the older. Undefined of none. */
function weightiest(flags: readonly RelevantFlag[]): WeighedFlag | undefined {
  let found: WeighedFlag | undefined
  for (const flag of flags) {
    const effectiveRelevance = effectiveRelevanceOf(flag.relevance, flag.kind)
    const weighed = { ...flag, effectiveRelevance, risk: flag.caution * effectiveRelevance }
    if (found === undefined || outweighs(weighed, found)) found = weighed
  }
  return found
}

function outweighs(a: WeighedFlag, b: WeighedFlag): boolean {
  if (a.risk !== b.risk) return a.risk > b.risk
  if (a.caution !== b.caution) return a.caution > b.caution
  return a.id < b.id
}

/** Resolved predictions that share a distinctive word with the topic, summed up. */
export interface TrackRecord {
  readonly adjacentPredictions: number
  readonly correct: number
  readonly incorrect: number
  readonly partial: number
  /** (correct + partial / 2) / all. */
  readonly accuracy: number
  readonly meanConfidence: number
  readonly meanSurprise: number
  /** At most three, most surprising first. */
  readonly mostSurprising: readonly Past[]
}

/** A resolved prediction. */
export type Past = Prediction & { readonly resolution: Resolution }

const fewestForCommon = 8
const largestShare = 0.25
const shortestWord = 3

/** Whether a stemmed word (no stop word) tells predictions apart: 3 characters, and not in over a quarter of 8 or more. */
export const isDistinctive = (word: string, holding: number, predictions: number): boolean =>
  [...word].length >= shortestWord && (predictions < fewestForCommon || holding <= predictions * largestShare)

/** The track record of the adjacent predictions; null of none. */
export function trackRecordOf(adjacent: readonly Past[]): TrackRecord | null {
  const meanConfidence = meanOf(adjacent.map((one) => one.confidence))
  const meanSurprise = meanOf(adjacent.map((one) => one.resolution.surprise))
  const accuracy = meanOf(adjacent.map((one) => outcomeValue[one.resolution.outcome]))
  if (meanConfidence === null || meanSurprise === null || accuracy === null) return null
  const having = (outcome: Resolution['outcome']) =>
    adjacent.filter((one) => one.resolution.outcome === outcome).length
  return {
    adjacentPredictions: adjacent.length,
    correct: having('correct'),
    incorrect: having('incorrect'),
    partial: having('partial'),
    accuracy,
    meanConfidence,
    meanSurprise,
    mostSurprising: [...adjacent]
      .sort((a, b) => b.resolution.surprise - a.resolution.surprise || b.id - a.id)
      .slice(0, 3),
  }
}

/** What the gut says of a topic. */
export interface Assessment {
  readonly verdict: Verdict
  /** 0..1. */
  readonly risk: number
  /** One English sentence. */
  readonly why: string
  /** The deciding flag; null when the verdict is clear. */
  readonly basedOn: WeighedFlag | null
  readonly trackRecord: TrackRecord | null
}

/** The verdict on a topic from its flags and its track record, which informs but does not weigh. */
export function assess(flags: readonly RelevantFlag[], trackRecord: TrackRecord | null): Assessment {
  const heaviest = weightiest(flags)
  const risk = heaviest?.risk ?? 0
  const verdict = verdictOf(risk)
  const basedOn = verdict === 'clear' || heaviest === undefined ? null : heaviest
  const past = trackRecord === null ? '' : `; ${describe(trackRecord)}`
  return { verdict, risk, why: `${describeFlag(basedOn, verdict)}${past}.`, basedOn, trackRecord }
}

const describeFlag = (flag: WeighedFlag | null, verdict: Verdict): string =>
  flag === null
    ? 'No flag comes close to this topic'
    : `${verdict === 'danger' ? 'This is close to' : 'This touches on'} flag ${flag.id}, "${shorten(flag.text)}" (caution ${round(flag.caution)}, effective relevance ${round(flag.effectiveRelevance)})`

const describe = (record: TrackRecord): string =>
  record.adjacentPredictions === 1
    ? `the one related prediction turned out ${onlyOutcome(record)}`
    : `of ${record.adjacentPredictions} related predictions ${record.correct} turned out correct, ${record.incorrect} incorrect and ${record.partial} partial`

const onlyOutcome = (record: TrackRecord): string =>
  record.correct === 1 ? 'correct' : record.incorrect === 1 ? 'incorrect' : 'partial'

const round = (value: number): string => String(Math.round(value * 100) / 100)

const longestQuote = 80

/** The beginning of a text on one line, cut at a word, its final stop left off. */
function shorten(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  const points = [...line]
  if (points.length <= longestQuote) return line.replace(/[.!]+$/, '')
  const cut = points.slice(0, longestQuote).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > longestQuote / 2 ? cut.slice(0, lastSpace) : cut}…`
}
