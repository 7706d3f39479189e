/** Recall feedback: whether a result was right, so that the brain can check its own scores. */
import * as z from 'zod/mini'
import { defineOperation } from './operation.ts'
import { memoryRefusals, requireMemory } from './own-memory.ts'
import { about, count, id, number, oneOf, recordId } from './schemas.ts'

const verdicts = ['right', 'wrong'] as const

export const recallFeedback = defineOperation({
  name: 'recall_feedback',
  summary: 'Say whether a result of recall was right.',
  help: { group: 'Memories', place: 4, examples: ['brain recall-feedback 12 --right'] },
  errors: { refused: memoryRefusals },
  members: {
    id: about('The memory', id()),
    verdict: about('Whether it was right', oneOf(verdicts)),
    score: about('Its score in recall', number(0, 1)),
  },
  output: () => z.object({ id: recordId(), verdict: z.enum(verdicts), verdicts: count() }),
  route: { method: 'POST', path: '/v1/recall/feedback' },
  effect: 'write',
  tool: false,
  command: {
    positional: ['id'],
    flags: { verdict: verdicts },
    supplied: { score: 'the one it had in the last recall' },
  },
  run: async (context, { id, verdict, score }) => {
    const { store, project, now } = context
    await requireMemory(context, id)
    const said = { memoryId: id, score, right: verdict === 'right', createdAt: now() }
    return { id, verdict, verdicts: await store.verdicts.add(project, said) }
  },
})
