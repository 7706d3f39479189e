/**
 * Memories that were merged into others. A merge is told by two names: the texts of the memory that went are told as earlier
 * texts of the one that was kept, so that nothing of it is lost, whatever others said of it meanwhile. Knows which shared
 * memory lives on in which, and merges here what others merged.
 */

import type { Wording } from '../../core/shared-history.ts'
import { mergingOf } from '../../operations/duplicates.ts'
import type { Context } from '../../operations/operation.ts'
import type { SharedFolder } from './folder.ts'
import { nameOf, type SharedEvent, type SharedItem } from './items.ts'
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

/** Of records that are not here any more, those that were merged: each with the memory that it lives on in. */
export async function findMerged(
  folder: SharedFolder,
  names: Iterable<string>,
  texts: EarlierTexts,
): Promise<Map<string, string>> {
  const merged = new Map<string, string>()
  for await (const [name, item] of readItems(folder, names, leave)) {
    const into = texts.holderOf(item)
    if (into !== undefined && into !== name) merged.set(name, into)
  }
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

/** Merges a memory here into another one that is here. Returns whether it was done. */
export const mergeHere = (
  { store, project, now }: Context,
  { id, into }: { readonly id: number; readonly into: number },
): Promise<boolean> =>
  store.memories.merge(project, { kept: into, older: [id] }, (kept, older) => ({
    ...mergingOf([kept, ...older], now()),
    // Whoever merged them told a graver warning as a later text of the one that was kept.
    caution: kept.caution,
  }))
