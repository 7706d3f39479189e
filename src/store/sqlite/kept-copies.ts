/**
 * What stands beside a brain and may hold what it has forgotten: copies that upgrades and restorations kept, logs kept
 * aside, an interrupted import. Knows which of them can be made to forget, too; the others are removed.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { yieldToEventLoop } from '../../clock.ts'
import { BrainError, codeOf, reasonOf } from '../../core/errors.ts'
import type { RecordKind } from '../../core/records.ts'
import { direct } from '../../direct-files.ts'
import { textOf } from '../rows/texts.ts'
import type { RemovalStore } from '../store.ts'
import { loadDatabase } from './binding.ts'
import { requireFewEntries } from './bounds.ts'
import type { Connection } from './connection.ts'
import { createDraft, discard, dropDrafts, replace } from './drafts.ts'
import { isPassing, toBrainError } from './faults.ts'
import { applicationId } from './inspection.ts'
import { migrations } from './migrations.ts'
import { requireOwnSchema } from './own-schema.ts'

/** Bytes looked for in one piece. */
const probeBytes = 24
const maxProbes = 8

/** Pieces of some bytes, evenly spread over them. */
function probesOf(bytes: Buffer): Buffer[] {
  const room = Math.max(0, bytes.length - probeBytes)
  const count = Math.min(maxProbes, 1 + Math.ceil(room / probeBytes))
  return Array.from({ length: count }, (_, at) => {
    const from = count === 1 ? 0 : Math.floor((room * at) / (count - 1))
    return bytes.subarray(from, from + probeBytes)
  })
}

/** Bytes read at a time. */
const span = 2 ** 20

/** Which of some pieces stand in a file. */
async function findPieces(descriptor: number, pieces: readonly Buffer[]): Promise<Set<Buffer>> {
  const found = new Set<Buffer>()
  const bytes = Buffer.alloc(span + probeBytes)
  for (let from = 0; ; from += span) {
    const read = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from))
    for (const piece of pieces) if (!found.has(piece) && read.includes(piece)) found.add(piece)
    if (read.length < bytes.length || found.size === pieces.length) return found
    await yieldToEventLoop()
  }
}

/** Whether a file holds a text as a page, a log or a line of JSON does; what is no regular file holds nothing of ours. */
async function holds(file: string, text: string): Promise<boolean> {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | direct)
  } catch {
    return false
  }
  try {
    if (!fstatSync(descriptor).isFile()) return false
    for (const form of new Set([text, JSON.stringify(text).slice(1, -1)])) {
      const pieces = probesOf(Buffer.from(form))
      // The end of a page may cut one of them in two.
      if ((await findPieces(descriptor, pieces)).size >= Math.max(1, pieces.length - 1)) return true
    }
    return false
  } finally {
    closeSync(descriptor)
  }
}

/** What takes records out of a database that nobody else knows of. */
type OpenRemoval = (database: BetterSqlite3.Database) => Promise<RemovalStore>

/** What became of a copy: it held nothing of the text, forgot it, or has to go. */
type Outcome = 'clean' | 'reached' | 'unreachable'

/** Reads rows of a database: of a copy by itself, of the brain through its connection. */
type Select = (sql: string, ...values: string[]) => { project: string; id: number }[]

/** The records of a database that say a text, of whatever kind and project; those, too, that said it once if it is `current`. */
function findSaid(
  select: Select,
  text: string,
  { current }: { current: boolean },
): { project: string; kind: RecordKind; id: number }[] {
  // The keys of a table that has one for each kind.
  const kinds = Object.keys(textOf) as RecordKind[]
  return kinds.flatMap((kind) => {
    const versions = current && kind === 'memory'
    const earlier = versions ? 'OR memory.id IN (SELECT memory_id FROM memory_version WHERE text = ?)' : ''
    const rows = select(
      `SELECT project.name AS project, ${kind}.id AS id FROM ${kind}
       JOIN project ON project.id = ${kind}.project_id WHERE ${textOf[kind]} = ? ${earlier}`,
      ...(versions ? [text, text] : [text]),
    )
    return rows.map((row) => ({ ...row, kind }))
  })
}

async function forgetIn(
  database: BetterSqlite3.Database,
  text: string,
  { copy, openRemoval }: { copy: string; openRemoval: OpenRemoval },
): Promise<Outcome> {
  const version = Number(database.pragma('user_version', { simple: true }))
  if (database.pragma('application_id', { simple: true }) !== applicationId) return 'unreachable'
  if (version > migrations.length) return 'unreachable'
  requireOwnSchema(database, { file: copy, version, steps: migrations })
  const current = version === migrations.length
  const select: Select = (sql, ...values) => database.prepare(sql).all(...values) as ReturnType<Select>
  const found = findSaid(select, text, { current })
  if (found.length === 0) return 'clean'
  if (!current) return 'unreachable'
  database.pragma('secure_delete = ON')
  const removal = await openRemoval(database)
  for (const { project, kind, id } of found) await removal.forget(project, { kind, ids: [id] }, () => {})
  database.exec('PRAGMA temp_store = MEMORY; VACUUM')
  database.pragma('wal_checkpoint(TRUNCATE)')
  return 'reached'
}

/** Lets a copy forget every memory of this text, if it is one of this version. */
async function forgetInCopy(copy: string, text: string, openRemoval: OpenRemoval): Promise<Outcome> {
  const draft = createDraft(copy)
  try {
    copyFileSync(copy, draft, constants.COPYFILE_FICLONE)
    chmodSync(draft, 0o600)
    requireFewEntries(draft)
    const database = loadDatabase(draft, { timeout: 0 })
    let outcome: Outcome
    try {
      outcome = await forgetIn(database, text, { copy, openRemoval })
    } finally {
      database.close()
    }
    if (outcome === 'reached') replace(draft, copy, () => {})
    return outcome
  } catch (error) {
    // Damaged, or a stranger's: not one whose records can be told apart.
    if (!isPassing(error) && toBrainError(error) instanceof BrainError) return 'unreachable'
    throw error
  } finally {
    discard(draft)
  }
}

/** Names of the copies that upgrades and restorations keep. */
export const copyName = /^before-(?:schema|restore)-.*\.db$/

interface KeptCopies {
  /** The brain's own file. */
  readonly file: string
  readonly connection: Connection
  readonly openRemoval: OpenRemoval
  /** Told of what was removed. */
  readonly warn: (message: string) => void
}

/** Whether a record of the brain says a text still; where that cannot be read it may. */
const isSaid = ({ connection }: KeptCopies, text: string): Promise<boolean> =>
  connection
    .read(
      () => findSaid((sql, ...values) => connection.all(sql, ...values), text, { current: true }).length > 0,
    )
    .catch(() => true)

/**
 * Takes a forgotten text out of all that stands beside the brain, unless another record says the same. @throws
 * BrainError `storage` naming what could neither be made to forget it nor be removed.
 */
async function forgetBeside(text: string, kept: KeptCopies): Promise<void> {
  const { file, openRemoval, warn } = kept
  const directory = dirname(file)
  dropDrafts(directory)
  const names = readdirSync(directory)
  const copies = names.filter((name) => copyName.test(name))
  const logs = names.filter((name) => name.startsWith(`${basename(file)}.replaced-`))
  const imports = names.filter((name) => name === 'import.db' || name === 'import.db-wal')
  if (copies.length + logs.length + imports.length === 0) return
  // After a look at the directory: it reads every text of the brain, for most brains with nothing beside them in vain.
  if (await isSaid(kept, text)) return
  const remove = (name: string, what: string): void => {
    rmSync(join(directory, name), { force: true })
    warn(`${name}, ${what}, held the forgotten text as well and was removed`)
  }
  try {
    for (const name of copies) {
      const path = join(directory, name)
      if (!lstatSync(path).isFile() || !(await holds(path, text))) continue
      const outcome = await forgetInCopy(path, text, openRemoval)
      if (outcome === 'reached') warn(`${name}, a copy kept from before, has forgotten it as well`)
      if (outcome === 'unreachable') remove(name, 'a copy kept from before')
    }
    for (const name of logs) if (await holds(join(directory, name), text)) remove(name, 'a log kept aside')
    for (const name of imports) {
      if (!(await holds(join(directory, name), text))) continue
      for (const suffix of ['', '-wal', '-shm'])
        rmSync(join(directory, `import.db${suffix}`), { force: true })
      warn('an import that was interrupted held the forgotten text as well: it starts over the next time')
      break
    }
  } catch (error) {
    // The system's own sentence names the path, which is no concern of who calls the daemon.
    const why = codeOf(error) ?? reasonOf(error)
    throw new BrainError(
      'storage',
      `it is forgotten, but a copy beside the brain still holds it (${why}): remove the copies beside the brain`,
      { cause: error },
    )
  }
}

/** Records that are forgotten beside the brain as well. */
export function forgettingBeside(removal: RemovalStore, copies: KeptCopies): RemovalStore {
  return {
    forget: async (project, records, decide) => {
      const said = new Set<string>()
      try {
        await removal.forget(project, records, (id, found) => {
          decide(id, found)
          if (typeof found === 'object') for (const text of found.texts) said.add(text)
        })
      } finally {
        // What the pages could not be freed of yet is forgotten all the same.
        for (const text of said) await forgetBeside(text, copies)
      }
    },
  }
}
