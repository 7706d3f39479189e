/** Note_about: an observation about another agent, or about itself. */

import * as z from 'zod/mini'
import { agentNameOf } from '../core/agent-names.ts'
import { observationKinds } from '../core/records.ts'
import { circumstancesOf } from './circumstances.ts'
import { defineOperation } from './operation.ts'
import { about, name, oneOf, optional, recordId, text } from './schemas.ts'

export const noteAbout = defineOperation({
  name: 'note_about',
  summary: 'Record an outside view of an agent (your own name is allowed).',
  help: {
    group: 'Agents',
    place: 1,
    examples: ['brain note-about planner "Estimates run a third too low" --kind pattern'],
  },
  members: {
    subject_agent: about('The agent observed', name()),
    observation: about('What was observed', text()),
    kind: about('Kind of observation', optional(oneOf(observationKinds), null)),
  },
  output: () => z.object({ id: recordId(), observer_agent: z.string(), subject_agent: z.string() }),
  route: { method: 'POST', path: '/v1/note_about' },
  effect: 'write',
  tool: true,
  command: { positional: ['subject_agent', 'observation'] },
  run: async (context, input) => {
    const { id, observerAgent, subjectAgent } = await context.store.observations.add(context.project, {
      observerAgent: context.agent,
      subjectAgent: agentNameOf(input.subject_agent),
      observation: input.observation,
      kind: input.kind ?? null,
      createdAt: context.now(),
      circumstances: circumstancesOf(context),
    })
    return { id, observer_agent: observerAgent, subject_agent: subjectAgent }
  },
})
