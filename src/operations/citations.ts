/**
 * Citations in operations: stamping cited places, and finding stale records. The caller supplies access to the files;
 * without it nothing is said about their content.
 */
import * as z from 'zod/mini'
import {
  type Citation,
  type CitationState,
  citationStates,
  fromPlace,
  isStale,
  maxCites,
  type Place,
  requirePlace,
  toPlace,
} from '../core/citations.ts'
import { excerptOf } from '../core/excerpt.ts'
import type { Cited, CitingKind } from '../store/citations.ts'
import type { ListedRecord } from '../store/store.ts'
import type { Context } from './operation.ts'
import { about, listOf, optional, text, timestamp, toTimestamp } from './schemas.ts'

const place = () =>
  text().check(
    z.refine(
      (value) => toPlace(value) !== undefined,
      'must be paths below the brain with their lines, like src/x.ts:10-40',
    ),
  )

/** The member for the cited places of a record. */
export const cites = () => about('Places it is based on: src/x.ts:10-40', optional(listOf(place(), maxCites)))

/** The cited places of an input with the hash of their content. @throws BrainError `invalid` if something cannot be cited. */
export async function stampCites(
  { files, now }: Context,
  places: readonly string[] | null | undefined,
): Promise<Cited> {
  if (places == null || places.length === 0) return {}
  const wanted = [...new Set(places.map((one) => fromPlace(requirePlace(one))))].map(requirePlace)
  const at = files?.()
  const citations: Citation[] = []
  for (const one of wanted) {
    // Whoever has the files can look at them later: `verify`.
    citations.push(at === undefined ? { ...one, hash: '', stampedAt: now() } : await at.stamp(one, now()))
  }
  return { citations }
}

/** The current state of a place. */
export interface Looked {
  readonly citation: Citation
  readonly state: CitationState
  /** Where its lines are now. */
  readonly place: Place
}

/** The state of all cited places, by record. */
export async function lookAt(
  { store, project, files }: Context,
  kind: CitingKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Looked[]>> {
  const found = await store.citations.find(project, kind, ids)
  const looked = new Map<number, Looked[]>()
  const at = found.size > 0 ? files?.() : undefined
  for (const [id, citations] of found) {
    const own: Looked[] = []
    for (const citation of citations) {
      const now = await at?.look(citation)
      own.push({ citation, state: now?.state ?? 'unknown', place: now?.place ?? citation })
    }
    looked.set(id, own)
  }
  return looked
}

/** Member of a stale record: the places that have changed. */
export const stale = () =>
  z.exactOptional(z.array(z.object({ path: z.string(), state: z.enum(citationStates) })))

/** The value of that member. */
export interface Stale {
  readonly stale?: { path: string; state: CitationState }[]
}

/** That member of one record, from the states of its places; absent if nothing changed. */
function staleMember(looked: readonly Looked[] = []): Stale {
  const changed = looked.filter(({ state }) => isStale(state))
  if (changed.length === 0) return {}
  return { stale: changed.map(({ citation, state }) => ({ path: fromPlace(citation), state })) }
}

/** That member by record. */
export async function stalenessOf(
  context: Context,
  kind: CitingKind,
  ids: readonly number[],
): Promise<(id: number) => Stale> {
  const looked = await lookAt(context, kind, ids)
  return (id) => staleMember(looked.get(id))
}

/** A cited place with its state. */
export const citation = () =>
  z.object({
    path: z.string(),
    state: z.enum(citationStates),
    /** Where the lines are now. */
    now_at: z.string(),
    stamped_at: timestamp(),
  })

/** Member of a record shown in full: every place. */
export const citations = () => z.exactOptional(z.array(citation()))

/** The value of that member; absent where the record cites nothing. */
export const citationsMember = (looked: readonly Looked[] = []) =>
  looked.length === 0 ? {} : { citations: looked.map(toWireCitation) }

export const toWireCitation = ({ citation, state, place }: Looked) => ({
  path: fromPlace(citation),
  state,
  now_at: fromPlace(place),
  stamped_at: toTimestamp(citation.stampedAt),
})

type Listed = Pick<ListedRecord, 'kind' | 'id'>

/** The project's stale records, as `list` names them: a belief, if what its evidence cites has changed. */
export async function staleRecords(context: Context): Promise<Listed[]> {
  const citing = await context.store.citations.list(context.project)
  const found = new Map<string, Listed>()
  for (const kind of ['memory', 'evidence'] as const) {
    const own = citing.filter((record) => record.kind === kind)
    const staleOf = await stalenessOf(
      context,
      kind,
      own.map(({ id }) => id),
    )
    for (const { id, shown } of own) {
      if (staleOf(id).stale !== undefined) found.set(`${shown.kind} ${shown.id}`, shown)
    }
  }
  return [...found.values()]
}

/** The ids among records of one kind. */
export const idsOf = (records: readonly Listed[], kind: Listed['kind']): number[] =>
  records.flatMap((record) => (record.kind === kind ? [record.id] : []))

/** The member of each of the records of a page: of a belief, the places of its evidence. */
export async function stalenessIn(
  context: Context,
  records: readonly Listed[],
): Promise<(record: Listed) => Stale> {
  const notes = await stalenessOf(context, 'memory', [...idsOf(records, 'memory'), ...idsOf(records, 'flag')])
  const beliefs = await stalenessOfBeliefs(context, idsOf(records, 'belief'))
  return ({ kind, id }) => {
    if (kind === 'belief') return beliefs(id)
    return kind === 'memory' || kind === 'flag' ? notes(id) : {}
  }
}

/** The member of beliefs, by what their evidence cites: each place once. */
export async function stalenessOfBeliefs(
  context: Context,
  ids: readonly number[],
): Promise<(id: number) => Stale> {
  const trails = await Promise.all(
    ids.map(async (id) => ({ id, events: (await context.store.beliefs.trail(context.project, id)).events })),
  )
  const events = trails.flatMap(({ events }) => events.map(({ id }) => id))
  const staleOf = await stalenessOf(context, 'evidence', events)
  const found = new Map(
    trails.map(({ id, events }) => {
      const places = events.flatMap((event) => staleOf(event.id).stale ?? [])
      return [id, [...new Map(places.map((one) => [one.path, one])).values()]]
    }),
  )
  return (id) => {
    const places = found.get(id) ?? []
    return places.length === 0 ? {} : { stale: places }
  }
}

/** Places named before a text, and characters of each: others may have written them, and a block has room for few. */
const [maxLabels, maxLabel] = [2, 60]

/** Labels for a line of text for a model, of the first places that changed; none if nobody here can tell. */
export const staleLabels = ({ stale: places = [] }: Stale): string[] =>
  places
    .filter(({ state }) => state !== 'unknown')
    .slice(0, maxLabels)
    .map(({ path, state }) => `stale: ${excerptOf(path.replace(/[[\]]/g, ' '), maxLabel)} ${state}`)
