/** Texts of other tools as a brain keeps them: well-formed, without secrets and NUL, no longer than any text. Knows no format. */
import { type Redacted, redactSecrets } from '../agents/secrets.ts'
import { maxTextBytes } from '../core/limits.ts'

/** A text truncated to the longest there may be, between characters. */
function withinLimit(text: string): string {
  if (Buffer.byteLength(text) <= maxTextBytes) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxTextBytes - 8)).replace(/\ufffd+$/, '')
}

/** The text as it is kept, empty where nothing is left of it, and the kinds of secrets that were in it. */
export function cleanText(given: string): Redacted {
  const { text, kinds } = redactSecrets(given.replaceAll('\0', ''))
  return { text: withinLimit(text.toWellFormed()).trim(), kinds }
}
