/**
 * What the models read for a night, kept beside the brain for the next one, most of whose notes are the same. Of the texts only
 * hashes are kept. A file that is missing, damaged or of other models means that all is read again, and nothing else.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, memberOf } from '../core/json.ts'
import { readPlain } from '../direct-files.ts'
import { builtinDirectory } from '../models/builtin-model.ts'
import { sha256 } from '../models/hashes.ts'
import { nightModelDirectory } from '../models/night-model.ts'
import { pairModelDirectory } from '../models/pair-model.ts'
import { modelFile } from '../models/prepared-files.ts'
import { replaceFile } from '../replace-file.ts'
import { version } from '../version.ts'

/** Probabilities, 0..1, by the names of a model's outputs. */
type Reading<Name extends string> = Readonly<Record<Name, number>>

/** What tells one reading from all others: which model reads, and all that it is given. */
type Read = readonly [reader: string, ...given: (string | Uint8Array)[]]

/** Larger than any night's; what is larger was not written by one. */
const maxBytes = 16 * 1_048_576

/** Changes with every release and every training. */
function markOfModels(): string {
  const files = [builtinDirectory(), pairModelDirectory(), nightModelDirectory()].map((model) => {
    const found = statSync(join(model, modelFile), { throwIfNoEntry: false })
    return found && `${found.size} ${found.mtimeMs}`
  })
  return [version, ...files].join(', ')
}

const keyOf = (read: Read): string =>
  // The length of each before it: no two lists of parts make one text.
  sha256(...read.flatMap((part) => [`${part.length} `, part]))
    .subarray(0, 12)
    .toString('base64url')

const isProbability = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1

export class KeptReadings {
  readonly #path: string
  readonly #mark: string
  readonly #before: Readonly<Record<string, unknown>>
  readonly #now = new Map<string, readonly number[]>()
  #read = 0

  /** Those of a project in a brain's directory. */
  constructor(directory: string, project: string) {
    this.#path = join(directory, `readings-${sha256(project).toString('hex').slice(0, 12)}.json`)
    this.#mark = markOfModels()
    this.#before = this.#load()
  }

  #load(): Readonly<Record<string, unknown>> {
    try {
      const kept: unknown = JSON.parse(readPlain(this.#path, maxBytes)?.bytes.toString() ?? 'null')
      const readings = memberOf(kept, 'readings')
      return memberOf(kept, 'mark') === this.#mark && isObject(readings) ? readings : {}
    } catch {
      return {}
    }
  }

  /** A reading that was kept, for all that it depends on; undefined where there is none. */
  find<Name extends string>(names: readonly Name[], read: Read): Reading<Name> | undefined {
    const key = keyOf(read)
    const found = this.#now.get(key) ?? (Object.hasOwn(this.#before, key) ? this.#before[key] : undefined)
    if (!Array.isArray(found) || found.length !== names.length || !found.every(isProbability))
      return undefined
    this.#now.set(key, found)
    return Object.fromEntries(names.map((name, at) => [name, found[at]])) as Record<Name, number>
  }

  /** The reading that was kept, or else the one that is made now and kept. */
  once<Name extends string>(names: readonly Name[], read: Read, make: () => Reading<Name>): Reading<Name> {
    const known = this.find(names, read)
    if (known !== undefined) return known
    const made = make()
    this.#read += 1
    this.#now.set(
      keyOf(read),
      names.map((name) => made[name]),
    )
    return made
  }

  /**
   * Keeps what this night has read and used for the next; of a night that was cut short what was known before as well. Where
   * the directory cannot be written, nothing is kept.
   */
  save({ finished }: { readonly finished: boolean }): void {
    if (this.#read === 0 && (!finished || this.#now.size === Object.keys(this.#before).length)) return
    const readings = { ...(!finished && this.#before), ...Object.fromEntries(this.#now) }
    try {
      replaceFile(this.#path, JSON.stringify({ mark: this.#mark, readings }))
    } catch {
      // The next night reads it all again.
    }
  }
}
