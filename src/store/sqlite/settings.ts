/** Settings of a brain: texts by name, each in a row, so that every process learns of a change at once. */
import type { Connection } from './connection.ts'

export const readSetting = (connection: Connection, name: string): string | undefined =>
  connection.first<{ value: string }>('SELECT value FROM setting WHERE key = ?', name)?.value

/** Inside a write. */
export function writeSetting(connection: Connection, name: string, value: string): void {
  connection.run(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    name,
    value,
  )
}

/** Inside a write. */
export function removeSetting(connection: Connection, name: string): void {
  connection.run('DELETE FROM setting WHERE key = ?', name)
}
