/**
 * A file with all vectors of one model, written whole, then renamed, and never changed: what SQLite would give out chunk
 * by chunk, each as a new piece of memory, is read from it in one. Knows its layout: blocks of rows, the list of blocks,
 * and a trailer that says what it is. Which file is good, the brain says; what is in it is checked before it is used.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { direct } from '../../direct-files.ts'
import { hashOf } from '../search/int8-vector.ts'
import { blockRows, placeOf, type RowWindow } from '../search/row-window.ts'
import { bytesOf } from '../search/vector-bytes.ts'

/** What a trailer begins with. */
const magic = 0x62_72_6e_76_31

/** A block as the list has it: float64 each. */
const blockWords = 4
const trailerWords = 5

export interface SnapshotBlock {
  readonly partition: number
  readonly rows: number
  readonly offset: number
  readonly hash: number
}

export interface SnapshotName {
  readonly modelId: number
  /** A random number, which names the file and stands in it. */
  readonly generation: number
}

export const snapshotPath = (brain: string, { modelId, generation }: SnapshotName): string =>
  join(dirname(brain), `vectors-${modelId}-${generation.toString(36)}`)

/** Whether it is a snapshot or a draft of one, or the file that version 0.1.0 had instead; of one model or any. */
const isOf = (name: string, modelId?: number): boolean => {
  const [, snapshot, slots] = /^(?:vectors-(\d+)-[0-9a-z]+(?:\.draft)?|compact-(\d+))$/.exec(name) ?? []
  const found = snapshot ?? slots
  return found !== undefined && (modelId === undefined || Number(found) === modelId)
}

/** The files of this kind beside a brain. */
export const listSnapshots = (brain: string, modelId?: number): string[] =>
  readdirSync(dirname(brain))
    .filter((name) => isOf(name, modelId))
    .map((name) => join(dirname(brain), name))

export class SnapshotWriter {
  readonly #path: string
  readonly #generation: number
  readonly #descriptor: number
  readonly #blocks: SnapshotBlock[] = []
  #offset = 0
  #open = true

  /** Begins a draft. @throws the system's errors. */
  constructor(brain: string, name: SnapshotName) {
    this.#path = snapshotPath(brain, name)
    this.#generation = name.generation
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | direct
    this.#descriptor = openSync(this.#draft, flags, 0o600)
  }

  get #draft(): string {
    return `${this.#path}.draft`
  }

  /** Writes the block that the window holds. */
  add(partition: number, window: RowWindow): void {
    this.#blocks.push({ partition, rows: window.count, offset: this.#offset, hash: window.hash() })
    this.#write(window.bytes)
  }

  /** Ends the file and puts it under its name, on the disk. @throws where somebody took the draft away. */
  publish(dimension: number): void {
    const list = new Float64Array(this.#blocks.length * blockWords)
    for (const [at, { partition, rows, offset, hash }] of this.#blocks.entries())
      list.set([partition, rows, offset, hash], at * blockWords)
    this.#write(bytesOf(list))
    const hash = hashOf(new Uint32Array(list.buffer))
    this.#write(bytesOf(Float64Array.of(magic, this.#generation, dimension, this.#blocks.length, hash)))
    fsyncSync(this.#descriptor)
    this.#close()
    renameSync(this.#draft, this.#path)
  }

  /** Removes what there is of it. */
  discard(): void {
    this.#close()
    rmSync(this.#draft, { force: true })
    rmSync(this.#path, { force: true })
  }

  #close(): void {
    if (this.#open) closeSync(this.#descriptor)
    this.#open = false
  }

  #write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; )
      from += writeSync(this.#descriptor, bytes, from, bytes.length - from, this.#offset + from)
    this.#offset += bytes.length
  }
}

/** Reads at a place of a file; false where it ends before. */
const readAt = (descriptor: number, into: Uint8Array, at: number): boolean =>
  readSync(descriptor, into, 0, into.length, at) === into.length

/** The list of blocks, if the file is the one that is meant and both list and trailer are whole. */
function readBlocks(
  descriptor: number,
  size: number,
  wanted: { generation: number; dimension: number },
): SnapshotBlock[] | undefined {
  const trailer = new Float64Array(trailerWords)
  if (size < trailer.byteLength || !readAt(descriptor, bytesOf(trailer), size - trailer.byteLength))
    return undefined
  const [kind, generation, dimension, count = 0, hash] = trailer
  if (kind !== magic || generation !== wanted.generation || dimension !== wanted.dimension) return undefined
  const end = size - trailer.byteLength - count * blockWords * 8
  if (!Number.isSafeInteger(count) || count < 0 || end < 0) return undefined
  const list = new Float64Array(count * blockWords)
  if (!readAt(descriptor, bytesOf(list), end) || hashOf(new Uint32Array(list.buffer)) !== hash)
    return undefined
  const blocks = Array.from({ length: count }, (_, at): SnapshotBlock => {
    const [partition = 0, rows = 0, offset = 0, hash = 0] = list.subarray(at * blockWords)
    return { partition, rows, offset, hash }
  })
  // Whoever made the brain made the list as well, and its hash.
  const isThere = ({ rows, offset }: SnapshotBlock): boolean =>
    Number.isInteger(rows) &&
    rows > 0 &&
    rows <= blockRows &&
    Number.isInteger(offset) &&
    offset >= 0 &&
    offset < end
  return blocks.every(isThere) ? blocks : undefined
}

export interface Snapshot {
  /** In the order of partitions and passage ids. */
  readonly blocks: readonly SnapshotBlock[]
  /** Reads a block into the window; false where it is damaged. */
  read(block: SnapshotBlock, window: RowWindow): boolean
  /** The rows of some passages, by their ids; those that are not in it are left out. Unchecked: each may be damaged. */
  find(ids: readonly number[]): Map<number, Int8Array>
  close(): void
}

/** Rows out of blocks, of which only the ids are read whole. */
function findRows(
  descriptor: number,
  { blocks, dimension }: { blocks: readonly SnapshotBlock[]; dimension: number },
  wanted: readonly number[],
): Map<number, Int8Array> {
  const found = new Map<number, Int8Array>()
  const room = new Uint32Array(blockRows)
  for (const { rows, offset } of blocks) {
    if (found.size === wanted.length) break
    const ids = room.subarray(0, rows)
    if (!readAt(descriptor, bytesOf(ids), offset)) continue
    const [first = 0, last = 0] = [ids[0], ids[rows - 1]]
    for (const id of wanted) {
      const place = id < first || id > last ? -1 : ids.indexOf(id)
      const row = new Int8Array(place < 0 ? 0 : dimension)
      if (place < 0 || !readAt(descriptor, bytesOf(row), offset + placeOf(dimension, { rows, place })))
        continue
      found.set(id, row)
    }
  }
  return found
}

/** Opens a snapshot; undefined where there is none, it cannot be read, or is not the one that is meant. */
export function openSnapshot(
  path: string,
  wanted: { generation: number; dimension: number },
): Snapshot | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | direct)
    const opened = descriptor
    const stat = fstatSync(opened)
    const blocks = stat.isFile() ? readBlocks(opened, stat.size, wanted) : undefined
    if (blocks === undefined) closeSync(opened)
    return (
      blocks && {
        blocks,
        read: ({ rows, offset, hash }, window) => {
          window.resize(rows)
          return readAt(opened, window.bytes, offset) && window.hash() === hash && window.isSound()
        },
        find: (ids) => findRows(opened, { blocks, dimension: wanted.dimension }, ids),
        close: () => closeSync(opened),
      }
    )
  } catch {
    if (descriptor !== undefined) closeSync(descriptor)
    return undefined
  }
}
