/** Memories written into PostgreSQL as the store writes them. */

import type { Database } from '../../src/store/postgres/connection.ts'
import { writePassages } from '../../src/store/postgres/passages.ts'
import { writeTerms } from '../../src/store/postgres/terms.ts'
import { termsOf } from '../../src/store/rows/memories.ts'
import type { NewMemory } from '../../src/store/store.ts'

/** Keeps memories; returns their ids. */
export const keepIn = (
  database: Database,
  project: string,
  memories: readonly NewMemory[],
): Promise<number[]> =>
  database.write(
    project,
    async (transaction) => {
      const indexed: { id: number; terms: string; caution: number; embedding: NewMemory['embedding'] }[] = []
      for (const { text, caution, agent, createdAt, expiresAt, tags = [], embedding } of memories) {
        const terms = termsOf(text)
        const row = await transaction.first<{ id: number }>(
          `INSERT INTO memory (project_id, text, terms, length, caution, agent, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
          [
            transaction.projectId,
            text,
            terms,
            terms === '' ? 0 : terms.split(' ').length,
            caution,
            agent,
            createdAt,
            expiresAt ?? null,
          ],
        )
        const id = row?.id ?? 0
        for (const tag of tags)
          await transaction.run('INSERT INTO tag (project_id, name, memory_id) VALUES ($1, $2, $3)', [
            transaction.projectId,
            tag,
            id,
          ])
        indexed.push({ id, terms, caution, embedding })
      }
      await writeTerms(transaction, indexed)
      await writePassages(transaction, indexed)
      return indexed.map(({ id }) => id)
    },
    { makes: true },
  )
