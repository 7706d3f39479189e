/**
 * Records taken away with all that belongs to them. Knows which tables a record of each kind lives in besides its own and
 * those that go with it by themselves; docs/teams.md describes what a server keeps of removed rows.
 */
import type { RecordKind } from '../../core/records.ts'
import { textOf } from '../rows/texts.ts'
import type { RemovalStore } from '../store.ts'
import type { Database } from './connection.ts'
import { findOwn, lock } from './own.ts'
import { removeBeside } from './provenance.ts'
import type { Transaction } from './transaction.ts'

/** With its trail. What it took the place of is superseded by what took its own, or stands again. */
async function forgetTrail(transaction: Transaction, id: number): Promise<void> {
  const values = [transaction.projectId, id]
  for (const table of ['provenance', 'citation'])
    await transaction.run(
      `DELETE FROM ${table} WHERE project_id = $1 AND kind = 'evidence' AND record_id IN
         (SELECT id FROM evidence WHERE project_id = $1 AND belief_id = $2)`,
      values,
    )
  await transaction.run('DELETE FROM evidence WHERE project_id = $1 AND belief_id = $2', values)
  await transaction.run(
    `UPDATE belief SET superseded_by = (SELECT superseded_by FROM belief WHERE project_id = $1 AND id = $2)
     WHERE project_id = $1 AND superseded_by = $2`,
    values,
  )
}

async function remove(transaction: Transaction, kind: RecordKind, id: number): Promise<void> {
  if (kind === 'belief') await forgetTrail(transaction, id)
  if (kind !== 'dream') await removeBeside(transaction, { kind, id })
  await transaction.run(`DELETE FROM ${kind} WHERE project_id = $1 AND id = $2`, [transaction.projectId, id])
}

/** Earlier texts of a memory. */
const textsOfVersions = async (transaction: Transaction, id: number): Promise<string[]> =>
  (
    await transaction.all<{ text: string }>(
      'SELECT text FROM memory_version WHERE project_id = $1 AND memory_id = $2',
      [transaction.projectId, id],
    )
  ).map(({ text }) => text)

export const createRemovalStore = (database: Database): RemovalStore => ({
  forget: (project, { kind, ids }, decide) =>
    database.write(project, async (transaction) => {
      await lock(transaction, kind, ids)
      for (const id of ids) {
        const earlier = kind === 'memory' ? await textsOfVersions(transaction, id) : []
        const found = await findOwn(transaction, {
          table: kind,
          id,
          select: `SELECT ${textOf[kind]} AS text FROM ${kind}`,
          toRecord: ({ text }: { text: string }) => ({ texts: [text, ...earlier] }),
        })
        decide(id, found)
        if (typeof found === 'object') await remove(transaction, kind, id)
      }
    }),
})
