/**
 * When two observations of one source count as one: the sequential test assumes independent observations, and looking
 * at the same test five times in an hour is one observation. Knows events and times; no storage.
 */

import { msPerDay } from './durations.ts'
import { addTo } from './lists.ts'
import type { EvidenceEvent } from './records.ts'

/** How long after an observation with weight further ones of its source have none; milliseconds. */
const sameWithin = msPerDay

/** An event with weight, as far as it matters for later ones. */
export type Weighty = Pick<EvidenceEvent, 'id' | 'createdAt'>

/** Whether an observation at `at` repeats `nearest`, the one of its source with weight that is nearest in time. */
export const repeats = (nearest: Weighty | undefined, at: number): boolean =>
  nearest !== undefined && Math.abs(at - nearest.createdAt) < sameWithin

/** The event nearest to `at`, and of two the later one in the trail. */
const nearestTo = (at: number, events: readonly Weighty[]): Weighty | undefined =>
  events.reduce<Weighty | undefined>(
    (nearest, event) =>
      nearest !== undefined && Math.abs(nearest.createdAt - at) < Math.abs(event.createdAt - at)
        ? nearest
        : event,
    undefined,
  )

/** The relation of an event to the others of its source. */
export interface EvidenceRelation {
  /** Id of the event it repeats, so that it has no weight. */
  readonly repeats?: number
  /** It came within a day of another of its source and was declared independent. */
  readonly independent?: true
}

/** The relation of each event of a trail, oldest first, to earlier ones; by event id, where there is any. */
export function relationsIn(events: readonly EvidenceEvent[]): ReadonlyMap<number, EvidenceRelation> {
  const weighty = new Map<string, EvidenceEvent[]>()
  const relations = new Map<number, EvidenceRelation>()
  for (const event of events) {
    const { id, source, logLikelihood } = event
    if (source === undefined) continue
    const nearest = nearestTo(event.createdAt, weighty.get(source) ?? [])
    if (logLikelihood !== 0) {
      if (repeats(nearest, event.createdAt)) relations.set(id, { independent: true })
      addTo(weighty, source, event)
    } else if (nearest !== undefined) relations.set(id, { repeats: nearest.id })
  }
  return relations
}
