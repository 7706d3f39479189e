/** Settings of a brain: texts by name, each in a row, so that every process learns of a change at once. */
import { putSetting, selectSetting } from '../sql/session.ts'
import type { Connection } from './connection.ts'

export const readSetting = (connection: Connection, name: string): string | undefined =>
  connection.first<{ value: string }>(selectSetting, name)?.value

/** Inside a write. */
export function writeSetting(connection: Connection, name: string, value: string): void {
  connection.run(putSetting, name, value)
}

/** Inside a write. */
export function removeSetting(connection: Connection, name: string): void {
  connection.run('DELETE FROM setting WHERE key = ?', name)
}
