/** A memory as a line of an export: what was never said of it is not in its line. */

import { at, id, name, number, optional, tags, text, time, toTimestamp } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import {
  circumstanceMembers,
  circumstancesFromWire,
  circumstancesToWire,
  citationMembers,
  citationsFromWire,
  citationsToWire,
  defineCodec,
  type,
} from './members.ts'

export const memory = defineCodec({
  members: {
    type: type(),
    id: id(),
    text: text(),
    caution: number(0, 1),
    agent: name(),
    created_at: time(),
    edited_at: optional(time()),
    pinned_at: optional(time()),
    expires_at: optional(time()),
    tags: optional(tags()),
    ...circumstanceMembers,
    ...citationMembers,
  },
  toWire: (line: RecordOf<'memory'>) => ({
    type: line.type,
    id: line.id,
    text: line.text,
    caution: line.caution,
    agent: line.agent,
    created_at: toTimestamp(line.createdAt),
    ...(line.editedAt !== undefined && { edited_at: toTimestamp(line.editedAt) }),
    ...(line.pinnedAt !== undefined && { pinned_at: toTimestamp(line.pinnedAt) }),
    ...(line.expiresAt !== undefined && { expires_at: toTimestamp(line.expiresAt) }),
    ...(line.tags !== undefined && { tags: line.tags }),
    ...circumstancesToWire(line),
    ...citationsToWire(line),
  }),
  fromWire: ({ agent, ...wire }): RecordOf<'memory'> => ({
    type: 'memory',
    id: wire.id,
    text: wire.text,
    caution: wire.caution,
    agent: agent.trim(),
    createdAt: at(wire.created_at),
    ...(wire.edited_at != null && { editedAt: at(wire.edited_at) }),
    ...(wire.pinned_at != null && { pinnedAt: at(wire.pinned_at) }),
    ...(wire.expires_at != null && { expiresAt: at(wire.expires_at) }),
    ...(wire.tags != null && { tags: wire.tags.map((name) => name.trim()) }),
    ...circumstancesFromWire({ ...wire, agent: null }),
    ...citationsFromWire(wire),
  }),
})
