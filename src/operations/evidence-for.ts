/** Evidence_for: the trail of one belief. */
import * as z from 'zod/mini'
import { requireOwned } from '../core/access.ts'
import { evidenceKinds } from '../core/records.ts'
import { beliefMembers, toWireBelief } from './belief-wire.ts'
import { defineOperation } from './operation.ts'
import { about, id, recordId, timestamp, toTimestamp } from './schemas.ts'

export const evidenceFor = defineOperation({
  name: 'evidence_for',
  summary: 'Read the evidence trail of one belief, oldest first.',
  help: { group: 'Beliefs', place: 3, examples: ['brain evidence-for 3'] },
  errors: { refused: ['belief X not found', 'belief X belongs to another project'] },
  members: { belief_id: about('Id of the belief', id()) },
  output: () =>
    z.object({
      belief: z.object(beliefMembers),
      events: z.array(
        z.object({
          id: recordId(),
          kind: z.enum(evidenceKinds),
          strength: z.number(),
          log_likelihood: z.number(),
          note: z.nullable(z.string()),
          created_at: timestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/evidence/:belief_id' },
  effect: 'read',
  tool: true,
  command: { positional: ['belief_id'] },
  run: async (context, { belief_id }) => {
    const { belief: found, events } = await context.store.beliefs.trail(belief_id)
    const belief = requireOwned('belief', belief_id, found, context.project)
    return {
      belief: toWireBelief(belief, context),
      events: events.map((event) => ({
        id: event.id,
        kind: event.kind,
        strength: event.strength,
        log_likelihood: event.logLikelihood,
        note: event.note,
        created_at: toTimestamp(event.createdAt),
      })),
    }
  },
})
