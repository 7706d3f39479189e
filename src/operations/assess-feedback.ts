/** Assess_feedback: a person's verdict on whether a flag applies to a plan. */
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { defineOperation } from './operation.ts'
import { memoryRefusals, requireMemory } from './own-memory.ts'
import { about, id, oneOf, optional, recordId, text } from './schemas.ts'

const verdicts = ['no_match', 'match'] as const

export const assessFeedback = defineOperation({
  name: 'assess_feedback',
  summary:
    'Say that a flag was no match for a plan, so that it asks for a nearer likeness of such plans, or take that back.',
  idempotent: true,
  help: {
    group: 'Instinct',
    place: 3,
    examples: ['brain assess-feedback 12 "drop the users table in the scratch schema"'],
  },
  errors: {
    refused: [...memoryRefusals, 'memory X is no flag: `brain assess` names the nearest by their ids'],
  },
  members: {
    memory_id: about('Id of the flag', id()),
    topic: about('The plan, as it was assessed', text()),
    verdict: about('no_match, or match to undo that', optional(oneOf(verdicts), 'no_match')),
  },
  output: () => z.object({ memory_id: recordId(), topic: z.string(), verdict: z.enum(verdicts) }),
  route: { method: 'POST', path: '/v1/assess/feedback' },
  effect: 'write',
  tool: false,
  command: { positional: ['memory_id', 'topic'] },
  run: async (context, { memory_id: flagId, topic, ...said }) => {
    const verdict = said.verdict ?? 'no_match'
    const { store, project, now } = context
    const { caution } = await requireMemory(context, flagId)
    const known =
      caution > 0 &&
      (verdict === 'match'
        ? await store.exemptions.remove(project, { flagId, topic })
        : await store.exemptions.add(project, { flagId, topic, now: now() }))
    if (!known)
      throw new BrainError(
        'refused',
        `memory ${flagId} is no flag: \`brain assess\` names the nearest by their ids`,
      )
    return { memory_id: flagId, topic, verdict }
  },
})
