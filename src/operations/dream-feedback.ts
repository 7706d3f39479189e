/** Dream_feedback: a reader's verdict on a dream. */
import * as z from 'zod/mini'
import { ownedRefusals, requireOwned } from '../core/access.ts'
import { weightOf } from '../core/dream-feedback.ts'
import { type DreamKind, dreamKinds, feedbackVerdicts } from '../core/records.ts'
import { type Context, defineOperation } from './operation.ts'
import { about, id, oneOf, recordId } from './schemas.ts'

async function weigh({ store, project }: Context, kind: DreamKind): Promise<number> {
  const said = (await store.dreams.feedback(project)).find((one) => one.kind === kind)
  return weightOf(said ?? { kept: 0, dismissed: 0 })
}

export const dreamFeedback = defineOperation({
  name: 'dream_feedback',
  summary: 'Say whether a dream was worth having: this changes how often its kind appears here.',
  idempotent: true,
  help: {
    group: 'Dreams',
    place: 2,
    examples: ['brain dream-feedback 3 keep', 'brain dream-feedback 3 none'],
  },
  errors: { refused: ownedRefusals('dream') },
  members: {
    dream_id: about('Id of the dream', id()),
    verdict: about(
      'Keep or dismiss it, take that back (none), or only mark it read (read)',
      oneOf([...feedbackVerdicts, 'none', 'read']),
    ),
  },
  output: () =>
    z.object({
      id: recordId(),
      kind: z.enum(dreamKinds),
      feedback: z.nullable(z.enum(feedbackVerdicts)),
      weight: z.number(),
      weight_before: z.number(),
    }),
  route: { method: 'POST', path: '/v1/dreams/feedback' },
  effect: 'write',
  tool: false,
  command: { positional: ['dream_id', 'verdict'] },
  run: async (context, { dream_id, verdict }) => {
    const { store, project } = context
    const now = context.now()
    const dream = requireOwned('dream', dream_id, await store.records.findDream(project, dream_id))
    const [known] = await store.dreams.explain(project, [dream_id])
    const before = await weigh(context, dream.kind)
    if (verdict === 'read') await store.dreams.markRead(project, dream_id, now)
    else await store.dreams.rate(project, { id: dream_id, verdict: verdict === 'none' ? null : verdict, now })
    const feedback = verdict === 'read' ? (known?.feedback ?? null) : verdict === 'none' ? null : verdict
    return {
      id: dream_id,
      kind: dream.kind,
      feedback,
      weight: await weigh(context, dream.kind),
      weight_before: before,
    }
  },
})
