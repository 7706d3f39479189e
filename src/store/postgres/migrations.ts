/**
 * The schema as numbered steps from nothing to today's, which the owner takes, and what of it a daemon can use. A step is
 * safe while daemons made before it run: it adds; a later one, which `oldestReader` goes with, takes away.
 */
import { BrainError } from '../../core/errors.ts'
import { tables } from './first-schema.ts'
import { rules, type Surroundings } from './isolation.ts'

export interface Step {
  readonly sql: (surroundings: Surroundings) => string
  /** The oldest version of the schema whose daemons can go on once this step is taken. */
  readonly oldestReader: number
}

export const steps: readonly Step[] = [
  { sql: (surroundings) => tables + rules(surroundings), oldestReader: 1 },
]

/** Of the schema that this version makes and needs. */
const newestVersion = steps.length

/** The steps that are to be taken from `version` on, and what is kept of each. */
export const stepsFrom = (version: number, surroundings: Surroundings, all = steps) =>
  all.slice(version).map(({ sql, oldestReader }, at) => ({
    version: version + at + 1,
    oldestReader,
    sql: sql(surroundings),
  }))

/** The schema as a database describes it. */
export interface FoundSchema {
  readonly version: number
  readonly oldestReader: number
}

/** @throws BrainError `storage` where this version of brain and the schema do not go together. */
export function requireSchema({ version, oldestReader }: FoundSchema): void {
  if (version < newestVersion) {
    throw new BrainError(
      'storage',
      `the database holds an older brain (schema ${version}, this version needs ${newestVersion}): ` +
        'run `brain store init` as its administrator',
    )
  }
  if (oldestReader > newestVersion) {
    throw new BrainError(
      'storage',
      `the database holds a newer brain (schema ${version}) than this version can use: upgrade brain`,
    )
  }
}
