/** Reads a test report in any of four formats, recognised by its first character. */
import { BrainError } from '../core/errors.ts'
import { readJsonReport } from './json-reports.ts'
import { readJUnit } from './junit.ts'
import type { Report } from './report.ts'
import { readTap } from './tap.ts'

/** Maximum size of a report in bytes. */
export const maxReportBytes = 32 * 1024 * 1024

/** @throws BrainError `invalid` saying what is wrong with it. */
export function readReport(text: string): Report {
  const [first] = /\S/.exec(text.replace(/^\ufeff/, '')) ?? []
  if (first === '<') return readJUnit(text)
  if (first === '{' || first === '[') return readJsonReport(text)
  return readTap(text)
}

/** The encoding named by an XML declaration or a byte order mark. */
function encodingOf(bytes: Uint8Array): string {
  const [a, b, c] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0x3c && b === 0 && c !== 0) return 'utf-16le'
  if (a === 0 && b === 0x3c) return 'utf-16be'
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  return /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8'
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new BrainError('invalid', `report is in ${encoding}, which is not known here: save it as UTF-8`)
  }
}

/**
 * A report's bytes as text, in the encoding that it names, otherwise UTF-8.
 * @throws BrainError `invalid` if they are not valid in it.
 */
export function decodeReport(bytes: Uint8Array): string {
  if (bytes.length > maxReportBytes) {
    throw new BrainError('invalid', `report must be at most ${maxReportBytes / 1024 / 1024} MiB`)
  }
  const encoding = encodingOf(bytes)
  const decoder = decoderOf(encoding)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new BrainError('invalid', `report is not in ${encoding}: save it as UTF-8`)
  }
}
