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
import { addActs, type Held, type Resettled } from './held-records.ts'
import { type Incoming, readIncoming } from './incoming.ts'
import { isEvent, type SharedType } from './items.ts'
import type { KnownFiles } from './known-files.ts'
import { addTags, readMarks, takeMarks } from './marks.ts'
import { EarlierTexts, findMerged, joinMerged, Merges } from './merges.ts'
import { type NamedEvent, type NewRecord, toExport } from './new-records.ts'
import { type OwnMarks, type OwnRecord, readOwnItems } from './own-items.ts'
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
  readonly forgotten: readonly OwnRecord[]
  /** Beliefs that are current again, as what had replaced them is forgotten. */
  readonly currentAgain: readonly number[]
  /** Memories whose edit that was made here gave way to a later one. */
  readonly replaced: readonly number[]
  /** Predictions whose resolution gave way to another, or was undone. */
  readonly resettled: readonly Resettled[]
  /** Memories that lost tags to those that others gave them since, and these tags. */
  readonly untagged: readonly Untagged[]
  /** Memories that became earlier texts of others, as others merged them. */
  readonly merged: readonly { readonly id: number; readonly into: number }[]
  /** Records that were forgotten here, which the others do not know yet. */
  readonly untold: number
  /** Files that were left alone, and why. */
  readonly refused: readonly { readonly name: string; readonly why: string }[]
  /** Memories whose vectors are to be made yet. */
  readonly waiting: number
}

interface Untagged {
  readonly id: number
  readonly tags: readonly string[]
}

/** What of the shared items is here. */
interface Here {
  readonly records: Map<string, OwnRecord>
  /** Names of everything that was said of them. */
  readonly events: Set<string>
  readonly runs: Map<string, NamedEvent<'evidence'>[]>
  readonly marks: Map<string, OwnMarks>
  readonly texts: EarlierTexts
}

async function readHere({ store, project }: Context, signal: AbortSignal): Promise<Here> {
  const here: Here = {
    records: new Map(),
    events: new Set(),
    runs: new Map(),
    marks: new Map(),
    texts: new EarlierTexts(),
  }
  for await (const own of readOwnItems(store, project)) {
    signal.throwIfAborted()
    if ('marks' in own) here.marks.set(own.of, own)
    else if (isEvent(own.item)) {
      const { name, item } = own
      here.events.add(name)
      here.texts.note(item)
      if (item.type === 'evidence' && item.said.run !== undefined)
        addTo(here.runs, item.of, { name, event: item })
    } else if (!here.records.has(own.name)) here.records.set(own.name, own.record)
  }
  return here
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
  const { context, folder, known, signal } = options
  const there = folder.names()
  const buried = folder.forgotten()
  const before = await readHere(context, signal)
  const { going, currentAgain } = await forgetBuried(options, { before, buried, watch })
  const incoming = await readIncoming(options, there)
  const missing = [...known].flatMap(([name, { of }]) =>
    of === undefined && !before.records.has(name) && !buried.has(name) && there.has(name) ? [name] : [],
  )
  const coming = [...incoming.roots].filter(([name]) => !before.records.has(name))
  const mergedBefore = await findMerged(folder, { missing, coming, texts: before.texts })
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
  const news = coming.flatMap(([name, root]): NewRecord[] =>
    hidden.has(name) || folded.has(name) ? [] : [{ name, root, acts: incoming.actsOf(name) }],
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
  const marked = await takeAllMarks(options, { there, here: arrived, incoming })
  for (const _ of marked) tell('marks')
  const joined = await joinMerged(context, { merged, records: arrived.records, watch })
  for (const _ of joined) tell('merge')
  const after = joined.length === 0 ? arrived : await readHere(context, signal)
  for (const [name, into] of mergedBefore)
    if (await addTags(context, after.marks.get(merges.targetOf(into)), incoming.actsOf(name))) tell('marks')
  const replaced: number[] = []
  const resettled: Resettled[] = []
  const held: Held = {
    context,
    records: after.records,
    events: after.events,
    runs: after.runs,
    evidenceIdOf: (name) => after.marks.get(name)?.evidenceId,
    actsOf: incoming.actsOf,
    isOwn: (name) => !known.has(name) || known.get(name)?.given === true,
    joined: new Set(joined.map(({ into }) => into)),
    onReplaced: (id) => replaced.push(id),
    onResettled: (change) => resettled.push(change),
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
  return {
    taken,
    forgotten: going,
    currentAgain,
    replaced,
    resettled,
    untagged: marked.filter(({ tags }) => tags.length > 0),
    merged: joined,
    untold: untold.length,
    refused: incoming.refused,
    waiting: await context.store.index.backlog(context.project),
  }
}

/** Forgets here what others forgot; returns which records. @throws BrainError `refused` as `pull` does. */
async function forgetBuried(
  { context, forgetMany }: PullOptions,
  { before, buried, watch }: { before: Here; buried: ReadonlySet<string>; watch: FlagWatch },
): Promise<{ going: OwnRecord[] } & Pick<Pulled, 'currentAgain'>> {
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
  return { going, currentAgain: await forget(context, going) }
}

/** Returns what bears other marks now, each with the tags that it lost. */
async function takeAllMarks(
  { context, folder, known }: PullOptions,
  { there, here, incoming }: { there: ReadonlySet<string>; here: Here; incoming: Incoming },
): Promise<Untagged[]> {
  const marked = [...here.marks.values()].filter(({ of }) => incoming.actsOf(of).marks !== undefined)
  const wanted = new Set(marked.map(({ of }) => of))
  const seen = [...known].filter(
    ([name, { type, of }]) => type === 'marks' && of !== undefined && wanted.has(of) && there.has(name),
  )
  const told = await readMarks(
    { folder, known },
    seen.map(([name]) => name),
    (name, why) => incoming.refuse(name, why),
  )
  const changed: Untagged[] = []
  for (const own of marked) {
    const acts = incoming.actsOf(own.of)
    if (!(await takeMarks(context, own, { acts, before: told.get(own.of)?.before }))) continue
    const tags = (own.marks.tags ?? []).filter((tag) => !acts.marks?.tags?.includes(tag))
    changed.push({ id: own.record.id, tags })
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
