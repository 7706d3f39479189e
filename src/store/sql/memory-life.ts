/**
 * Changes to a memory: its versions, tags, pin and expiry, and merging. Knows their columns; what finds a memory is
 * each store's.
 */
import { uniteCitations } from '../../core/citations.ts'
import type { Found, Memory } from '../../core/records.ts'
import type { MemoryEdit, MemoryLife, MemoryMarks } from '../memory-life.ts'
import { memoryColumns, toMemory, toReplaced, toVersion, type VersionRow } from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import { readCitations } from './citations.ts'
import { insertCitations, removeCitations } from './provenance.ts'
import { requireFound, type Session, type SqlDatabase, type Steps } from './session.ts'
import { insertVersion } from './versions.ts'

/** What finds a memory, in a store. */
export interface MemoryIndexes {
  /**
   * Puts the text of an edit in the place of a memory's, with all that finds it. Returns whether it has vectors of the
   * served model.
   */
  readonly amend: (session: Session, before: Memory, edit: MemoryEdit) => Steps<boolean>
  /** Takes a memory away with all that finds it and stands beside it. */
  readonly remove: (session: Session, id: number) => Steps<void>
}

/** Reads one memory. */
export const findMemory = (session: Session, id: number): Steps<Found<Memory>> => {
  const select = `SELECT ${memoryColumns(session.dialect.tags)} FROM memory`
  return session.find({ table: 'memory', id, select, toRecord: toMemory })
}

type Mark = Exclude<keyof MemoryMarks, 'tags'>

/** The columns of the attributes that are one; a new attribute does not compile until it is listed. */
const markColumns = Object.entries({
  pinnedAt: 'pinned_at',
  expiresAt: 'expires_at',
} satisfies Record<Mark, string>) as [Mark, string][]

/** Gives a memory these tags and no others, inside a write. */
export function* writeTags(session: Session, id: number, tags: readonly string[]): Steps<void> {
  yield* session.removeOf('memory_id', id, ['tag'])
  yield* session.insertEach(
    'tag',
    [...new Set(tags)].map((name) => ({ name, memory_id: id })),
  )
}

function* get(session: Session, id: number): Steps<Memory> {
  return requireFound('memory', id, yield* findMemory(session, id))
}

/** Transfers what belongs to one memory to another. Inside a write. */
function* handOver(session: Session, from: number, to: number): Steps<void> {
  const own = session.own('dream_source')
  // A dream of both is one of the other alone.
  yield* session.run(
    `DELETE FROM dream_source WHERE ${own} memory_id = ? AND dream_id IN
       (SELECT dream_id FROM dream_source WHERE ${own} memory_id = ?)`,
    from,
    to,
  )
  for (const table of ['memory_version', 'dream_source', 'exemption', 'recall_verdict'])
    yield* session.run(
      `UPDATE ${table} SET memory_id = ? WHERE ${session.own(table)} memory_id = ?`,
      to,
      from,
    )
  const cited = yield* readCitations(session, 'memory', [from, to])
  if (!cited.has(from)) return
  const citing = { kind: 'memory', id: to } as const
  yield* removeCitations(session, citing)
  yield* insertCitations(session, citing, uniteCitations([from, to].flatMap((id) => cited.get(id) ?? [])))
}

export const createMemoryLife = (database: SqlDatabase, indexes: MemoryIndexes): MemoryLife => ({
  amend: (project, id, decide) =>
    database.write(project, function* (session) {
      yield* session.lock('memory', [id])
      const found = yield* findMemory(session, id)
      const edit = decide(found)
      requireVectors(edit.embedding)
      const before = requireFound('memory', id, found)
      yield* insertVersion(session, { memoryId: id, ...toReplaced(before, edit.now) })
      const semantic = yield* indexes.amend(session, before, edit)
      const versions = yield* session.count(
        'SELECT count(*) AS n FROM memory_version WHERE memory_id = ?',
        id,
      )
      return { ...(yield* get(session, id)), semantic, versions }
    }),

  mark: (project, id, decide) =>
    database.write(project, function* (session) {
      yield* session.lock('memory', [id])
      const found = yield* findMemory(session, id)
      const { tags, ...marks } = decide(found)
      requireFound('memory', id, found)
      if (tags !== undefined) yield* writeTags(session, id, tags)
      for (const [mark, column] of markColumns)
        if (marks[mark] !== undefined) yield* session.update('memory', { id, [column]: marks[mark] })
      return yield* get(session, id)
    }),

  versions: (project, id) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<VersionRow>(
        `SELECT version.* FROM memory_version AS version JOIN memory ON memory.id = memory_id
         WHERE memory_id = ? AND memory.project_id = @project ORDER BY version.created_at, version.id`,
        id,
      )
      return rows.map(toVersion)
    }),

  mergedInto: (project, formerId) =>
    database.read(project, function* (session) {
      const row = yield* session.first<{ id: number }>(
        `SELECT memory.id FROM memory_version JOIN memory ON memory.id = memory_id
         WHERE former_id = ? AND memory.project_id = @project`,
        formerId,
      )
      return row?.id
    }),

  merge: (project, ids, decide) =>
    database.write(project, function* (session) {
      const wanted = [ids.kept, ...ids.older]
      yield* session.lock('memory', wanted)
      const found: Memory[] = []
      for (const id of wanted) {
        const memory = yield* findMemory(session, id)
        if (typeof memory !== 'object') return false
        found.push(memory)
      }
      const [kept, ...older] = found
      const merging = kept && decide(kept, older)
      if (kept === undefined || merging === undefined) return false
      const { now, caution, tags, pinnedAt, expiresAt } = merging
      for (const memory of older) {
        yield* handOver(session, memory.id, kept.id)
        const version = { ...toReplaced(memory, now), formerId: memory.id }
        yield* insertVersion(session, { memoryId: kept.id, ...version })
        yield* indexes.remove(session, memory.id)
      }
      yield* session.update('memory', { id: kept.id, pinned_at: pinnedAt, expires_at: expiresAt })
      // A graver warning is said at this moment: what was said before stands among the versions.
      if (caution !== kept.caution) {
        yield* insertVersion(session, { memoryId: kept.id, ...toReplaced(kept, now) })
        yield* session.update('memory', { id: kept.id, caution, edited_at: now })
      }
      yield* writeTags(session, kept.id, tags)
      return true
    }),
})
