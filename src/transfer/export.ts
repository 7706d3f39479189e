/** Whole projects as lines of JSON. Knows the order of lines; where they go is the caller's. */
import type { Store } from '../store/store.ts'
import { type ExportLine, formatVersion, toWire } from './format.ts'

/** Characters of a piece of output: few enough to hold, enough to write at once. */
const pieceLength = 65_536

const toText = (line: ExportLine): string => `${JSON.stringify(toWire(line))}\n`

export interface ExportOptions {
  readonly store: Store
  /** Absent: all projects. */
  readonly project?: string
  readonly signal: AbortSignal
  readonly progress: (records: number) => void
}

/** The lines of an export, in pieces: its beginning, every record, and an end that counts them. */
export async function* exportLines(options: ExportOptions): AsyncGenerator<string, void, undefined> {
  let piece = toText({ type: 'brain', format: formatVersion })
  let records = 0
  for await (const record of options.store.transfer.records(options.project)) {
    options.signal.throwIfAborted()
    piece += toText(record)
    if (record.type !== 'project') records += 1
    if (piece.length < pieceLength) continue
    yield piece
    options.progress(records)
    piece = ''
  }
  yield piece + toText({ type: 'end', records })
  options.progress(records)
}
