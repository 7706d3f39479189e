/** The events of a belief's trail in responses: with their source, what they repeat, and what they cite. */
import * as z from 'zod/mini'
import { type EvidenceEvent, evidenceKinds } from '../core/records.ts'
import { relationsIn } from '../core/sources.ts'
import { stale, stalenessOf } from './citations.ts'
import type { Context } from './operation.ts'
import { recordId, timestamp, toTimestamp } from './schemas.ts'

/** Optional members of an event. */
const relationMembers = {
  source: z.exactOptional(z.string()),
  /** Id of the event it repeats, so that it has no weight. */
  repeats: z.exactOptional(recordId()),
  /** Declared independent of another event of its source on the same day. */
  independent: z.exactOptional(z.literal(true)),
}

export const trailEvent = () =>
  z.object({
    id: recordId(),
    kind: z.enum(evidenceKinds),
    strength: z.number(),
    log_likelihood: z.number(),
    note: z.nullable(z.string()),
    created_at: timestamp(),
    ...relationMembers,
    stale: stale(),
  })

/** The events of one trail, oldest first. */
export async function toWireTrail(context: Context, events: readonly EvidenceEvent[]) {
  const ids = events.map(({ id }) => id)
  const staleOf = await stalenessOf(context, 'evidence', ids)
  const relations = relationsIn(events)
  return events.map((event) => {
    return {
      id: event.id,
      kind: event.kind,
      strength: event.strength,
      log_likelihood: event.logLikelihood,
      note: event.note,
      created_at: toTimestamp(event.createdAt),
      ...(event.source !== undefined && { source: event.source }),
      ...relations.get(event.id),
      ...staleOf(event.id),
    }
  })
}
