/**
 * The gut-check: what flags and past predictions say about a topic. Knows relevances as numbers in 0..1, not how they
 * were found; every number behind the verdict is returned, so that anyone can recompute it.
 */
import { excerptOf } from './excerpt.ts'
import type { Memory } from './records.ts'
import type { TrackRecord } from './track-record.ts'

export const verdicts = ['danger', 'caution', 'clear'] as const
export type Verdict = (typeof verdicts)[number]

const dangerFrom = 0.34
const cautionFrom = 0.12

/** The verdict for a risk (0..1). */
export function verdictOf(risk: number): Verdict {
  if (risk >= dangerFrom) return 'danger'
  return risk >= cautionFrom ? 'caution' : 'clear'
}

/**
 * How a relevance was determined: by a model that reads both texts, by their similarity and what can be read in them
 * without that model, or as the share of common words.
 */
export type RelevanceKind = 'reading' | 'likeness' | 'words'

/** The range of relevances that count: nothing up to the floor, which chance alone produces, and fully from the ceiling on. */
export interface Scale {
  readonly floor: number
  readonly ceiling: number
}

/** Chosen by what alarms cost, on plans that the models had not seen: docs/judgement.md has the figures. */
export const scales: Readonly<Record<RelevanceKind, Scale>> = {
  reading: { floor: 0.01, ceiling: 1 },
  likeness: { floor: 0.19, ceiling: 0.49 },
  words: { floor: 0.2, ceiling: 1 },
}

/** Relevance (0..1) with the noise floor of its kind subtracted and the rest, up to the ceiling, stretched to 0..1. */
export function effectiveRelevanceOf(relevance: number, kind: RelevanceKind): number {
  const { floor, ceiling } = scales[kind]
  return Math.min(1, Math.max(0, (relevance - floor) / (ceiling - floor)))
}

/** Share, 0..1, of the total weight of the terms that belongs to those `held`. */
export function shareOfWeight(weights: ReadonlyMap<string, number>, held: Iterable<string>): number {
  let all = 0
  for (const weight of weights.values()) all += weight
  let covered = 0
  for (const term of held) covered += weights.get(term) ?? 0
  return all > 0 ? Math.min(1, covered / all) : 0
}

/** A flag and its relevance to the topic, 0..1. */
export interface RelevantFlag extends Pick<Memory, 'id' | 'text' | 'caution'> {
  readonly relevance: number
  readonly kind: RelevanceKind
  /** Nearness, on the finder's own scale: a warning can be near whether or not it applies. */
  readonly nearness: number
  /** Clauses about the topic, for and against its falling under the flag. */
  readonly reasons: { readonly for: readonly string[]; readonly against: readonly string[] }
}

/** A flag with the numbers that make its risk: `risk` is `caution * effectiveRelevance`. */
export interface WeighedFlag extends RelevantFlag {
  readonly effectiveRelevance: number
  readonly risk: number
}

/** The flags with their numbers, highest risk first; among equals the more cautious, then the older. */
function weighAll(flags: readonly RelevantFlag[]): WeighedFlag[] {
  const weighed = flags.map((flag) => {
    const effectiveRelevance = effectiveRelevanceOf(flag.relevance, flag.kind)
    return { ...flag, effectiveRelevance, risk: flag.caution * effectiveRelevance }
  })
  return weighed.sort((a, b) => (outweighs(a, b) ? -1 : 1))
}

function outweighs(a: WeighedFlag, b: WeighedFlag): boolean {
  if (a.risk !== b.risk) return a.risk > b.risk
  if (a.caution !== b.caution) return a.caution > b.caution
  return a.id < b.id
}

const minForCommon = 8
const largestShare = 0.25
const shortestWord = 3

/**
 * Whether a stemmed word (not a stop word) is distinctive among predictions: at least 3 characters, and not in over a
 * quarter of 8 or more.
 */
export const isDistinctive = (word: string, holding: number, predictions: number): boolean =>
  [...word].length >= shortestWord && (predictions < minForCommon || holding <= predictions * largestShare)

/** The gut-check's answer for a topic. */
export interface Assessment {
  readonly verdict: Verdict
  /** 0..1. */
  readonly risk: number
  /** One English sentence. */
  readonly why: string
  /** The deciding flag; null when the verdict is clear. */
  readonly basedOn: WeighedFlag | null
  /** The deciding flag and the nearest others, three at most, the likeliest to apply first, whatever the verdict. */
  readonly nearest: readonly WeighedFlag[]
  readonly trackRecord: TrackRecord | null
}

const maxNearest = 3

/** The verdict on a topic from its flags; the track record is reported but has no influence. */
export function assess(flags: readonly RelevantFlag[], trackRecord: TrackRecord | null): Assessment {
  const weighed = weighAll(flags)
  const [heaviest] = weighed
  const risk = heaviest?.risk ?? 0
  const verdict = verdictOf(risk)
  const basedOn = verdict === 'clear' || heaviest === undefined ? null : heaviest
  const nearest = weighed
    .toSorted((a, b) => Number(b === basedOn) - Number(a === basedOn) || b.nearness - a.nearness)
    .slice(0, maxNearest)
    .sort((a, b) => b.relevance - a.relevance)
  const past = trackRecord === null ? '' : `; ${describe(trackRecord)}`
  const said = basedOn === null ? describeClear(nearest[0]) : describeFlag(basedOn, verdict)
  return { verdict, risk, why: `${said}${past}.`, basedOn, nearest, trackRecord }
}

const openings: Readonly<Record<Verdict, string>> = {
  danger: 'Stop and read',
  caution: 'First read',
  clear: 'No flag seems to apply; the likeliest is',
}

/**
 * `why` as a statement instead of an order, since agents treat orders in what a hook prints as an injection; with `quotation`
 * in the place of the flag's text where that was cut.
 */
export function toStatement(why: string, quotation: string | undefined): string {
  const order = [openings.danger, openings.caution].find((opening) => why.startsWith(`${opening} `))
  const statement = order === undefined ? why : why.slice(order.length + 1)
  return quotation === undefined
    ? statement
    : statement.replace(/".*…"(?= \(caution )/s, () => `"${quotation}"`)
}

const howFound: Readonly<Record<RelevanceKind, string>> = {
  reading: '',
  likeness: ' by likeness alone',
  words: ' by shared words alone',
}

const describeFlag = (flag: WeighedFlag, verdict: Verdict): string =>
  `${openings[verdict]} flag ${flag.id}, "${quoted(flag.text)}" (caution ${round(flag.caution)}, relevance ${round(flag.relevance)}${howFound[flag.kind]})${describeReasons(flag, verdict)}`

const describeClear = (nearest: WeighedFlag | undefined): string =>
  nearest === undefined ? 'No flag comes close to this topic' : describeFlag(nearest, 'clear')

/** The reasons for the verdict, then those against it; where nothing against it can be named, those for it alone. */
function describeReasons({ reasons }: WeighedFlag, verdict: Verdict): string {
  const [because, although] =
    verdict === 'clear' ? [reasons.against, reasons.for] : [reasons.for, reasons.against]
  const verb = verdict === 'clear' ? 'it hardly does' : because.length > 0 ? '' : 'it may apply'
  const clauses = [
    `${verb}${because.length > 0 ? ` because ${because.join(' and ')}` : ''}`.trimStart(),
    ...(although.length > 0 ? [`although ${although.join(' and ')}`] : []),
  ]
  return because.length + although.length === 0 ? '' : `: ${clauses.join(', ')}`
}

const describe = (record: TrackRecord): string =>
  record.adjacentPredictions === 1
    ? `the one related prediction turned out ${onlyOutcome(record)}`
    : `of ${record.adjacentPredictions} related predictions ${record.correct} turned out correct, ${record.incorrect} incorrect and ${record.partial} partial`

const onlyOutcome = (record: TrackRecord): string =>
  record.correct === 1 ? 'correct' : record.incorrect === 1 ? 'incorrect' : 'partial'

const round = (value: number): string => String(Math.round(value * 100) / 100)

const longestQuote = 80

/** The beginning of a text, without a final full stop. */
const quoted = (text: string): string => excerptOf(text, longestQuote).replace(/[.!]+$/, '')
