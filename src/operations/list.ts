/** List: records of all kinds, newest first. */

import * as z from 'zod/mini'
import { agentNameOf } from '../core/agent-names.ts'
import { dreamStandings } from '../core/records.ts'
import { type ListedKind, type ListedRecord, listedKinds } from '../store/store.ts'
import { idsOf, stale, stalenessIn, staleRecords } from './citations.ts'
import { byAgent, type Context, defineOperation } from './operation.ts'
import {
  about,
  count,
  flagged,
  integer,
  name,
  nullableTimestamp,
  oneOf,
  optional,
  positive,
  recordId,
  tags,
  text,
  timestamp,
  timestampOrNull,
  toTimestamp,
} from './schemas.ts'
import { timeSpanMembers, timeSpanOf } from './time-span.ts'
import { type Verdict, verdictIn, verdictsOn } from './verdict-wire.ts'

/** Records on a page, unless another number is asked for. */
export const pageSize = 20

const isKind = (word: string): word is ListedKind => listedKinds.some((kind) => kind === word)

const kindsOf = (words: string): string[] => words.split(/[\s,]+/).filter((word) => word !== '')

const kinds = () =>
  text().check(
    z.refine(
      (words) => kindsOf(words).length > 0 && kindsOf(words).every(isKind),
      `must be some of: ${listedKinds.join(', ')}`,
    ),
  )

const statusTold = (
  { id, detail, ratio }: ListedRecord,
  context: Context,
  verdictOn: (id: number) => Verdict,
): string | null => detail ?? (ratio === null ? null : verdictIn(verdictOn(id), ratio, context))

export const list = defineOperation({
  name: 'list',
  summary: 'List records of all kinds, newest first, a page at a time.',
  help: {
    group: 'See',
    place: 1,
    examples: [
      'brain list',
      'brain list flag belief --since 2w',
      'brain list --agent reviewer --count',
      'brain list --tag deploys --tag staging --all-tags',
    ],
  },
  members: {
    kinds: about(`Only these: ${listedKinds.join(', ')}`, optional(kinds())),
    ...timeSpanMembers,
    agent: about('Only records of this agent', optional(name())),
    tags: about('Only records with any of these tags', optional(tags())),
    all_tags: about('Only records with all of the tags', optional(flagged())),
    branch: about('Only records made on this branch', optional(name())),
    pinned: about('Only pinned records', optional(flagged())),
    expired: about('Only expired records, which are otherwise left out', optional(flagged())),
    dreams: about(
      'Only dreams that are unread and not judged, kept or dismissed',
      optional(oneOf(dreamStandings)),
    ),
    stale: about('Only records that cite a place that has changed', optional(flagged())),
    limit: about('Maximum number', optional(integer(1, 100), pageSize)),
    page: about('Which page, from 1', optional(integer(1), 1)),
  },
  output: () =>
    z.object({
      total: count(),
      page: positive(),
      records: z.array(
        z.object({
          kind: z.enum(listedKinds),
          id: recordId(),
          text: z.string(),
          agent: z.nullable(z.string()),
          created_at: timestamp(),
          status: z.nullable(z.string()),
          tags: z.array(z.string()),
          pinned_at: nullableTimestamp(),
          expires_at: nullableTimestamp(),
          stale: stale(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/records' },
  effect: 'read',
  tool: false,
  command: {
    positional: ['kinds'],
    aliases: ['ls'],
    names: { tags: 'tag' },
    options: [byAgent, ['--count', 'print how many there are, and nothing else']],
  },
  run: async (context, input) => {
    const now = context.now()
    const limit = input.limit ?? pageSize
    const page = input.page ?? 1
    const wanted = kindsOf(input.kinds ?? '').filter(isKind)
    const { total, records } = await context.store.records.list(context.project, {
      kinds: wanted.length === 0 ? listedKinds : [...new Set(wanted)],
      now,
      limit,
      skip: (page - 1) * limit,
      ...timeSpanOf(input, now),
      ...(input.agent != null && { agent: agentNameOf(input.agent) }),
      ...(input.tags != null && { tags: input.tags.map((one) => one.trim()) }),
      ...(input.branch != null && { branch: input.branch.trim() }),
      allTags: input.all_tags ?? false,
      pinned: input.pinned ?? false,
      expired: input.expired ?? false,
      ...(input.dreams != null && { dreams: input.dreams }),
      ...(input.stale === true && { only: await staleRecords(context) }),
    })
    const verdictOn = await verdictsOn(context, idsOf(records, 'belief'))
    const staleOf = await stalenessIn(context, records)
    return {
      total,
      page,
      records: records.map((record) => ({
        kind: record.kind,
        id: record.id,
        text: record.text,
        agent: record.agent,
        created_at: toTimestamp(record.createdAt),
        status: statusTold(record, context, verdictOn),
        tags: [...record.tags],
        pinned_at: timestampOrNull(record.pinnedAt),
        expires_at: timestampOrNull(record.expiresAt),
        ...staleOf(record),
      })),
    }
  },
})
