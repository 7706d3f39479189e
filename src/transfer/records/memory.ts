/** A memory as a line of an export: what was never said of it is not in its line. */
import { flagged, id, number, text } from '../../operations/schemas.ts'
import { maxExemptions } from '../../store/store.ts'
import type { RecordOf } from '../../store/transfer.ts'
import {
  circumstances,
  citations,
  defineLine,
  ifSaid,
  kept,
  latest,
  moment,
  named,
  object,
  taggedWith,
} from './members.ts'

/** The most verdicts on one memory that its line tells. */
const maxVerdicts = 10_000

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
  exemptions: ifSaid(latest(object({ topic: kept(text()), createdAt: moment() }), maxExemptions)),
  recallVerdicts: ifSaid(
    latest(object({ score: kept(number(0, 1)), right: kept(flagged()), createdAt: moment() }), maxVerdicts),
  ),
})
