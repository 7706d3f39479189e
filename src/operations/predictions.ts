/** Predictions: those that are open, due, overdue or closed, with when they are due. */

import * as z from 'zod/mini'
import { agentNameOf } from '../core/agent-names.ts'
import { BrainError } from '../core/errors.ts'
import { comingMomentOf } from '../core/moments.ts'
import { isOverdue, overdueAt } from '../core/predictions.ts'
import { endings } from '../core/records.ts'
import { byAgent, defineOperation } from './operation.ts'
import { stated, toWireStated } from './predictions-open.ts'
import {
  about,
  comingMoment,
  count,
  integer,
  name,
  nullableTimestamp,
  oneOf,
  optional,
  positive,
  timestampOrNull,
} from './schemas.ts'

/** Predictions on a page, unless another number is asked for, and at most. */
export const [pageSize, maxPageSize] = [20, 500]
const standings = ['open', 'overdue', 'resolved', 'annulled', 'all'] as const

export const predictions = defineOperation({
  name: 'predictions',
  summary: 'List predictions: open ones by default, oldest first, or by due date.',
  help: {
    group: 'Predictions',
    place: 5,
    examples: [
      'brain predictions --due 3d',
      'brain predictions --overdue',
      'brain predictions --ics >due.ics',
      'brain predictions --open --json',
    ],
  },
  members: {
    standing: about('Which of them', optional(oneOf(standings), 'open')),
    due: about('Only open ones due by then, including overdue: a date, or 3d', optional(comingMoment())),
    domain: about('Only of this domain', optional(name())),
    agent: about('Only predictions of this agent', optional(name())),
    limit: about('Maximum number', optional(integer(1, maxPageSize), pageSize)),
    page: about('Which page, from 1', optional(integer(1), 1)),
  },
  output: () =>
    z.object({
      total: count(),
      page: positive(),
      predictions: z.array(
        z.object({
          ...stated(),
          agent: z.nullable(z.string()),
          due_at: nullableTimestamp(),
          overdue: z.boolean(),
          check: z.nullable(z.string()),
          outcome: z.nullable(z.enum(endings)),
          resolved_at: nullableTimestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/predictions' },
  effect: 'read',
  tool: false,
  command: {
    flags: { standing: standings },
    options: [
      byAgent,
      ['--ics', 'print the due dates as a calendar (iCalendar), all of them unless --limit says otherwise'],
    ],
  },
  run: async ({ store, project, now: clock }, input) => {
    const now = clock()
    const limit = input.limit ?? pageSize
    const page = input.page ?? 1
    const standing = input.standing ?? 'open'
    const due = input.due == null ? undefined : comingMomentOf(input.due, now)?.last
    if (due !== undefined && standing !== 'open') {
      throw new BrainError('invalid', 'due is asked of open predictions: leave the standing out')
    }
    const overdue = overdueAt(now)
    const found = await store.predictions.list(project, {
      overdue,
      limit,
      skip: (page - 1) * limit,
      ...(standing !== 'all' && { standing }),
      ...(due !== undefined && { dueUpTo: due }),
      ...(input.domain != null && { domain: input.domain.trim() }),
      ...(input.agent != null && { agent: agentNameOf(input.agent) }),
    })
    return {
      total: found.total,
      page,
      predictions: found.predictions.map((one) => ({
        ...toWireStated(one),
        agent: one.agent,
        due_at: timestampOrNull(one.dueAt),
        overdue: isOverdue(one, overdue),
        check: one.check?.command ?? null,
        outcome: one.resolution?.outcome ?? null,
        resolved_at: timestampOrNull(one.resolution?.resolvedAt ?? null),
      })),
    }
  },
})
