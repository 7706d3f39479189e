/** Evidence_for: the trail of one belief. */
import * as z from 'zod/mini'
import { ownedRefusals, requireOwned } from '../core/access.ts'
import { beliefMembers, toWireBelief } from './belief-wire.ts'
import { type Context, defineOperation } from './operation.ts'
import { about, id } from './schemas.ts'
import { toWireTrail, trailEvent } from './trail-wire.ts'
import { verdictsOn } from './verdict-wire.ts'

async function readTrail(context: Context, id: number, judge?: typeof verdictsOn) {
  const { belief: found, events } = await context.store.beliefs.trail(context.project, id)
  const belief = requireOwned('belief', id, found)
  const verdictOn = await judge?.(context, [id])
  return {
    belief: toWireBelief(belief, context, verdictOn?.(id)),
    events: await toWireTrail(context, events),
  }
}

export const evidenceFor = defineOperation({
  name: 'evidence_for',
  summary: 'Read the evidence trail of one belief, oldest first.',
  help: { group: 'Beliefs', place: 4, examples: ['brain evidence-for 3'] },
  errors: { refused: ownedRefusals('belief') },
  members: { belief_id: about('Id of the belief', id()) },
  output: () =>
    z.object({
      belief: z.object(beliefMembers),
      events: z.array(trailEvent()),
    }),
  route: { method: 'GET', path: '/v1/evidence/:belief_id' },
  effect: 'read',
  tool: true,
  command: { positional: ['belief_id'] },
  run: (context, { belief_id }) => readTrail(context, belief_id),
  forPeople: (context, { belief_id }) => readTrail(context, belief_id, verdictsOn),
})
