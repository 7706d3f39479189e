/** Note_about, outside_views: what agents observe about each other. */
import * as z from 'zod/mini'
import { observationKinds } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, integer, name, oneOf, optional, recordId, text, timestamp, toTimestamp } from './schemas.ts'

export const noteAbout = defineOperation({
  name: 'note_about',
  summary: 'Record an outside view of an agent (your own name is allowed).',
  members: {
    subject_agent: about('The agent observed', name()),
    observation: about('What was seen of it', text()),
    kind: about('What sort of observation it is', optional(oneOf(observationKinds), null)),
  },
  output: () => z.object({ id: recordId(), observer_agent: z.string(), subject_agent: z.string() }),
  route: { method: 'POST', path: '/v1/note_about' },
  effect: 'write',
  tool: true,
  command: { positional: ['subject_agent', 'observation'] },
  run: async ({ store, project, agent, now }, input) => {
    const { id, observerAgent, subjectAgent } = await store.observations.add(project, {
      observerAgent: agent,
      subjectAgent: input.subject_agent.trim(),
      observation: input.observation,
      kind: input.kind ?? null,
      createdAt: now(),
    })
    return { id, observer_agent: observerAgent, subject_agent: subjectAgent }
  },
})

const listedObservations = 20

export const outsideViews = defineOperation({
  name: 'outside_views',
  summary: 'Recall observations about an agent, or about all, newest first.',
  members: {
    subject_agent: about('Only observations of this agent', optional(name())),
    limit: about('At most so many', optional(integer(1, 100), listedObservations)),
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
      ...(subject_agent != null && { subjectAgent: subject_agent.trim() }),
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
