/**
 * The format of exports: one JSON object per line, whose `type` names its kind. Knows the kinds; the members of each
 * are in its file in `records/`, and lines are read and written elsewhere.
 */
import { agentNameOf } from '../core/agent-names.ts'
import { BrainError } from '../core/errors.ts'
import { memberOf } from '../core/json.ts'
import { parseInput } from '../operations/call.ts'
import { at, integer, name, number, optional, tags, text, time } from '../operations/schemas.ts'
import type { ImportedMemory, RecordOf, TransferRecord } from '../store/transfer.ts'
import { belief } from './records/belief.ts'
import { dream } from './records/dream.ts'
import { evidence } from './records/evidence.ts'
import {
  circumstanceMembers,
  circumstancesFromWire,
  defineLine,
  kept,
  type LineCodec,
  named,
} from './records/members.ts'
import { memory } from './records/memory.ts'
import { observation } from './records/observation.ts'
import { prediction } from './records/prediction.ts'
import { version } from './records/version.ts'

/** The version of this format; a reader rejects later ones. */
export const formatVersion = 1

interface Beginning {
  readonly type: 'brain'
  readonly format: number
}

interface End {
  readonly type: 'end'
  readonly records: number
}

/** A line of an export: a record, its beginning or its end. */
export type ExportLine = TransferRecord | Beginning | End

const codecs = {
  brain: defineLine<Beginning>('brain', { format: kept(integer(1)) }),
  end: defineLine<End>('end', { records: kept(integer(0)) }),
  project: defineLine<RecordOf<'project'>>('project', { name: named() }),
  memory,
  version,
  dream,
  belief,
  evidence,
  prediction,
  observation,
} as const

type LineType = keyof typeof codecs

const codecOf = (type: LineType): LineCodec<ExportLine> =>
  // Each codec meets lines of its own type alone.
  codecs[type] as unknown as LineCodec<ExportLine>

/** One line of an export as an object, with its members in a fixed order. */
export const toWire = (line: ExportLine): Record<string, unknown> => codecOf(line.type).toWire(line)

const isLineType = (value: unknown): value is LineType =>
  typeof value === 'string' && Object.hasOwn(codecs, value)

/** The line that an object spells. @throws BrainError `invalid` in the words of the interfaces. */
export function fromWire(wire: unknown): ExportLine {
  const kind = memberOf(wire, 'type')
  if (!isLineType(kind)) {
    throw new BrainError('invalid', `type must be one of: ${Object.keys(codecs).join(', ')}`)
  }
  const codec = codecOf(kind)
  return codec.fromWire(parseInput({ members: codec.members }, wire))
}

const noteMembers = {
  text: text(),
  caution: optional(number(0, 1), 0),
  agent: optional(name()),
  created_at: optional(time()),
  expires_at: optional(time()),
  tags: optional(tags()),
  ...circumstanceMembers,
}

/** What a note that says nothing of it is given. */
export interface NoteDefaults {
  readonly agent: string
  readonly now: number
}

/**
 * The memory that a note `{"text": …}` spells; what else an export says of a memory may be given. @throws BrainError
 * `invalid`.
 */
export function fromNote(wire: unknown, { agent, now }: NoteDefaults): ImportedMemory {
  const { agent: said, ...note } = parseInput({ members: noteMembers }, wire)
  return {
    type: 'memory',
    id: null,
    text: note.text,
    caution: note.caution ?? 0,
    agent: said == null ? agent : agentNameOf(said),
    createdAt: note.created_at == null ? now : at(note.created_at),
    ...(note.expires_at != null && { expiresAt: at(note.expires_at) }),
    ...(note.tags != null && note.tags.length > 0 && { tags: note.tags.map((tag) => tag.trim()) }),
    ...circumstancesFromWire(note),
  }
}
