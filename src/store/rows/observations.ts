/** What an agent noted about another as a row, and the record it stands for. */
import type { Observation, ObservationKind } from '../../core/records.ts'

export interface ObservationRow {
  id: number
  observer_agent: string
  subject_agent: string
  observation: string
  kind: ObservationKind | null
  created_at: number
}

export const toObservation = (row: ObservationRow): Observation => ({
  id: row.id,
  observerAgent: row.observer_agent,
  subjectAgent: row.subject_agent,
  observation: row.observation,
  kind: row.kind,
  createdAt: row.created_at,
})

/** An observation's row without its id and its project. */
export const fromObservation = (observation: Omit<Observation, 'id'>): Omit<ObservationRow, 'id'> => ({
  observer_agent: observation.observerAgent,
  subject_agent: observation.subjectAgent,
  observation: observation.observation,
  kind: observation.kind,
  created_at: observation.createdAt,
})
