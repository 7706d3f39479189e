/**
 * A few ordinary memories of each project, spread over its history: what unrelated memories look like. Drawn
 * once and kept while the project has about as many memories, for a process that lives.
 */
import type { Connection } from './connection.ts'

/** A project that grew or shrank by more than this share is sampled anew. */
const tolerance = 0.1

export interface SampledPassage {
  readonly id: number
  readonly memory_id: number
}

interface Sample {
  readonly memories: number
  readonly passages: readonly SampledPassage[]
}

export class Samples {
  readonly #connection: Connection
  readonly #kept = new Map<string, Sample>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Up to `limit` first passages of ordinary memories. Inside a read. */
  of(projectId: number, modelId: number, limit: number): readonly SampledPassage[] {
    const project = this.#connection.first<{ memories: number }>(
      'SELECT memories FROM project WHERE id = ?',
      projectId,
    )
    const memories = project?.memories ?? 0
    const name = `${projectId} ${modelId} ${limit}`
    const known = this.#kept.get(name)
    if (known !== undefined && Math.abs(known.memories - memories) <= tolerance * known.memories) {
      return known.passages
    }
    const passages = this.#draw(projectId, modelId, limit)
    this.#kept.set(name, { memories, passages })
    return passages
  }

  #draw(projectId: number, modelId: number, limit: number): SampledPassage[] {
    const ends = this.#connection.first<{ low: number | null; high: number | null }>(
      `SELECT (SELECT min(id) FROM memory WHERE project_id = ? AND caution = 0) AS low,
              (SELECT max(id) FROM memory WHERE project_id = ? AND caution = 0) AS high`,
      projectId,
      projectId,
    )
    if (ends?.low == null || ends.high == null) return []
    const { low, high } = ends
    const starts = Array.from({ length: limit }, (_, at) => low + Math.floor((at * (high - low + 1)) / limit))
    return this.#connection.all<SampledPassage>(
      `SELECT passage.id, memory_id FROM passage WHERE passage.id IN (
         SELECT (SELECT min(id) FROM passage WHERE memory_id = drawn.id AND model_id = ?) FROM (
           SELECT DISTINCT (
             SELECT memory.id FROM memory WHERE project_id = ? AND caution = 0 AND memory.id >= start.value ORDER BY memory.id LIMIT 1
           ) AS id FROM json_each(?) AS start
         ) AS drawn
       )`,
      modelId,
      projectId,
      JSON.stringify(starts),
    )
  }
}
