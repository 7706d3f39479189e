/** A memory as a line of an export: what was never said of it is not in its line. */
import { id, number, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { circumstances, citations, defineLine, ifSaid, kept, moment, named, taggedWith } from './members.ts'

export const memory = defineLine<RecordOf<'memory'>>('memory', {
  id: kept(id()),
  text: kept(text()),
  caution: kept(number(0, 1)),
  agent: named(),
  createdAt: moment(),
  editedAt: ifSaid(moment()),
  pinnedAt: ifSaid(moment()),
  expiresAt: ifSaid(moment()),
  tags: ifSaid(taggedWith()),
  circumstances: circumstances(),
  citations: citations(),
})
