/** A prediction as a row, and the record it stands for. */
import type { Ending, Prediction, Resolution } from '../../core/records.ts'

/** A resolution's columns; null where there is none. */
export interface ResolutionColumns {
  outcome: Ending | null
  actual: string | null
  surprise: number | null
  resolved_at: number | null
}

export function toResolution({
  outcome,
  actual,
  surprise,
  resolved_at: resolvedAt,
}: ResolutionColumns): Resolution | null {
  if (outcome === null || actual === null || resolvedAt === null) return null
  if (outcome === 'annulled') return { outcome, actual, surprise: null, resolvedAt }
  return surprise === null ? null : { outcome, actual, surprise, resolvedAt }
}

export interface PredictionRow extends ResolutionColumns {
  id: number
  prediction: string
  domain: string
  confidence: number
  first_confidence: number | null
  basis: string | null
  agent: string | null
  created_at: number
  due_at: number | null
  check_command: string | null
  check_proof: string | null
}

export function toPrediction(row: PredictionRow): Prediction {
  return {
    id: row.id,
    prediction: row.prediction,
    domain: row.domain,
    confidence: row.confidence,
    firstConfidence: row.first_confidence ?? row.confidence,
    basis: row.basis,
    agent: row.agent,
    createdAt: row.created_at,
    dueAt: row.due_at,
    check: row.check_command === null ? null : { command: row.check_command, proof: row.check_proof },
    resolution: toResolution(row),
  }
}

export const predictionTables = `prediction LEFT JOIN provenance ON provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${predictionTables}`
