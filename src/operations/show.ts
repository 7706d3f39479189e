/** Show: one record in full, with its origin, its history and what refers to it. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { ownedRefusals, requireOwned } from '../core/access.ts'
import {
  dreamKinds,
  evidenceKinds,
  feedbackVerdicts,
  type KeptKind,
  observationKinds,
} from '../core/records.ts'
import { boundariesOf } from '../core/sprt.ts'
import { beliefMembers, toWireBelief } from './belief-wire.ts'
import { provenance } from './circumstances.ts'
import { citations, citationsMember, lookAt } from './citations.ts'
import { type Context, defineOperation } from './operation.ts'
import { requireMemory } from './own-memory.ts'
import { shownPrediction, toWirePrediction } from './prediction-wire.ts'
import {
  about,
  boundaries,
  id,
  listOf,
  nullableTimestamp,
  oneOf,
  optional,
  recordId,
  timestamp,
  timestampOrNull,
  toTimestamp,
  unit,
} from './schemas.ts'
import { toWireTrail, trailEvent } from './trail-wire.ts'
import { verdictsOn } from './verdict-wire.ts'

/** Records that stand by themselves. */
export const ownKinds = ['memory', 'flag', 'belief', 'prediction', 'dream', 'observation'] as const
const shownKinds = [...ownKinds, 'evidence'] as const
type ShownKind = (typeof shownKinds)[number]

const note = () =>
  z.object({
    kind: z.enum(['memory', 'flag']),
    id: recordId(),
    text: z.string(),
    caution: unit(),
    agent: z.string(),
    created_at: timestamp(),
    edited_at: nullableTimestamp(),
    pinned_at: nullableTimestamp(),
    expires_at: nullableTimestamp(),
    tags: z.array(z.string()),
    /** Earlier texts, oldest first. */
    versions: z.array(
      z.object({
        text: z.string(),
        caution: unit(),
        agent: z.string(),
        created_at: timestamp(),
        replaced_at: timestamp(),
        /** The id it had before it was merged into this one. */
        former_id: z.nullable(recordId()),
      }),
    ),
    /** Ids of dreams that came from it. */
    cited_by_dreams: z.array(recordId()),
    provenance: provenance(),
    /** Plans that this flag was declared not to apply to. */
    no_match_for: z.array(z.string()),
    citations: citations(),
  })

const belief = () =>
  z.object({
    kind: z.literal('belief'),
    ...beliefMembers,
    created_at: timestamp(),
    superseded_by: z.nullable(recordId()),
    revised_from: z.nullable(recordId()),
    provenance: provenance(),
    boundaries: boundaries(),
    events: z.array(z.extend(trailEvent(), { provenance: provenance() })),
  })

const dream = () =>
  z.object({
    kind: z.literal('dream'),
    id: recordId(),
    thought: z.string(),
    dream_kind: z.enum(dreamKinds),
    reasons: z.array(z.string()),
    feedback: z.nullable(z.enum(feedbackVerdicts)),
    source_memory_ids: z.array(recordId()),
    novelty: unit(),
    created_at: timestamp(),
    read_at: nullableTimestamp(),
  })

const observation = () =>
  z.object({
    kind: z.literal('observation'),
    id: recordId(),
    observation: z.string(),
    observer_agent: z.string(),
    subject_agent: z.string(),
    observation_kind: z.nullable(z.enum(observationKinds)),
    created_at: timestamp(),
    provenance: provenance(),
  })

const evidence = () =>
  z.extend(z.omit(trailEvent(), { kind: true }), {
    kind: z.literal('evidence'),
    evidence_kind: z.enum(evidenceKinds),
    belief_id: recordId(),
    /** Of the belief. */
    text: z.string(),
    provenance: provenance(),
    citations: citations(),
  })

const prediction = () => z.extend(shownPrediction(), { provenance: provenance() })

const record = () => z.union([note(), belief(), prediction(), dream(), observation(), evidence()])

type Shown = z.output<ReturnType<typeof record>>

/** The circumstances of a record's creation, as an additional member. */
async function keptHow({ store, project }: Context, kind: KeptKind, id: number) {
  const known = (await store.records.provenance(project, kind, [id])).get(id)
  return known === undefined ? {} : { provenance: known }
}

async function showNote(context: Context, id: number): Promise<Shown> {
  const { store, project } = context
  const found = await requireMemory(context, id)
  const versions = await store.memories.versions(project, id)
  return {
    kind: found.caution > 0 ? 'flag' : 'memory',
    id,
    text: found.text,
    caution: found.caution,
    agent: found.agent,
    created_at: toTimestamp(found.createdAt),
    edited_at: timestampOrNull(found.editedAt),
    pinned_at: timestampOrNull(found.pinnedAt),
    expires_at: timestampOrNull(found.expiresAt),
    tags: [...(found.tags ?? [])],
    versions: versions.map(({ createdAt, replacedAt, formerId = null, ...version }) => ({
      ...version,
      created_at: toTimestamp(createdAt),
      replaced_at: toTimestamp(replacedAt),
      former_id: formerId,
    })),
    cited_by_dreams: await store.records.dreamsOf(project, id),
    ...(await keptHow(context, 'memory', id)),
    no_match_for: (await store.exemptions.list(project, [id])).map(({ topic }) => topic),
    ...citationsMember((await lookAt(context, 'memory', [id])).get(id)),
  }
}

async function showBelief(context: Context, id: number): Promise<Shown> {
  const { store, project } = context
  const trail = await store.beliefs.trail(project, id)
  const found = requireOwned('belief', id, trail.belief)
  const verdictOn = await verdictsOn(context, [id])
  const events = await toWireTrail(context, trail.events)
  const known = await store.records.provenance(
    project,
    'evidence',
    events.map((event) => event.id),
  )
  const keptAs = (eventId: number) => {
    const provenance = known.get(eventId)
    return provenance === undefined ? {} : { provenance }
  }
  return {
    kind: 'belief',
    ...toWireBelief(found, context, verdictOn(id)),
    created_at: toTimestamp(found.createdAt),
    superseded_by: found.supersededBy,
    revised_from: await store.records.revisedFrom(project, id),
    ...(await keptHow(context, 'belief', id)),
    boundaries: boundariesOf(ratesOf(context.config)),
    events: events.map((event) => ({ ...event, ...keptAs(event.id) })),
  }
}

async function showPrediction(context: Context, id: number): Promise<Shown> {
  const { store, project } = context
  const { prediction: found, ...history } = await store.predictions.trail(project, id)
  return {
    ...toWirePrediction(requireOwned('prediction', id, found), history),
    ...(await keptHow(context, 'prediction', id)),
  }
}

async function showDream({ store, project }: Context, id: number): Promise<Shown> {
  const found = requireOwned('dream', id, await store.records.findDream(project, id))
  const [known] = await store.dreams.explain(project, [id])
  return {
    kind: 'dream',
    id,
    thought: found.thought,
    dream_kind: found.kind,
    reasons: [...(known?.reasons ?? [])],
    feedback: known?.feedback ?? null,
    source_memory_ids: [...found.sourceMemoryIds],
    novelty: found.novelty,
    created_at: toTimestamp(found.createdAt),
    read_at: timestampOrNull(found.readAt),
  }
}

async function showObservation(context: Context, id: number): Promise<Shown> {
  const { store, project } = context
  const found = requireOwned('observation', id, await store.records.findObservation(project, id))
  return {
    kind: 'observation',
    id,
    observation: found.observation,
    observer_agent: found.observerAgent,
    subject_agent: found.subjectAgent,
    observation_kind: found.kind,
    created_at: toTimestamp(found.createdAt),
    ...(await keptHow(context, 'observation', id)),
  }
}

async function showEvidence(context: Context, id: number): Promise<Shown> {
  const { store, project } = context
  const beliefId = requireOwned('evidence', id, await store.citations.beliefOf(project, id))
  const { belief: found, events } = await store.beliefs.trail(project, beliefId)
  const one = (await toWireTrail(context, events)).find((event) => event.id === id)
  const { kind: evidence_kind, ...event } = requireOwned('evidence', id, one)
  return {
    ...event,
    kind: 'evidence',
    evidence_kind,
    belief_id: beliefId,
    text: requireOwned('belief', beliefId, found).text,
    ...(await keptHow(context, 'evidence', id)),
    ...citationsMember((await lookAt(context, 'evidence', [id])).get(id)),
  }
}

const showers: Readonly<Record<ShownKind, (context: Context, id: number) => Promise<Shown>>> = {
  memory: showNote,
  flag: showNote,
  belief: showBelief,
  prediction: showPrediction,
  dream: showDream,
  observation: showObservation,
  evidence: showEvidence,
}

/** Records shown at a time beside the first. */
const maxShown = 49

export const show = defineOperation({
  name: 'show',
  summary: 'Show a record in full: its origin, its history, what refers to it.',
  help: { group: 'See', place: 2, examples: ['brain show belief 3', 'brain show 12', 'brain show 12 13 14'] },
  errors: {
    refused: [...ownedRefusals('KIND'), 'memory X was merged into memory Y'],
  },
  members: {
    kind: about('Kind of record; memory stands for flags, too', optional(oneOf(shownKinds), 'memory')),
    id: about('Its id', id()),
    more: about('Ids of others of the same kind', optional(listOf(id(), maxShown))),
  },
  output: () => z.object({ record: record(), more: z.optional(z.array(record())) }),
  route: { method: 'GET', path: '/v1/records/:kind/:id' },
  effect: 'read',
  tool: false,
  whole: true,
  command: { positional: ['kind', 'id', 'more'], aliases: ['get'] },
  run: async (context, input) => {
    const shower = showers[input.kind ?? 'memory']
    const record = await shower(context, input.id)
    if (input.more == null) return { record }
    const more: Shown[] = []
    for (const id of input.more) more.push(await shower(context, id))
    return { record, more }
  },
})
