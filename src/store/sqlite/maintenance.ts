/**
 * Check-ups, repairs and copies of a brain's file. Knows what must agree with what: rows with keyword entries,
 * vectors with passages, counts with rows.
 */
import type { Finding, MaintenanceStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { copyInto } from './copy.ts'
import { toBrainError } from './faults.ts'
import type { VectorTables } from './vectors.ts'

const rethrow = (error: unknown): never => {
  throw toBrainError(error)
}

export function createMaintenanceStore(
  connection: Connection,
  _vectors: VectorTables,
  _file: string,
): MaintenanceStore {
  const projects = (): { id: number; name: string }[] =>
    connection.all<{ id: number; name: string }>('SELECT id, name FROM project ORDER BY name')

  function checkFile(): Finding {
    const verdict = connection.all<{ integrity_check: string }>('PRAGMA integrity_check(5)')
    const detail = verdict.map((row) => row.integrity_check).join('; ')
    return { check: 'database', ok: detail === 'ok', detail, fixable: false }
  }

  function checkKeywords({ id, name }: { id: number; name: string }): Finding {
    const check = `keyword index of ${name}`
    try {
      connection.database.exec(
        `INSERT INTO keyword_${id} (keyword_${id}, rank) VALUES ('integrity-check', 1)`,
      )
      return { check, ok: true, detail: 'agrees with the memories', fixable: false }
    } catch (error) {
      return { check, ok: false, detail: (error as Error).message, fixable: true }
    }
  }

  const check = (): Promise<Finding[]> =>
    connection.write(() => [checkFile(), ...projects().map(checkKeywords)])

  return {
    check,

    repair: async () => {
      const broken = new Set(
        (await check()).filter(({ ok, fixable }) => !ok && fixable).map((finding) => finding.check),
      )
      await connection.write(() => {
        for (const { id, name } of projects()) {
          if (!broken.has(`keyword index of ${name}`)) continue
          connection.database.exec(`INSERT INTO keyword_${id} (keyword_${id}) VALUES ('rebuild')`)
        }
      })
      return check()
    },

    backup: (file, progress) => copyInto(file, connection.database, progress).catch(rethrow),

    projects: () => connection.read(() => projects().map(({ name }) => name)),
  }
}
