/**
 * How much each flag has to do with a topic, 0..1: by likeness of meaning where vectors can tell, by shared
 * words where they cannot. Knows where the numbers come from; what they mean for a verdict is decided in core.
 */
import { isGentlerThan, toStep } from '../core/actions.ts'
import { inverseDocumentFrequency } from '../core/bm25.ts'
import {
  effectiveRelevanceOf,
  type RelevanceKind,
  type RelevantFlag,
  relevanceByMeaning,
  shareOfWeight,
} from '../core/gut-check.ts'
import { isStopTerm, toPlainTerms } from '../core/words.ts'
import { flagRelevances } from '../search/flags.ts'
import type { FlagTerms } from '../store/store.ts'
import type { Context } from './operation.ts'

/** With more flags than this, a grave one could stand behind a crowd of milder ones that are nearer. */
const manyFlags = 200

/** Terms that tell a topic from others: no stop words, each once. */
export const tellingTerms = (topic: string): string[] =>
  toPlainTerms(topic).filter((term) => !isStopTerm(term))

/** The flags that have more to do with the topic than chance gives. */
export async function relevantFlags(context: Context, topic: string): Promise<RelevantFlag[]> {
  const terms = tellingTerms(topic)
  const { flags, held } = await context.store.index.flagTerms(context.project, terms)
  const gravest = flags > manyFlags ? await context.store.index.gravestFlags(context.project, manyFlags) : []
  const also = [...new Set([...held.keys(), ...gravest])]
  const byMeaning = await flagRelevances(context, topic, { also, flags })
  // A flag without a vector is judged by its words rather than overlooked.
  const speechless = new Map([...held].filter(([id]) => byMeaning?.has(id) !== true))
  const byWords = await relevancesByWords(context, terms, { flags, held, judged: speechless })
  const near = new Map<number, { relevance: number; kind: RelevanceKind }>()
  for (const [id, relevance] of byWords) near.set(id, { relevance, kind: 'words' })
  for (const [id, relevance] of byMeaning ?? []) near.set(id, { relevance, kind: 'meaning' })
  for (const [id, { relevance, kind }] of near) {
    // Most flags are about something else: their rows need not be read.
    if (effectiveRelevanceOf(relevance, kind) === 0) near.delete(id)
  }
  const step = near.size > 0 ? toStep(topic) : undefined
  const byObject =
    step && (await flagRelevances(context, step.object, { also: [...near.keys()], flags, onlyThese: true }))
  const found = await context.store.memories.findMany(context.project, [...near.keys()])
  return found.flatMap(({ id, text, caution }) => {
    const judged = near.get(id)
    if (judged === undefined) return []
    if (judged.kind === 'words') return [{ id, text, caution, ...judged }]
    const gentler = step !== undefined && isGentlerThan(step, text)
    const relevance = relevanceByMeaning({ whole: judged.relevance, object: byObject?.get(id), gentler })
    return [{ id, text, caution, relevance, kind: judged.kind }]
  })
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
