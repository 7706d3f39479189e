/**
 * The form in which records leave and come in: one JSON object a line, whose `type` names its kind. Knows members
 * and their rules; how lines are read or written is not known here.
 */
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { beliefStatuses, dreamKinds, evidenceKinds, observationKinds, outcomes } from '../core/records.ts'
import { highestConfidence, logLikelihoodOf, lowestConfidence } from '../core/sprt.ts'
import { parseInput } from '../operations/call.ts'
import {
  anyNumber,
  id,
  integer,
  name,
  number,
  oneOf,
  optional,
  text,
  toTimestamp,
} from '../operations/schemas.ts'
import type { ImportedMemory, TransferRecord } from '../store/transfer.ts'

/** The version of this form; a reader refuses a later one. */
export const formatVersion = 1

const timePattern = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Four digits of a year are all that a timestamp has. */
const earliest = Date.parse('0000-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether a text is a time of the calendar: `Date` alone takes 30 February for 2 March. */
function isTime(value: string): boolean {
  const [, day] = timePattern.exec(value) ?? []
  const noon = Date.parse(`${value.slice(0, 10)}T12:00:00Z`)
  const moment = Date.parse(value)
  return new Date(noon).getUTCDate() === Number(day) && moment >= earliest && moment <= latest
}

const time = () => {
  const sentence = 'must be a time like 2026-01-31T12:00:00.000+00:00'
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is required' : sentence) })
    .check(z.refine(isTime, sentence))
}

/** Figures that are computed anew may differ by so much on another machine. */
const sameFigure = 1e-9

const ids = () => z.array(id(), { error: 'must be a list of ids' })

const type = () => z.string()

const members = {
  brain: { type: type(), format: integer(1) },
  end: { type: type(), records: integer(0) },
  project: { type: type(), name: name() },
  memory: { type: type(), id: id(), text: text(), caution: number(0, 1), agent: name(), created_at: time() },
  dream: {
    type: type(),
    id: id(),
    kind: oneOf(dreamKinds),
    thought: text(),
    source_memory_ids: ids(),
    novelty: number(0, 1),
    origin: z.string().check(z.regex(/^[a-z]+:[\w.,]*$/, 'must be a kind and its sources')),
    created_at: time(),
    read_at: optional(time()),
  },
  belief: {
    type: type(),
    id: id(),
    text: text(),
    prior: number(lowestConfidence, highestConfidence),
    confidence: number(lowestConfidence, highestConfidence),
    sprt_log_ratio: anyNumber(),
    sprt_status: oneOf(beliefStatuses),
    evidence_count: integer(0),
    last_evidence_at: optional(time()),
    superseded_by: optional(id()),
    created_at: time(),
  },
  evidence: {
    type: type(),
    id: id(),
    belief_id: id(),
    kind: oneOf(evidenceKinds),
    strength: number(0.1, 0.9),
    log_likelihood: anyNumber(),
    note: optional(text()),
    created_at: time(),
  },
  prediction: {
    type: type(),
    id: id(),
    prediction: text(),
    domain: name(),
    confidence: number(0, 1),
    basis: optional(text()),
    created_at: time(),
    outcome: optional(oneOf(outcomes)),
    actual: optional(text()),
    surprise: optional(number(0, 1)),
    resolved_at: optional(time()),
  },
  observation: {
    type: type(),
    id: id(),
    observer_agent: name(),
    subject_agent: name(),
    observation: text(),
    kind: optional(oneOf(observationKinds)),
    created_at: time(),
  },
} as const

const noteMembers = {
  text: text(),
  caution: optional(number(0, 1), 0),
  agent: optional(name()),
  created_at: optional(time()),
}

type LineType = keyof typeof members

/** A line of an export: a record, its beginning or its end. */
export type ExportLine =
  | TransferRecord
  | { readonly type: 'brain'; readonly format: number }
  | { readonly type: 'end'; readonly records: number }

const at = (value: string): number => Date.parse(value)
const atOrNull = (value: string | null | undefined): number | null => (value == null ? null : at(value))
const timestampOrNull = (value: number | null): string | null => (value === null ? null : toTimestamp(value))

/** One line of an export as an object; its members are always in the same order. */
export function toWire(line: ExportLine): Record<string, unknown> {
  switch (line.type) {
    case 'brain':
      return { type: 'brain', format: line.format }
    case 'end':
      return { type: 'end', records: line.records }
    case 'project':
      return { type: 'project', name: line.name }
    case 'memory': {
      const { type, id, text, caution, agent, createdAt } = line
      return { type, id, text, caution, agent, created_at: toTimestamp(createdAt) }
    }
    case 'dream':
      return {
        type: line.type,
        id: line.id,
        kind: line.kind,
        thought: line.thought,
        source_memory_ids: line.sourceMemoryIds,
        novelty: line.novelty,
        origin: line.origin,
        created_at: toTimestamp(line.createdAt),
        read_at: timestampOrNull(line.readAt),
      }
    case 'belief':
      return {
        type: line.type,
        id: line.id,
        text: line.text,
        prior: line.prior,
        confidence: line.confidence,
        sprt_log_ratio: line.logRatio,
        sprt_status: line.status,
        evidence_count: line.evidenceCount,
        last_evidence_at: timestampOrNull(line.lastEvidenceAt),
        superseded_by: line.supersededBy,
        created_at: toTimestamp(line.createdAt),
      }
    case 'evidence':
      return {
        type: line.type,
        id: line.id,
        belief_id: line.beliefId,
        kind: line.kind,
        strength: line.strength,
        log_likelihood: line.logLikelihood,
        note: line.note,
        created_at: toTimestamp(line.createdAt),
      }
    case 'prediction':
      return {
        type: line.type,
        id: line.id,
        prediction: line.prediction,
        domain: line.domain,
        confidence: line.confidence,
        basis: line.basis,
        created_at: toTimestamp(line.createdAt),
        outcome: line.resolution?.outcome ?? null,
        actual: line.resolution?.actual ?? null,
        surprise: line.resolution?.surprise ?? null,
        resolved_at: timestampOrNull(line.resolution?.resolvedAt ?? null),
      }
    case 'observation':
      return {
        type: line.type,
        id: line.id,
        observer_agent: line.observerAgent,
        subject_agent: line.subjectAgent,
        observation: line.observation,
        kind: line.kind,
        created_at: toTimestamp(line.createdAt),
      }
  }
}

type Parsed<Type extends LineType> = z.output<z.ZodMiniObject<(typeof members)[Type]>>

function toPrediction(line: Parsed<'prediction'>): TransferRecord {
  const { outcome, actual, surprise, resolved_at } = line
  const parts = [outcome, actual, surprise, resolved_at].filter((part) => part != null).length
  if (parts !== 0 && parts !== 4) {
    throw new BrainError('invalid', 'outcome, actual, surprise and resolved_at belong together')
  }
  const resolution =
    outcome == null || actual == null || surprise == null || resolved_at == null
      ? null
      : { outcome, actual, surprise, resolvedAt: at(resolved_at) }
  return {
    type: 'prediction',
    id: line.id,
    prediction: line.prediction,
    domain: line.domain.trim(),
    confidence: line.confidence,
    basis: line.basis ?? null,
    createdAt: at(line.created_at),
    resolution,
  }
}

const isLineType = (value: unknown): value is LineType =>
  typeof value === 'string' && Object.hasOwn(members, value)

/** The line that an object spells. @throws BrainError `invalid` in the words of the interfaces. */
export function fromWire(wire: unknown): ExportLine {
  const kind = typeof wire === 'object' && wire !== null && 'type' in wire ? wire.type : undefined
  if (!isLineType(kind)) {
    throw new BrainError('invalid', `type must be one of: ${Object.keys(members).join(', ')}`)
  }
  const parse = <Type extends LineType>(type: Type): Parsed<Type> =>
    // The members of this very type.
    parseInput({ members: members[type] }, wire) as Parsed<Type>
  switch (kind) {
    case 'brain':
      return { type: 'brain', format: parse('brain').format }
    case 'end':
      return { type: 'end', records: parse('end').records }
    case 'project':
      return { type: 'project', name: parse('project').name.trim() }
    case 'memory': {
      const { id, text, caution, agent, created_at } = parse('memory')
      return { type: 'memory', id, text, caution, agent: agent.trim(), createdAt: at(created_at) }
    }
    case 'dream': {
      const line = parse('dream')
      return {
        type: 'dream',
        id: line.id,
        kind: line.kind,
        thought: line.thought,
        sourceMemoryIds: line.source_memory_ids,
        novelty: line.novelty,
        origin: line.origin,
        createdAt: at(line.created_at),
        readAt: atOrNull(line.read_at),
      }
    }
    case 'belief': {
      const line = parse('belief')
      // A belief is replaced by one that was not there yet, so that no two can replace each other.
      if (line.superseded_by != null && line.superseded_by <= line.id) {
        throw new BrainError('invalid', 'superseded_by must be the id of a later belief')
      }
      return {
        type: 'belief',
        id: line.id,
        text: line.text,
        prior: line.prior,
        confidence: line.confidence,
        logRatio: line.sprt_log_ratio,
        status: line.sprt_status,
        evidenceCount: line.evidence_count,
        lastEvidenceAt: atOrNull(line.last_evidence_at),
        supersededBy: line.superseded_by ?? null,
        createdAt: at(line.created_at),
      }
    }
    case 'evidence': {
      const line = parse('evidence')
      if (!(Math.abs(line.log_likelihood - logLikelihoodOf(line.kind, line.strength)) < sameFigure)) {
        throw new BrainError('invalid', 'log_likelihood must be that of its kind and strength')
      }
      return {
        type: 'evidence',
        id: line.id,
        beliefId: line.belief_id,
        kind: line.kind,
        strength: line.strength,
        logLikelihood: line.log_likelihood,
        note: line.note ?? null,
        createdAt: at(line.created_at),
      }
    }
    case 'prediction':
      return toPrediction(parse('prediction'))
    case 'observation': {
      const line = parse('observation')
      return {
        type: 'observation',
        id: line.id,
        observerAgent: line.observer_agent.trim(),
        subjectAgent: line.subject_agent.trim(),
        observation: line.observation,
        kind: line.kind ?? null,
        createdAt: at(line.created_at),
      }
    }
  }
}

/** What a note that says nothing of it is given. */
export interface NoteDefaults {
  readonly agent: string
  readonly now: number
}

/** The memory that a note `{"text": …}` spells; caution, agent and created_at may be given. @throws BrainError `invalid`. */
export function fromNote(wire: unknown, { agent, now }: NoteDefaults): ImportedMemory {
  const note = parseInput({ members: noteMembers }, wire)
  return {
    type: 'memory',
    id: null,
    text: note.text,
    caution: note.caution ?? 0,
    agent: note.agent?.trim() ?? agent,
    createdAt: note.created_at == null ? now : at(note.created_at),
  }
}
