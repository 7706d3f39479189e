/** Changes to a memory in PostgreSQL: its versions, tags, pin and expiry, and merging. */
import type { Memory, MemoryVersion } from '../../core/records.ts'
import type { MemoryEdit, MemoryLife, Merging } from '../memory-life.ts'
import {
  fromVersion,
  type MemoryRow,
  termsOf,
  toMemory,
  toReplaced,
  toVersion,
  type VersionRow,
} from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import type { AddedMemory } from '../store.ts'
import type { Database } from './connection.ts'
import { lengthOf, writeTags } from './keeping.ts'
import { findMemory } from './memories.ts'
import { selectedColumns } from './memory-columns.ts'
import { isMoving } from './models.ts'
import { insertOwn, lock, requireFound, updateOwn } from './own.ts'
import { listUnembedded, removePassages, writePassages } from './passages.ts'
import { removeBeside } from './provenance.ts'
import { removeTerms, writeTerms } from './terms.ts'
import type { Transaction } from './transaction.ts'

/** An earlier text of a memory, inside a write. Returns its id: the one given, or the next. */
export const insertVersion = (
  transaction: Transaction,
  { id, memoryId, ...version }: MemoryVersion & { readonly id?: number; readonly memoryId: number },
): Promise<number> =>
  insertOwn(transaction, 'memory_version', { id, row: { memory_id: memoryId, ...fromVersion(version) } })

const get = async (transaction: Transaction, id: number): Promise<Memory> =>
  requireFound('memory', id, await findMemory(transaction, id))

/** Puts a text in the place of a memory's, with all that finds it. The row is locked. */
async function amend(transaction: Transaction, before: Memory, edit: MemoryEdit): Promise<AddedMemory> {
  const { id } = before
  const { text, caution, agent, now, embedding } = edit
  const terms = termsOf(text)
  const indexed = await transaction.first<{ terms: string }>(
    'SELECT terms FROM memory WHERE project_id = $1 AND id = $2',
    [transaction.projectId, id],
  )
  await insertVersion(transaction, { memoryId: id, ...toReplaced(before, now) })
  await removeTerms(transaction, { id, terms: indexed?.terms ?? '', caution: before.caution })
  await removePassages(transaction, id)
  const row = { text, terms, length: lengthOf(terms), caution, agent, edited_at: now }
  await updateOwn(transaction, 'memory', { id, ...row })
  await writeTerms(transaction, [{ id, terms, caution }])
  const semantic = await writePassages(transaction, [{ id, caution, embedding }])
  // On the way to another model, which may have been through with this memory: it takes what is listed, too.
  if (await isMoving(transaction)) await listUnembedded(transaction, [id])
  return { ...(await get(transaction, id)), semantic: semantic.has(id) }
}

/** Transfers what belongs to one memory to another. Inside a write. */
async function handOver(transaction: Transaction, from: number, to: number): Promise<void> {
  const values = [transaction.projectId, from, to]
  // A dream of both is one of the other alone.
  await transaction.run(
    `DELETE FROM dream_source WHERE project_id = $1 AND memory_id = $2 AND dream_id IN
       (SELECT dream_id FROM dream_source WHERE project_id = $1 AND memory_id = $3)`,
    values,
  )
  for (const table of ['memory_version', 'dream_source', 'exemption', 'recall_verdict'])
    await transaction.run(
      `UPDATE ${table} SET memory_id = $3 WHERE project_id = $1 AND memory_id = $2`,
      values,
    )
  await transaction.run(
    "UPDATE citation SET record_id = $3 WHERE project_id = $1 AND kind = 'memory' AND record_id = $2",
    values,
  )
}

interface Parts extends Merging {
  readonly kept: Memory
  readonly older: readonly Memory[]
}

async function merge(
  transaction: Transaction,
  { kept, older, now, caution, tags, pinnedAt }: Parts,
): Promise<void> {
  for (const memory of older) {
    await handOver(transaction, memory.id, kept.id)
    await insertVersion(transaction, {
      memoryId: kept.id,
      ...toReplaced(memory, now),
      formerId: memory.id,
    })
    await removeBeside(transaction, { kind: 'memory', id: memory.id })
    await transaction.run('DELETE FROM memory WHERE project_id = $1 AND id = $2', [
      transaction.projectId,
      memory.id,
    ])
  }
  await updateOwn(transaction, 'memory', { id: kept.id, caution, pinned_at: pinnedAt })
  await writeTags(transaction, kept.id, tags)
}

export const createMemoryLife = (database: Database): MemoryLife => ({
  amend: (project, id, decide) =>
    database.write(project, async (transaction) => {
      await lock(transaction, 'memory', [id])
      const found = await findMemory(transaction, id)
      const edit = decide(found)
      requireVectors(edit.embedding)
      return amend(transaction, requireFound('memory', id, found), edit)
    }),

  mark: (project, id, decide) =>
    database.write(project, async (transaction) => {
      await lock(transaction, 'memory', [id])
      const found = await findMemory(transaction, id)
      const { tags, pinnedAt, expiresAt } = decide(found)
      requireFound('memory', id, found)
      if (tags !== undefined) await writeTags(transaction, id, tags)
      if (pinnedAt !== undefined) await updateOwn(transaction, 'memory', { id, pinned_at: pinnedAt })
      if (expiresAt !== undefined) await updateOwn(transaction, 'memory', { id, expires_at: expiresAt })
      return get(transaction, id)
    }),

  versions: (project, id) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<VersionRow>(
        'SELECT * FROM memory_version WHERE project_id = $1 AND memory_id = $2 ORDER BY created_at, id',
        [transaction.projectId, id],
      )
      return rows.map(toVersion)
    }),

  mergedInto: (project, formerId) =>
    database.read(project, async (transaction) => {
      const row = await transaction.first<{ id: number }>(
        'SELECT memory_id AS id FROM memory_version WHERE project_id = $1 AND former_id = $2',
        [transaction.projectId, formerId],
      )
      return row?.id
    }),

  merge: (project, ids, decide) =>
    database.write(project, async (transaction) => {
      const wanted = [ids.kept, ...ids.older]
      await lock(transaction, 'memory', wanted)
      const found: Memory[] = []
      for (const id of wanted) {
        const memory = await findMemory(transaction, id)
        if (typeof memory !== 'object') return false
        found.push(memory)
      }
      const [kept, ...older] = found
      const merging = kept && decide(kept, older)
      if (kept === undefined || merging === undefined) return false
      await merge(transaction, { kept, older, ...merging })
      return true
    }),

  pinned: (project, { limit, now }) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<MemoryRow>(
        `SELECT ${selectedColumns} FROM memory
         WHERE project_id = $1 AND pinned_at IS NOT NULL AND (expires_at IS NULL OR expires_at > $2)
         ORDER BY pinned_at DESC, id DESC LIMIT $3`,
        [transaction.projectId, now, limit],
      )
      return rows.map(toMemory)
    }),
})
