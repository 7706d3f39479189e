/**
 * Which chunks of vectors stand as int8 beside the brain, and the search over them: a process that runs once reads a
 * quarter of what vec0 would have it read. vec0 stays the truth. A chunk that has no such copy is read from there, and
 * a copy is good only while it bears the seal that the brain has for it, so one that a crash, a rolled back commit or a
 * backup left behind is never believed.
 */

import { CompactFile, listCompactFiles } from './compact-file.ts'
import { type CompactRows, type Match, SlotWindow, slotBytesOf, windowSlots } from './compact-slots.ts'
import type { Connection } from './connection.ts'
import { isRetired } from './served-model.ts'
import { type ChunkPlace, chunkRows, readChunk } from './vector-chunks.ts'

/** So many chunks may lack a copy, besides a share of all, before vec0's own search is quicker. */
const fewMissing = 8
const missingShare = 8

/** Chunks made in one commit that other writers wait for: some 20 ms' work. */
const chunksPerCommit = 16

/** A float64 holds it, and SQLite an integer of it. */
const createSeal = (): number => 1 + Math.floor(Math.random() * (2 ** 53 - 1))

/** vec0's bits of a chunk without a free place. */
const full = `X'${'ff'.repeat(chunkRows / 8)}'`

/** Chunks have numbers from 1 on. */
const slotOf = (chunkId: number): number => chunkId - 1

interface ListedChunk {
  readonly chunk_id: number
  readonly seal: number | null
}

export interface NearestQuery {
  readonly shelf: number
  readonly vector: Float32Array
  readonly limit: number
}

export class CompactChunks {
  readonly #connection: Connection
  readonly #brain: string
  /** Models whose file was looked through by this process. */
  readonly #settled = new Set<number>()
  #window: SlotWindow | undefined
  #windowDimension = 0

  /** Of the brain in the file `brain`. */
  constructor(connection: Connection, brain: string) {
    this.#connection = connection
    this.#brain = brain
  }

  #windowOf(dimension: number): SlotWindow {
    if (this.#window === undefined || this.#windowDimension !== dimension) {
      this.#window = new SlotWindow(dimension)
      this.#windowDimension = dimension
    }
    return this.#window
  }

  #dimensionOf(modelId: number): number {
    const model = this.#connection.first<{ dimension: number }>(
      'SELECT dimension FROM model WHERE id = ?',
      modelId,
    )
    return model?.dimension ?? 0
  }

  #path(modelId: number): string {
    return CompactFile.pathOf(this.#brain, modelId)
  }

  /** A shelf's chunks in their order, those that are not known to this table yet among them. */
  #list(modelId: number, shelf: number): ListedChunk[] {
    return this.#connection.all<{ chunk_id: number; seal: number | null }>(
      `SELECT chunk_id, seal FROM compact_chunk WHERE model_id = ? AND shelf = ?
       UNION ALL
       SELECT chunk_id, NULL FROM vector_${modelId}_chunks
       WHERE chunk_id > (SELECT compacted FROM model WHERE id = ?) AND partition00 = ?
       ORDER BY chunk_id`,
      modelId,
      shelf,
      modelId,
      shelf,
    )
  }

  /** Passages of a shelf nearest to a unit vector, best first; undefined where vec0 is quicker. Inside a read. */
  nearest(modelId: number, { shelf, vector, limit }: NearestQuery): Match[] | undefined {
    const chunks = this.#list(modelId, shelf)
    if (chunks.length === 0) return []
    const missing = chunks.filter(({ seal }) => seal === null)
    const few = fewMissing + chunks.length / missingShare
    if (missing.length === chunks.length || missing.length > few) return undefined
    const window = this.#windowOf(vector.length)
    const search = window.search(vector, limit)
    try {
      const there = CompactFile.read(this.#path(modelId), window.slotBytes, (file) => {
        for (const [place, chunk] of this.#readSlots(file, window, chunks)) {
          if (place === undefined) missing.push(chunk)
          else search.scan(place)
          if (missing.length > few) return false
        }
        return true
      })
      if (there !== true) return undefined
    } catch {
      // What cannot be read is as good as missing.
      return undefined
    }
    for (const { chunk_id } of missing) {
      const chunk = readChunk(this.#connection, modelId, chunk_id)
      if (chunk === undefined) continue
      window.fill(0, chunk, 0)
      search.scan(0)
    }
    return search.matches()
  }

  /** The copy of a chunk, to be used up before the next is asked for; undefined where there is none. Inside a read. */
  rowsOf(modelId: number, dimension: number, { chunkId, shelf }: ChunkPlace): CompactRows | undefined {
    const chunk = this.#connection.first<{ chunk_id: number; seal: number }>(
      `SELECT chunk_id, seal FROM compact_chunk
       WHERE model_id = ? AND shelf = ? AND chunk_id = ? AND seal IS NOT NULL`,
      modelId,
      shelf,
      chunkId,
    )
    if (chunk === undefined) return undefined
    const window = this.#windowOf(dimension)
    try {
      return CompactFile.read(this.#path(modelId), window.slotBytes, (file) => {
        const [[place] = []] = this.#readSlots(file, window, [chunk])
        return place === undefined ? undefined : window.rowsOf(place)
      })
    } catch {
      return undefined
    }
  }

  /** Reads the copies of chunks that have one; each with its place in the window, none where it is not good. */
  *#readSlots(
    file: CompactFile,
    window: SlotWindow,
    chunks: readonly ListedChunk[],
  ): Generator<[number | undefined, ListedChunk]> {
    const sealed = chunks.filter(({ seal }) => seal !== null)
    for (let from = 0; from < sealed.length; ) {
      const first = sealed[from]?.chunk_id ?? 0
      const run = sealed.slice(from, from + windowSlots).filter(({ chunk_id }, at) => chunk_id === first + at)
      const whole = file.read(slotOf(first), window.bytes.subarray(0, run.length * window.slotBytes))
      for (const [place, chunk] of run.entries()) {
        const good = place < whole && window.isSealed(place, chunk.seal ?? 0)
        yield [good ? place : undefined, chunk]
      }
      from += run.length
    }
  }

  /**
   * Chunks of a model without a copy that may have one, for vec0 puts no further vector into them: those that are full,
   * and those with a later one on their shelf.
   */
  #listDue(modelId: number, limit: number): ChunkPlace[] {
    return this.#connection.all<{ chunkId: number; shelf: number }>(
      `SELECT chunk.chunk_id AS chunkId, shelf
       FROM compact_chunk AS chunk JOIN vector_${modelId}_chunks AS stored ON stored.chunk_id = chunk.chunk_id
       WHERE model_id = ? AND seal IS NULL AND (validity = ${full} OR EXISTS (
         SELECT 1 FROM compact_chunk AS later
         WHERE later.model_id = chunk.model_id AND later.shelf = chunk.shelf AND later.chunk_id > chunk.chunk_id))
       LIMIT ?`,
      modelId,
      limit,
    )
  }

  /** Takes note of chunks that are new since the last time. Returns how many. */
  #note(modelId: number, limit: number): number {
    const { changes } = this.#connection.run(
      `INSERT INTO compact_chunk (model_id, shelf, chunk_id)
       SELECT model.id, partition00, chunk_id FROM model JOIN vector_${modelId}_chunks ON chunk_id > compacted
       WHERE model.id = ? ORDER BY chunk_id LIMIT ?`,
      modelId,
      limit,
    )
    if (changes > 0) {
      this.#connection.run(
        `UPDATE model SET compacted = (SELECT max(chunk_id) FROM compact_chunk WHERE model_id = model.id)
         WHERE id = ?`,
        modelId,
      )
    }
    return changes
  }

  /** Copies up to `most` chunks of a model. Inside a write. Returns how many steps that took, 0 when all is done. */
  make(modelId: number, most: number): number {
    const noted = this.#note(modelId, most)
    const due = this.#listDue(modelId, most)
    if (due.length === 0) return noted
    const window = this.#windowOf(this.#dimensionOf(modelId))
    const path = this.#path(modelId)
    let seals: (number | null)[]
    try {
      seals = CompactFile.write(path, window.slotBytes, (file) =>
        due.map(({ chunkId }) => this.#copy(file, window, { modelId, chunkId })),
      )
    } catch {
      // Where nothing can be written beside the brain, vec0 goes on alone.
      return 0
    }
    for (const [at, place] of due.entries()) this.#setSeal(modelId, place, seals[at] ?? null)
    return noted + due.length
  }

  /** Writes a chunk's copy; returns its seal. */
  #copy(
    file: CompactFile,
    window: SlotWindow,
    { modelId, chunkId }: { modelId: number; chunkId: number },
  ): number | null {
    const chunk = readChunk(this.#connection, modelId, chunkId)
    if (chunk === undefined) return null
    const seal = createSeal()
    window.fill(0, chunk, seal)
    file.write(slotOf(chunkId), window.slot(0))
    return seal
  }

  #setSeal(modelId: number, { chunkId, shelf }: ChunkPlace, seal: number | null): void {
    this.#connection.run(
      'UPDATE compact_chunk SET seal = ? WHERE model_id = ? AND shelf = ? AND chunk_id = ?',
      seal,
      modelId,
      shelf,
      chunkId,
    )
  }

  /**
   * A vector was taken out of this chunk: it goes from the copy, too, whatever the brain knows of that. Inside the same
   * write, and on the disk before that is.
   */
  removed(modelId: number, place: ChunkPlace): void {
    const { chunkId, shelf } = place
    const kept = this.#connection.first(`SELECT 1 FROM vector_${modelId}_chunks WHERE chunk_id = ?`, chunkId)
    const listed = this.#connection.first<{ seal: number | null }>(
      'SELECT seal FROM compact_chunk WHERE model_id = ? AND shelf = ? AND chunk_id = ?',
      modelId,
      shelf,
      chunkId,
    )
    // In the last of a shelf vec0 takes up the free place again, in another it does not.
    const again = kept && listed && listed.seal !== null && this.#lastOf(modelId, shelf) !== chunkId
    const dimension = this.#dimensionOf(modelId)
    const seal = CompactFile.change(this.#path(modelId), slotBytesOf(dimension), (file) => {
      if (again) return this.#copy(file, this.#windowOf(dimension), { modelId, chunkId })
      file.blank(slotOf(chunkId))
      return null
    })
    if (kept === undefined) this.#forgetChunk(modelId, place)
    else if (listed !== undefined) this.#setSeal(modelId, place, seal ?? null)
  }

  /** The last chunk of a shelf that this table knows. */
  #lastOf(modelId: number, shelf: number): number | undefined {
    return this.#connection.first<{ chunk_id: number }>(
      'SELECT chunk_id FROM compact_chunk WHERE model_id = ? AND shelf = ? ORDER BY chunk_id DESC LIMIT 1',
      modelId,
      shelf,
    )?.chunk_id
  }

  /** vec0 dropped an empty chunk; if that was the last of its shelf, it goes on in the one before. */
  #forgetChunk(modelId: number, { chunkId, shelf }: ChunkPlace): void {
    this.#connection.run(
      'DELETE FROM compact_chunk WHERE model_id = ? AND shelf = ? AND chunk_id = ?',
      modelId,
      shelf,
      chunkId,
    )
    const before = this.#lastOf(modelId, shelf)
    if (before !== undefined) this.#setSeal(modelId, { chunkId: before, shelf }, null)
  }

  #models(): number[] {
    return this.#connection
      .all<{ id: number }>(`SELECT id FROM model WHERE NOT ${isRetired}`)
      .map(({ id }) => id)
  }

  /** Whether `step` has something to do. Inside a read. */
  isDue(): boolean {
    return this.#models().some(
      (id) =>
        !this.#settled.has(id) ||
        this.#listDue(id, 1).length > 0 ||
        this.#connection.first(
          `SELECT 1 FROM model JOIN vector_${id}_chunks ON chunk_id > compacted WHERE id = ?`,
          id,
        ) !== undefined,
    )
  }

  /** Some milliseconds' worth of what is to be done. Inside a write. Returns whether there was anything. */
  step(): boolean {
    const models = this.#models()
    const unsettled = models.find((id) => !this.#settled.has(id))
    if (unsettled !== undefined) {
      this.#settle(unsettled)
      this.#settled.add(unsettled)
      return true
    }
    return models.some((id) => this.make(id, chunksPerCommit) > 0)
  }

  /** Chunks that the brain has a seal for. */
  #listSealed(modelId: number): (ChunkPlace & { seal: number })[] {
    return this.#connection.all<ChunkPlace & { seal: number }>(
      `SELECT chunk_id AS chunkId, shelf, seal FROM compact_chunk WHERE model_id = ? AND seal IS NOT NULL`,
      modelId,
    )
  }

  /** Lets go of copies that are not good, as after a crash or in a brain that was put back from a backup. */
  #settle(modelId: number): void {
    const listed = this.#listSealed(modelId)
    const seals = new Map(listed.map(({ chunkId, seal }) => [slotOf(chunkId), seal]))
    const slotBytes = slotBytesOf(this.#dimensionOf(modelId))
    const bad = CompactFile.change(this.#path(modelId), slotBytes, (file) => {
      file.shorten(1 + Math.max(-1, ...seals.keys()))
      const unknown = file.slots().filter((slot) => !file.bears(slot, seals.get(slot) ?? 0))
      for (const slot of unknown) file.blank(slot)
      return new Set(unknown)
    })
    for (const place of listed) {
      const slot = slotOf(place.chunkId)
      if (bad === undefined || bad.has(slot)) this.#setSeal(modelId, place, null)
    }
    const models = new Set(this.#connection.all<{ id: number }>('SELECT id FROM model').map(({ id }) => id))
    for (const { modelId: id, path } of listCompactFiles(this.#brain))
      if (!models.has(id)) CompactFile.remove(path)
  }

  /** Chunks that have a copy, and those of them whose copy is not what vec0 has. Inside a read. */
  examine(modelId: number): { copied: number; wrong: ChunkPlace[] } {
    const listed = this.#listSealed(modelId)
    const window = this.#windowOf(this.#dimensionOf(modelId))
    const wrong: ChunkPlace[] = []
    let copied = 0
    CompactFile.read(this.#path(modelId), window.slotBytes, (file) => {
      for (const place of listed) {
        if (file.read(slotOf(place.chunkId), window.slot(0)) !== 1 || !window.isSealed(0, place.seal))
          continue
        copied += 1
        const chunk = readChunk(this.#connection, modelId, place.chunkId)
        if (chunk !== undefined) window.fill(1, chunk, place.seal)
        if (chunk === undefined || Buffer.compare(window.slot(0), window.slot(1)) !== 0) wrong.push(place)
      }
    })
    return { copied, wrong }
  }

  /** Lets go of copies, so that they are made again. Inside a write. */
  discard(modelId: number, places: readonly ChunkPlace[]): void {
    for (const place of places) this.#setSeal(modelId, place, null)
  }

  /** Removes all copies of a model. Inside a write. */
  drop(modelId: number): void {
    this.#connection.run('DELETE FROM compact_chunk WHERE model_id = ?', modelId)
    CompactFile.remove(this.#path(modelId))
  }
}
