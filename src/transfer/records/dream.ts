/** A dream as a line of an export. */
import * as z from 'zod/mini'
import { dreamKinds } from '../../core/records.ts'
import { id, number, oneOf, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { defineLine, kept, moment, orNull } from './members.ts'

export const dream = defineLine<RecordOf<'dream'>>('dream', {
  id: kept(id()),
  kind: kept(oneOf(dreamKinds)),
  thought: kept(text()),
  sourceMemoryIds: kept(z.array(id(), { error: 'must be a list of ids' })),
  novelty: kept(number(0, 1)),
  origin: kept(z.string().check(z.regex(/^[a-z]+:[\w.,]*$/, 'must be a kind and its sources'))),
  createdAt: moment(),
  readAt: orNull(moment()),
})
