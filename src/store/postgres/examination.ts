/**
 * What must agree with what inside one project: memories with their keyword entries, vectors and counts. Knows how each
 * disagreement is mended from what is not derived.
 */
import { counted } from '../../core/counts.ts'
import { healthy, type Unmended } from '../findings.ts'
import { readServedModel } from './models.ts'
import { listUnembedded } from './passages.ts'
import { type IndexedMemory, writeTerms } from './terms.ts'
import type { Transaction } from './transaction.ts'

/** A finding, and how to mend it in a write if it can be mended without loss. */
export interface Examined extends Unmended {
  readonly mend?: (transaction: Transaction) => Promise<unknown>
}

/** Memories indexed again at a time. */
const pageSize = 500

/** Rewrites the index entries of memories, some of which may be gone. */
async function reindex(transaction: Transaction, ids: readonly number[]): Promise<void> {
  const { projectId } = transaction
  for (const table of ['posting', 'flag_term'])
    await transaction.run(`DELETE FROM ${table} WHERE project_id = $1 AND memory_id = ANY($2::bigint[])`, [
      projectId,
      ids,
    ])
  for (let from = 0; from < ids.length; from += pageSize) {
    const memories = await transaction.all<IndexedMemory>(
      'SELECT id, terms, caution FROM memory WHERE project_id = $1 AND id = ANY($2::bigint[])',
      [projectId, ids.slice(from, from + pageSize)],
    )
    await writeTerms(transaction, memories)
  }
}

async function examineKeywords(transaction: Transaction, name: string): Promise<Examined> {
  const check = `keywords of ${name}`
  const wrong = await transaction.all<{ id: number }>(
    `WITH own AS (SELECT id, length, terms, caution FROM memory WHERE project_id = $1),
       held AS (SELECT memory_id, sum(count) AS terms FROM posting WHERE project_id = $1 GROUP BY memory_id),
       flagged AS (SELECT memory_id, count(*) AS terms FROM flag_term WHERE project_id = $1 GROUP BY memory_id)
     SELECT coalesce(own.id, held.memory_id) AS id FROM own
       FULL JOIN held ON held.memory_id = own.id LEFT JOIN flagged ON flagged.memory_id = own.id
     WHERE own.id IS NULL OR own.length <> coalesce(held.terms, 0)
       OR CASE WHEN caution > 0
            THEN (SELECT count(DISTINCT term) FROM unnest(string_to_array(own.terms, ' ')) AS term) ELSE 0 END
          <> coalesce(flagged.terms, 0)`,
    [transaction.projectId],
  )
  if (wrong.length === 0) return healthy(check, 'the index agrees with the memories')
  const ids = wrong.map(({ id }) => id)
  return {
    check,
    ok: false,
    detail: `the index does not agree with ${counted(ids.length, 'memory', 'memories')}`,
    mend: (writing) => reindex(writing, ids),
  }
}

async function examineBacklog(transaction: Transaction, name: string): Promise<Examined> {
  const check = `backlog of ${name}`
  const served = await readServedModel(transaction)
  const { projectId } = transaction
  const lost = await transaction.all<{ id: number }>(
    `SELECT id FROM memory WHERE project_id = $1
       AND NOT EXISTS (SELECT 1 FROM passage WHERE project_id = $1 AND memory_id = memory.id AND model_id = $2)
       AND NOT EXISTS (SELECT 1 FROM unembedded WHERE project_id = $1 AND memory_id = memory.id)`,
    [projectId, served ?? 0],
  )
  const waiting = await transaction.first<{ n: number }>(
    'SELECT count(*) AS n FROM unembedded WHERE project_id = $1',
    [projectId],
  )
  if (lost.length === 0)
    return healthy(check, `every memory has its vectors or waits for them (${waiting?.n ?? 0} wait)`)
  const ids = lost.map(({ id }) => id)
  return {
    check,
    ok: false,
    detail: `${counted(ids.length, 'memory has no vectors and does', 'memories have no vectors and do')} not wait for them`,
    mend: (writing) => listUnembedded(writing, ids),
  }
}

/** Memories, terms and waiting ones as they are. */
const figures = `(SELECT count(*) FROM memory WHERE project_id = $1) AS memories,
  (SELECT coalesce(sum(length), 0) FROM memory WHERE project_id = $1)::bigint AS terms,
  (SELECT count(*) FROM unembedded WHERE project_id = $1) AS unembedded`

async function examineCounts(transaction: Transaction, name: string): Promise<Examined> {
  const check = `counts of ${name}`
  const wrong = await transaction.first(
    `SELECT 1 FROM (SELECT ${figures}) AS held,
       (SELECT coalesce(sum(memories), 0) AS memories, coalesce(sum(terms), 0) AS terms,
               coalesce(sum(unembedded), 0) AS unembedded FROM tally WHERE project_id = $1) AS said
     WHERE (held.memories, held.terms, held.unembedded) <> (said.memories, said.terms, said.unembedded)`,
    [transaction.projectId],
  )
  if (wrong === undefined) return healthy(check, 'as they are told')
  return {
    check,
    ok: false,
    detail: 'memories, terms or waiting ones are miscounted',
    mend: async (writing) => {
      // Whoever counts meanwhile waits for this one, or was waited for.
      await writing.run('DELETE FROM tally WHERE project_id = $1', [writing.projectId])
      await writing.run(
        `INSERT INTO tally (project_id, slot, memories, terms, unembedded) SELECT $1, 0, ${figures}`,
        [writing.projectId],
      )
    },
  }
}

/** In the order in which a repair has to go. Inside a read of the project. */
export const examineProject = async (transaction: Transaction, name: string): Promise<Examined[]> => [
  await examineKeywords(transaction, name),
  await examineBacklog(transaction, name),
  await examineCounts(transaction, name),
]
