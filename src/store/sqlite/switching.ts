/**
 * From one model's vectors to another's: the switch, which every process sees at once, and afterwards the removal
 * of the old ones in slices so short that other writers hardly wait. Knows vec0's own tables, since dropping a
 * large one whole would hold the write lock for as long as it takes to blank it.
 */
import type { IndexStore } from '../index-store.ts'
import type { Connection } from './connection.ts'
import { isRetired, readServedModel, writeServedModel } from './served-model.ts'
import { chunkRows } from './vector-chunks.ts'
import type { VectorTables } from './vectors.ts'

/** Rows of a slice, and bytes of blobs where a row holds many vectors. */
const sliceRows = 2_000
const sliceBytes = 1_048_576

/** Of a row of `memory`, for a model's id. */
export const lacksVector = 'NOT EXISTS (SELECT 1 FROM passage WHERE memory_id = memory.id AND model_id = ?)'

/** Memories on the list of those to embed that have a vector of the served model by now. */
const needlessEntries = `SELECT memory_id FROM unembedded WHERE EXISTS
  (SELECT 1 FROM passage WHERE memory_id = unembedded.memory_id AND model_id = ?) LIMIT ${sliceRows}`

/** Memories put on the list of those to embed between two turns of the event loop. */
const listedRows = 10_000

/** This part of the port, and the two halves of `tidy` for the other adapters of this folder. */
export interface Switching
  extends Pick<IndexStore, 'lacking' | 'serve' | 'replaceServed' | 'upkeep' | 'tidy'> {
  /** Removes a slice of what models served earlier left behind. False when nothing was left. */
  clearRetired(): Promise<boolean>
  /** Makes the snapshot that is due. False when none was, or it failed. */
  compact(): Promise<boolean>
}

interface Lacking {
  readonly modelId: number
  /** Projects and ids, as JSON. */
  readonly seen: string
  readonly above: number
  /** Ids, as JSON. */
  readonly spared: string
}

export function createSwitching(connection: Connection, vectors: VectorTables): Switching {
  /** How far the passages of a model are cleared; begun anew by a process that finds them half cleared. */
  const cleared = new Map<number, number>()
  /** Up to which memory those without a vector have been listed since a model went. */
  const listed = new Map<number, number>()

  /**
   * Whether a memory lacks vectors of the model: one with an id above that and above what was seen of its project, not
   * spared.
   */
  const findLacking = (wanted: Lacking): boolean =>
    connection.first(
      `SELECT 1 FROM project LEFT JOIN json_each(?) AS seen ON seen.value ->> 0 = project.name
       CROSS JOIN memory ON memory.project_id = project.id
       WHERE memory.id > max(?, coalesce(seen.value ->> 1, 0)) AND ${lacksVector}
         AND memory.id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
      wanted.seen,
      wanted.above,
      wanted.modelId,
      wanted.spared,
    ) !== undefined

  /** Under a name of its own, so that the same model can be made anew while this one goes. */
  const retire = (where: string, modelId: number): void =>
    void connection.run(
      `UPDATE model SET name = 'retired:' || name, hash = id WHERE ${where} AND NOT ${isRetired}`,
      modelId,
    )

  /** Puts the next memories that lack vectors of a model on the list. Returns the last id looked at, if any was. */
  function listLacking(modelId: number, after: number): number | undefined {
    const last = connection.first<{ id: number | null }>(
      `SELECT max(id) AS id FROM (SELECT id FROM memory WHERE id > ? ORDER BY id LIMIT ${listedRows})`,
      after,
    )?.id
    if (last == null) return undefined
    connection.run(
      `INSERT OR IGNORE INTO unembedded (memory_id, project_id)
       SELECT id, project_id FROM memory WHERE id > ? AND id <= ? AND ${lacksVector}`,
      after,
      last,
      modelId,
    )
    return last
  }

  const strikeNeedless = (modelId: number): number =>
    connection.run(`DELETE FROM unembedded WHERE memory_id IN (${needlessEntries})`, modelId).changes

  /** Passages in the next range of ids. Returns whether there may be more. */
  function clearPassages(modelId: number): boolean {
    const last = connection.first<{ id: number | null }>('SELECT max(id) AS id FROM passage')?.id ?? 0
    const from = cleared.get(modelId) ?? 0
    if (from >= last) return false
    const first = connection.first<{ id: number }>(
      'SELECT id FROM passage WHERE id > ? ORDER BY id LIMIT 1',
      from,
    )
    const to = (first?.id ?? last) + sliceRows - 1
    connection.run('DELETE FROM passage WHERE id BETWEEN ? AND ? AND model_id = ?', from + 1, to, modelId)
    cleared.set(modelId, to)
    return true
  }

  /** Some rows of vec0's own tables, the largest first. Returns whether there were any. */
  function clearTables(modelId: number, dimension: number): boolean {
    const chunks = Math.max(1, Math.floor(sliceBytes / (chunkRows * dimension)))
    const slices = [
      [`vector_${modelId}_vector_chunks00`, chunks],
      [`vector_${modelId}_chunks`, 100],
      [`vector_${modelId}_rowids`, sliceRows],
    ] as const
    // Tables that belong to a virtual one are otherwise its own to write.
    connection.database.unsafeMode(true)
    try {
      return slices.some(
        ([table, rows]) =>
          connection.run(
            `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ${rows})`,
          ).changes > 0,
      )
    } finally {
      connection.database.unsafeMode(false)
    }
  }

  const clearRetired = (): Promise<boolean> =>
    connection.write(() => {
      const model = connection.first<{ id: number; dimension: number }>(
        `SELECT id, dimension FROM model WHERE ${isRetired} ORDER BY id LIMIT 1`,
      )
      if (model === undefined || !vectors.available) return false
      vectors.snapshots.drop(model.id)
      const served = readServedModel(connection)
      if (strikeNeedless(served ?? 0) > 0) return true
      if (clearPassages(model.id) || clearTables(model.id, model.dimension)) return true
      // Whatever lost its new vector while those of others were made, by an edit or an import, waits for another.
      const next = served === undefined ? undefined : listLacking(served, listed.get(model.id) ?? 0)
      if (next !== undefined) {
        listed.set(model.id, next)
        return true
      }
      vectors.dropEmpty(model.id)
      cleared.delete(model.id)
      listed.delete(model.id)
      return true
    })

  const compact = async (): Promise<boolean> => {
    const model = vectors.available ? await connection.read(() => vectors.snapshots.findDue()) : undefined
    return model !== undefined && vectors.snapshots.make(model)
  }

  return {
    lacking: (model) =>
      connection.read(() => {
        const modelId = vectors.findModel(model)
        const sql =
          modelId !== undefined && modelId === readServedModel(connection)
            ? 'SELECT sum(unembedded) AS lacking FROM project WHERE ? IS NOT NULL'
            : `SELECT count(*) AS lacking FROM memory WHERE ${lacksVector}`
        return connection.first<{ lacking: number | null }>(sql, modelId ?? 0)?.lacking ?? 0
      }),

    serve: async (model, { after = new Map(), without = [] } = {}) => {
      const spared = JSON.stringify(without)
      const seen = JSON.stringify([...after])
      // Looked for before the lock is taken, which takes a while in a large brain; then only what came since.
      const above = await connection.read(() => {
        const modelId = vectors.findModel(model) ?? 0
        if (modelId !== readServedModel(connection) && findLacking({ modelId, seen, above: 0, spared }))
          return undefined
        return connection.first<{ id: number | null }>('SELECT max(id) AS id FROM memory')?.id ?? 0
      })
      if (above === undefined) return false
      return connection.write(() => {
        const modelId = vectors.ensureModel(model)
        if (modelId !== readServedModel(connection) && findLacking({ modelId, seen, above, spared }))
          return false
        writeServedModel(connection, modelId)
        retire('id <> ?', modelId)
        connection.run(
          `INSERT OR IGNORE INTO unembedded (memory_id, project_id)
           SELECT id, project_id FROM memory WHERE id IN (SELECT value FROM json_each(?)) AND ${lacksVector}`,
          spared,
          modelId,
        )
        strikeNeedless(modelId)
        return true
      })
    },

    replaceServed: async (former, next) => {
      const isServed = (): boolean => vectors.findModel(former) === readServedModel(connection)
      if (!vectors.available || !(await connection.read(isServed))) return
      await connection.exclusive(function* () {
        const formerId = vectors.findModel(former)
        if (formerId === undefined || formerId !== readServedModel(connection)) return
        const modelId = writeServedModel(connection, vectors.ensureModel(next))
        retire('id = ?', formerId)
        let after: number | undefined = 0
        while (after !== undefined) {
          after = listLacking(modelId, after)
          yield () => {}
        }
      })
    },

    upkeep: () =>
      connection.read(() => {
        const waiting = connection.all<{ name: string }>(
          'SELECT name FROM project WHERE unembedded > 0 ORDER BY name',
        )
        const retired = connection.first(`SELECT 1 FROM model WHERE ${isRetired}`) !== undefined
        const stale = vectors.available && vectors.snapshots.findDue() !== undefined
        return { waiting: waiting.map(({ name }) => name), untidy: retired || stale }
      }),

    clearRetired,
    compact,
    tidy: async () => (await clearRetired()) || (await compact()),
  }
}
