/** What one agent noted about another, as a line of an export. */
import { observationKinds } from '../../core/records.ts'
import { id, oneOf, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { circumstances, defineLine, kept, moment, named, orNull } from './members.ts'

export const observation = defineLine<RecordOf<'observation'>>('observation', {
  id: kept(id()),
  observerAgent: named(),
  subjectAgent: named(),
  observation: kept(text()),
  kind: orNull(kept(oneOf(observationKinds))),
  createdAt: moment(),
  circumstances: circumstances(),
})
