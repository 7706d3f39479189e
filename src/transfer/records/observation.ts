/** What one agent noted about another, as a line of an export. */
import { observationKinds } from '../../core/records.ts'
import { at, id, name, oneOf, optional, text, time, toTimestamp } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import {
  circumstanceMembers,
  circumstancesFromWire,
  circumstancesToWire,
  defineCodec,
  type,
} from './members.ts'

export const observation = defineCodec({
  members: {
    type: type(),
    id: id(),
    observer_agent: name(),
    subject_agent: name(),
    observation: text(),
    kind: optional(oneOf(observationKinds)),
    created_at: time(),
    ...circumstanceMembers,
  },
  toWire: (line: RecordOf<'observation'>) => ({
    type: line.type,
    id: line.id,
    observer_agent: line.observerAgent,
    subject_agent: line.subjectAgent,
    observation: line.observation,
    kind: line.kind,
    created_at: toTimestamp(line.createdAt),
    ...circumstancesToWire(line),
  }),
  fromWire: (wire) => ({
    type: 'observation',
    id: wire.id,
    observerAgent: wire.observer_agent.trim(),
    subjectAgent: wire.subject_agent.trim(),
    observation: wire.observation,
    kind: wire.kind ?? null,
    createdAt: at(wire.created_at),
    ...circumstancesFromWire(wire),
  }),
})
