/** An earlier text of a memory as a line of an export. */
import { BrainError } from '../../core/errors.ts'
import { at, id, name, number, optional, text, time, toTimestamp } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { defineCodec, type } from './members.ts'

export const version = defineCodec({
  members: {
    type: type(),
    id: id(),
    memory_id: id(),
    text: text(),
    caution: number(0, 1),
    agent: name(),
    created_at: time(),
    replaced_at: time(),
    former_id: optional(id()),
  },
  toWire: (line: RecordOf<'version'>) => ({
    type: line.type,
    id: line.id,
    memory_id: line.memoryId,
    text: line.text,
    caution: line.caution,
    agent: line.agent,
    created_at: toTimestamp(line.createdAt),
    replaced_at: toTimestamp(line.replacedAt),
    ...(line.formerId !== undefined && { former_id: line.formerId }),
  }),
  fromWire: (wire): RecordOf<'version'> => {
    if (wire.former_id === wire.memory_id)
      throw new BrainError('invalid', 'former_id must be another id than memory_id')
    return {
      type: 'version',
      id: wire.id,
      memoryId: wire.memory_id,
      text: wire.text,
      caution: wire.caution,
      agent: wire.agent.trim(),
      createdAt: at(wire.created_at),
      replacedAt: at(wire.replaced_at),
      ...(wire.former_id != null && { formerId: wire.former_id }),
    }
  },
})
