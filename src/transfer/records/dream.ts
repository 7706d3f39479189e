/** A dream as a line of an export. */
import * as z from 'zod/mini'
import { dreamKinds } from '../../core/records.ts'
import {
  at,
  atOrNull,
  id,
  number,
  oneOf,
  optional,
  text,
  time,
  timestampOrNull,
  toTimestamp,
} from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { defineCodec, type } from './members.ts'

export const dream = defineCodec({
  members: {
    type: type(),
    id: id(),
    kind: oneOf(dreamKinds),
    thought: text(),
    source_memory_ids: z.array(id(), { error: 'must be a list of ids' }),
    novelty: number(0, 1),
    origin: z.string().check(z.regex(/^[a-z]+:[\w.,]*$/, 'must be a kind and its sources')),
    created_at: time(),
    read_at: optional(time()),
  },
  toWire: (line: RecordOf<'dream'>) => ({
    type: line.type,
    id: line.id,
    kind: line.kind,
    thought: line.thought,
    source_memory_ids: line.sourceMemoryIds,
    novelty: line.novelty,
    origin: line.origin,
    created_at: toTimestamp(line.createdAt),
    read_at: timestampOrNull(line.readAt),
  }),
  fromWire: (wire): RecordOf<'dream'> => ({
    type: 'dream',
    id: wire.id,
    kind: wire.kind,
    thought: wire.thought,
    sourceMemoryIds: wire.source_memory_ids,
    novelty: wire.novelty,
    origin: wire.origin,
    createdAt: at(wire.created_at),
    readAt: atOrNull(wire.read_at),
  }),
})
