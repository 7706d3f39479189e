/** API keys in PostgreSQL: hashes of secrets and when they end. Never sees a secret. */
import { BrainError } from '../../core/errors.ts'
import type { Key } from '../../core/records.ts'
import type { KeyStore, NewKey } from '../store.ts'
import type { Database } from './connection.ts'
import { inEveryProject } from './projects.ts'
import type { Transaction } from './transaction.ts'

const columns = `key.id, project.name AS project, label, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`
const source = 'key JOIN project ON project.id = key.project_id'

/** A key as it is kept, with the hash of its secret. */
type Kept = Key & { readonly secretHash: Uint8Array; readonly projectId: number }

/** The key of an id, whichever project it belongs to: the only row of another project that the transaction may see. */
async function find(transaction: Transaction, id: string): Promise<Kept | undefined> {
  await transaction.first("SELECT set_config('brain.key', $1, true)", [id])
  return transaction.first<Kept>(
    `SELECT ${columns}, secret_hash AS "secretHash", project_id AS "projectId" FROM ${source} WHERE key.id = $1`,
    [id],
  )
}

const toKey = ({ secretHash: _, projectId: __, ...key }: Kept): Key => key

/** Goes over to the project of a key, if there is one. */
async function enter(transaction: Transaction, id: string): Promise<Kept | undefined> {
  const key = await find(transaction, id)
  if (key !== undefined) await transaction.enter(key.projectId)
  return key
}

async function get(transaction: Transaction, id: string): Promise<Key> {
  const key = await enter(transaction, id)
  if (key === undefined) throw new BrainError('refused', `key ${id} not found: see \`brain key list\``)
  return toKey(key)
}

async function insert(transaction: Transaction, { secretHash, ...key }: NewKey): Promise<Key> {
  await transaction.run(
    'INSERT INTO key (id, project_id, secret_hash, label, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [key.id, transaction.projectId, secretHash, key.label, key.createdAt, key.expiresAt],
  )
  return { ...key, revokedAt: null, lastUsedAt: null }
}

export function createKeyStore(database: Database): KeyStore {
  /** Changes a key; does nothing where there is none. */
  const update = (id: string, change: string, at: number): Promise<void> =>
    database.writeAnywhere(async (transaction) => {
      const key = await enter(transaction, id)
      if (key !== undefined)
        await transaction.run(`UPDATE key SET ${change} WHERE project_id = $2 AND id = $3`, [
          at,
          key.projectId,
          id,
        ])
    })

  return {
    add: (key) => database.write(key.project, (transaction) => insert(transaction, key), { makes: true }),

    find: (id) =>
      database.readAnywhere(async (transaction) => {
        const key = await find(transaction, id)
        return key && { ...toKey(key), secretHash: key.secretHash }
      }),

    list: () =>
      database.readAnywhere(async (transaction) => {
        const keys = await inEveryProject(transaction, ({ id }) =>
          transaction.all<Key>(`SELECT ${columns} FROM ${source} WHERE project_id = $1`, [id]),
        )
        return keys.flat().sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      }),

    count: () =>
      database.readAnywhere(
        async (transaction) =>
          (await transaction.first<{ keys: number }>('SELECT count_keys() AS keys'))?.keys ?? 0,
      ),

    touch: (id, at) => update(id, 'last_used_at = $1', at),

    sweep: (label, at) =>
      database.writeAnywhere(async (transaction) => {
        await inEveryProject(transaction, ({ id }) =>
          transaction.run('DELETE FROM key WHERE project_id = $1 AND label = $2 AND expires_at < $3', [
            id,
            label,
            at,
          ]),
        )
      }),

    revoke: async (id, at) => {
      await update(id, 'revoked_at = coalesce(revoked_at, $1)', at)
      return database.readAnywhere((transaction) => get(transaction, id))
    },

    succeed: (id, next) =>
      database.writeAnywhere(async (transaction) => {
        const old = await get(transaction, id)
        if (old.revokedAt !== null) throw new BrainError('refused', `key ${id} is revoked: create a new one`)
        return insert(transaction, next(old))
      }),

    end: (id, at) => update(id, 'expires_at = least(coalesce(expires_at, $1), $1)', at),
  }
}
