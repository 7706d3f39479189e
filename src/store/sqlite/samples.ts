/**
 * A few ordinary memories of each project, spread over its history: what unrelated memories look like. Drawn
 * once and kept while the project has about as many memories, for a process that lives.
 */
import type { Connection } from './connection.ts'
import { shelfOf } from './vectors.ts'

/** A project that grew or shrank by more than this share is sampled anew. */
const tolerance = 0.1

export interface SampledPassage {
  readonly id: number
  readonly memory_id: number
  readonly shelf: number
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
    const passages: SampledPassage[] = []
    const step = (ends.high - ends.low + 1) / limit
    let last = 0
    for (let at = 0; at < limit; at += 1) {
      const memory = this.#connection.first<{ id: number; passage: number | null }>(
        `SELECT id, (SELECT min(passage.id) FROM passage WHERE memory_id = memory.id AND model_id = ?) AS passage
         FROM memory WHERE project_id = ? AND caution = 0 AND id >= ? ORDER BY id LIMIT 1`,
        modelId,
        projectId,
        Math.max(last + 1, Math.floor(ends.low + at * step)),
      )
      if (memory === undefined) break
      last = memory.id
      if (memory.passage === null) continue
      passages.push({ id: memory.passage, memory_id: memory.id, shelf: shelfOf(projectId, false) })
    }
    return passages
  }
}
