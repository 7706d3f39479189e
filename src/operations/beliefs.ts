/** Beliefs: the current ones. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { beliefOrders, beliefStatuses } from '../core/records.ts'
import { boundariesOf, ratiosOf } from '../core/sprt.ts'
import { beliefMembers, toWireBelief } from './belief-wire.ts'
import { stale, stalenessOfBeliefs } from './citations.ts'
import { type Context, defineOperation, type InputOf } from './operation.ts'
import { about, integer, oneOf, optional, timestamp, toTimestamp } from './schemas.ts'
import { verdictsOn } from './verdict-wire.ts'

const listedBeliefs = 50

const members = {
  limit: about('Maximum number', optional(integer(1, 100), listedBeliefs)),
  status: about('Only beliefs with this status', optional(oneOf(beliefStatuses))),
  order: about(
    'Which come first: those asserted last, or those that moved last',
    optional(oneOf(beliefOrders), 'created'),
  ),
}

type Input = InputOf<typeof members>

async function listBeliefs(context: Context, { limit, status, order }: Input, judge?: typeof verdictsOn) {
  const listed = await context.store.beliefs.list(context.project, {
    limit: limit ?? listedBeliefs,
    order: order ?? 'created',
    ...(status && { ratios: ratiosOf(status, boundariesOf(ratesOf(context.config))) }),
  })
  const ids = listed.map(({ id }) => id)
  const verdictOn = await judge?.(context, ids)
  const staleOf = await stalenessOfBeliefs(context, ids)
  return {
    beliefs: listed.map((belief) => ({
      ...toWireBelief(belief, context, verdictOn?.(belief.id)),
      created_at: toTimestamp(belief.createdAt),
      ...staleOf(belief.id),
    })),
  }
}

export const beliefs = defineOperation({
  name: 'beliefs',
  summary: 'List current beliefs, newest first or by what moved last.',
  help: { group: 'Beliefs', place: 5, examples: ['brain beliefs --status promoted'] },
  members,
  output: () =>
    z.object({
      beliefs: z.array(z.object({ ...beliefMembers, created_at: timestamp(), stale: stale() })),
    }),
  route: { method: 'GET', path: '/v1/beliefs' },
  effect: 'read',
  tool: false,
  command: {},
  run: (context, input) => listBeliefs(context, input),
  forPeople: (context, input) => listBeliefs(context, input, verdictsOn),
})
