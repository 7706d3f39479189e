/** Reads items of the shared folder one by one: what is wrong with a file is told, and the others are read all the same. */
import { BrainError } from '../../core/errors.ts'
import type { SharedFolder } from './folder.ts'
import { ofFile, type SharedItem } from './items.ts'

/** The items of some names; `refuse` is told of each that cannot be read, and why. */
export async function* readItems(
  folder: SharedFolder,
  names: Iterable<string>,
  refuse: (name: string, why: string) => void,
): AsyncGenerator<readonly [name: string, item: SharedItem]> {
  for (const name of names) {
    let item: SharedItem
    try {
      item = ofFile(await folder.read(name))
    } catch (error) {
      if (!(error instanceof BrainError)) throw error
      refuse(name, error.message)
      continue
    }
    yield [name, item]
  }
}
