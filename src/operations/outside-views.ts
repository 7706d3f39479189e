/** Outside_views: what agents observed about each other. */

import * as z from 'zod/mini'
import { agentNameOf } from '../core/agent-names.ts'
import { observationKinds } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, integer, name, optional, recordId, timestamp, toTimestamp } from './schemas.ts'

const listedObservations = 20

export const outsideViews = defineOperation({
  name: 'outside_views',
  summary: 'Recall observations about an agent, or about all, newest first.',
  guidance: 'Call before handing work to an agent.',
  help: {
    group: 'Agents',
    place: 2,
    examples: ['brain outside-views planner', 'brain outside-views --limit 5'],
  },
  members: {
    subject_agent: about('Only observations of this agent', optional(name())),
    limit: about('Maximum number', optional(integer(1, 100), listedObservations)),
  },
  output: () =>
    z.object({
      observations: z.array(
        z.object({
          id: recordId(),
          observer_agent: z.string(),
          subject_agent: z.string(),
          observation: z.string(),
          kind: z.nullable(z.enum(observationKinds)),
          created_at: timestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/outside_views' },
  effect: 'read',
  tool: true,
  command: { positional: ['subject_agent'] },
  run: async ({ store, project }, { subject_agent, limit }) => {
    const observations = await store.observations.list(project, {
      limit: limit ?? listedObservations,
      ...(subject_agent != null && { subjectAgent: agentNameOf(subject_agent) }),
    })
    return {
      observations: observations.map((one) => ({
        id: one.id,
        observer_agent: one.observerAgent,
        subject_agent: one.subjectAgent,
        observation: one.observation,
        kind: one.kind,
        created_at: toTimestamp(one.createdAt),
      })),
    }
  },
})
