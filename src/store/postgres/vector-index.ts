/**
 * The index of projects with very many vectors: when a project is given one, and how its vectors get there, a slice at a
 * time. Other projects' vectors stand nowhere but in their passages, so that writing them costs nothing more.
 */
import { toInt8s } from '../search/vector-bytes.ts'
import type { Database } from './connection.ts'
import { holdMemories, readServedModel } from './models.ts'
import { toLiteral } from './passages.ts'
import type { Transaction } from './transaction.ts'

/** Passages that are put into the index at a time. */
const sliceRows = 500

interface Project {
  readonly projectId: number
  readonly modelId: number
  readonly begun: boolean
}

/** When a project is given an index. */
export interface Indexing {
  /** Vectors of a project up to which all are compared. */
  readonly exactUpTo: number
  /** Memories of projects when their vectors were counted last and found to be few: kept by the caller. */
  readonly counted: Map<number, number>
}

/** A project that grew by less than this share since is not counted again. */
const tolerance = 0.1

/** A project whose vectors of the served model are to be indexed, or are on the way. */
async function findDue(
  transaction: Transaction,
  { exactUpTo, counted }: Indexing,
): Promise<Project | undefined> {
  const modelId = await readServedModel(transaction)
  if (modelId === undefined) return undefined
  const begun = await transaction.first<{ id: number }>(
    'SELECT project_id AS id FROM indexed WHERE model_id = $1 AND NOT ready ORDER BY project_id LIMIT 1',
    [modelId],
  )
  if (begun !== undefined) return { projectId: begun.id, modelId, begun: true }
  // A memory has a passage or several; how many is counted where that may matter.
  const large = await transaction.all<{ id: number; memories: number }>(
    `SELECT project_id AS id, sum(memories)::bigint AS memories FROM tally GROUP BY project_id HAVING sum(memories) > $1
       AND NOT EXISTS (SELECT 1 FROM indexed WHERE indexed.project_id = tally.project_id AND model_id = $2)
     ORDER BY 1`,
    [Math.floor(exactUpTo / 4), modelId],
  )
  for (const { id, memories } of large) {
    if (memories < (counted.get(id) ?? 0) * (1 + tolerance)) continue
    await transaction.enter(id)
    const row = await transaction.first<{ more: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM passage WHERE project_id = $1 AND model_id = $2 OFFSET $3 LIMIT 1) AS more`,
      [id, modelId, exactUpTo],
    )
    if (row?.more === true) return { projectId: id, modelId, begun: false }
    counted.set(id, memories)
  }
  return undefined
}

export const isIndexDue = async (transaction: Transaction, indexing: Indexing): Promise<boolean> =>
  (await findDue(transaction, indexing)) !== undefined

/** Does a slice of what an index waits for. False when there was nothing to do, or another is at it. */
export async function indexSlice(database: Database, indexing: Indexing): Promise<boolean> {
  const due = await database.readAnywhere((transaction) => findDue(transaction, indexing))
  if (due === undefined) return false
  const { projectId, modelId, begun } = due
  if (!begun) {
    await database.writeAnywhere((transaction) => transaction.first('SELECT index_model($1)', [modelId]))
    // Apart from what takes long: once it is listed, nobody who found it unlisted is still writing.
    await database.writeAnywhere(async (transaction) => {
      await holdMemories(transaction)
      await transaction.run(
        'INSERT INTO indexed (project_id, model_id) VALUES ($1, $2) ON CONFLICT (project_id, model_id) DO NOTHING',
        [projectId, modelId],
      )
    })
    return true
  }
  return database.writeAnywhere(async (transaction) => {
    await transaction.enter(projectId)
    if ((await fill(transaction, modelId)) > 0) return true
    // Another may be at work on those that are left.
    const ready = await transaction.run(
      `UPDATE indexed SET ready = true WHERE project_id = $1 AND model_id = $2 AND NOT EXISTS
         (SELECT 1 FROM passage WHERE passage.project_id = $1 AND passage.model_id = $2 AND embedding IS NULL)`,
      [projectId, modelId],
    )
    return ready > 0
  })
}

async function fill(transaction: Transaction, modelId: number): Promise<number> {
  const values = [transaction.projectId, modelId]
  const rows = await transaction.all<{ id: number; vector: Buffer }>(
    `SELECT id, vector FROM passage WHERE project_id = $1 AND model_id = $2 AND embedding IS NULL
     LIMIT ${sliceRows} FOR NO KEY UPDATE SKIP LOCKED`,
    values,
  )
  if (rows.length === 0) return 0
  return transaction.run(
    `UPDATE passage SET embedding = given.embedding::halfvec
     FROM unnest($2::bigint[], $3::text[]) AS given(id, embedding)
     WHERE project_id = $1 AND passage.id = given.id`,
    [transaction.projectId, rows.map(({ id }) => id), rows.map(({ vector }) => toLiteral(toInt8s(vector)))],
  )
}
