/** An earlier text of a memory as a line of an export. */
import { BrainError } from '../../core/errors.ts'
import { id, number, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { defineLine, ifSaid, kept, moment, named } from './members.ts'

export const version = defineLine<RecordOf<'version'>>(
  'version',
  {
    id: kept(id()),
    memoryId: kept(id()),
    text: kept(text()),
    caution: kept(number(0, 1)),
    agent: named(),
    createdAt: moment(),
    replacedAt: moment(),
    formerId: ifSaid(kept(id())),
  },
  ({ formerId, memoryId }) => {
    if (formerId === memoryId) throw new BrainError('invalid', 'former_id must be another id than memory_id')
  },
)
