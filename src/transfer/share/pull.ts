/**
 * Takes in what others put into the shared folder: records that are not here come in together, what was said of records that
 * are here is added to them, and what was forgotten is forgotten here, too. Twice the same changes nothing.
 */
import { addTo } from '../../core/lists.ts'
import type { RecordKind } from '../../core/records.ts'
import { currentAmong } from '../../operations/forget.ts'
import type { Context } from '../../operations/operation.ts'
import { importRecords } from '../import.ts'
import { type EasedFlag, FlagWatch } from './eased-flags.ts'
import type { SharedFolder } from './folder.ts'
import { requireFew } from './forgotten.ts'
import { addActs, type Held } from './held-records.ts'
import {
  isEvent,
  type SharedEvent,
  type SharedItem,
  type SharedRoot,
  type SharedType,
  toFile,
} from './items.ts'
import type { KnownFiles } from './known-files.ts'
import { addTags, readNewestMarks, takeMarks } from './marks.ts'
import { EarlierTexts, findMerged, Merges, mergeHere } from './merges.ts'
import { Acts, type NamedEvent, type NewRecord, toExport } from './new-records.ts'
import { type OwnMarks, type OwnRecord, readOwnItems } from './own-items.ts'
import { readItems } from './read-items.ts'
import { knownFileOf } from './share.ts'

export interface PullOptions {
  readonly context: Context
  readonly folder: SharedFolder
  /** Files that this brain has had to do with; added to. */
  readonly known: KnownFiles
  readonly signal: AbortSignal
  /** Whether many records may be forgotten at once. */
  readonly forgetMany: boolean
  /** Told of the flags that others forgot, ended, made milder or reworded, also where the pull fails after that. */
  readonly onEased: (flags: readonly EasedFlag[]) => void
}

export interface Pulled {
  /** What came in, by its kind. */
  readonly taken: Readonly<Partial<Record<SharedType, number>>>
  readonly forgotten: number
  /** Beliefs that are current again, as what had replaced them is forgotten. */
  readonly currentAgain: readonly number[]
  /** Memories whose edit that was made here gave way to a later one. */
  readonly replaced: readonly number[]
  /** Memories that became earlier texts of others, as others merged them. */
  readonly merged: readonly { readonly id: number; readonly into: number }[]
  /** Records that were forgotten here, which the others do not know yet. */
  readonly untold: number
  /** Files that were left alone, and why. */
  readonly refused: readonly { readonly name: string; readonly why: string }[]
  /** Memories whose vectors are to be made yet. */
  readonly waiting: number
}

/** What of the shared items is here. */
interface Here {
  readonly records: Map<string, OwnRecord>
  /** Names of everything that was said of them. */
  readonly events: Set<string>
  readonly marks: Map<string, OwnMarks>
  readonly texts: EarlierTexts
}

async function readHere({ store, project }: Context, signal: AbortSignal): Promise<Here> {
  const here: Here = { records: new Map(), events: new Set(), marks: new Map(), texts: new EarlierTexts() }
  for await (const own of readOwnItems(store, project)) {
    signal.throwIfAborted()
    if ('marks' in own) here.marks.set(own.of, own)
    else if (isEvent(own.item)) {
      here.events.add(own.name)
      here.texts.note(own.item)
    } else if (!here.records.has(own.name)) here.records.set(own.name, own.record)
  }
  return here
}

/** Files that are new to this brain. */
class Incoming {
  readonly roots = new Map<string, SharedRoot>()
  readonly #events = new Map<string, NamedEvent[]>()
  /** Texts of memories that were merged, by the name of the one that they live on in. */
  readonly #folded = new Map<string, NamedEvent[]>()
  readonly refused: { name: string; why: string }[] = []

  refuse(name: string, why: string): void {
    this.refused.push({ name, why })
  }

  take(name: string, item: SharedItem): void {
    if (!isEvent(item)) {
      this.roots.set(name, item)
      return
    }
    addTo(this.#events, item.of, { name, event: item })
  }

  readonly actsOf = (name: string): Acts =>
    new Acts([...(this.#events.get(name) ?? []), ...(this.#folded.get(name) ?? [])])

  /** What new files tell of merges. */
  merges(): SharedEvent<'merge'>[] {
    return [...this.#events.keys()].flatMap((name) =>
      this.actsOf(name)
        .of('merge')
        .map(({ event }) => event),
    )
  }

  /** Lets all that a memory said be said of the one in which it lives on. */
  fold(name: string, into: string): void {
    const root = this.roots.get(name)
    const versions = this.actsOf(name).of('version')
    const all = [...(root?.type === 'memory' ? [root] : []), ...versions.map(({ event }) => event.said)]
    for (const { text, caution, agent, createdAt } of all) {
      const event = { type: 'version', of: into, said: { text, caution, agent, createdAt } } as const
      addTo(this.#folded, into, { name: toFile(event).name, event })
    }
  }

  /** Names of what was said of something. */
  eventsOf(name: string): readonly NamedEvent[] {
    return this.#events.get(name) ?? []
  }

  /** What was said of it, and of that. */
  *allOf(name: string): Generator<NamedEvent> {
    for (const event of this.eventsOf(name)) {
      yield event
      yield* this.eventsOf(event.name)
    }
  }
}

async function readIncoming(
  { folder, known, signal }: PullOptions,
  there: ReadonlySet<string>,
): Promise<Incoming> {
  const incoming = new Incoming()
  function* unknown(): Generator<string> {
    for (const name of there) {
      signal.throwIfAborted()
      if (!known.has(name)) yield name
    }
  }
  const refuse = (name: string, why: string): void => incoming.refuse(name, why)
  for await (const [name, item] of readItems(folder, unknown(), refuse)) incoming.take(name, item)
  return incoming
}

const removable = new Set<RecordKind>(['memory', 'belief', 'prediction', 'observation'])

/** Returns the beliefs that are current again, as what had replaced them is forgotten. */
async function forget(context: Context, records: readonly OwnRecord[]): Promise<number[]> {
  const { store, project } = context
  const idsOf = (kind: RecordKind): number[] =>
    records.filter((record) => record.kind === kind).map(({ id }) => id)
  const replaced = await store.beliefs.replacedBy(project, idsOf('belief'))
  for (const kind of removable) {
    const ids = idsOf(kind)
    if (ids.length > 0) await store.removal.forget(project, { kind, ids }, () => {})
  }
  return currentAmong(context, replaced)
}

/** Takes new records in, all or none. */
async function takeNew(
  { context, signal }: PullOptions,
  news: readonly NewRecord[],
  incoming: Incoming,
): Promise<void> {
  if (news.length === 0) return
  const { config } = context
  await importRecords({
    context,
    source: { open: () => toExport(news, { config, actsOf: incoming.actsOf }) },
    format: 'auto',
    projectNamed: true,
    signal,
    progress: () => {},
    fresh: true,
  })
}

const memoriesOf = (records: Iterable<OwnRecord>): number[] =>
  [...records].flatMap(({ kind, id }) => (kind === 'memory' ? id : []))

/** @throws BrainError `refused` where more would go than anybody forgets at once; nothing is changed then. */
export async function pull(options: PullOptions): Promise<Pulled> {
  const watch = new FlagWatch(options.context)
  try {
    return await takeIn(options, watch)
  } finally {
    options.onEased(await watch.eased())
  }
}

async function takeIn(options: PullOptions, watch: FlagWatch): Promise<Pulled> {
  const { context, folder, known, signal, forgetMany } = options
  const there = folder.names()
  const buried = folder.forgotten()
  const before = await readHere(context, signal)
  const going = [...buried].flatMap((name) => before.records.get(name) ?? [])
  if (!forgetMany) {
    requireFew(
      going.length,
      before.records.size,
      (counts) =>
        `${counts} were forgotten by others: say --forget-many if they are to be forgotten here, too`,
    )
  }
  await watch.note(memoriesOf(going))
  const currentAgain = await forget(context, going)
  const incoming = await readIncoming(options, there)
  const missing = [...known].flatMap(([name, { of }]) =>
    of === undefined && !before.records.has(name) && !buried.has(name) && there.has(name) ? [name] : [],
  )
  const mergedBefore = await findMergedHere(options, { before, missing, incoming })
  const merges = new Merges(mergedBefore, incoming.merges())
  const untold = missing.filter((name) => !mergedBefore.has(name))
  const hidden = new Set([...buried, ...untold])
  const isToCome = (name: string): boolean => incoming.roots.has(name) && !hidden.has(name)
  // What others merged into a memory that is not here, nor comes now, stays by itself until that one comes.
  const merged = [...merges].filter(
    ([name, target]) => !hidden.has(name) && (before.records.has(target) || isToCome(target)),
  )
  for (const [name, target] of merged) incoming.fold(name, target)
  const changing = new Set(merged.flat())
  const spokenOf = [...before.records].filter(
    ([name]) => changing.has(name) || incoming.eventsOf(name).length > 0,
  )
  await watch.note(memoriesOf(spokenOf.map(([, record]) => record)))
  const folded = new Set(merged.map(([name]) => name))
  const news = [...incoming.roots].flatMap(([name, root]): NewRecord[] =>
    hidden.has(name) || before.records.has(name) || folded.has(name)
      ? []
      : [{ name, root, acts: incoming.actsOf(name) }],
  )
  await takeNew(options, news, incoming)
  const arrived = news.length + going.length === 0 ? before : await readHere(context, signal)
  const taken: Partial<Record<SharedType, number>> = {}
  const tell = (type: SharedType): void => {
    taken[type] = (taken[type] ?? 0) + 1
  }
  for (const { name, root } of news) {
    if (!arrived.records.has(name)) continue
    tell(root.type)
    known.set(name, knownFileOf(root))
  }
  // At once: they are here, also if what follows fails or is killed.
  await known.keep()
  for (const _ of await takeAllMarks(options, { there, here: arrived, incoming })) tell('marks')
  const joined = await joinMerged(context, { merged, here: arrived, watch })
  for (const _ of joined) tell('merge')
  const after = joined.length === 0 ? arrived : await readHere(context, signal)
  for (const [name, into] of mergedBefore)
    if (await addTags(context, after.marks.get(merges.targetOf(into)), incoming.actsOf(name))) tell('marks')
  const replaced: number[] = []
  const held: Held = {
    context,
    records: after.records,
    events: after.events,
    actsOf: incoming.actsOf,
    isOwn: (name) => !known.has(name) || known.get(name)?.given === true,
    joined: new Set(joined.map(({ into }) => into)),
    onReplaced: (id) => replaced.push(id),
  }
  for (const [name, record] of after.records) {
    if (buried.has(name)) continue
    signal.throwIfAborted()
    for (const type of await addActs(held, name, record)) tell(type)
  }
  for (const name of after.records.keys()) if (!buried.has(name)) noteKnown(known, incoming, name)
  for (const [name, target] of merged)
    if (after.records.has(target) && !after.records.has(name))
      noteKnown(known, incoming, name, { merged: true })
  for (const name of buried) known.delete(name)
  const waiting = await context.store.index.backlog(context.project)
  return {
    taken,
    forgotten: going.length,
    currentAgain,
    replaced,
    merged: joined,
    untold: untold.length,
    refused: incoming.refused,
    waiting,
  }
}

/** Shared memories that were merged here: of what is missing, and of what comes though it was merged here before. */
async function findMergedHere(
  { folder }: PullOptions,
  { before, missing, incoming }: { before: Here; missing: readonly string[]; incoming: Incoming },
): Promise<Map<string, string>> {
  const merged = await findMerged(folder, missing, before.texts)
  for (const [name, root] of incoming.roots) {
    const into = before.texts.holderOf(root)
    if (into !== undefined && into !== name && !before.records.has(name)) merged.set(name, into)
  }
  return merged
}

/** Merges memories here that others merged. Returns which, and what they live on in. */
async function joinMerged(
  context: Context,
  {
    merged,
    here,
    watch,
  }: { merged: readonly (readonly [name: string, target: string])[]; here: Here; watch: FlagWatch },
): Promise<Pulled['merged']> {
  const joined: { id: number; into: number }[] = []
  for (const [name, target] of merged) {
    const [one, kept] = [here.records.get(name), here.records.get(target)]
    if (one?.kind !== 'memory' || kept?.kind !== 'memory') continue
    const ids = { id: one.id, into: kept.id }
    if (!(await mergeHere(context, ids))) continue
    watch.noteMerged(ids.id, ids.into)
    joined.push(ids)
  }
  return joined
}

/** Returns the names of what bears other marks now. */
async function takeAllMarks(
  { context, folder, known }: PullOptions,
  { there, here, incoming }: { there: ReadonlySet<string>; here: Here; incoming: Incoming },
): Promise<string[]> {
  const marked = [...here.marks.values()].filter(({ of }) => incoming.actsOf(of).marks !== undefined)
  const wanted = new Set(marked.map(({ of }) => of))
  const seen = [...known].filter(
    ([name, { type, of }]) => type === 'marks' && of !== undefined && wanted.has(of) && there.has(name),
  )
  const before = await readNewestMarks(
    folder,
    seen.map(([name]) => name),
    (name, why) => incoming.refuse(name, why),
  )
  const changed: string[] = []
  for (const own of marked) {
    const acts = incoming.actsOf(own.of)
    if (await takeMarks(context, own, { acts, before: before.get(own.of) })) changed.push(own.of)
  }
  return changed
}

/**
 * Notes what has to do with a record that is here as seen; that it was merged, only once it was: the memory that it is to
 * live on in may come later.
 */
function noteKnown(
  known: KnownFiles,
  incoming: Incoming,
  name: string,
  { merged = false }: { readonly merged?: boolean } = {},
): void {
  const root = incoming.roots.get(name)
  if (root !== undefined) known.set(name, knownFileOf(root))
  for (const { name: called, event } of incoming.allOf(name))
    if (merged || event.type !== 'merge') known.set(called, knownFileOf(event))
}
