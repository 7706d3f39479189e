/** What the last import that was committed was, kept in the brain in the same transaction. */
import type { Taken } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { readSetting, writeSetting } from './settings.ts'

/** The setting's name; its value is the import's token, and `Taken` as JSON. */
const lastImport = 'last_import'

/** What an import was when it was committed; undefined where it was not, or another was since. */
export function findTaken(brain: Connection, token: string): Taken | undefined {
  const done = readSetting(brain, lastImport)
  // Written by noteTaken and by nobody else.
  return done?.startsWith(`${token} `) ? (JSON.parse(done.slice(token.length)) as Taken) : undefined
}

/** Notes that an import is being committed. Inside a write. */
export const noteTaken = (brain: Connection, token: string, taken: Taken): void =>
  writeSetting(brain, lastImport, `${token} ${JSON.stringify(taken)}`)
