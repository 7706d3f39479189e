/** Recall: memories by meaning, and the reasons for their ranks. */

import * as z from 'zod/mini'
import { agentNameOf } from '../core/agent-names.ts'
import { maxRecalled } from '../core/limits.ts'
import { likelyFrom, sureFrom } from '../core/ranking.ts'
import { daysOf, type Explanation, explain } from '../search/explain.ts'
import { type Found, search } from '../search/index.ts'
import { type Updated, withNewer } from '../search/newer.ts'
import type { Scored } from '../search/score.ts'
import type { MemoryFilter } from '../store/memory-life.ts'
import { stale, stalenessOf } from './citations.ts'
import { type Context, defineOperation, type InputOf } from './operation.ts'
import {
  about,
  integer,
  name,
  number,
  oneOf,
  optional,
  recordId,
  tags,
  text,
  timestamp,
  toTimestamp,
  unit,
} from './schemas.ts'
import { timeSpanMembers, timeSpanOf } from './time-span.ts'

const recallItem = () =>
  z.object({
    id: recordId(),
    text: z.string(),
    created_at: timestamp(),
    /** When its text was last changed; absent if it never was. */
    edited_at: z.exactOptional(timestamp()),
    score: unit(),
    caution: unit(),
    stale: stale(),
    newer: z.optional(z.array(recordId())),
  })

type RecallItem = z.output<ReturnType<typeof recallItem>>

/** Default number of results. */
export const defaultLimit = 10

async function toItems(
  context: Context,
  ranked: readonly Scored[],
  newer: Updated['newer'] = new Map(),
): Promise<RecallItem[]> {
  const memories = await context.store.memories.findMany(
    context.project,
    ranked.map(({ id }) => id),
  )
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const staleOf = await stalenessOf(context, 'memory', [...byId.keys()])
  return ranked.flatMap(({ id, score }) => {
    const memory = byId.get(id)
    // Forgotten between search and reading: no longer a result.
    if (memory === undefined) return []
    const { text, caution, createdAt, editedAt } = memory
    const later = newer.get(id)
    const edited = editedAt !== undefined && { edited_at: toTimestamp(editedAt) }
    const told = { id, text, created_at: toTimestamp(createdAt), ...edited, score, caution, ...staleOf(id) }
    return [later === undefined ? told : { ...told, newer: [...later] }]
  })
}

/** Filters on the memories to search; without any, all are searched. */
const filterMembers = {
  ...timeSpanMembers,
  tags: about('Only records with any of these tags', optional(tags())),
  agent: about('Only records of this agent', optional(name())),
  kind: about('Only ordinary memories, or only flags', optional(oneOf(['memory', 'flag']))),
}

const members = {
  query: about('What to look for, in plain words', text()),
  limit: about('Maximum number of results', optional(integer(1, maxRecalled), defaultLimit)),
  min_score: about(
    'Leave out what is less likely than this to be what was asked for',
    optional(number(0, 1), 0),
  ),
  ...filterMembers,
}

type Input = InputOf<typeof members>

/** The filter given by the members. */
function filterOf(input: Input, now: number): MemoryFilter {
  const { tags: names, agent, kind } = input
  return {
    now,
    ...timeSpanOf(input, now),
    ...(names != null && { tags: names.map((one) => one.trim()) }),
    ...(agent != null && { agent: agentNameOf(agent) }),
    ...(kind != null && { kind }),
  }
}

interface Selection {
  readonly found: Found
  readonly newer: Updated['newer']
  readonly shown: readonly Scored[]
  readonly extra: readonly Scored[]
}

async function select(context: Context, input: Input): Promise<Selection> {
  const { query, limit, min_score } = input
  const count = limit ?? defaultLimit
  const found = await search(context, query, filterOf(input, context.now()))
  const likely = ({ score }: Scored): boolean => score >= (min_score ?? 0)
  const { ranked, newer } = await withNewer(context, query, found)
  const rest = ranked.slice(count).filter(({ features }) => features.coverage > 0)
  const extra = [...found.unembedded, ...rest].sort((a, b) => b.score - a.score)
  return {
    ...{ found, newer },
    shown: ranked.slice(0, count).filter(likely),
    extra: found.mode === 'keyword' || found.onlyTime ? [] : extra.filter(likely).slice(0, count),
  }
}

async function run(context: Context, input: Input) {
  const { found, newer, shown, extra } = await select(context, input)
  const results = await toItems(context, shown, newer)
  return { mode: found.mode, results, keyword_extra: await toItems(context, extra) }
}

/** A result with the parts of its score and the matching words. */
type ExplainedItem = RecallItem & { readonly explanation: Explanation }

/** Recall's answer with explanations. */
async function runExplained(context: Context, input: Input) {
  const { found, newer, shown } = await select(context, input)
  const parts = new Map(shown.map((result) => [result.id, explain(result, found)]))
  const results = (await toItems(context, shown, newer)).flatMap((item): ExplainedItem[] => {
    const explanation = parts.get(item.id)
    return explanation === undefined ? [] : [{ ...item, explanation }]
  })
  const { corrections, conversation, onlyTime, agent = null } = found
  /** How the question was read. */
  const reading = {
    corrections,
    /** Whether memories were read as turns of a conversation, with those written around them. */
    conversation,
    /** Whether nothing but these times was asked for: the results are the notes of that time, newest first. */
    only_time: onlyTime,
    /** The agent whose notes of that time they are; null where none was asked for. */
    agent,
    times: daysOf(found),
  }
  return { mode: found.mode, reading, results, keyword_extra: [] }
}

export const recall = defineOperation({
  name: 'recall',
  summary: 'Find memories by meaning, or by keyword when no embedder answers.',
  guidance: `Call before work on anything that may have been decided, tried or broken before. score is the probability that it is what was asked for: above ${sureFrom} rely on it, below ${likelyFrom} likely nothing fits. newer: ids of later memories on the same matter, which may replace it: read them first.`,
  help: {
    group: 'Memories',
    place: 2,
    examples: [
      'brain recall "how do we deploy?"',
      'brain recall deploys --limit 3 --json | jq .results[0].text',
      'brain recall "what broke?" --tag deploys --since 2w --kind flag',
    ],
  },
  members,
  unlisted: Object.keys(filterMembers),
  output: () =>
    z.object({
      mode: z.enum(['semantic', 'keyword']),
      results: z.array(recallItem()),
      keyword_extra: z.array(recallItem()),
    }),
  route: { method: 'POST', path: '/v1/recall' },
  effect: 'read',
  tool: true,
  command: {
    positional: ['query'],
    aliases: ['search'],
    names: { tags: 'tag', agent: 'by' },
    options: [['--full', 'show long texts in full, not only the part that matches']],
  },
  run,
  variants: {
    explain: {
      about: 'show how the question was read, the parts of every score and which words met',
      route: { method: 'POST', path: '/v1/recall/explain' },
      run: runExplained,
    },
    all: {
      about: 'show the nearest even where nothing fits',
      run: async (context, input) => ({ ...(await run(context, input)), all: true }),
    },
  },
})
