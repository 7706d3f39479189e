/** Which model's vectors recall uses: one row of the settings, so that every process switches at once. */
import type { ModelIdentity } from '../../models/embedder.ts'
import type { Connection } from './connection.ts'
import { readSetting, removeSetting, writeSetting } from './settings.ts'

const setting = 'served_model'

/** In SQL, whether a model is served no more. No embedder has such a name, so nobody finds its vectors. */
export const isRetired = "name GLOB 'retired:*'"

export function readServedModel(connection: Connection): number | undefined {
  const served = readSetting(connection, setting)
  return served === undefined ? undefined : Number(served)
}

const served = `SELECT name, hash, dimension FROM setting JOIN model ON model.id = CAST(setting.value AS INTEGER)
  WHERE key = ?`

/** The model itself, outside of any transaction. */
export const findServedModel = (connection: Connection): Promise<ModelIdentity | undefined> =>
  connection.find<ModelIdentity>(served, setting)

/** The same inside a read. */
export const readServedIdentity = (connection: Connection): ModelIdentity | undefined =>
  connection.first<ModelIdentity>(served, setting)

/** Inside a write. Returns the id it was given. */
export function writeServedModel(connection: Connection, modelId: number): number {
  writeSetting(connection, setting, String(modelId))
  return modelId
}

/** Inside a write. */
export const removeServedModel = (connection: Connection): void => removeSetting(connection, setting)
