/** Forget: deletes records and everything derived from them. */
import * as z from 'zod/mini'
import { ownedRefusals, requireOwned } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import { type Context, defineOperation } from './operation.ts'
import { requireMemory } from './own-memory.ts'
import { about, id, listOf, oneOf, optional, recordId, text } from './schemas.ts'
import { ownKinds } from './show.ts'

/** Records that can be forgotten at once, besides the first. */
const maxForgotten = 99

/** Those of some beliefs that are here and that nothing replaces. */
export async function currentAmong(
  { store, project }: Pick<Context, 'store' | 'project'>,
  ids: readonly number[],
): Promise<number[]> {
  const current: number[] = []
  for (const id of ids) {
    const belief = await store.beliefs.find(project, id)
    if (typeof belief === 'object' && belief.supersededBy === null) current.push(id)
  }
  return current
}

export const forget = defineOperation({
  name: 'forget',
  summary:
    'Delete records with their history, trail, keyword entries and vectors, leaving no byte of their texts behind; dreams of them are named, which may quote them.',
  idempotent: true,
  destructive: true,
  help: {
    group: 'Memories',
    place: 3,
    examples: ['brain forget 12', 'brain forget belief 3', 'brain forget --query "the old staging host"'],
  },
  errors: {
    refused: [
      ...ownedRefusals('KIND'),
      'memory X was merged into memory Y',
      'memory X is no flag: `brain forget X` forgets it',
      'KIND X says something else by now',
    ],
  },
  members: {
    kind: about('Kind of record; memory stands for flags, too', optional(oneOf(ownKinds), 'memory')),
    memory_id: about('Its id', id()),
    more: about(
      'Ids of others of its kind: all are forgotten, or none',
      optional(listOf(id(), maxForgotten)),
    ),
    if_text: about(
      'Of one record: only if this is still its text, so that nothing unread is forgotten',
      optional(text()),
    ),
  },
  output: () =>
    z.object({
      id: recordId(),
      more: z.optional(z.array(recordId())),
      /** Dreams that came from them, which may quote them. */
      told_in_dreams: z.optional(z.array(recordId())),
      /** Beliefs that they had replaced, and that are current again. */
      current_again: z.optional(z.array(recordId())),
    }),
  route: { method: 'POST', path: '/v1/forget' },
  effect: 'write',
  tool: false,
  command: {
    positional: ['kind', 'memory_id', 'more'],
    destroys: true,
    options: [
      ['--query <text>', 'what recall finds for this'],
      ['--yes', 'do not ask; a query needs it where nobody can be asked, ids are forgotten there without it'],
    ],
  },
  run: async (context, { kind, memory_id: first, more, if_text: read }) => {
    const stored = kind == null || kind === 'flag' ? 'memory' : kind
    const ids = [...new Set([first, ...(more ?? [])])]
    if (read != null && ids.length > 1)
      throw new BrainError('invalid', 'if_text is of one record: forget the others by themselves')
    if (stored === 'memory')
      for (const one of ids) {
        const { caution } = await requireMemory(context, one)
        if (kind === 'flag' && caution === 0)
          throw new BrainError('refused', `memory ${one} is no flag: \`brain forget ${one}\` forgets it`)
      }
    const { store, project } = context
    const dreams =
      stored === 'memory' ? await Promise.all(ids.map((one) => store.records.dreamsOf(project, one))) : []
    const replaced = stored === 'belief' ? await store.beliefs.replacedBy(project, ids) : []
    await store.removal.forget(project, { kind: stored, ids }, (one, record) => {
      const [now] = requireOwned(stored, one, record).texts
      if (read != null && read !== now)
        throw new BrainError(
          'refused',
          `${stored} ${one} says something else by now: read it again (\`brain show ${stored} ${one}\`) before it is forgotten`,
        )
    })
    const telling = [...new Set(dreams.flat())].sort((a, b) => a - b)
    const again = await currentAmong(context, replaced)
    return {
      id: first,
      ...(more != null && { more: [...more] }),
      ...(telling.length > 0 && { told_in_dreams: telling }),
      ...(again.length > 0 && { current_again: again }),
    }
  },
})
