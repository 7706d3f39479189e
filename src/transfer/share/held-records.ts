/** What others said of records that are here already, added to these: each act once, in whatever order it arrives. */
import { ratesOf } from '../../config/config.ts'
import { BrainError } from '../../core/errors.ts'
import { type Ending, type Resolution, saidAt } from '../../core/records.ts'
import { endOfPrediction, orderWordings, type Wording } from '../../core/shared-history.ts'
import { accumulate, boundariesOf } from '../../core/sprt.ts'
import { amendMemory } from '../../operations/embedding.ts'
import type { Context } from '../../operations/operation.ts'
import { type EventType, originOf, type SharedType, toFile } from './items.ts'
import { type Acts, countedEvidence, type NamedEvent } from './new-records.ts'
import type { OwnRecord } from './own-items.ts'

/** What of the shared items is here, and what came with new files. */
export interface Held {
  readonly context: Context
  /** By their shared names. */
  readonly records: ReadonlyMap<string, OwnRecord>
  /** Names of everything that was said of them. */
  readonly events: ReadonlySet<string>
  /** The evidence of runs of tests among it, by the name of its belief. */
  readonly runs: ReadonlyMap<string, readonly NamedEvent<'evidence'>[]>
  /** Id of an event of evidence, by its name. */
  readonly evidenceIdOf: (name: string) => number | undefined
  /** What new files say of something, by its name. */
  readonly actsOf: (name: string) => Acts
  /** Whether a text was said here, by its name, and not taken from others. */
  readonly isOwn: (name: string) => boolean
  /** Ids of memories into which others were merged just now: any text of those may be the newest. */
  readonly joined: ReadonlySet<number>
  /** Told of each memory whose own edit is not its text any more. */
  readonly onReplaced: (id: number) => void
  /** Told of each prediction whose resolution is not the one that it had. */
  readonly onResettled: (change: Resettled) => void
}

/** A prediction whose resolution gave way: its outcome before and now, null where it is open again. */
export interface Resettled {
  readonly id: number
  readonly was: Ending
  readonly now: Ending | null
}

const sameWording = (a: Wording, b: Wording): boolean =>
  a.createdAt === b.createdAt && a.text === b.text && a.caution === b.caution && a.agent === b.agent

/** Texts of a memory: the newest of all is the one that it has, the others its versions. */
async function addWordings(
  { context, isOwn, onReplaced }: Held,
  { name, id }: { readonly name: string; readonly id: number },
  added: readonly Wording[],
): Promise<void> {
  const { store, project } = context
  const memory = await store.memories.find(project, id)
  if (memory === undefined || memory === 'elsewhere') return
  const { text, caution, agent } = memory
  const now: Wording = { text, caution, agent, createdAt: saidAt(memory) }
  const earlier = await store.memories.versions(project, id)
  const all = orderWordings([...earlier, now, ...added])
  const newest = all.at(-1) ?? now
  if (!sameWording(newest, now)) {
    await amendMemory(context, {
      id,
      before: memory,
      text: newest.text,
      decide: (found) => {
        const same = typeof found === 'object' && found.text === text && found.editedAt === memory.editedAt
        if (same) return { ...newest, now: newest.createdAt }
        throw new BrainError('busy', `memory ${id} was edited meanwhile: pull again`)
      },
    })
    const replaced = toFile({ type: 'version', of: name, said: now }).name
    if (memory.editedAt !== undefined && isOwn(replaced)) onReplaced(id)
  }
  const known = [...earlier, now, newest]
  const missing = all.filter((one) => !known.some((other) => sameWording(one, other)))
  const versions = missing.map((one) => ({
    text: one.text,
    caution: one.caution,
    agent: one.agent,
    createdAt: one.createdAt,
    replacedAt: all[all.indexOf(one) + 1]?.createdAt ?? one.createdAt,
  }))
  await store.histories.addVersions(project, id, versions)
}

/** An event that is counted already: nothing is to be kept. */
class Counted extends Error {}

async function addEvidence(
  { context, actsOf }: Held,
  { id, instead }: { readonly id: number; readonly instead: number | undefined },
  { name, event }: NamedEvent<'evidence'>,
): Promise<boolean> {
  const { run, source, circumstances, citations: _, ...said } = event.said
  const { citations } = actsOf(name).marks ?? {}
  const boundaries = boundariesOf(ratesOf(context.config))
  try {
    await context.store.beliefs.amend(context.project, { id, run, instead }, (belief, known) => {
      if (typeof belief !== 'object' || known.counted !== undefined) throw new Counted()
      return {
        // It weighs what it weighed where it was seen, so that all come to the same sum.
        ...accumulate(belief, said.logLikelihood, boundaries),
        event: { ...said, ...(source !== undefined && { source }) },
        circumstances: { ...circumstances, origin: originOf(name) },
        ...(run !== undefined && { run }),
        ...(citations && { citations }),
      }
    })
    return true
  } catch (error) {
    if (error instanceof Counted) return false
    throw error
  }
}

async function addToBelief(
  held: Held,
  { name: of, id }: { readonly name: string; readonly id: number },
  acts: Acts,
): Promise<SharedType[]> {
  const { context, records, events } = held
  const added: SharedType[] = []
  const runs = held.runs.get(of) ?? []
  for (const one of countedEvidence([...runs, ...acts.of('evidence')])) {
    if (events.has(one.name)) continue
    const { run } = one.event.said
    // Whoever counted a run first counts it everywhere, also where it was counted since.
    const since = run === undefined ? undefined : runs.find(({ event }) => event.said.run === run)
    const instead = since && held.evidenceIdOf(since.name)
    if (await addEvidence(held, { id, instead }, one)) added.push('evidence')
  }
  for (const { event, name } of acts.of('succession')) {
    const successor = records.get(event.said.by)
    if (successor === undefined || events.has(name)) continue
    if (await context.store.histories.succeed(context.project, id, successor.id)) added.push('succession')
  }
  return added
}

async function addToPrediction(held: Held, id: number, acts: Acts): Promise<SharedType[]> {
  const { context, events, onResettled } = held
  const unknown = <Type extends EventType>(all: readonly NamedEvent<Type>[]): NamedEvent<Type>[] =>
    all.filter(({ name }) => !events.has(name))
  const [forecasts, resolutions, reopenings] = [
    unknown(acts.of('forecast')).map(({ event }) => event.said),
    unknown(acts.of('resolution')).map(({ event }) => event.said),
    unknown(acts.of('reopening')).map(({ event }) => event.said),
  ]
  const said = [
    ...forecasts.map(() => 'forecast' as const),
    ...resolutions.map(() => 'resolution' as const),
    ...reopenings.map(() => 'reopening' as const),
  ]
  if (said.length === 0) return []
  const seen: { was?: Resolution | null; now?: Resolution | null } = {}
  await context.store.histories.settle(context.project, id, (end) => {
    const next = endOfPrediction({
      forecasts: [...end.forecasts, ...forecasts],
      resolutions: [...(end.resolution === null ? [] : [end.resolution]), ...resolutions],
      reopenings: [...end.reopenings, ...reopenings],
    })
    seen.was = end.resolution
    seen.now = next.resolution
    return next
  })
  const { was, now } = seen
  if (was && (now?.outcome !== was.outcome || now.resolvedAt !== was.resolvedAt))
    onResettled({ id, was: was.outcome, now: now?.outcome ?? null })
  return said
}

/** Adds what new files say of a record; returns what was added. */
export async function addActs(held: Held, name: string, { kind, id }: OwnRecord): Promise<SharedType[]> {
  const acts = held.actsOf(name)
  switch (kind) {
    case 'memory': {
      const added = acts.of('version').filter((one) => !held.events.has(one.name))
      if (added.length === 0 && !held.joined.has(id)) return []
      await addWordings(
        held,
        { name, id },
        added.map(({ event }) => event.said),
      )
      return added.map(() => 'version' as const)
    }
    case 'belief':
      return addToBelief(held, { name, id }, acts)
    case 'prediction':
      return addToPrediction(held, id, acts)
    case 'observation':
    case 'dream':
      return []
  }
}
