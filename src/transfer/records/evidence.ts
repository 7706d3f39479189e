/** An event in a belief's trail as a line of an export. */
import { BrainError } from '../../core/errors.ts'
import { evidenceKinds } from '../../core/records.ts'
import { logLikelihoodOf } from '../../core/sprt.ts'
import {
  anyNumber,
  at,
  id,
  name,
  number,
  oneOf,
  optional,
  text,
  time,
  toTimestamp,
} from '../../operations/schemas.ts'
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

/** Figures that are computed anew may differ by so much on another machine. */
const sameFigure = 1e-9

export const evidence = defineCodec({
  members: {
    type: type(),
    id: id(),
    belief_id: id(),
    kind: oneOf(evidenceKinds),
    strength: number(0.1, 0.9),
    log_likelihood: anyNumber(),
    note: optional(text()),
    created_at: time(),
    source: optional(name()),
    run: optional(name()),
    agent: optional(name()),
    ...circumstanceMembers,
    ...citationMembers,
  },
  toWire: (line: RecordOf<'evidence'>) => ({
    type: line.type,
    id: line.id,
    belief_id: line.beliefId,
    kind: line.kind,
    strength: line.strength,
    log_likelihood: line.logLikelihood,
    note: line.note,
    created_at: toTimestamp(line.createdAt),
    ...(line.source !== undefined && { source: line.source }),
    ...(line.run !== undefined && { run: line.run }),
    ...circumstancesToWire(line),
    ...citationsToWire(line),
  }),
  fromWire: (wire) => {
    // What repeats another of its source weighs nothing.
    const repeated = wire.source != null && wire.log_likelihood === 0
    const own = logLikelihoodOf(wire.kind, wire.strength)
    if (!repeated && !(Math.abs(wire.log_likelihood - own) < sameFigure)) {
      throw new BrainError('invalid', 'log_likelihood must be that of its kind and strength')
    }
    return {
      type: 'evidence',
      id: wire.id,
      beliefId: wire.belief_id,
      kind: wire.kind,
      strength: wire.strength,
      logLikelihood: wire.log_likelihood,
      note: wire.note ?? null,
      createdAt: at(wire.created_at),
      ...(wire.source != null && { source: wire.source.trim() }),
      ...(wire.run != null && { run: wire.run.trim() }),
      ...circumstancesFromWire(wire),
      ...citationsFromWire(wire),
    }
  },
})
