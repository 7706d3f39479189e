/** Takes memories from outside into PostgreSQL, in few round trips. */
import { writeAnnotations } from '../sql/annotations.ts'
import type { Intake, Taken } from '../sql/intake.ts'
import type { StagedRecord } from '../transfer.ts'
import { insertMemories } from './keeping.ts'
import { over } from './session.ts'
import type { Transaction } from './transaction.ts'

/** A record and its vectors, wherever it was staged. */
type Arriving = Pick<StagedRecord, 'record' | 'embedding'>

/** Takes memories in, in the project that the transaction is in. */
export async function takeMemories(
  transaction: Transaction,
  intake: Intake,
  staged: readonly Arriving[],
): Promise<Taken[]> {
  const known = new Map<Arriving, number>()
  for (const one of staged) {
    const { record } = one
    if (record.type !== 'memory') continue
    const id = await over(transaction, (session) => intake.find(session, record))
    if (id !== undefined) known.set(one, id)
  }
  const fresh = staged.filter((one) => !known.has(one))
  const made = await insertMemories(
    transaction,
    fresh.flatMap(({ record, embedding }) => {
      if (record.type !== 'memory') return []
      const { type: _, id, ...memory } = record
      return [{ ...intake.own('memory', id), memory: { ...memory, ...(embedding && { embedding }) } }]
    }),
  )
  const ids = new Map(fresh.map((one, at) => [one, made[at]?.id ?? 0]))
  for (const [{ record }, id] of ids)
    if (record.type === 'memory') await over(transaction, (session) => writeAnnotations(session, id, record))
  return staged.map((one) => {
    const here = known.get(one)
    return here === undefined ? { id: ids.get(one) ?? 0, known: false } : { id: here, known: true }
  })
}
