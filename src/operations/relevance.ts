/**
 * How much each flag has to do with a topic, 0..1: by likeness of meaning where vectors can tell, by shared
 * words where they cannot. Knows where the numbers come from; what they mean for a verdict is decided in core.
 */
import { type RelevantFlag, shareOfWeight } from '../core/gut-check.ts'
import { inverseDocumentFrequency } from '../core/ranking.ts'
import { isStopTerm, toTerms } from '../core/words.ts'
import type { FlagTerms } from '../store/store.ts'
import type { Context } from './operation.ts'
import { flagRelevances } from './retrieval.ts'

/** Terms that tell a topic from others: no stop words, each once. */
export const tellingTerms = (topic: string): string[] => [
  ...new Set(toTerms(topic).filter((term) => !isStopTerm(term))),
]

/** The flags that have anything to do with the topic. */
export async function relevantFlags(context: Context, topic: string): Promise<RelevantFlag[]> {
  const terms = tellingTerms(topic)
  const found = await context.store.index.flagTerms(context.project, terms)
  const byWords = await relevancesByWords(context, terms, found)
  const byMeaning = await flagRelevances(context, topic, { also: [...byWords.keys()], flags: found.flags })
  const flags = await context.store.memories.findMany(context.project, [
    ...new Set([...byWords.keys(), ...(byMeaning?.keys() ?? [])]),
  ])
  return flags.map(({ id, text, caution }) => {
    const flag = { id, text, caution }
    const meant = byMeaning?.get(id)
    // A flag without a vector is judged by its words rather than overlooked.
    return meant === undefined
      ? { ...flag, relevance: byWords.get(id) ?? 0, kind: 'words' }
      : { ...flag, relevance: meant, kind: 'meaning' }
  })
}

/** Share of the topic's weight in words that each flag covers. */
async function relevancesByWords(
  context: Context,
  terms: string[],
  { flags, held }: FlagTerms,
): Promise<Map<number, number>> {
  if (held.size === 0) return new Map()
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
  return new Map([...held].map(([id, own]) => [id, shareOfWeight(weights, own)]))
}
