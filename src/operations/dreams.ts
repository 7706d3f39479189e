/** Recall_dreams: the night's thoughts, each handed out once. */
import * as z from 'zod/mini'
import type { Dream } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, integer, optional, recordId, timestamp, toTimestamp, unit } from './schemas.ts'

const dreamsPerCall = 5

const dreams = z.array(
  z.object({
    id: recordId(),
    thought: z.string(),
    source_memory_ids: z.array(recordId()),
    novelty: unit(),
    created_at: timestamp(),
  }),
)

/** A dream in responses; its kind and the time it was read are internal. */
export const toWireDream = (dream: Dream): z.output<typeof dreams>[number] => ({
  id: dream.id,
  thought: dream.thought,
  source_memory_ids: [...dream.sourceMemoryIds],
  novelty: dream.novelty,
  created_at: toTimestamp(dream.createdAt),
})

export const recallDreams = defineOperation({
  name: 'recall_dreams',
  summary: 'Read unread overnight thoughts, oldest first; each is returned once and then counts as read.',
  help: { group: 'Dreams', place: 1, examples: ['brain dreams --limit 3'] },
  members: { limit: about('Maximum number', optional(integer(1, 20), dreamsPerCall)) },
  output: () => z.object({ dreams }),
  route: { method: 'GET', path: '/v1/dreams' },
  effect: 'write',
  tool: true,
  command: { name: 'dreams' },
  run: async ({ store, project, now }, { limit }) => ({
    dreams: (await store.dreams.take(project, limit ?? dreamsPerCall, now())).map(toWireDream),
  }),
  variants: {
    explain: {
      about:
        'list the newest dreams, read or not, with their kinds and what spoke for them, and mark nothing',
      run: async ({ store, project }, { limit }) => {
        const listed = await store.dreams.list(project, { limit: limit ?? dreamsPerCall })
        const why = new Map(
          (
            await store.dreams.explain(
              project,
              listed.map(({ id }) => id),
            )
          ).map((one) => [one.dreamId, one]),
        )
        return {
          dreams: listed.map((dream) => ({
            ...toWireDream(dream),
            kind: dream.kind,
            reasons: why.get(dream.id)?.reasons ?? [],
            feedback: why.get(dream.id)?.feedback ?? null,
          })),
        }
      },
    },
    read: {
      about: 'list dreams already read, newest first, and mark nothing',
      run: async ({ store, project }, { limit }) => ({
        dreams: (await store.dreams.list(project, { limit: limit ?? dreamsPerCall, read: true })).map(
          toWireDream,
        ),
      }),
    },
  },
})
