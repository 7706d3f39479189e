/**
 * The folder that is shared: a file an item, named by its hash, and a tombstone for what was forgotten. Whatever stands in it
 * may have come from strangers: no link is followed, nothing but plain files of a bounded size is read, and a file that does
 * not have the hash in its name is none of ours. Knows names and bytes; nothing of what they say.
 */
import { constants, type Dirent, lstatSync, readdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotKeep, cannotRead, isFileFault } from '../../config/file-faults.ts'
import { BrainError } from '../../core/errors.ts'
import { direct } from '../../direct-files.ts'
import { makeDirectories } from '../../make-directories.ts'
import { dropAllDrafts, dropDrafts, fillFile } from '../files.ts'
import { isName, nameOf, type SharedFile } from './items.ts'

/** What it is called, beside `.brain`. */
export const sharedDirectoryName = '.brain-shared'

/** Bytes of the largest file that an item has: the longest texts, every character of them escaped. */
const maxBytes = 1_048_576
/** More files than that are no brain's. */
const maxFiles = 2_000_000

const records = 'records'
const tombstones = 'forgotten'
const tombstone = 'forgotten\n'

/** What git is told of the folder, by the names of its files. */
const forGit = {
  // Line ends are part of what a file's name is the hash of.
  '.gitattributes': '* -text\n',
  // What a killed process was writing is nobody's to have, and whoever adds the folder would commit it.
  '.gitignore': '*.draft\n',
}

const isPart = (name: string): boolean => /^[0-9a-f]{2}$/.test(name)

function kindOf(path: string): 'absent' | 'directory' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'absent'
  return found.isDirectory() ? 'directory' : 'other'
}

function list(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    throw isFileFault(error) ? cannotRead(directory, error) : error
  }
}

export class SharedFolder {
  readonly directory: string
  /** Entries that are none of brain's, and were passed over. */
  readonly strange: string[] = []
  /** Directories in which files are being written, or were when their writers were killed. */
  readonly #drafted = new Set<string>()

  private constructor(directory: string) {
    this.directory = directory
  }

  /** @throws BrainError `storage` where a link, or what is no directory, stands in the place of one of its directories. */
  static open(directory: string): SharedFolder {
    const folder = new SharedFolder(directory)
    for (const path of [directory, join(directory, records), join(directory, tombstones)])
      folder.#requireDirectory(path)
    return folder
  }

  /** Returns whether it is there. */
  #requireDirectory(path: string): boolean {
    const kind = kindOf(path)
    if (kind !== 'other') return kind === 'directory'
    throw new BrainError(
      'storage',
      `${path} is no directory, or a link, which no brain makes: look where it leads, and remove it`,
    )
  }

  get exists(): boolean {
    return kindOf(this.directory) === 'directory'
  }

  /** Names in one of its two parts. */
  #names(part: string, suffix: string): Set<string> {
    const names = new Set<string>()
    const root = join(this.directory, part)
    if (!this.#requireDirectory(root)) return names
    for (const below of list(root)) {
      if (!isPart(below.name) || !below.isDirectory()) {
        this.strange.push(join(part, below.name))
        continue
      }
      for (const entry of list(join(root, below.name))) {
        const name = `${below.name}${entry.name.slice(0, 62)}`
        if (entry.isFile() && isName(name) && entry.name.slice(62) === suffix) names.add(name)
        else if (entry.name.endsWith('.draft')) this.#drafted.add(join(root, below.name))
        else this.strange.push(join(part, below.name, entry.name))
      }
      if (names.size > maxFiles)
        throw new BrainError('storage', `${root} has more than ${maxFiles} files: no brain shares as many`)
    }
    return names
  }

  /** Names of the items that are there. */
  names(): Set<string> {
    return this.#names(records, '.json')
  }

  /** Names of the records that were forgotten. */
  forgotten(): Set<string> {
    return this.#names(tombstones, '')
  }

  #pathOf(part: string, name: string, suffix: string): string {
    return join(this.directory, part, name.slice(0, 2), `${name.slice(2)}${suffix}`)
  }

  #fileOf(name: string): string {
    return this.#pathOf(records, name, '.json')
  }

  /** The bytes of an item. @throws BrainError `invalid` saying what is wrong with it. */
  async read(name: string): Promise<Uint8Array> {
    const file = this.#fileOf(name)
    try {
      const handle = await open(file, constants.O_RDONLY | direct)
      try {
        const found = await handle.stat()
        if (!found.isFile()) throw new BrainError('invalid', 'is no plain file')
        if (found.size > maxBytes) throw new BrainError('invalid', `is larger than ${maxBytes} bytes`)
        const bytes = new Uint8Array(found.size)
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
        if (nameOf(bytes.subarray(0, bytesRead)) === name) return bytes
        throw new BrainError('invalid', 'is not what its name says: it was changed, or cut short')
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (!isFileFault(error)) throw error
      throw new BrainError('invalid', error.code === 'ELOOP' ? 'is a link' : 'cannot be read', {
        cause: error,
      })
    }
  }

  async #write(file: string, text: string): Promise<void> {
    const directory = join(file, '..')
    try {
      makeDirectories(directory)
    } catch (error) {
      throw isFileFault(error) ? cannotKeep(file, error) : error
    }
    for (const path of [join(directory, '..'), directory]) this.#requireDirectory(path)
    // Through a link, or into a pipe, it would be written to somebody else, and to nobody here.
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && !found.isFile())
      throw new BrainError(
        'storage',
        `${file} is no plain file, which no brain makes: look where it leads, and remove it`,
      )
    await fillFile(file, (put) => put(text))
  }

  /** Writes an item, whole or not at all. @throws BrainError `storage` naming the file. */
  async add({ name, text }: SharedFile): Promise<void> {
    await this.#prepare()
    await this.#write(this.#fileOf(name), text)
  }

  async #prepare(): Promise<void> {
    for (const [name, text] of Object.entries(forGit)) {
      const file = join(this.directory, name)
      if (lstatSync(file, { throwIfNoEntry: false }) === undefined) await this.#write(file, text)
    }
  }

  /** Removes what killed processes were writing when its names were read. */
  async tidy(): Promise<void> {
    for (const directory of this.#drafted) await dropAllDrafts(directory)
  }

  /** Says of a record that it is forgotten, without a word of it. */
  async bury(name: string): Promise<void> {
    await this.#prepare()
    await this.#write(this.#pathOf(tombstones, name, ''), tombstone)
  }

  /** Takes items out, with what killed processes wrote of them. @throws BrainError `storage` naming the file. */
  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const file = this.#fileOf(name)
      await rm(file, { force: true }).catch((error: unknown) => {
        throw isFileFault(error) ? cannotKeep(file, error) : error
      })
      await dropDrafts(file, { all: true })
    }
  }
}
