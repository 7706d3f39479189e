/** Beliefs: the current ones. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { beliefOrders, beliefStatuses } from '../core/records.ts'
import { boundariesOf, ratiosOf } from '../core/sprt.ts'
import { beliefMembers, toWireBelief } from './belief-wire.ts'
import { stale, stalenessOfBeliefs } from './citations.ts'
import { type Context, defineOperation, type InputOf } from './operation.ts'
import { about, integer, oneOf, optional, timestamp, toTimestamp } from './schemas.ts'
import { verdictIn, verdictsOn } from './verdict-wire.ts'

const listedBeliefs = 50

const members = {
  limit: about('Maximum number', optional(integer(1, 100), listedBeliefs)),
  verdict: about('Only beliefs with this verdict, as it is shown', optional(oneOf(beliefStatuses))),
  status: about(
    'Only beliefs whose test has this status, which one source is enough for',
    optional(oneOf(beliefStatuses)),
  ),
  order: about(
    'Which come first: those asserted last, or those that moved last',
    optional(oneOf(beliefOrders), 'created'),
  ),
}

type Input = InputOf<typeof members>

/** The first beliefs of a verdict, of any without one; with their verdicts where they are asked for. */
async function findBeliefs(context: Context, input: Input, judged: boolean) {
  const { verdict, status = verdict === 'accumulating' ? null : verdict } = input
  const limit = input.limit ?? listedBeliefs
  const ratios = status && { ratios: ratiosOf(status, boundariesOf(ratesOf(context.config))) }
  // A store knows no verdicts: where too few of those read have this one, more are.
  for (let most = limit; ; most *= 4) {
    const query = { limit: most, order: input.order ?? 'created', ...ratios }
    const read = await context.store.beliefs.list(context.project, query)
    const ids = read.map(({ id }) => id)
    const verdictOn = judged || verdict ? await verdictsOn(context, ids) : () => ({})
    const found = read.filter(
      ({ id, logRatio }) => !verdict || verdictIn(verdictOn(id), logRatio, context) === verdict,
    )
    if (found.length >= limit || read.length < most) return { found: found.slice(0, limit), verdictOn }
  }
}

async function listBeliefs(context: Context, input: Input, judged = false) {
  const { found, verdictOn } = await findBeliefs(context, input, judged)
  const staleOf = await stalenessOfBeliefs(
    context,
    found.map(({ id }) => id),
  )
  return {
    beliefs: found.map((belief) => ({
      ...toWireBelief(belief, context, verdictOn(belief.id)),
      created_at: toTimestamp(belief.createdAt),
      ...staleOf(belief.id),
    })),
  }
}

export const beliefs = defineOperation({
  name: 'beliefs',
  summary: 'List current beliefs, newest first or by what moved last.',
  help: { group: 'Beliefs', place: 5, examples: ['brain beliefs --verdict promoted'] },
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
  forPeople: (context, input) => listBeliefs(context, input, true),
})
