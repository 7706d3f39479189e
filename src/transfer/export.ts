/** Exports whole projects as text: JSON Lines with everything, or a format for other tools. The destination is the caller's. */
import type { Store } from '../store/store.ts'
import type { TransferRecord } from '../store/transfer.ts'
import { type ExportLine, formatVersion, toWire } from './format.ts'

/** Size of a piece of output in characters: small enough to hold, large enough to write at once. */
const pieceLength = 65_536

const toText = (line: ExportLine): string => `${JSON.stringify(toWire(line))}\n`

export interface ExportOptions {
  readonly store: Store
  /** Absent: all projects. */
  readonly project?: string
  readonly signal: AbortSignal
  readonly progress: (records: number) => void
}

/** An output format: its beginning, the text of a record, and its end. */
export interface TextForm {
  readonly head: string
  /** Undefined for a record that the format cannot express. */
  readonly line: (record: TransferRecord) => string | undefined
  readonly tail: (records: number) => string
}

const jsonLines: TextForm = {
  head: toText({ type: 'brain', format: formatVersion }),
  line: toText,
  tail: (records) => toText({ type: 'end', records }),
}

/** The text of an export, in pieces: beginning, records, and an end that marks it as complete. */
export async function* exportLines(
  options: ExportOptions,
  form: TextForm = jsonLines,
): AsyncGenerator<string, void, undefined> {
  let piece = form.head
  let records = 0
  for await (const record of options.store.transfer.records(options.project)) {
    options.signal.throwIfAborted()
    const line = form.line(record)
    if (line === undefined) continue
    piece += line
    if (record.type !== 'project') records += 1
    if (piece.length < pieceLength) continue
    yield piece
    options.progress(records)
    piece = ''
  }
  yield piece + form.tail(records)
  options.progress(records)
}
