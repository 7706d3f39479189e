/**
 * What is shared, as files: a record as it was first said, and each thing that was said of it since. A file is named by the
 * hash of its bytes, so that the same has one name in every brain. Knows the form of a file; which there are, and what
 * becomes of them, is not known here.
 */
import { createHash } from 'node:crypto'
import { BrainError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import type { Forecast, Reopening, Resolution } from '../../core/records.ts'
import type { Wording } from '../../core/shared-history.ts'
import type { Cited } from '../../store/citations.ts'
import type { RecordOf, TransferRecord } from '../../store/transfer.ts'
import { fromWire, toWire } from '../format.ts'

/** A record as it was first said. */
export type SharedRoot = RecordOf<'memory' | 'belief' | 'prediction' | 'observation'>

/** What is said of a memory, or of an event of evidence, beside its text. */
export interface Marks extends Cited {
  /** Milliseconds. */
  readonly at: number
  readonly tags?: readonly string[]
  readonly expiresAt?: number
}

type Evidence = Omit<RecordOf<'evidence'>, 'type' | 'id' | 'beliefId'>

/** What is said of a record, by kind. */
interface Sayings {
  readonly version: Wording
  readonly marks: Marks
  /** The name of the memory in which it lives on. */
  readonly merge: { readonly into: string }
  readonly evidence: Evidence
  readonly succession: { readonly by: string }
  readonly forecast: Forecast
  readonly resolution: Resolution
  readonly reopening: Reopening
}

/** A kind of what is said. */
export type EventType = keyof Sayings

/** Something that was said of a record, with the name of what it was said of. */
export type SharedEvent<Type extends EventType = EventType> = {
  readonly [One in Type]: { readonly type: One; readonly of: string; readonly said: Sayings[One] }
}[Type]

export type SharedItem = SharedRoot | SharedEvent

export type SharedType = SharedItem['type']

type Wire = Readonly<Record<string, unknown>>

/** How records that came out of a shared file are called. */
const originMark = 'share:'

/** The origin that a record of this name is kept with. */
export const originOf = (name: string): string => `${originMark}${name}`

/** Whether a text has the form of a name. */
export const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)

/** The name that an origin tells of; undefined for any other origin. */
export function nameOfOrigin(origin: string | null | undefined): string | undefined {
  const name = origin?.startsWith(originMark) ? origin.slice(originMark.length) : undefined
  return isName(name) ? name : undefined
}

const anyTime = '2000-01-01T00:00:00.000+00:00'
const anyPrediction = {
  type: 'prediction',
  id: 1,
  prediction: '-',
  domain: '-',
  confidence: 0.5,
  created_at: anyTime,
}

/** A member that all who share a record have alike: it stands in the record's file, which is named by the hash of its bytes. */
const shared = {}

type Told<Type extends TransferRecord['type']> = Record<Exclude<keyof RecordOf<Type>, 'type'>, Wire>

/**
 * Every member of a record: shared, or as those of its line that belong to one brain, or change, and the values that
 * stand for them. A new one does not compile until it is here.
 */
const memberTable = {
  memory: {
    id: { id: 1 },
    text: shared,
    caution: shared,
    agent: shared,
    createdAt: shared,
    editedAt: { edited_at: null },
    pinnedAt: { pinned_at: null },
    expiresAt: { expires_at: null },
    tags: { tags: null },
    citations: { cites: null },
    circumstances: { session: null },
    exemptions: { exemptions: null },
    recallVerdicts: { recall_verdicts: null },
  },
  belief: {
    id: { id: 1 },
    text: shared,
    prior: shared,
    confidence: { confidence: 0.5 },
    logRatio: { sprt_log_ratio: 0 },
    status: { sprt_status: 'accumulating' },
    evidenceCount: { evidence_count: 0 },
    lastEvidenceAt: { last_evidence_at: null },
    supersededBy: { superseded_by: null },
    createdAt: shared,
    circumstances: { session: null },
  },
  prediction: {
    id: { id: 1 },
    prediction: shared,
    domain: shared,
    firstConfidence: shared,
    confidence: shared,
    basis: shared,
    agent: shared,
    createdAt: shared,
    dueAt: shared,
    check: shared,
    resolution: { outcome: null, actual: null, surprise: null, resolved_at: null },
    forecasts: { forecasts: null },
    reopenings: { reopenings: null },
    circumstances: { session: null },
  },
  observation: {
    id: { id: 1 },
    observerAgent: shared,
    subjectAgent: shared,
    observation: shared,
    kind: shared,
    createdAt: shared,
    circumstances: { session: null },
  },
  version: {
    id: { id: 1 },
    memoryId: { memory_id: 1 },
    text: shared,
    caution: shared,
    agent: shared,
    createdAt: shared,
    replacedAt: { replaced_at: anyTime },
    formerId: { former_id: null },
  },
  evidence: {
    id: { id: 1 },
    beliefId: { belief_id: 1 },
    kind: shared,
    strength: shared,
    logLikelihood: shared,
    note: shared,
    createdAt: shared,
    source: shared,
    run: shared,
    circumstances: { session: null },
    citations: { cites: null },
  },
} satisfies {
  [Type in 'memory' | 'belief' | 'prediction' | 'observation' | 'version' | 'evidence']: Told<Type>
}

type Fixed = keyof typeof memberTable

/** Members of a record's line that stand in no file of it. */
const fixed = Object.fromEntries(
  Object.entries(memberTable).map(([type, members]) => [type, Object.assign({}, ...Object.values(members))]),
  // One for each row of the table, whose names the entries have lost.
) as Record<Fixed, Wire>

const isFixed = (type: string): type is Fixed => Object.hasOwn(fixed, type)

/** Whether files of this type hold a record, and not what was said of one. */
export const isRootType = (type: string): type is SharedRoot['type'] =>
  isFixed(type) && type !== 'version' && type !== 'evidence'

const leaveOut = (wire: Wire, members: object): Wire =>
  Object.fromEntries(Object.entries(wire).filter(([member]) => !Object.hasOwn(members, member)))

const asLine = (record: TransferRecord): Wire => toWire(record)

/** The record of an export's line. @throws BrainError `invalid`. */
function ofLine<Type extends TransferRecord['type']>(type: Type, wire: Wire): RecordOf<Type> {
  const line = fromWire({ ...wire, type })
  // The line was read by the codec of this very type.
  return line as RecordOf<Type>
}

const predictionWith = (end: Partial<RecordOf<'prediction'>>): Wire =>
  asLine({ ...ofLine('prediction', anyPrediction), ...end })

/** The only element of a list in a line. */
const first = (list: unknown): Wire => (Array.isArray(list) ? list[0] : undefined) ?? {}

/** What an event says, as members of its file: by the same codecs as in an export. */
function saidToWire(event: SharedEvent): Wire {
  switch (event.type) {
    case 'version': {
      const line = { ...event.said, type: 'version', id: 1, memoryId: 1, replacedAt: 0 } as const
      return leaveOut(asLine(line), { type: 0, ...fixed.version })
    }
    case 'evidence':
      return leaveOut(asLine({ type: 'evidence', ...event.said, id: 1, beliefId: 1 }), {
        type: 0,
        ...fixed.evidence,
      })
    case 'marks': {
      const { at: createdAt, ...marks } = event.said
      const { created_at: at, ...wire } = asLine({
        type: 'memory',
        id: 1,
        text: '-',
        caution: 0,
        agent: '-',
        createdAt,
        ...marks,
      })
      return { at, ...leaveOut(wire, { type: 0, id: 0, text: 0, caution: 0, agent: 0 }) }
    }
    case 'merge':
      return { into: event.said.into }
    case 'succession':
      return { by: event.said.by }
    case 'forecast':
      return first(predictionWith({ forecasts: [event.said] }).forecasts)
    case 'reopening':
      return first(predictionWith({ reopenings: [event.said] }).reopenings)
    case 'resolution': {
      const { outcome, actual, surprise, resolved_at } = predictionWith({ resolution: event.said })
      return { outcome, actual, surprise, resolved_at }
    }
  }
}

const missing = (what: string): never => {
  throw new BrainError('invalid', `${what} is required`)
}

function toEvent(type: string, of: string, said: Wire): SharedEvent | undefined {
  switch (type) {
    case 'version': {
      const { text, caution, agent, createdAt } = ofLine('version', { ...said, ...fixed.version })
      return { type, of, said: { text, caution, agent, createdAt } }
    }
    case 'evidence': {
      const { type: _, id: __, beliefId: ___, ...event } = ofLine('evidence', { ...said, ...fixed.evidence })
      return { type, of, said: event }
    }
    case 'marks': {
      const { at, ...marks } = said
      const line = ofLine('memory', { id: 1, text: '-', caution: 0, agent: '-', created_at: at, ...marks })
      const { createdAt, tags, expiresAt, citations } = line
      return {
        type,
        of,
        said: {
          at: createdAt,
          ...(tags && { tags }),
          ...(expiresAt !== undefined && { expiresAt }),
          ...(citations && { citations }),
        },
      }
    }
    case 'merge':
      return { type, of, said: { into: isName(said.into) ? said.into : missing('into') } }
    case 'succession':
      return { type, of, said: { by: isName(said.by) ? said.by : missing('by') } }
    case 'forecast': {
      const [forecast] = ofLine('prediction', { ...anyPrediction, forecasts: [said] }).forecasts
      return { type, of, said: forecast ?? missing('confidence') }
    }
    case 'reopening': {
      const [reopening] = ofLine('prediction', { ...anyPrediction, reopenings: [said] }).reopenings
      return { type, of, said: reopening ?? missing('outcome') }
    }
    case 'resolution': {
      const { resolution } = ofLine('prediction', { ...anyPrediction, ...said })
      return { type, of, said: resolution ?? missing('outcome') }
    }
    default:
      return undefined
  }
}

export const isEvent = (item: SharedItem): item is SharedEvent => 'of' in item

/** A file: its name and its text. */
export interface SharedFile {
  readonly name: string
  readonly text: string
}

export const nameOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The file of an item: the same bytes for the same item, from every version of brain. */
export function toFile(item: SharedItem): SharedFile {
  const wire = isEvent(item)
    ? { type: item.type, of: item.of, ...saidToWire(item) }
    : leaveOut(asLine(item), fixed[item.type])
  const text = `${JSON.stringify(wire)}\n`
  return { name: nameOf(text), text }
}

/** Of what was said of one record beside its text, what stands: the newest, and of one moment the same for all who ask. */
export function standingOf(one: Marks | undefined, other: Marks): Marks {
  if (one === undefined || one.at < other.at) return other
  if (one.at > other.at) return one
  const textOf = (said: Marks): string => toFile({ type: 'marks', of: '', said }).text
  return textOf(one) < textOf(other) ? other : one
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Uint8Array): Wire {
  const wire: unknown = JSON.parse(decoder.decode(bytes))
  if (isObject(wire)) return wire as Wire
  throw new BrainError('invalid', 'is no object')
}

/** What a file's bytes say. @throws BrainError `invalid` for what no brain wrote, or a newer one. */
export function ofFile(bytes: Uint8Array): SharedItem {
  const item = read(bytes)
  // What is written otherwise than here would have another name here.
  if (toFile(item).text === Buffer.from(bytes).toString('utf8')) return item
  throw new BrainError('invalid', 'is not as brain writes it')
}

function read(bytes: Uint8Array): SharedItem {
  let wire: Wire
  try {
    wire = parse(bytes)
  } catch (error) {
    throw new BrainError('invalid', 'is not valid JSON', { cause: error })
  }
  const { type, of, ...said } = wire
  if (typeof type !== 'string') return missing('type')
  if (isName(of)) {
    const event = toEvent(type, of, said)
    if (event !== undefined) return event
  }
  if (!isRootType(type))
    throw new BrainError('invalid', 'is of a kind that this brain does not know: upgrade brain')
  const root = ofLine(type, { ...wire, ...fixed[type] })
  if (nameOfOrigin(root.circumstances?.origin) === undefined) return root
  throw new BrainError('invalid', 'says that it came out of another file')
}
