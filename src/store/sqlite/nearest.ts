/**
 * Passages of a project beside a question: compared in memory, or in the file where they lie. Knows partitions and passages,
 * and leaves out what is not as it was kept.
 */
import type { PassageMatch, VectorQuery } from '../candidates.ts'
import type { Among, VectorReads } from '../search/candidates.ts'
import { isOfTokens } from '../search/int8-vector.ts'
import { toTokens } from '../search/vector-bytes.ts'
import type { Connection } from './connection.ts'
import type { LiveVectors } from './live-vectors.ts'
import { drawSample } from './samples.ts'
import { passagesIn } from './selection.ts'
import type { VectorModel } from './snapshots.ts'
import { type NearestQuery, partitionOf, type VectorTables } from './vectors.ts'

/** The rows of a project and of a model. */
export interface Found {
  readonly projectId: number
  readonly model: VectorModel
  /** In memory, up to date with the read that this was found in; absent where they are read where they lie. */
  readonly rows: LiveVectors | undefined
}

interface Tables {
  readonly connection: Connection
  readonly vectors: VectorTables
}

/** Good for the read that the rows were found in. */
export class ComparedVectors implements VectorReads {
  readonly #connection: Connection
  readonly #vectors: VectorTables
  readonly #found: Found
  readonly #query: VectorQuery

  constructor({ connection, vectors }: Tables, found: Found, query: VectorQuery) {
    this.#connection = connection
    this.#vectors = vectors
    this.#found = found
    this.#query = query
  }

  nearest({ selection, kind }: Among): PassageMatch[] {
    const { projectId, model, rows } = this.#found
    const { vector, limit } = this.#query
    // Flags lie apart.
    const parts = kind === undefined ? [false, true] : [kind === 'flag']
    const accepts = rows === undefined ? passagesIn(this.#connection, selection, model.id) : selection.accepts
    const matches = parts.flatMap((flag) => {
      const partition = partitionOf(projectId, flag)
      const query = { partition, vector, limit, accepts }
      return rows === undefined ? this.#nearestStored(query) : rows.nearest(partition, query)
    })
    return matches.sort((a, b) => b.similarity - a.similarity || a.memoryId - b.memoryId).slice(0, limit)
  }

  draw(starts: readonly number[]): number[] {
    const { projectId, model } = this.#found
    return drawSample(this.#connection, { projectId, modelId: model.id, starts })
  }

  compare(memoryIds: readonly number[], drawn: readonly number[]) {
    const own = this.#passagesOf(memoryIds)
    const matches = this.#compareAll([...own, ...drawn])
    const matched = (ids: readonly number[]) => ids.flatMap((id) => matches.get(id) ?? [])
    return { passages: matched(own), sample: matched(drawn) }
  }

  #nearestStored(query: NearestQuery): PassageMatch[] {
    const near = this.#vectors.nearest(this.#found.model, query)
    const passages = this.#readPassages(near.map(({ id }) => id))
    return near.flatMap(({ id, similarity }) => {
      const passage = passages.get(id)
      return passage === undefined ? [] : [{ ...passage, similarity }]
    })
  }

  /** From the index alone: memories are large, and to read one for each of these took most of the time. */
  #passagesOf(memoryIds: readonly number[]): number[] {
    if (memoryIds.length === 0) return []
    return this.#connection
      .all<{ id: number }>(
        `SELECT passage.id FROM json_each(?) AS wanted
         CROSS JOIN passage ON memory_id = wanted.value AND model_id = ?`,
        JSON.stringify(memoryIds),
        this.#found.model.id,
      )
      .map(({ id }) => id)
  }

  /** Passages by their ids; those that are gone are left out. */
  #compareAll(ids: readonly number[]): Map<number, PassageMatch> {
    const { projectId, model, rows } = this.#found
    const { vector } = this.#query
    const matches = new Map<number, PassageMatch>()
    const unknown: number[] = []
    const compare = rows?.comparison(vector)
    const [notes, flags] = [partitionOf(projectId, false), partitionOf(projectId, true)]
    for (const id of ids) {
      const known = compare?.(notes, id) ?? compare?.(flags, id)
      if (known === undefined) unknown.push(id)
      else matches.set(id, known)
    }
    if (unknown.length === 0) return matches
    const found = this.#readPassages(unknown, projectId)
    const kept = [...this.#vectors.getMany(model, [...found.keys()])]
    const cosines = this.#vectors.snapshots.windowOf(model.dimension).cosines(
      vector,
      kept.map(([, row]) => row),
    )
    for (const [at, [id]] of kept.entries()) {
      const [passage, similarity] = [found.get(id), cosines[at]]
      if (passage !== undefined && similarity !== undefined) matches.set(id, { ...passage, similarity })
    }
    return matches
  }

  /**
   * Whose passages are, and their word pieces, of those that are as they were kept; those of one project alone, if it
   * is given.
   */
  #readPassages(ids: readonly number[], ...projectId: [] | [number]) {
    const window = this.#vectors.snapshots.windowOf(this.#found.model.dimension)
    return new Map(
      this.#connection
        .all<{ id: number; memory_id: number; tokens: Uint8Array; checksum: number }>(
          `SELECT passage.id, memory_id, tokens, checksum
           FROM json_each(?) AS wanted CROSS JOIN passage ON passage.id = wanted.value
           ${projectId.length > 0 ? 'CROSS JOIN memory ON memory.id = memory_id AND project_id = ?' : ''}`,
          JSON.stringify(ids),
          ...projectId,
        )
        .flatMap(({ id, memory_id, tokens, checksum }) => {
          const passage = { memoryId: memory_id, tokens: toTokens(tokens) }
          const isSound = isOfTokens(checksum, passage.tokens, (tokens) => window.hashTokens(tokens))
          return isSound ? [[id, passage] as const] : []
        }),
    )
  }
}
