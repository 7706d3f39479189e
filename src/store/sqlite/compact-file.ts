/**
 * The file beside a brain that holds one model's vectors as int8, in the slots of their chunks: SQLite gives a blob out
 * as a new piece of memory each time, which takes longer than to read it. Knows slots by number and that a write must
 * never look whole before it is; which slots are good, the brain says.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sealBytes } from './compact-slots.ts'

const prefix = 'compact-'

/** The files of this kind beside a brain, by their model's number. */
export function listCompactFiles(brain: string): { modelId: number; path: string }[] {
  return readdirSync(dirname(brain))
    .filter((name) => /^compact-\d+$/.test(name))
    .map((name) => ({ modelId: Number(name.slice(prefix.length)), path: join(dirname(brain), name) }))
}

/** Never through a link: one that came with a cloned repository could lead anywhere. */
const direct = constants.O_NOFOLLOW ?? 0
const reading = constants.O_RDONLY | direct
const writing = constants.O_RDWR | direct

const unsealed = new Uint8Array(8)

/** Undefined where there is no file, or a link in its place. */
function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

export class CompactFile {
  readonly #descriptor: number
  readonly #slotBytes: number
  #written = false

  private constructor(descriptor: number, slotBytes: number) {
    this.#descriptor = descriptor
    this.#slotBytes = slotBytes
  }

  /** Opens it for `work`. */
  static #use<T>(
    place: { path: string; flags: number },
    slotBytes: number,
    work: (file: CompactFile) => T,
  ): T {
    const descriptor = openSync(place.path, place.flags, 0o600)
    try {
      const file = new CompactFile(descriptor, slotBytes)
      const value = work(file)
      if (file.#written) fsyncSync(descriptor)
      return value
    } finally {
      closeSync(descriptor)
    }
  }

  static pathOf(brain: string, modelId: number): string {
    return join(dirname(brain), `${prefix}${modelId}`)
  }

  /** Opens it for `work`, for reading alone; undefined where there is none. @throws the system's errors. */
  static read<T>(path: string, slotBytes: number, work: (file: CompactFile) => T): T | undefined {
    return unlessMissing(() => CompactFile.#use({ path, flags: reading }, slotBytes, work))
  }

  /** Makes it where there is none, for `work` to write. On the disk afterwards. @throws the system's errors. */
  static write<T>(path: string, slotBytes: number, work: (file: CompactFile) => T): T {
    return CompactFile.#use({ path, flags: writing | constants.O_CREAT }, slotBytes, work)
  }

  /** The same where there is one; undefined where not. @throws the system's errors. */
  static change<T>(path: string, slotBytes: number, work: (file: CompactFile) => T): T | undefined {
    return unlessMissing(() => CompactFile.#use({ path, flags: writing }, slotBytes, work))
  }

  /** Removes it. Emptied first: while another process reads it, Windows does not give it up. */
  static remove(path: string): void {
    CompactFile.change(path, 1, (file) => file.shorten(0))
    rmSync(path, { force: true })
  }

  /** Reads adjacent slots from number `first` on, as many as fit. Returns how many were whole in the file. */
  read(first: number, into: Uint8Array): number {
    const read = readSync(this.#descriptor, into, 0, into.length, first * this.#slotBytes)
    return Math.floor(read / this.#slotBytes)
  }

  /** Numbers of the slots that the file reaches into. */
  slots(): number[] {
    return Array.from({ length: Math.ceil(this.#size() / this.#slotBytes) }, (_, slot) => slot)
  }

  /** Whether both seals of a slot are this one. */
  bears(slot: number, seal: number): boolean {
    const start = slot * this.#slotBytes
    return [start, start + this.#slotBytes - sealBytes].every((at) => {
      const found = new Float64Array(1)
      const read = readSync(this.#descriptor, new Uint8Array(found.buffer), 0, 8, at)
      return read === 8 && found[0] === seal
    })
  }

  #size(): number {
    return fstatSync(this.#descriptor).size
  }

  /** Writes a slot so that it bears both its seals only when it is whole. */
  write(slot: number, bytes: Uint8Array): void {
    this.#unseal(slot)
    const start = slot * this.#slotBytes
    this.#put(bytes.subarray(unsealed.length), start + unsealed.length)
    this.#put(bytes.subarray(0, unsealed.length), start)
  }

  /** Overwrites a slot with zeros, if the file reaches so far. */
  blank(slot: number): void {
    const size = this.#size()
    const start = slot * this.#slotBytes
    if (size <= start) return
    this.#unseal(slot)
    this.#put(new Uint8Array(Math.min(this.#slotBytes, size - start)), start)
  }

  /** Cuts off what follows the first `slots`. */
  shorten(slots: number): void {
    if (this.#size() <= slots * this.#slotBytes) return
    ftruncateSync(this.#descriptor, slots * this.#slotBytes)
    this.#written = true
  }

  #unseal(slot: number): void {
    const start = slot * this.#slotBytes
    this.#put(unsealed, start)
    this.#put(unsealed, start + this.#slotBytes - sealBytes)
  }

  #put(bytes: Uint8Array, at: number): void {
    this.#written = true
    for (let from = 0; from < bytes.length; ) {
      from += writeSync(this.#descriptor, bytes, from, bytes.length - from, at + from)
    }
  }
}
