/**
 * Puts the records of a project into the shared folder, each once, and a tombstone for each that was forgotten here. Decides
 * what goes; the form of files, and what is kept back, are others' to know.
 */
import { yieldToEventLoop } from '../../clock.ts'
import { addTo } from '../../core/lists.ts'
import { lastMoment } from '../../core/moments.ts'
import { orderWordings, type Wording } from '../../core/shared-history.ts'
import type { Store } from '../../store/store.ts'
import type { SharedFolder } from './folder.ts'
import { requireFew } from './forgotten.ts'
import {
  isEvent,
  type SharedFile,
  type SharedItem,
  type SharedRoot,
  type SharedType,
  toFile,
} from './items.ts'
import { isNamed, type Named, type Reason, reasonFor, reasonForMarks } from './keeping-back.ts'
import type { KnownFile, KnownFiles } from './known-files.ts'
import { areTold, readMarks, type ToldMarks } from './marks.ts'
import { EarlierTexts, findMerged } from './merges.ts'
import { type Own, type OwnItem, type OwnMarks, type OwnRecord, readOwnItems } from './own-items.ts'
import { readItems } from './read-items.ts'

export interface ShareOptions {
  readonly store: Store
  readonly project: string
  readonly folder: SharedFolder
  /** Files that this brain has had to do with; added to. */
  readonly known: KnownFiles
  readonly named: Named
  readonly now: number
  readonly signal: AbortSignal
  /** Only says what would be done. */
  readonly dryRun: boolean
  /** Whether many records may be forgotten at once. */
  readonly forgetMany: boolean
}

/** A record that was given, or would be, as it stands after all that goes with it. */
export interface Given extends OwnRecord {
  readonly text: string
}

export interface Shared {
  /** New files by the kind of what is in them. */
  readonly written: Readonly<Partial<Record<SharedType, number>>>
  readonly given: readonly Given[]
  readonly forgotten: number
  /** Records, and things said of shared ones, that were kept back. */
  readonly keptBack: Readonly<Partial<Record<Reason, number>>>
}

export const knownFileOf = (item: SharedItem): KnownFile =>
  isEvent(item) ? { type: item.type, of: item.of } : { type: item.type }

/** The text by which a person knows a record. */
const shownTextOf = (item: SharedRoot): string => {
  if (item.type === 'prediction') return item.prediction
  return item.type === 'observation' ? item.observation : item.text
}

/** Files that are written one after another: their names are noted first, all at once. */
const atOnce = 128

class Sharing {
  readonly #options: ShareOptions
  readonly #there: Set<string>
  readonly #buried: Set<string>
  readonly #marks: ReadonlyMap<string, ToldMarks>
  readonly #written: Partial<Record<SharedType, number>> = {}
  readonly #keptBack: Partial<Record<Reason, number>> = {}
  /** By their names; of a memory, with the newest text that goes. */
  readonly #given = new Map<string, Given & { readonly said?: Wording }>()
  #waiting: SharedFile[] = []
  /** Names of the files that were not there before. */
  readonly #new = new Set<string>()
  /** Names of the records that are here. */
  readonly here = new Set<string>()
  readonly #texts = new EarlierTexts()

  constructor(
    options: ShareOptions,
    found: { there: Set<string>; buried: Set<string>; marks: ReadonlyMap<string, ToldMarks> },
  ) {
    this.#options = options
    this.#there = found.there
    this.#buried = found.buried
    this.#marks = found.marks
  }

  get result(): Omit<Shared, 'forgotten'> {
    const given = [...this.#given.values()].map(({ said: _, ...record }) => record)
    return { written: this.#written, keptBack: this.#keptBack, given }
  }

  async take(own: OwnItem | OwnMarks): Promise<void> {
    if ('marks' in own) await this.#takeMarks(own)
    else await this.#takeItem(own)
  }

  async #takeItem({ name, item, ...own }: OwnItem): Promise<void> {
    this.#texts.note(item)
    const root = isEvent(item) ? item.of : name
    if (!isEvent(item)) this.here.add(name)
    if (this.#buried.has(root)) return
    if (this.#there.has(name)) {
      if (!this.#options.known.has(name)) this.#options.known.set(name, knownFileOf(item))
      return
    }
    if (isEvent(item) && !this.#there.has(root)) return
    if (this.#keepsBack(reasonFor(item, own), own)) return
    const file = toFile(item)
    // What came from elsewhere, and cannot be written as it was there, is for those to give who have it first.
    if (file.name !== name) return
    this.#noteGiven(item, name, own)
    await this.#write(item)
  }

  #noteGiven(item: SharedItem, name: string, { record }: Own): void {
    if (!isEvent(item)) {
      const said = item.type === 'memory' ? { said: item } : {}
      this.#given.set(name, { ...record, text: shownTextOf(item), ...said })
      return
    }
    const given = this.#given.get(item.of)
    if (item.type !== 'version' || given?.said === undefined) return
    const said = orderWordings([given.said, item.said]).at(-1) ?? given.said
    this.#given.set(item.of, { ...given, text: said.text, said })
  }

  /** Whether something is kept back for a reason, and not named; counted then. */
  #keepsBack(reason: Reason | undefined, own: Own): boolean {
    if (reason === undefined || isNamed(reason, own, this.#options.named)) return false
    this.#keptBack[reason] = (this.#keptBack[reason] ?? 0) + 1
    return true
  }

  async #takeMarks({ of, marks, createdAt, ...own }: OwnMarks): Promise<void> {
    if (!this.#there.has(of) || this.#buried.has(of)) return
    const told = this.#marks.get(of) ?? { unseen: [] }
    if (areTold(marks, told)) return
    // What a record comes with is as old as the record. When it was said of one that the others have, no brain notes: they
    // hear it now.
    const earliest = told.before?.at ?? createdAt
    const next = this.#new.has(of) ? createdAt : Math.max(this.#options.now, earliest + 1)
    // Of others' clocks, which may be at the end of all times.
    const at = Math.min(lastMoment, next)
    const item = { type: 'marks', of, said: { at, ...marks } } as const
    if (!this.#keepsBack(reasonForMarks(item), own)) await this.#write(item)
  }

  async #write(item: SharedItem): Promise<void> {
    const file = toFile(item)
    this.#there.add(file.name)
    this.#new.add(file.name)
    this.#written[item.type] = (this.#written[item.type] ?? 0) + 1
    if (this.#options.dryRun) return
    this.#options.known.set(file.name, { ...knownFileOf(item), given: true })
    this.#waiting.push(file)
    if (this.#waiting.length >= atOnce) await this.give()
  }

  /** Tells of memories that were merged into shared ones. Returns which of some records that are gone were merged. */
  async tellMerged(gone: readonly string[]): Promise<ReadonlySet<string>> {
    const { folder, known } = this.#options
    const there = gone.filter((name) => this.#there.has(name))
    const merged = await findMerged(folder, { missing: there, texts: this.#texts })
    for (const [name, into] of merged) {
      const item = { type: 'merge', of: name, said: { into } } as const
      const told = this.#there.has(toFile(item).name)
      // What is kept back stays unnamed: to the others both are there then.
      if (!told && this.#there.has(into) && !this.#buried.has(into)) await this.#write(item)
    }
    // On a branch of git that lacks its file what was merged elsewhere is not looked up, and not forgotten either.
    const elsewhere = [...known].flatMap(([, { type, of }]) =>
      type === 'merge' && of !== undefined && !this.#there.has(of) ? [of] : [],
    )
    return new Set([...merged.keys(), ...elsewhere])
  }

  /** Writes what waits for it. */
  async give(): Promise<void> {
    // Before the first of them is there: killed in between, this brain still knows what it may have given, and can take it
    // back when it is forgotten.
    await this.#options.known.keep()
    for (const file of this.#waiting) await this.#options.folder.add(file)
    this.#waiting = []
  }
}

/** What is wrong with a file is told where it is taken in: `brain share --pull` names it. */
const leave = (): void => {}

/** Names of the files that this brain does not know, with what each belongs to; what cannot be read is left out. */
async function readUnknown(
  folder: SharedFolder,
  there: Iterable<string>,
  known: KnownFiles,
): Promise<Map<string, KnownFile>> {
  const unknown = new Map<string, KnownFile>()
  const names = [...there].filter((name) => !known.has(name))
  for await (const [name, item] of readItems(folder, names, leave)) unknown.set(name, knownFileOf(item))
  return unknown
}

/** Files that go with forgotten records: their own, what was said of them, and what was said of that. */
function belongingTo(forgotten: ReadonlySet<string>, files: ReadonlyMap<string, KnownFile>): string[] {
  const children = new Map<string, string[]>()
  for (const [name, { of }] of files) if (of !== undefined) addTo(children, of, name)
  const going = new Set<string>()
  const waiting = [...forgotten]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (going.has(name)) continue
    going.add(name)
    waiting.push(...(children.get(name) ?? []))
  }
  return [...going].filter((name) => files.has(name))
}

/** Shares what is not there yet. @throws BrainError `refused` where more is gone than anybody forgets at once. */
export async function share(options: ShareOptions): Promise<Shared> {
  const { store, project, folder, known, signal, dryRun } = options
  const there = folder.names()
  const buried = folder.forgotten()
  const perhapsMarks = [...there].filter((name) => (known.get(name)?.type ?? 'marks') === 'marks')
  const marks = await readMarks(options, perhapsMarks, leave)
  const sharing = new Sharing(options, { there, buried, marks })
  let turn = 0
  for await (const own of readOwnItems(store, project)) {
    signal.throwIfAborted()
    await sharing.take(own)
    turn += 1
    if (turn % 256 === 0) await yieldToEventLoop()
  }
  const roots = [...known].filter(([, { of }]) => of === undefined).map(([name]) => name)
  const missing = roots.filter((name) => !sharing.here.has(name) && !buried.has(name))
  const merged = await sharing.tellMerged(missing)
  if (!dryRun) {
    await sharing.give()
    await folder.tidy()
  }
  const gone = missing.filter((name) => !merged.has(name))
  if (!options.forgetMany) {
    requireFew(
      gone.length,
      roots.length,
      (counts) =>
        `${counts} are not in this brain any more, and everybody would forget them: say --forget-many if that is meant; if this brain was restored, \`brain share --pull\` after removing .brain/shared brings them back`,
    )
  }
  if (dryRun) return { ...sharing.result, forgotten: gone.length }
  for (const name of gone) {
    await folder.bury(name)
    buried.add(name)
  }
  if (buried.size > 0) {
    const files = new Map([...(await readUnknown(folder, there, known)), ...known])
    const going = belongingTo(buried, files)
    await folder.remove(going)
    for (const name of [...going, ...gone]) known.delete(name)
  }
  return { ...sharing.result, forgotten: gone.length }
}
