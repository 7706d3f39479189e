/**
 * The probability, 0..1, that a topic falls under each of the flags near it: the nearest by cosine, the topic's vector
 * aimed at flags where the pair model is there, are read together with the topic, and where vectors are missing, shared
 * words decide. Knows where the numbers come from; the verdict is decided in core.
 */

import { createTurns, type Turns } from '../clock.ts'
import { inverseDocumentFrequency } from '../core/bm25.ts'
import { type RelevantFlag, shareOfWeight } from '../core/gut-check.ts'
import { createExemption } from '../core/judgement/exemption.ts'
import { createJudge, remotenessOf } from '../core/judgement/judgement.ts'
import { partRead } from '../core/judgement/reading.ts'
import { reasonsOf } from '../core/judgement/reasons.ts'
import { actionOf, waysOf } from '../core/judgement/tool-call.ts'
import { withoutWhereabouts } from '../core/judgement/whereabouts.ts'
import { logit as oddsOf } from '../core/logistic.ts'
import { dot } from '../core/ranking.ts'
import type { Memory } from '../core/records.ts'
import { isStopTerm, toPlainTerms } from '../core/words.ts'
import type { PairModel } from '../models/pair-model.ts'
import type { FlagCandidates } from '../store/candidates.ts'
import type { SearchContext } from './candidates.ts'
import { type EmbeddedQuery, inServedSpace } from './served-embedder.ts'

/** Passages of flags to consider: several may belong to one flag, and several flags may say the same. */
const maxFlagPassages = 64
/** Flags that are read with the topic: the one that applies is among these. */
const maxRead = 8
/** Distance penalty, in log odds, above which a flag is not read, except for the first few. */
const tooRemote = 1.2

/** Word pieces of a text that the pair model reads. */
const maxPieces = 96
/** How much is read with a topic. */
interface Effort {
  /** Flags that are read whatever they cost. */
  readonly least: number
  /**
   * Word pieces, of flags and the topic beside each, after which no more flags are read: a thousand take a quarter of a
   * second.
   */
  readonly pieces: number
}
/** Eight flags of a sentence or two beside a plan of one; beside a long plan fewer. */
const wholeEffort: Effort = { least: 3, pieces: 400 }
/** More severe flags behind them that are read as well, so that milder ones cannot hide them; the nearest whatever it costs. */
const [minGraver, maxGraver] = [1, 4]
/**
 * Share of a flag's caution from which another flag counts as similarly severe: which of the two is meant is then a
 * matter of nearness.
 */
const asGrave = 0.75
/** With more flags than this, a severe one could be hidden behind a crowd of nearer, milder ones. */
const manyFlags = 200

/** Distinct terms of a topic without stop words. */
export const tellingTerms = (topic: string): string[] =>
  toPlainTerms(topic).filter((term) => !isStopTerm(term))

/** The flags that may apply to the topic, in no particular order; the nearest of them are read with it. */
export async function relevantFlags(
  context: SearchContext,
  plan: string,
  effort = wholeEffort,
): Promise<RelevantFlag[]> {
  const turn = createTurns(context)
  const topic = actionOf(plan)
  const { project, store } = context
  const now = context.now()
  if ((await store.index.countFlags(project, now)) === 0) return []
  const terms = tellingTerms(topic)
  await turn()
  const { found, embedded, reader } = await inServedSpace(context, topic, async (embedded) => {
    const reader = embedded && (await readerFor(context, embedded))
    const nearest = embedded && {
      model: embedded.embedder.identity,
      vector: reader?.aim(embedded.passage.vector) ?? embedded.passage.vector,
      limit: maxFlagPassages,
    }
    const candidates = await store.index.flagCandidates(project, { terms, nearest, gravest: manyFlags, now })
    await turn()
    const found = { ...candidates, exemptions: exemptionsFor(topic, candidates) }
    return { served: found.served, found, embedded, reader }
  })
  const cosines = cosinesOf(found)
  // A flag without a vector is judged by its words rather than overlooked.
  const byWords = relevancesByWords(terms, found, cosines)
  await turn()
  const read =
    embedded === undefined
      ? []
      : await readFlags(context, topic, { found, embedded, reader, cosines, effort, turn })
  const worded = found.memories.filter(({ id }) => byWords.has(id))
  return [
    ...read,
    ...distinct(worded).map(({ id, text, caution }) => ({
      id,
      text,
      caution,
      relevance: byWords.get(id) ?? 0,
      kind: 'words' as const,
      nearness: byWords.get(id) ?? 0,
      reasons: { for: [], against: [] },
    })),
  ]
}

/** The table was fitted to the built-in model's cosines, and whoever chose another may not want the pair model loaded. */
const readerFor = async (
  { embedders }: SearchContext,
  { embedder }: EmbeddedQuery,
): Promise<PairModel | undefined> => (embedder.identity.name === 'builtin' ? embedders.reader() : undefined)

/** Cosine, -1..1, of each flag's nearest passage, by memory id. */
function cosinesOf({ passages }: FlagCandidates): Map<number, number> {
  const cosines = new Map<number, number>()
  for (const { memoryId, similarity } of passages) {
    cosines.set(memoryId, Math.max(similarity, cosines.get(memoryId) ?? -1))
  }
  return cosines
}

/** The exemptions that may hold for a topic, too; each flag is read once. */
function exemptionsFor(
  topic: string,
  { exemptions, memories }: FlagCandidates,
): FlagCandidates['exemptions'] {
  const exempted = new Set(exemptions.map(({ flagId }) => flagId))
  const readings = new Map(
    memories.filter(({ id }) => exempted.has(id)).map(({ id, text }) => [id, createExemption(text)]),
  )
  return exemptions
    .map((one) => ({ ...one, topic: actionOf(one.topic) }))
    .filter((one) => readings.get(one.flagId)?.(topic, one.topic) ?? true)
}

/** A plan that a flag was declared not to apply to, and its cosine with the topic. */
interface Exempted {
  readonly topic: string
  readonly cosine: number
}

/** Of each flag the nearest plan, with a cosine above 0, that it was declared not to apply to, by memory id. */
async function exemptedBy(
  { exemptions }: FlagCandidates,
  { embedder, passage }: EmbeddedQuery,
): Promise<Map<number, Exempted>> {
  const texts = exemptions.map(({ topic }) => topic)
  const passages = texts.length === 0 ? [] : await embedder.embedTexts(texts)
  const exempted = new Map<number, Exempted>()
  for (const [at, { flagId, topic }] of exemptions.entries()) {
    const other = passages[at]?.[0]?.vector
    const cosine = other === undefined ? 0 : dot(passage.vector, other)
    if (cosine > (exempted.get(flagId)?.cosine ?? 0)) exempted.set(flagId, { topic, cosine })
  }
  return exempted
}

interface Near {
  readonly found: FlagCandidates
  readonly embedded: EmbeddedQuery
  readonly reader: PairModel | undefined
  /** Of each flag's nearest passage. */
  readonly cosines: ReadonlyMap<number, number>
  readonly effort: Effort
  readonly turn: Turns
}

/**
 * The nearest flags, and more severe ones behind them, each read with the topic; of several that say the same the most
 * severe.
 */
async function readFlags(
  context: SearchContext,
  topic: string,
  { found, embedded, reader, cosines, effort, turn }: Near,
): Promise<RelevantFlag[]> {
  const cosineOf = ({ id }: Pick<Memory, 'id'>): number => cosines.get(id) ?? -1
  const exempted = await exemptedBy(found, embedded)
  const compared = found.memories.filter(({ id }) => cosines.has(id))
  const near = distinct(compared).sort((a, b) => cosineOf(b) - cosineOf(a) || a.id - b.id)
  const judgeWhole = createJudge(topic)
  const nearestTo = ({ caution }: Memory): number =>
    Math.max(...near.filter((other) => other.caution >= caution * asGrave).map(cosineOf))
  const remoteness = (flag: Memory): number =>
    remotenessOf(
      { cosine: cosineOf(flag), nearest: nearestTo(flag) },
      reader === undefined ? 'plain' : 'aimed',
    )
  const words = await context.embedders.pieces()
  const costOf = ({ text }: Memory): number =>
    Math.min(maxPieces, words?.tokenise(partRead(text)).length ?? maxPieces) +
    Math.min(maxPieces, embedded.passage.tokens.length)
  const chosen = reader === undefined ? near : worthReading(near, { remoteness, costOf, effort })
  const read: RelevantFlag[] = []
  for (const flag of chosen) {
    // Reading two long texts takes tens of milliseconds.
    await turn()
    const { id, text, caution } = flag
    const act = withoutWhereabouts(topic, text)
    const judge = act === topic ? judgeWhole : createJudge(act)
    const passed = exempted.get(id)
    const plain = passed && { ...passed, topic: withoutWhereabouts(passed.topic, text) }
    // The graver reading counts: a header more is no other call.
    const ways = waysOf(act)
    const logits = reader?.judge(partRead(text), plain ? [...ways, plain.topic] : ways)
    const logit = logits && Math.max(...logits.slice(0, ways.length))
    const dismissed = logits?.[ways.length]
    const near = {
      cosine: cosineOf(flag),
      // Without the reader likeness is all there is, and a farther flag is not to be calmed by a nearer one.
      nearest: logit === undefined ? cosineOf(flag) : nearestTo(flag),
      logit,
      exempted: 0,
      graver: 0,
    }
    const { relevance, nearness, contributions } =
      plain === undefined
        ? judge(text, near)
        : judge(text, {
            ...near,
            exempted: plain.cosine,
            graver: Math.max(
              0,
              oddsOf(judge(text, near).relevance) -
                oddsOf(createJudge(plain.topic)(text, { ...near, logit: dismissed }).relevance),
            ),
          })
    const kind = logit === undefined ? 'likeness' : 'reading'
    read.push({ id, text, caution, relevance, kind, nearness, reasons: reasonsOf(contributions) })
  }
  return read
}

interface Choice {
  readonly remoteness: (flag: Memory) => number
  /** Word pieces to read. */
  readonly costOf: (flag: Memory) => number
  readonly effort: Effort
}

/** The first of some sorted flags, and a few of the rest that are more severe than all of those, as far as the effort goes. */
function worthReading(
  near: readonly Memory[],
  { remoteness, costOf, effort: { least, pieces } }: Choice,
): Memory[] {
  let spent = 0
  const take = (flags: readonly Memory[], whatever: number): Memory[] =>
    flags.filter((flag, at) => {
      const cost = costOf(flag)
      if (at >= whatever && spent + cost > pieces) return false
      spent += cost
      return true
    })
  const nearest = near.slice(0, maxRead)
  const first = take(
    nearest.filter((flag, at) => at < least || remoteness(flag) < tooRemote),
    least,
  )
  const gravest = Math.max(...first.map(({ caution }) => caution))
  const graver = near
    .filter(({ caution }) => caution > gravest)
    .filter((flag, at) => at < minGraver || remoteness(flag) < tooRemote)
    .slice(0, maxGraver)
  return [...first, ...take(graver, minGraver)]
}

/** Flags with distinct texts: of each text the most severe, then the oldest. */
function distinct<Flag extends Pick<Memory, 'id' | 'text' | 'caution'>>(flags: readonly Flag[]): Flag[] {
  const gravest = new Map<string, Flag>()
  for (const flag of flags) {
    const other = gravest.get(flag.text)
    const graver = other === undefined || flag.caution > other.caution
    if (graver || (flag.caution === other.caution && flag.id < other.id)) gravest.set(flag.text, flag)
  }
  return [...gravest.values()]
}

/**
 * Share of the topic's word weight that each flag covers, for flags without a cosine that share any; less by the share
 * that a plan covers to which the flag was declared not to apply.
 */
function relevancesByWords(
  terms: readonly string[],
  { flags, held, statistics, exemptions }: FlagCandidates,
  cosines: ReadonlyMap<number, number>,
): Map<number, number> {
  const judged = [...held].filter(([id]) => !cosines.has(id))
  if (judged.length === 0) return new Map()
  const inFlags = new Map<string, number>()
  for (const term of [...held.values()].flat()) inFlags.set(term, (inFlags.get(term) ?? 0) + 1)
  // Weighed by ordinary memories alone: a new flag must not change what its elders cover.
  const weights = new Map(
    terms.map((term) => {
      const ordinary = (statistics.frequency.get(term) ?? 0) - (inFlags.get(term) ?? 0)
      return [term, inverseDocumentFrequency(statistics.documents - flags, ordinary)]
    }),
  )
  const exempted = (id: number): number =>
    Math.max(
      0,
      ...exemptions.flatMap(({ flagId, topic }) =>
        flagId === id ? [shareOfWeight(weights, tellingTerms(topic))] : [],
      ),
    )
  return new Map(judged.map(([id, own]) => [id, shareOfWeight(weights, own) * (1 - exempted(id))]))
}
