/** A belief and an event of its trail as rows, and the records they stand for. */
import type { Belief, BeliefStatus, EvidenceEvent, EvidenceKind } from '../../core/records.ts'
import type { RatioRange } from '../../core/sprt.ts'
import type { NewBelief } from '../belief-store.ts'
import type { RecordOf } from '../transfer.ts'

export interface BeliefRow {
  id: number
  text: string
  prior: number
  confidence: number
  log_ratio: number
  evidence_count: number
  status: BeliefStatus
  last_evidence_at: number | null
  superseded_by: number | null
  created_at: number
}

export const toBelief = (row: BeliefRow): Belief => ({
  id: row.id,
  text: row.text,
  prior: row.prior,
  confidence: row.confidence,
  logRatio: row.log_ratio,
  evidenceCount: row.evidence_count,
  status: row.status,
  lastEvidenceAt: row.last_evidence_at,
  supersededBy: row.superseded_by,
  createdAt: row.created_at,
})

/** A belief as it is asserted, without evidence. */
export const toAsserted = ({ confidence, ...rest }: NewBelief) =>
  ({
    ...rest,
    prior: confidence,
    confidence,
    logRatio: 0,
    status: 'accumulating',
    lastEvidenceAt: null,
  }) as const

/** A belief's row without its id, its project and what its trail counts. */
export const fromBelief = (
  belief: Omit<Belief, 'id' | 'evidenceCount' | 'supersededBy'>,
): Omit<BeliefRow, 'id' | 'evidence_count' | 'superseded_by'> => ({
  text: belief.text,
  prior: belief.prior,
  confidence: belief.confidence,
  log_ratio: belief.logRatio,
  status: belief.status,
  last_evidence_at: belief.lastEvidenceAt,
  created_at: belief.createdAt,
})

export interface EvidenceRow {
  id: number
  kind: EvidenceKind
  strength: number
  log_likelihood: number
  note: string | null
  created_at: number
  source: string | null
}

export const toEvent = (row: EvidenceRow): EvidenceEvent => ({
  id: row.id,
  kind: row.kind,
  strength: row.strength,
  logLikelihood: row.log_likelihood,
  note: row.note,
  createdAt: row.created_at,
  ...(row.source !== null && { source: row.source }),
})

/** With its belief and its run, as records leave. */
export const toLeaving = (
  row: EvidenceRow & { belief_id: number; run: string | null },
): RecordOf<'evidence'> => ({
  type: 'evidence',
  ...toEvent(row),
  beliefId: row.belief_id,
  ...(row.run !== null && { run: row.run }),
})

/** An event's row without its id and its belief. */
export const fromEvent = (event: Omit<EvidenceEvent, 'id'>): Omit<EvidenceRow, 'id'> => ({
  kind: event.kind,
  strength: event.strength,
  log_likelihood: event.logLikelihood,
  note: event.note,
  created_at: event.createdAt,
  source: event.source ?? null,
})

/** Of log ratios: at least, above, below, at most. */
export const endsOf = ({ atLeast, above, below, atMost }: RatioRange): number[] => [
  atLeast ?? -Infinity,
  above ?? -Infinity,
  below ?? Infinity,
  atMost ?? Infinity,
]
