/**
 * Records as rows for a spreadsheet (RFC 4180): every kind in one table, its own columns filled. No text of a cell is a
 * formula to the program that opens it.
 */
import { timestampOrNull } from '../../operations/schemas.ts'
import type { TransferRecord } from '../../store/transfer.ts'
import { toCell } from '../csv-cell.ts'

const columns = [
  'kind',
  'id',
  'created_at',
  'agent',
  'text',
  'caution',
  'confidence',
  'status',
  'belief',
  'strength',
  'domain',
  'basis',
  'outcome',
  'actual',
  'surprise',
  'resolved_at',
  'tags',
  'expires_at',
  'about',
  'novelty',
  'sources',
] as const

type Row = Partial<Record<(typeof columns)[number], string | number | null>>

function toRow(record: Exclude<TransferRecord, { type: 'project' }>): Row {
  const { id, type } = record
  const about = { kind: type, id, created_at: timestampOrNull(record.createdAt) }
  switch (record.type) {
    case 'memory': {
      const { text, caution, agent, tags, expiresAt } = record
      return {
        ...about,
        kind: caution > 0 ? 'flag' : 'memory',
        agent,
        text,
        caution: caution > 0 ? caution : null,
        tags: tags?.join(', ') ?? null,
        expires_at: timestampOrNull(expiresAt),
      }
    }
    case 'version':
      return { ...about, agent: record.agent, text: record.text, about: `memory ${record.memoryId}` }
    case 'dream':
      return {
        ...about,
        text: record.thought,
        status: record.readAt === null ? 'unread' : 'read',
        about: record.kind,
        novelty: record.novelty,
        sources: record.sourceMemoryIds.join(' '),
      }
    case 'belief':
      return {
        ...about,
        text: record.text,
        confidence: record.confidence,
        status: record.supersededBy === null ? record.status : `superseded by ${record.supersededBy}`,
      }
    case 'evidence':
      return {
        ...about,
        text: record.note,
        status: record.kind,
        belief: record.beliefId,
        strength: record.strength,
      }
    case 'prediction': {
      const { prediction, confidence, domain, basis, resolution } = record
      return {
        ...about,
        text: prediction,
        confidence,
        status: resolution === null ? 'open' : 'resolved',
        domain,
        basis,
        outcome: resolution?.outcome ?? null,
        actual: resolution?.actual ?? null,
        surprise: resolution?.surprise ?? null,
        resolved_at: timestampOrNull(resolution?.resolvedAt),
      }
    }
    case 'observation':
      return {
        ...about,
        agent: record.observerAgent,
        text: record.observation,
        status: record.kind,
        about: record.subjectAgent,
      }
  }
}

const lineEnd = '\r\n'

/** The first line. Without the mark before it, programs take it for the alphabet of their country. */
export const csvHead = `\ufeff${['project', ...columns].join(',')}${lineEnd}`

/** Whether a line begins such rows, also as a program for spreadsheets saves them. */
export const isCsvHead = (line: string): boolean =>
  line.replaceAll('"', '').replace(/[;\t]/g, ',').startsWith('project,kind,id,created_at,agent,text,')

/** The line of a record. */
export function toCsv(record: Exclude<TransferRecord, { type: 'project' }>, project: string): string {
  const row = toRow(record)
  return [toCell(project), ...columns.map((column) => toCell(row[column] ?? null))].join(',') + lineEnd
}
