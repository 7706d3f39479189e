/**
 * Memories that were merged into others. A merge is told by two names: the texts of the memory that went are told as earlier
 * texts of the one that was kept, so that nothing of it is lost, whatever others said of it meanwhile. Knows which shared
 * memory lives on in which, and merges here what others merged.
 */

import type { Wording } from '../../core/shared-history.ts'
import { mergingOf } from '../../operations/duplicates.ts'
import type { Context } from '../../operations/operation.ts'
import type { FlagWatch } from './eased-flags.ts'
import type { SharedFolder } from './folder.ts'
import { nameOf, type SharedEvent, type SharedItem } from './items.ts'
import type { OwnRecord } from './own-items.ts'
import { readItems } from './read-items.ts'

const keyOf = ({ createdAt, caution, agent, text }: Wording): string =>
  nameOf(JSON.stringify([createdAt, caution, agent, text]))

/** The earlier texts of all memories here, each with the name of its memory. */
export class EarlierTexts {
  readonly #holders = new Map<string, string>()

  note(item: SharedItem): void {
    if (item.type === 'version' && 'of' in item) this.#holders.set(keyOf(item.said), item.of)
  }

  /** Name of the memory that has what a record first said among its earlier texts: the record was merged into it. */
  holderOf(item: SharedItem): string | undefined {
    return item.type === 'memory' ? this.#holders.get(keyOf(item)) : undefined
  }
}

/** What is wrong with a file is told where it is taken in. */
const leave = (): void => {}

/** Shared records that are not here, by their names, and what those that are here say. */
interface Asked {
  /** Of records that were here once. */
  readonly missing: Iterable<string>
  /** What comes now: it may have been merged here before it is known. */
  readonly coming?: Iterable<readonly [name: string, root: SharedItem]>
  readonly texts: EarlierTexts
}

/** Which of the records that are not here were merged here: each with the memory that it lives on in. */
export async function findMerged(
  folder: SharedFolder,
  { missing, coming = [], texts }: Asked,
): Promise<Map<string, string>> {
  const merged = new Map<string, string>()
  const note = (name: string, item: SharedItem): void => {
    const into = texts.holderOf(item)
    if (into !== undefined && into !== name) merged.set(name, into)
  }
  for await (const [name, item] of readItems(folder, missing, leave)) note(name, item)
  for (const [name, root] of coming) note(name, root)
  return merged
}

/** Which memory lives on in which, by their names: where people merged in a circle, one of them stays. */
export class Merges {
  readonly #into = new Map<string, string>()

  /** First what was merged here, then what others tell, in an order that is the same for all. */
  constructor(here: ReadonlyMap<string, string>, told: readonly SharedEvent<'merge'>[]) {
    for (const [name, into] of here) this.#add(name, into)
    const inOrder = told.map(({ of, said }) => [of, said.into] as const).sort()
    for (const [name, into] of inOrder) this.#add(name, into)
  }

  #add(name: string, into: string): void {
    if (!this.#into.has(name) && this.targetOf(into) !== name) this.#into.set(name, into)
  }

  /** The memory that it lives on in at last: itself, if it was merged into none. */
  targetOf(name: string): string {
    let target = name
    for (let next = this.#into.get(target); next !== undefined; next = this.#into.get(target)) target = next
    return target
  }

  /** Those that were merged, each with what it lives on in at last. */
  *[Symbol.iterator](): Generator<readonly [name: string, target: string]> {
    for (const name of this.#into.keys()) yield [name, this.targetOf(name)]
  }
}

/** Merges memories here that others merged. Returns which, and what they live on in. */
export async function joinMerged(
  { store, project, now }: Context,
  {
    merged,
    records,
    watch,
  }: {
    merged: readonly (readonly [name: string, target: string])[]
    records: ReadonlyMap<string, OwnRecord>
    watch: FlagWatch
  },
): Promise<{ readonly id: number; readonly into: number }[]> {
  const joined: { id: number; into: number }[] = []
  for (const [name, target] of merged) {
    const [one, kept] = [records.get(name), records.get(target)]
    if (one?.kind !== 'memory' || kept?.kind !== 'memory') continue
    const ids = { kept: kept.id, older: [one.id] }
    const done = await store.memories.merge(project, ids, (memory, older) => ({
      ...mergingOf([memory, ...older], now()),
      // Whoever merged them told a graver warning as a later text of the one that was kept.
      caution: memory.caution,
    }))
    if (!done) continue
    watch.noteMerged(one.id, kept.id)
    joined.push({ id: one.id, into: kept.id })
  }
  return joined
}
