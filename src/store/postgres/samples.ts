/**
 * A few ordinary memories of each project, spread over its history: what unrelated memories look like. Drawn once and kept
 * while the project has about as many memories.
 */
import type { Transaction } from './transaction.ts'

/** A project that grew or shrank by more than this share is sampled again. */
const tolerance = 0.1

interface Sample {
  readonly memories: number
  readonly passages: readonly number[]
}

export interface Drawing {
  readonly modelId: number
  /** Of the project. */
  readonly memories: number
  /** Memories wanted. */
  readonly size: number
}

async function draw(transaction: Transaction, { modelId, size }: Drawing): Promise<number[]> {
  const { projectId } = transaction
  const ends = await transaction.first<{ low: number | null; high: number | null }>(
    `SELECT (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id LIMIT 1) AS low,
            (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id DESC LIMIT 1) AS high`,
    [projectId],
  )
  if (ends?.low == null || ends.high == null) return []
  const { low, high } = ends
  const starts = Array.from({ length: size }, (_, at) => low + Math.floor((at * (high - low + 1)) / size))
  const rows = await transaction.all<{ id: number }>(
    `SELECT first.id FROM (
       SELECT DISTINCT drawn.id FROM unnest($2::bigint[]) AS start(id) CROSS JOIN LATERAL (
         SELECT memory.id FROM memory WHERE project_id = $1 AND caution = 0 AND memory.id >= start.id
         ORDER BY memory.id LIMIT 1
       ) AS drawn
     ) AS chosen CROSS JOIN LATERAL (
       SELECT min(passage.id) AS id FROM passage
       WHERE project_id = $1 AND memory_id = chosen.id AND model_id = $3
     ) AS first WHERE first.id IS NOT NULL ORDER BY first.id`,
    [projectId, starts, modelId],
  )
  return rows.map(({ id }) => id)
}

export class Samples {
  readonly #kept = new Map<string, Sample>()

  /** First passages of up to so many ordinary memories. Inside a read. */
  async of(transaction: Transaction, drawing: Drawing): Promise<readonly number[]> {
    const { modelId, memories, size } = drawing
    const name = `${transaction.projectId} ${modelId} ${size}`
    const known = this.#kept.get(name)
    if (known !== undefined && Math.abs(known.memories - memories) <= tolerance * known.memories)
      return known.passages
    const passages = await draw(transaction, drawing)
    this.#kept.set(name, { memories, passages })
    return passages
  }
}
