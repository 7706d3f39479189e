/** An event in a belief's trail as a line of an export. */
import { BrainError } from '../../core/errors.ts'
import { evidenceKinds } from '../../core/records.ts'
import { logLikelihoodOf } from '../../core/sprt.ts'
import { anyNumber, id, number, oneOf, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { circumstances, citations, defineLine, ifSaid, kept, moment, named, orNull } from './members.ts'

/** Figures that are computed anew may differ by so much on another machine. */
const sameFigure = 1e-9

export const evidence = defineLine<RecordOf<'evidence'>>(
  'evidence',
  {
    id: kept(id()),
    beliefId: kept(id()),
    kind: kept(oneOf(evidenceKinds)),
    strength: kept(number(0.1, 0.9)),
    logLikelihood: kept(anyNumber()),
    note: orNull(kept(text())),
    createdAt: moment(),
    source: ifSaid(named()),
    run: ifSaid(named()),
    circumstances: circumstances({ agent: true }),
    citations: citations(),
  },
  ({ kind, strength, logLikelihood, source }) => {
    // What repeats another of its source weighs nothing.
    const repeated = source !== undefined && logLikelihood === 0
    if (!repeated && !(Math.abs(logLikelihood - logLikelihoodOf(kind, strength)) < sameFigure))
      throw new BrainError('invalid', 'log_likelihood must be that of its kind and strength')
  },
)
