/** What finds a memory in PostgreSQL, where its text changes and where it goes; most of it goes with the row by itself. */
import { termsOf } from '../rows/memories.ts'
import type { MemoryIndexes } from '../sql/memory-life.ts'
import { removeBeside } from '../sql/provenance.ts'
import { lengthOf } from './keeping.ts'
import { isMoving } from './models.ts'
import { readEmbeddings } from './outgoing-vectors.ts'
import { listUnembedded, removePassages, writePassages } from './passages.ts'
import { transactionOf } from './session.ts'
import { removeTerms, writeTerms } from './terms.ts'

export const memoryIndexes: MemoryIndexes = {
  *amend(session, before, { text, caution, agent, now, embedding: given }) {
    const transaction = transactionOf(session)
    const { id } = before
    const terms = termsOf(text)
    const indexed = yield* session.first<{ terms: string }>(
      'SELECT terms FROM memory WHERE project_id = @project AND id = ?',
      id,
    )
    yield removeTerms(transaction, { id, terms: indexed?.terms ?? '', caution: before.caution })
    const row = { text, terms, length: lengthOf(terms), caution, agent, edited_at: now }
    yield* session.update('memory', { id, ...row })
    yield writeTerms(transaction, [{ id, terms, caution }])
    // On the way to another model, which may have been through with this memory: it takes what is listed, too.
    const written = async (): Promise<boolean> => {
      const kept = text === before.text ? await readEmbeddings(transaction, [id]) : undefined
      const embedding = given ?? kept?.get(id)
      await removePassages(transaction, id)
      const semantic = await writePassages(transaction, [{ id, caution, embedding }])
      if (await isMoving(transaction)) await listUnembedded(transaction, [id])
      return semantic.has(id)
    }
    return (yield written()) === true
  },

  *remove(session, id) {
    yield* removeBeside(session, { kind: 'memory', id })
    yield* session.run('DELETE FROM memory WHERE project_id = @project AND id = ?', id)
  },
}
