/** API keys in SQLite: hashes of secrets and when they end. Never sees a secret. */
import { BrainError } from '../../core/errors.ts'
import type { Key } from '../../core/records.ts'
import type { KeyStore, NewKey } from '../store.ts'
import type { Connection } from './connection.ts'
import { ensureProject } from './projects.ts'

interface KeyRow {
  id: string
  project: string
  label: string | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

const columns = 'key.id, project.name AS project, label, created_at, expires_at, revoked_at'
const source = 'key JOIN project ON project.id = key.project_id'

const toKey = (row: KeyRow): Key => ({
  id: row.id,
  project: row.project,
  label: row.label,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})

export function createKeyStore(connection: Connection): KeyStore {
  function insert({ secretHash, ...key }: NewKey): Key {
    connection.run(
      'INSERT INTO key (id, project_id, secret_hash, label, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      key.id,
      ensureProject(connection, key.project),
      secretHash,
      key.label,
      key.createdAt,
      key.expiresAt,
    )
    return { ...key, revokedAt: null }
  }

  function get(id: string): Key {
    const row = connection.first<KeyRow>(`SELECT ${columns} FROM ${source} WHERE key.id = ?`, id)
    if (row === undefined) throw new BrainError('refused', `key ${id} not found: see \`brain key list\``)
    return toKey(row)
  }

  return {
    add: (key) => connection.write(() => insert(key)),

    find: (id) =>
      connection.read(() => {
        const row = connection.first<KeyRow & { secret_hash: Uint8Array }>(
          `SELECT ${columns}, secret_hash FROM ${source} WHERE key.id = ?`,
          id,
        )
        return row && { ...toKey(row), secretHash: row.secret_hash }
      }),

    list: () =>
      connection.read(() =>
        connection.all<KeyRow>(`SELECT ${columns} FROM ${source} ORDER BY created_at, key.id`).map(toKey),
      ),

    count: () =>
      connection.read(
        () => connection.first<{ keys: number }>('SELECT count(*) AS keys FROM key')?.keys ?? 0,
      ),

    revoke: (id, at) =>
      connection.write(() => {
        get(id)
        connection.run('UPDATE key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', at, id)
        return get(id)
      }),

    rotate: (id, next, oldExpiresAt) =>
      connection.write(() => {
        const old = get(id)
        if (old.revokedAt !== null) throw new BrainError('refused', `key ${id} is revoked: create a new one`)
        connection.run(
          'UPDATE key SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ?',
          oldExpiresAt,
          oldExpiresAt,
          id,
        )
        return insert(next(old))
      }),
  }
}
