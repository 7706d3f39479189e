/**
 * How likely it is that a topic falls under each of the flags near it, 0..1: the nearest by cosine are read beside the topic,
 * and where vectors cannot tell, shared words do. Knows where the numbers come from; what they mean for a verdict is
 * decided in core.
 */

import { yieldToEventLoop } from '../clock.ts'
import { inverseDocumentFrequency } from '../core/bm25.ts'
import { type RelevantFlag, shareOfWeight } from '../core/gut-check.ts'
import { createJudge } from '../core/judgement/judgement.ts'
import { reasonsOf } from '../core/judgement/reasons.ts'
import type { Memory } from '../core/records.ts'
import { isStopTerm, toPlainTerms } from '../core/words.ts'
import { type NearFlags, nearFlags } from '../search/flags.ts'
import type { FlagTerms } from '../store/store.ts'
import type { Context } from './operation.ts'

/** Flags that are read beside the topic: reading costs milliseconds each, and the one that applies is among these. */
const maxRead = 8

/** How much a unit of the pair model's log odds counts beside a unit of cosine for which flags are nearest. */
const nearerWhenRead = 0.05

/** Terms that tell a topic from others: no stop words, each once. */
export const tellingTerms = (topic: string): string[] =>
  toPlainTerms(topic).filter((term) => !isStopTerm(term))

/** The flags that may apply to the topic, in no order. */
export async function relevantFlags(context: Context, topic: string): Promise<RelevantFlag[]> {
  const terms = tellingTerms(topic)
  const { flags, held } = await context.store.index.flagTerms(context.project, terms)
  if (flags === 0) return []
  const near = await nearFlags(context, topic, [...held.keys()])
  // A flag without a vector is judged by its words rather than overlooked.
  const speechless = new Map([...held].filter(([id]) => near?.cosines.has(id) !== true))
  const byWords = await relevancesByWords(context, terms, { flags, held, judged: speechless })
  const read = near === undefined ? [] : await readFlags(context, topic, near)
  const worded = await context.store.memories.findMany(context.project, [...byWords.keys()])
  return [
    ...read,
    ...worded.map(({ id, text, caution }) => ({
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

/** The nearest flags, each read beside the topic; of several that say the same the gravest. */
async function readFlags(
  context: Context,
  topic: string,
  { cosines, exempted, model }: NearFlags,
): Promise<RelevantFlag[]> {
  const flags = await context.store.memories.findMany(context.project, [...cosines.keys()])
  const chosen = distinct(flags, (id) => cosines.get(id) ?? -1).slice(0, maxRead)
  // The table was fitted to the built-in model's cosines, and whoever chose another may not want this one loaded.
  const reader = model === 'builtin' ? await context.embedders.reader() : undefined
  const judge = createJudge(topic)
  const read: RelevantFlag[] = []
  for (const { id, text, caution } of chosen) {
    // Reading two long texts takes tens of milliseconds: others have their turn between any two.
    await yieldToEventLoop()
    const [logit] = reader?.judge(text, [topic]) ?? []
    const { relevance, contributions } = judge(text, {
      cosine: cosines.get(id) ?? 0,
      nearest: Math.max(...cosines.values()),
      logit,
      exempted: exempted.get(id) ?? 0,
    })
    const kind = logit === undefined ? 'likeness' : 'reading'
    const nearness = (cosines.get(id) ?? 0) + (logit ?? 0) * nearerWhenRead
    read.push({ id, text, caution, relevance, kind, nearness, reasons: reasonsOf(contributions) })
  }
  return read
}

/** Flags of different texts, nearest first. */
function distinct(flags: readonly Memory[], cosineOf: (id: number) => number): Memory[] {
  const gravest = new Map<string, Memory>()
  for (const flag of flags) {
    const other = gravest.get(flag.text)
    if (other === undefined || flag.caution > other.caution) gravest.set(flag.text, flag)
  }
  return [...gravest.values()].sort((a, b) => cosineOf(b.id) - cosineOf(a.id) || a.id - b.id)
}

/** Share of the topic's weight in words that each of the flags `judged` covers. */
async function relevancesByWords(
  context: Context,
  terms: string[],
  { flags, held, judged }: FlagTerms & { judged: FlagTerms['held'] },
): Promise<Map<number, number>> {
  if (judged.size === 0) return new Map()
  const all = await context.store.index.termStatistics(context.project, terms)
  const inFlags = new Map<string, number>()
  for (const term of [...held.values()].flat()) inFlags.set(term, (inFlags.get(term) ?? 0) + 1)
  // Weighed by ordinary memories alone: a new flag must not change what its elders cover.
  const weights = new Map(
    terms.map((term) => {
      const ordinary = (all.frequency.get(term) ?? 0) - (inFlags.get(term) ?? 0)
      return [term, inverseDocumentFrequency(all.documents - flags, ordinary)]
    }),
  )
  return new Map([...judged].map(([id, own]) => [id, shareOfWeight(weights, own)]))
}
