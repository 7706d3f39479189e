/** API keys in SQLite: hashes of secrets and expiry. Never sees a secret. */
import { BrainError } from '../../core/errors.ts'
import type { Key } from '../../core/records.ts'
import type { KeyStore, NewKey } from '../store.ts'
import type { Connection } from './connection.ts'
import { insertRow } from './insert.ts'
import { ensureProject } from './projects.ts'

// Named as the record has them: every request reads one.
const columns = `key.id, project.name AS project, label, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, last_used_at AS lastUsedAt`
const source = 'key JOIN project ON project.id = key.project_id'

export function createKeyStore(connection: Connection): KeyStore {
  function insert({ secretHash, ...key }: NewKey): Key {
    insertRow(connection, 'key', {
      id: key.id,
      project_id: ensureProject(connection, key.project),
      secret_hash: secretHash,
      label: key.label,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
    })
    return { ...key, revokedAt: null, lastUsedAt: null }
  }

  function get(id: string): Key {
    const key = connection.first<Key>(`SELECT ${columns} FROM ${source} WHERE key.id = ?`, id)
    if (key === undefined) throw new BrainError('refused', `key ${id} not found: see \`brain key list\``)
    return key
  }

  return {
    add: (key) => connection.write(() => insert(key)),

    // A row is read whether there is such a key or not: the time it takes must not tell which ids exist.
    find: async (id) => {
      const key = await connection.find<Key & { secretHash: Uint8Array }>(
        `SELECT ${columns}, secret_hash AS secretHash FROM ${source} WHERE key.id = ?
         UNION ALL SELECT NULL, '', NULL, 0, NULL, 0, NULL, zeroblob(32) LIMIT 1`,
        id,
      )
      return key?.id === id ? key : undefined
    },

    list: () =>
      connection.read(() =>
        connection.all<Key>(`SELECT ${columns} FROM ${source} ORDER BY created_at, key.id`),
      ),

    count: () =>
      connection.read(
        () => connection.first<{ keys: number }>('SELECT count(*) AS keys FROM key')?.keys ?? 0,
      ),

    touch: async (id, at) => {
      await connection.write(() => connection.run('UPDATE key SET last_used_at = ? WHERE id = ?', at, id))
    },

    sweep: async (label, at) => {
      await connection.write(() =>
        connection.run('DELETE FROM key WHERE label = ? AND expires_at < ?', label, at),
      )
    },

    revoke: (id, at) =>
      connection.write(() => {
        get(id)
        connection.run('UPDATE key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', at, id)
        return get(id)
      }),

    succeed: (id, next) =>
      connection.write(() => {
        const old = get(id)
        if (old.revokedAt !== null) throw new BrainError('refused', `key ${id} is revoked: create a new one`)
        return insert(next(old))
      }),

    end: async (id, at) => {
      await connection.write(() =>
        connection.run(
          'UPDATE key SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ?',
          at,
          at,
          id,
        ),
      )
    },
  }
}
