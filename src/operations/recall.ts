/** Recall: memories by meaning, and why each stands where it does. */
import * as z from 'zod/mini'
import type { Ranked } from '../core/ranking.ts'
import type { WordMatch } from './comparison.ts'
import { type Context, defineOperation } from './operation.ts'
import { type Retrieved, retrieve } from './retrieval.ts'
import { about, integer, optional, recordId, text, timestamp, toTimestamp, unit } from './schemas.ts'

const recallItem = () =>
  z.object({
    id: recordId(),
    text: z.string(),
    created_at: timestamp(),
    score: unit(),
    caution: unit(),
  })

type RecallItem = z.output<ReturnType<typeof recallItem>>

/** Results when none are asked for by number. */
export const defaultLimit = 10

async function toItems(context: Context, ranked: readonly Ranked[]): Promise<RecallItem[]> {
  const memories = await context.store.memories.findMany(
    context.project,
    ranked.map(({ id }) => id),
  )
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  return ranked.flatMap(({ id, score }) => {
    const memory = byId.get(id)
    // Forgotten between search and reading: no longer a result.
    if (memory === undefined) return []
    const { text, caution, createdAt } = memory
    return [{ id, text, created_at: toTimestamp(createdAt), score, caution }]
  })
}

/** A result with the parts of its score and the words that met. */
export type ExplainedItem = RecallItem & {
  readonly explanation: Omit<Ranked, 'id' | 'score'> & { readonly words: readonly WordMatch[] }
}

interface ExplainedRecall {
  readonly mode: Retrieved['mode']
  readonly background: number | null
  readonly results: ExplainedItem[]
  readonly keyword_extra: []
}

/** What recall answers, with the reasons. */
async function explain(
  context: Context,
  { query, limit }: { query: string; limit?: number | null | undefined },
): Promise<ExplainedRecall> {
  const found = await retrieve(context, query)
  const shown = found.ranked.slice(0, limit ?? defaultLimit)
  const parts = new Map(shown.map(({ id, score: _, ...part }) => [id, part]))
  const items = await toItems(context, shown)
  const results = items.flatMap((item) => {
    const part = parts.get(item.id)
    return part === undefined ? [] : [{ ...item, explanation: { ...part, words: found.words(item.id) } }]
  })
  return { mode: found.mode, background: found.background, results, keyword_extra: [] }
}

export const recall = defineOperation({
  name: 'recall',
  summary: 'Find memories by meaning, or by keyword when no embedder answers.',
  guidance:
    'Call before work on anything that may have been decided, tried or broken before. score is the probability that it is what was asked for: above 0.9 rely on it, below 0.3 likely nothing fits.',
  help: {
    group: 'Memories',
    place: 2,
    examples: [
      'brain recall "how do we deploy?"',
      'brain recall deploys --limit 3 --json | jq .results[0].text',
    ],
  },
  members: {
    query: about('What to look for, in plain words', text()),
    limit: about('At most so many results', optional(integer(1, 50), defaultLimit)),
  },
  output: () =>
    z.object({
      mode: z.enum(['semantic', 'keyword']),
      results: z.array(recallItem()),
      keyword_extra: z.array(recallItem()),
    }),
  route: { method: 'POST', path: '/v1/recall' },
  effect: 'read',
  tool: true,
  command: { positional: ['query'], aliases: ['search'] },
  run: async (context, input) => {
    const limit = input.limit ?? defaultLimit
    const found = await retrieve(context, input.query)
    const shown = found.ranked.slice(0, limit)
    const rest = found.ranked.slice(limit).filter(({ coverage }) => coverage > 0)
    const extra = [...found.unembedded, ...rest].sort((a, b) => b.score - a.score).slice(0, limit)
    return {
      mode: found.mode,
      results: await toItems(context, shown),
      keyword_extra: found.mode === 'keyword' ? [] : await toItems(context, extra),
    }
  },
  variants: { explain: { about: 'show the parts of every score and which words met', run: explain } },
})
