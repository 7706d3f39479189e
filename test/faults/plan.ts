/** What a drill asks of its processes. */
import { migrations } from '../../src/store/sqlite/migrations.ts'
import { model } from '../store/test-embedder.ts'

export interface Task {
  readonly file: string
  readonly ledgers: string
  /** Names the ledger and begins every text. */
  readonly name: string
  readonly work: 'mixed' | 'import' | 'reindex' | 'upgrade'
  readonly seed: number
  /** Milliseconds to work for. */
  readonly limit: number
}

/** The second model of a re-embedding. */
export const otherModel = { ...model, hash: 'beef' }

/** A later schema, whose last step takes its time and touches every memory. */
export const grownMigrations = [
  ...migrations,
  `ALTER TABLE memory ADD COLUMN mood TEXT;
   UPDATE memory SET mood = 'calm ' || text;
   CREATE INDEX memory_by_mood ON memory(mood);
   CREATE TABLE feeling (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
   INSERT INTO feeling (name) SELECT mood FROM memory;`,
]
