/**
 * Interprets the lines of an import: an export with its header, projects and end, notes as JSON, or notes as plain
 * text. The first non-empty line decides.
 */
import { msPerDay } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import { memberOf } from '../core/json.ts'
import { toTimestamp } from '../operations/schemas.ts'
import type { ImportedRecord } from '../store/transfer.ts'
import { converterOf } from './encodings.ts'
import { type ExportLine, formatVersion, fromNote, fromWire } from './format.ts'
import { isGraph } from './formats/memory-json.ts'
import type { Line } from './lines.ts'
import { isCsvHead } from './readable/csv.ts'

/** How a source that is no export gives its notes; `auto` looks at the first line. */
export type NoteFormat = 'auto' | 'jsonl' | 'text'

export interface LineReaderOptions {
  readonly format: NoteFormat
  readonly project: string
  /** Whether the caller chose the project, which an export of all projects does by itself. */
  readonly projectNamed: boolean
  readonly agent: string
  /** Whether dates in the future are taken as they are: the notes are another program's, and nobody can correct them. */
  readonly anyDate?: boolean
  /** The source's name: one that ends in .csv is a table, unless a format says otherwise. */
  readonly name?: string | undefined
}

type Form = 'export' | 'jsonl' | 'text'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    // The first bytes of what gzip makes.
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    const hint = isPacked
      ? 'The file is compressed: `gunzip -k FILE` unpacks it.'
      : `The file has to be UTF-8: \`${converterOf(bytes)}\` converts one.`
    throw new BrainError('invalid', 'must be well-formed Unicode', { cause: error, hint })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const hint = 'Plain text whose lines may begin with a brace is taken as it is with --format text.'
    throw new BrainError('invalid', 'is not valid JSON', { cause: error, hint })
  }
}

/** A heading, a rule, a fence, the rule of a table: what a line of plain text is not. */
const markdownLine = /^(#{1,6} .*|```.*|~~~.*|-{3,}|={3,}|\|?(\s*:?-{3,}:?\s*\|)+(\s*:?-{3,}:?\s*)?)$/

/** How a list of objects begins, in one line or over many. */
const listHead = /^\s*\[\s*(?:\{|$)/

/** Lines of an export that may follow its first one. */
const exportTypes: ReadonlySet<unknown> = new Set([
  'project',
  'memory',
  'version',
  'dream',
  'belief',
  'evidence',
  'prediction',
  'observation',
  'end',
])

const isBeginning = (value: unknown): boolean => memberOf(value, 'type') === 'brain'

/** A record, the project it goes to, and whether the source says when it was made. */
export interface Read {
  readonly project: string
  readonly record: ImportedRecord
  readonly timed: boolean
}

/** By how much clocks and time zones may differ, in milliseconds. */
const clockTolerance = msPerDay

export class LineReader {
  /** Records read that are dated later than any clock here could be. */
  fromFuture = 0
  readonly #options: LineReaderOptions
  #form: Form | undefined
  #project: string
  #records = 0
  #ended = false
  #last = 0

  constructor(options: LineReaderOptions) {
    this.#options = options
    this.#project = options.project
  }

  /** The record of a line; undefined when it has none. @throws BrainError `invalid` naming the line. */
  read(line: Line, now: number): Read | undefined {
    this.#last = line.number
    try {
      const decoded = decode(line.bytes)
      // Some editors begin a file with a mark that is no part of it.
      const text = line.number === 1 && decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded
      const read = text.trim() === '' ? undefined : this.#readText(text, now)
      if (read !== undefined && read.record.createdAt > now + clockTolerance) this.#meetFuture(read.record)
      return read
    } catch (error) {
      if (!(error instanceof BrainError)) throw error
      const { message, hint } = error
      throw new BrainError('invalid', `line ${line.number}: ${message}`, { cause: error, hint })
    }
  }

  /** An export is a whole brain, to be had as it was; a note's date is a slip. @throws BrainError `invalid` for a note. */
  #meetFuture({ createdAt }: ImportedRecord): void {
    this.fromFuture += 1
    if (this.#form === 'export' || this.#options.anyDate === true) return
    throw new BrainError(
      'invalid',
      `created_at must not be more than a day ahead of this machine's clock: it is ${toTimestamp(createdAt)}`,
    )
  }

  /** The source is over. @throws BrainError `invalid` when an export was not. */
  end(): void {
    if (this.#form !== 'export' || this.#ended) return
    throw new BrainError(
      'invalid',
      `line ${this.#last + 1}: the export was cut short: its end, {"type":"end","records":…}, is missing`,
    )
  }

  /** Of a table one column of plain text is as good as lines. @throws BrainError `invalid` for any other. */
  #refuseTable(text: string, first: boolean): void {
    const { format, name = '' } = this.#options
    if (format !== 'auto' || !/\.(?:csv|tsv)$/i.test(name)) return
    if (!text.startsWith('"') && !(first && /[,;\t]/.test(text))) return
    throw new BrainError(
      'invalid',
      'this is a table, and its columns are not known here: make a line {"text": …, "created_at": …} of each row, or name --format text to take its lines as they are',
    )
  }

  #readText(text: string, now: number): Read | undefined {
    const first = this.#form === undefined
    this.#form ??= this.#recognise(text)
    if (this.#form === 'text') this.#refuseTable(text, first)
    const { agent } = this.#options
    if (this.#form === 'export') return this.#readExport(fromWire(parse(text)))
    if (this.#form === 'text' && markdownLine.test(text.trim())) {
      throw new BrainError(
        'invalid',
        'looks like Markdown, of which a line is no note: name the file or its folder (brain import notes/), or give a note a line of plain text',
      )
    }
    const note = this.#form === 'text' ? { text } : parse(text)
    const record = fromNote(note, { agent, now })
    // Read after the note was found to be an object of known members.
    const timed = (note as { created_at?: unknown }).created_at != null
    return { project: this.#project, record, timed }
  }

  #recognise(text: string): Form {
    const { format } = this.#options
    if (isCsvHead(text)) {
      throw new BrainError(
        'invalid',
        'this is an export for spreadsheets (csv), which cannot be read back: import what `brain export`, without --format or with --format memory-json, writes',
      )
    }
    if (format !== 'text' && listHead.test(text)) {
      throw new BrainError(
        'invalid',
        "this is a JSON list: give a note a line (jq -c '.[]' FILE | brain import -), or name --format text to take its lines as they are",
      )
    }
    if (format === 'text' || (format === 'auto' && !text.trimStart().startsWith('{'))) return 'text'
    const value = parse(text)
    if (isBeginning(value)) return 'export'
    if (exportTypes.has(memberOf(value, 'type'))) {
      throw new BrainError(
        'invalid',
        'this is a line of an export whose first line, {"type":"brain","format":1}, is missing: export it again, or put that line before it',
      )
    }
    if (isGraph([value])) {
      throw new BrainError(
        'invalid',
        'this is memory.json, not a note: name the format and a file, brain import --format memory-json FILE',
      )
    }
    return 'jsonl'
  }

  #readExport(line: ExportLine): Read | undefined {
    if (this.#ended) throw new BrainError('invalid', 'the export is over: nothing may follow its end')
    switch (line.type) {
      case 'brain':
        if (line.format <= formatVersion) return undefined
        throw new BrainError('invalid', `format ${line.format} is of a newer brain: upgrade brain`)
      case 'project':
        if (this.#options.projectNamed) {
          throw new BrainError('invalid', 'this export names its own projects: leave --project out')
        }
        this.#project = line.name
        return undefined
      case 'end':
        if (line.records !== this.#records) {
          throw new BrainError(
            'invalid',
            `the export has ${this.#records} records and says ${line.records}: it was cut or edited; correct the number to take it as it is`,
          )
        }
        this.#ended = true
        return undefined
      default:
        this.#records += 1
        return { project: this.#project, record: line, timed: true }
    }
  }
}
