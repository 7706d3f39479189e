/** A dream as a line of an export. */
import * as z from 'zod/mini'
import { dreamKinds, feedbackVerdicts } from '../../core/records.ts'
import { id, number, oneOf, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { defineLine, ifSaid, kept, latest, moment, object, orNull } from './members.ts'

/** The most reasons that a dream's line tells. */
const maxReasons = 1_000

export const dream = defineLine<RecordOf<'dream'>>('dream', {
  id: kept(id()),
  kind: kept(oneOf(dreamKinds)),
  thought: kept(text()),
  sourceMemoryIds: kept(z.array(id(), { error: 'must be a list of ids' })),
  novelty: kept(number(0, 1)),
  origin: kept(z.string().check(z.regex(/^[a-z]+:[\w.,]*$/, 'must be a kind and its sources'))),
  createdAt: moment(),
  readAt: orNull(moment()),
  reasons: ifSaid(latest(kept(text()), maxReasons)),
  feedback: ifSaid(object({ verdict: kept(oneOf(feedbackVerdicts)), createdAt: moment() })),
})
