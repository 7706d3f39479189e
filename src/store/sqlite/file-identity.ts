/**
 * Checks that a brain's path still leads to the file and the log that were opened. Knows names and inodes; reads no
 * content.
 */
import { dirname } from 'node:path'
import { entriesOf, identify } from './inspection.ts'

export class FileIdentity {
  readonly #file: string
  readonly #identity: string | undefined
  /** The log that is written, once it is known. */
  #log: string | undefined
  /** The state of its directory when that was last seen to hold it. */
  #entries: string | undefined

  /** Of a file that is open. */
  constructor(file: string) {
    this.#file = file
    this.#identity = identify(file)
  }

  holds(): boolean {
    return this.#hasSameLog() && identify(this.#file) === this.#identity
  }

  /**
   * Looks at the log itself only where its directory may have changed: Linux gives a file whose times were asked for a
   * new time with its next write, which each sync then has to write as well: 50 microseconds of a commit.
   */
  #hasSameLog(): boolean {
    const entries = entriesOf(dirname(this.#file))
    if (entries !== undefined && entries === this.#entries) return true
    const log = identify(`${this.#file}-wal`)
    this.#log ??= log
    if (log === undefined || log !== this.#log) return false
    this.#entries = entries
    return true
  }
}
