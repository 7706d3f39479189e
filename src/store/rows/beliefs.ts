/** A belief and an event of its trail as rows, and the records they stand for. */
import type { Belief, BeliefStatus, EvidenceEvent, EvidenceKind } from '../../core/records.ts'
import type { RatioRange } from '../../core/sprt.ts'

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

/** What is kept of a belief beside its id, its project and its trail, and the values in that order. */
export const beliefColumns = 'text, prior, confidence, log_ratio, status, last_evidence_at, created_at'

export const beliefValues = (belief: Omit<Belief, 'id' | 'evidenceCount' | 'supersededBy'>) => [
  belief.text,
  belief.prior,
  belief.confidence,
  belief.logRatio,
  belief.status,
  belief.lastEvidenceAt,
  belief.createdAt,
]

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

/** Of log ratios: at least, above, below, at most. */
export const endsOf = ({ atLeast, above, below, atMost }: RatioRange): number[] => [
  atLeast ?? -Infinity,
  above ?? -Infinity,
  below ?? Infinity,
  atMost ?? Infinity,
]
