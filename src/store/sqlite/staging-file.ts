/** The file in which an import waits: its tables, and how it is opened by one process alone. Knows no records. */
import { closeSync, constants, fchmodSync, fstatSync, openSync, rmSync } from 'node:fs'
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import { direct } from '../../direct-files.ts'
import { loadDatabase } from './binding.ts'
import { isBusy, toBrainError } from './faults.ts'
import { isMadeBy } from './own-schema.ts'

export const stagingTables = ['source', 'record', 'model', 'passage'] as const

export const stagingSchema = `
  CREATE TABLE source (
    name TEXT NOT NULL,
    token TEXT NOT NULL,
    lines INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    digest TEXT NOT NULL
  ) STRICT;
  CREATE TABLE record (
    line INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    type TEXT NOT NULL,
    id INTEGER,
    -- The belief an event belongs to, or a belief's successor.
    refers INTEGER,
    body TEXT NOT NULL,
    model_id INTEGER,
    new_id INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX record_by_id ON record(type, id) WHERE id IS NOT NULL;
  CREATE INDEX record_by_reference ON record(type, refers) WHERE refers IS NOT NULL;
  CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT, hash TEXT, dimension INTEGER) STRICT;
  CREATE TABLE passage (
    line INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    tokens BLOB NOT NULL,
    vector BLOB NOT NULL
  ) STRICT;
  CREATE INDEX passage_by_line ON passage(line);
`

export const dropStagingFile = (file: string): void => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true })
}

/** Opens the file for this process alone. */
function openAlone(file: string): BetterSqlite3.Database {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | direct, 0o600)
  fchmodSync(descriptor, 0o600)
  const fresh = fstatSync(descriptor).size === 0
  closeSync(descriptor)
  const database = loadDatabase(file, { timeout: 0 })
  try {
    // Held by one import at a time, and given up by the system when its process dies.
    database.pragma('locking_mode = EXCLUSIVE')
    // No rollback journal is ever left behind, so that one that is there is known to be a stranger's.
    if (fresh) database.pragma('journal_mode = MEMORY')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.exec('BEGIN IMMEDIATE; COMMIT')
    return database
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw toBrainError(error)
    throw new BrainError('busy', 'another import into this brain is running: wait for it', { cause: error })
  }
}

/**
 * Opens the staging file of a brain, made anew where it is not of this version. @throws BrainError `busy` while another
 * process imports.
 */
export function openStagingFile(file: string): BetterSqlite3.Database {
  const database = openAlone(file)
  // An import of another version, or what a stranger left there, is worth nothing here, and its schema must not run.
  if (isMadeBy(database, stagingSchema)) return database
  database.close()
  dropStagingFile(file)
  return openAlone(file)
}
