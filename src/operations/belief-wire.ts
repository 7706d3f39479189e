/** A belief in responses. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { type Belief, beliefStatuses } from '../core/records.ts'
import { boundariesOf, statusOf } from '../core/sprt.ts'
import type { Context } from './operation.ts'
import { count, nullableTimestamp, recordId, timestampOrNull } from './schemas.ts'
import { type Verdict, verdictMembers } from './verdict-wire.ts'

/** Members of a belief in answers. */
export const beliefMembers = {
  id: recordId(),
  text: z.string(),
  confidence: z.number(),
  sprt_log_ratio: z.number(),
  evidence_count: count(),
  sprt_status: z.enum(beliefStatuses),
  last_evidence_at: nullableTimestamp(),
  ...verdictMembers,
}

/** A belief with those members; its status by the currently configured boundaries, and its verdict where known. */
export const toWireBelief = (belief: Belief, { config }: Context, verdict: Verdict = {}) => ({
  id: belief.id,
  text: belief.text,
  confidence: belief.confidence,
  sprt_log_ratio: belief.logRatio,
  evidence_count: belief.evidenceCount,
  sprt_status: statusOf(belief.logRatio, boundariesOf(ratesOf(config))),
  last_evidence_at: timestampOrNull(belief.lastEvidenceAt),
  ...verdict,
})
