/** A belief as a line of an export. */
import { BrainError } from '../../core/errors.ts'
import { beliefStatuses } from '../../core/records.ts'
import { highestConfidence, lowestConfidence } from '../../core/sprt.ts'
import { anyNumber, id, integer, number, oneOf, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { called, circumstances, defineLine, kept, moment, orNull } from './members.ts'

const confidence = () => kept(number(lowestConfidence, highestConfidence))

export const belief = defineLine<RecordOf<'belief'>>(
  'belief',
  {
    id: kept(id()),
    text: kept(text()),
    prior: confidence(),
    confidence: confidence(),
    logRatio: called('sprt_log_ratio', kept(anyNumber())),
    status: called('sprt_status', kept(oneOf(beliefStatuses))),
    evidenceCount: kept(integer(0)),
    lastEvidenceAt: orNull(moment()),
    supersededBy: orNull(kept(id())),
    createdAt: moment(),
    circumstances: circumstances({ agent: true }),
  },
  ({ id, supersededBy }) => {
    // A belief is replaced by one that was not there yet, so that no two can replace each other.
    if (supersededBy !== null && supersededBy <= id)
      throw new BrainError('invalid', 'superseded_by must be the id of a later belief')
  },
)
