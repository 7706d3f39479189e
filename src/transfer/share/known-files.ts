/**
 * Which shared files a brain has had to do with: each was given or taken by it. By them a record that was forgotten here is
 * told from one that is new, and what was read is not read again. Stands in `.brain`, holds names alone, and counts for
 * nothing once another database stands there. Lines are only ever added, so that nobody who shares at the same time loses
 * any, and a killed process leaves those that it added.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { cannotKeep, isFileFault } from '../../config/file-faults.ts'
import { BrainError } from '../../core/errors.ts'
import { direct, readPlain } from '../../direct-files.ts'
import { isName, isRootType } from './items.ts'

/** Longer ones are none of ours. */
const maxBytes = 512 * 1024 * 1024

/** Lines that are added at once: others' stand before or after them, not in between. */
const atOnce = 1_000

/** In the place of a type: the file is no longer known. */
const dropped = '-'

/** What is known of a file: its kind and, of an event, what it belongs to. */
export interface KnownFile {
  readonly type: string
  readonly of?: string
  /** Whether this brain gave it, and took it from nobody. */
  readonly given?: true
}

/** Whose files they are. */
export interface Holder {
  /** Tells this brain from another in its place. */
  readonly identity: string
  readonly project: string
}

function readText(file: string): string {
  try {
    return readPlain(file, maxBytes)?.bytes.toString() ?? ''
  } catch (error) {
    // What was lost is found out again.
    if (isFileFault(error)) return ''
    throw error
  }
}

const toHeading = ({ identity, project }: Holder): string => JSON.stringify([identity, project])

/** Whose lines follow; undefined of what no brain wrote, or wrote whole. */
function readHeading(line: string): Holder | undefined {
  try {
    const [identity, project]: unknown[] = JSON.parse(line)
    return typeof identity === 'string' && typeof project === 'string' ? { identity, project } : undefined
  } catch {
    return undefined
  }
}

const toLine = (name: string, { type, of, given }: KnownFile): string =>
  [name, type, of ?? [], given ? 'given' : []].flat().join(' ')

export class KnownFiles {
  readonly #file: string
  readonly #holder: Holder
  readonly #files = new Map<string, KnownFile>()
  /** Lines that are not in the file yet. */
  #unkept: string[] = []

  private constructor(file: string, holder: Holder) {
    this.#file = file
    this.#holder = holder
  }

  /** @throws BrainError `invalid` where another project of this brain is shared through the folder. */
  static read(file: string, holder: Holder): KnownFiles {
    const known = new KnownFiles(file, holder)
    const lines = readText(file).split('\n')
    const [identity, project] = lines
    // Files of earlier versions tell once, in their first lines, whose they are.
    let ours = identity !== '' && project !== undefined && known.#owns({ identity: identity ?? '', project })
    for (const line of lines) {
      if (line.startsWith('[')) {
        const heading = readHeading(line)
        ours = heading !== undefined && known.#owns(heading)
      } else if (ours) known.#takeLine(line)
    }
    known.#unkept = []
    return known
  }

  #owns({ identity, project }: Holder): boolean {
    if (identity !== this.#holder.identity) return false
    if (project === this.#holder.project) return true
    throw new BrainError(
      'invalid',
      `project ${project} of this brain is shared here: name it with --project ${project}`,
    )
  }

  #takeLine(line: string): void {
    const [name, type = '', ...more] = line.split(' ')
    if (!isName(name)) return
    if (type === dropped) this.delete(name)
    const of = more.find(isName)
    // A line that was cut short would make a record of what was said of one.
    if (of !== undefined || isRootType(type))
      this.set(name, { type, ...(of && { of }), ...(more.includes('given') && { given: true }) })
  }

  has(name: string): boolean {
    return this.#files.has(name)
  }

  get(name: string): KnownFile | undefined {
    return this.#files.get(name)
  }

  [Symbol.iterator](): Iterator<[string, KnownFile]> {
    return this.#files[Symbol.iterator]()
  }

  /** What was given stays so, whoever meets it again. */
  set(name: string, file: KnownFile): void {
    const before = this.#files.get(name)
    if (before !== undefined && (before.given || !file.given)) return
    this.#files.set(name, file)
    this.#unkept.push(toLine(name, file))
  }

  delete(name: string): void {
    if (this.#files.delete(name)) this.#unkept.push(`${name} ${dropped}`)
  }

  /** Puts what is new on the disk: it is there when this returns. @throws BrainError `storage` naming the file. */
  async keep(): Promise<void> {
    if (this.#unkept.length === 0) return
    try {
      const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | direct
      const handle = await open(this.#file, flags, 0o600)
      try {
        for (let at = 0; at < this.#unkept.length; at += atOnce) {
          const lines = [toHeading(this.#holder), ...this.#unkept.slice(at, at + atOnce)]
          // Begins a line of its own, also behind one that a full disk or a lost power cut short.
          await handle.appendFile(`\n${lines.join('\n')}\n`)
        }
        await handle.sync()
      } finally {
        await handle.close()
      }
      this.#unkept = []
    } catch (error) {
      throw isFileFault(error) ? cannotKeep(this.#file, error) : error
    }
  }
}
