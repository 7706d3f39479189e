/**
 * Models of which there are vectors, and which of them recall uses: a row of the settings, so that every daemon
 * switches at once.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import type { Transaction } from './transaction.ts'

/** A model as the store knows it. */
export interface KnownModel {
  readonly id: number
  readonly dimension: number
}

/** The id of a model, if a vector of it was ever written. */
export const findModel = async (
  transaction: Transaction,
  { name, hash, dimension }: ModelIdentity,
): Promise<number | undefined> =>
  (
    await transaction.first<{ id: number }>(
      'SELECT id FROM model WHERE name = $1 AND hash = $2 AND dimension = $3 AND NOT retired',
      [name, hash, dimension],
    )
  )?.id

/** The same, made when new. Inside a write. */
export async function ensureModel(transaction: Transaction, model: ModelIdentity): Promise<number> {
  const known = await findModel(transaction, model)
  if (known !== undefined) return known
  const made = await transaction.first<{ id: number }>(
    `INSERT INTO model (name, hash, dimension) VALUES ($1, $2, $3)
     ON CONFLICT (name, hash, dimension) WHERE NOT retired DO NOTHING RETURNING id`,
    [model.name, model.hash, model.dimension],
  )
  const id = made?.id ?? (await findModel(transaction, model))
  if (id === undefined) throw new Error('a model that another made is not there')
  return id
}

/** The id of the model whose vectors recall uses. */
export const readServedModel = async (transaction: Transaction): Promise<number | undefined> =>
  (
    await transaction.first<{ id: number }>(
      "SELECT value::bigint AS id FROM setting WHERE key = 'served_model'",
    )
  )?.id

/** The model itself. */
export const readServedIdentity = (transaction: Transaction): Promise<ModelIdentity | undefined> =>
  transaction.first<{ name: string; hash: string; dimension: number }>(
    "SELECT name, hash, dimension FROM setting JOIN model ON model.id = value::bigint WHERE key = 'served_model'",
  )

/** The served model's id; the first of all becomes it. Inside a write. */
export async function ensureServed(transaction: Transaction, modelId: number): Promise<number> {
  const served = await readServedModel(transaction)
  if (served !== undefined) return served
  await transaction.run(
    "INSERT INTO setting (key, value) VALUES ('served_model', $1) ON CONFLICT (key) DO NOTHING",
    [String(modelId)],
  )
  return (await readServedModel(transaction)) ?? modelId
}

/** Makes a model the served one. Inside a write. */
export async function writeServedModel(transaction: Transaction, modelId: number): Promise<void> {
  await transaction.run(
    `INSERT INTO setting (key, value) VALUES ('served_model', $1)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [String(modelId)],
  )
}

/** Whether vectors of another model are being made next to the served ones: an amended memory lacks both. */
export const isMoving = async (transaction: Transaction): Promise<boolean> =>
  (await transaction.first('SELECT 1 FROM model WHERE NOT retired OFFSET 1 LIMIT 1')) !== undefined

/** Keeps memories and their vectors from being added until the transaction ends, and waits for those that are being added. */
export const holdMemories = (transaction: Transaction): Promise<number> =>
  transaction.run('LOCK TABLE memory IN SHARE MODE')
