/**
 * From one model's vectors to another's: the switch, which every daemon sees at once, and afterwards the removal of the old
 * ones in slices. Also what makes a search quick in a project of very many vectors. Goes project by project.
 */
import type { IndexStore } from '../index-store.ts'
import type { Database } from './connection.ts'
import { ensureModel, findModel, holdMemories, readServedModel, writeServedModel } from './models.ts'
import type { Transaction } from './transaction.ts'
import { indexSlice, isIndexDue } from './vector-index.ts'

/** Rows of a slice. */
const sliceRows = 2_000

/** Of a row of `memory`, for the place of a model's id among the values. */
export const lacksVector = (place: string): string =>
  `NOT EXISTS (SELECT 1 FROM passage WHERE passage.project_id = memory.project_id
     AND passage.memory_id = memory.id AND passage.model_id = ${place})`

export interface SwitchingOptions {
  /** Vectors of a project up to which all are compared; above it pgvector's index is asked. */
  readonly exactUpTo?: number
}

type Switching = Pick<IndexStore, 'lacking' | 'serve' | 'replaceServed' | 'upkeep' | 'tidy'>

interface Named {
  readonly id: number
  readonly name: string
}

const listProjects = (transaction: Transaction): Promise<Named[]> =>
  transaction.all<Named>('SELECT id, name FROM project ORDER BY id')

interface Lacking {
  readonly modelId: number
  /** Ids up to which the caller saw to it, by project. */
  readonly after: ReadonlyMap<string, number>
  readonly without: readonly number[]
}

/** Whether a memory of any project lacks vectors of the model, those left aside that may. */
async function someLack(transaction: Transaction, { modelId, after, without }: Lacking): Promise<boolean> {
  for (const { id, name } of await listProjects(transaction)) {
    await transaction.enter(id)
    const found = await transaction.first(
      `SELECT 1 FROM memory WHERE project_id = $1 AND id > $2 AND ${lacksVector('$3')}
       AND id <> ALL($4::bigint[]) LIMIT 1`,
      [id, after.get(name) ?? 0, modelId, without],
    )
    if (found !== undefined) return true
  }
  return false
}

/** Keeps another model from being served until the transaction ends, as adding a memory does. */
export const holdServed = (transaction: Transaction) =>
  transaction.run('LOCK TABLE memory IN ROW EXCLUSIVE MODE')

const retire = (transaction: Transaction, where: string, modelId: number) =>
  transaction.run(`UPDATE model SET retired = true WHERE id ${where} $1 AND NOT retired`, [modelId])

/** Puts the memories of every project that lack vectors of a model on its list. */
async function listLacking(
  transaction: Transaction,
  modelId: number,
  only: readonly number[] | null = null,
): Promise<void> {
  for (const { id } of await listProjects(transaction)) {
    await transaction.enter(id)
    await transaction.run(
      `INSERT INTO unembedded (project_id, memory_id)
       SELECT project_id, id FROM memory WHERE project_id = $1 AND ${lacksVector('$2')}
         AND ($3::bigint[] IS NULL OR id = ANY($3::bigint[]))
       ON CONFLICT (project_id, memory_id) DO NOTHING`,
      [id, modelId, only],
    )
  }
}

/** Takes off the lists what has its vector by now. Returns how many that were. */
async function strikeNeedless(transaction: Transaction): Promise<number> {
  const served = (await readServedModel(transaction)) ?? 0
  let struck = 0
  const projects = await transaction.all<{ id: number }>(
    'SELECT project_id AS id FROM tally GROUP BY project_id HAVING sum(unembedded) > 0 ORDER BY 1',
  )
  for (const { id } of projects) {
    await transaction.enter(id)
    struck += await transaction.run(
      `DELETE FROM unembedded WHERE project_id = $1 AND EXISTS
         (SELECT 1 FROM passage WHERE passage.project_id = $1 AND passage.memory_id = unembedded.memory_id
          AND model_id = $2)`,
      [id, served],
    )
  }
  return struck
}

/** Removes passages of a model. Returns whether there were any. */
async function clearPassages(transaction: Transaction, modelId: number): Promise<boolean> {
  for (const { id } of await listProjects(transaction)) {
    await transaction.enter(id)
    const removed = await transaction.run(
      `DELETE FROM passage WHERE project_id = $1 AND id IN
         (SELECT id FROM passage WHERE project_id = $1 AND model_id = $2 ORDER BY written LIMIT ${sliceRows})`,
      [id, modelId],
    )
    if (removed > 0) return true
  }
  return false
}

/** Removes a slice of what models served earlier left behind. False when nothing was left. */
const clearRetired = (database: Database): Promise<boolean> =>
  database.writeAnywhere(async (transaction) => {
    // Two daemons would remove the same.
    const model = await transaction.first<{ id: number }>(
      'SELECT id FROM model WHERE retired ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED',
    )
    if (model === undefined) return false
    if ((await strikeNeedless(transaction)) > 0) return true
    if (await clearPassages(transaction, model.id)) return true
    await transaction.first('SELECT unindex_model($1)', [model.id])
    await transaction.run('DELETE FROM model WHERE id = $1', [model.id])
    return true
  })

export function createSwitching(database: Database, { exactUpTo = 50_000 }: SwitchingOptions): Switching {
  const indexing = { exactUpTo, counted: new Map<number, number>() }
  return {
    lacking: (model) =>
      database.readAnywhere(async (transaction) => {
        const modelId = await findModel(transaction, model)
        if (modelId !== undefined && modelId === (await readServedModel(transaction))) {
          const row = await transaction.first<{ lacking: number }>(
            'SELECT coalesce(sum(unembedded), 0)::bigint AS lacking FROM tally',
          )
          return row?.lacking ?? 0
        }
        let lacking = 0
        for (const { id } of await listProjects(transaction)) {
          await transaction.enter(id)
          const row = await transaction.first<{ lacking: number }>(
            `SELECT count(*) AS lacking FROM memory WHERE project_id = $1 AND ${lacksVector('$2')}`,
            [id, modelId ?? 0],
          )
          lacking += row?.lacking ?? 0
        }
        return lacking
      }),

    serve: async (model, { after = new Map(), without = [] } = {}) => {
      const wanted = { after, without }
      // Looked for before anybody is kept waiting, since it takes a while in a large brain.
      const lack = await database.readAnywhere(async (transaction) => {
        const modelId = (await findModel(transaction, model)) ?? 0
        const served = modelId === (await readServedModel(transaction))
        return !served && (await someLack(transaction, { ...wanted, modelId }))
      })
      if (lack) return false
      return database.writeAnywhere(async (transaction) => {
        await holdMemories(transaction)
        const modelId = await ensureModel(transaction, model)
        const served = modelId === (await readServedModel(transaction))
        // Ids are given before what they are given to is seen: what came since may have any.
        if (!served && (await someLack(transaction, { ...wanted, modelId, after: new Map() }))) return false
        await writeServedModel(transaction, modelId)
        await retire(transaction, '<>', modelId)
        if (without.length > 0) await listLacking(transaction, modelId, without)
        await strikeNeedless(transaction)
        return true
      })
    },

    replaceServed: (former, next) =>
      database.writeAnywhere(async (transaction) => {
        await holdMemories(transaction)
        const formerId = await findModel(transaction, former)
        if (formerId === undefined || formerId !== (await readServedModel(transaction))) return
        const modelId = await ensureModel(transaction, next)
        await writeServedModel(transaction, modelId)
        await retire(transaction, '=', formerId)
        await listLacking(transaction, modelId)
      }),

    upkeep: () =>
      database.readAnywhere(async (transaction) => {
        const projects = await transaction.all<{ name: string }>(
          `SELECT name FROM project JOIN tally ON project_id = id GROUP BY name HAVING sum(unembedded) > 0
           ORDER BY name`,
        )
        const retired = await transaction.first('SELECT 1 FROM model WHERE retired LIMIT 1')
        return {
          waiting: projects.map(({ name }) => name),
          untidy: retired !== undefined || (await isIndexDue(transaction, indexing)),
        }
      }),

    tidy: async () => (await clearRetired(database)) || (await indexSlice(database, indexing)),
  }
}
