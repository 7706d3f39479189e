/** A belief as a line of an export. */
import { BrainError } from '../../core/errors.ts'
import { beliefStatuses } from '../../core/records.ts'
import { highestConfidence, lowestConfidence } from '../../core/sprt.ts'
import {
  anyNumber,
  at,
  atOrNull,
  id,
  integer,
  name,
  number,
  oneOf,
  optional,
  text,
  time,
  timestampOrNull,
  toTimestamp,
} from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import {
  circumstanceMembers,
  circumstancesFromWire,
  circumstancesToWire,
  defineCodec,
  type,
} from './members.ts'

export const belief = defineCodec({
  members: {
    type: type(),
    id: id(),
    text: text(),
    prior: number(lowestConfidence, highestConfidence),
    confidence: number(lowestConfidence, highestConfidence),
    sprt_log_ratio: anyNumber(),
    sprt_status: oneOf(beliefStatuses),
    evidence_count: integer(0),
    last_evidence_at: optional(time()),
    superseded_by: optional(id()),
    created_at: time(),
    agent: optional(name()),
    ...circumstanceMembers,
  },
  toWire: (line: RecordOf<'belief'>) => ({
    type: line.type,
    id: line.id,
    text: line.text,
    prior: line.prior,
    confidence: line.confidence,
    sprt_log_ratio: line.logRatio,
    sprt_status: line.status,
    evidence_count: line.evidenceCount,
    last_evidence_at: timestampOrNull(line.lastEvidenceAt),
    superseded_by: line.supersededBy,
    created_at: toTimestamp(line.createdAt),
    ...circumstancesToWire(line),
  }),
  fromWire: (wire) => {
    // A belief is replaced by one that was not there yet, so that no two can replace each other.
    if (wire.superseded_by != null && wire.superseded_by <= wire.id) {
      throw new BrainError('invalid', 'superseded_by must be the id of a later belief')
    }
    return {
      type: 'belief',
      id: wire.id,
      text: wire.text,
      prior: wire.prior,
      confidence: wire.confidence,
      logRatio: wire.sprt_log_ratio,
      status: wire.sprt_status,
      evidenceCount: wire.evidence_count,
      lastEvidenceAt: atOrNull(wire.last_evidence_at),
      supersededBy: wire.superseded_by ?? null,
      createdAt: at(wire.created_at),
      ...circumstancesFromWire(wire),
    }
  },
})
