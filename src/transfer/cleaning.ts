/** Texts of other tools as a brain keeps them: well-formed, without secrets and NUL. Knows no format. */
import { type Redacted, redactSecrets } from '../agents/secrets.ts'

/** The text as it is kept, empty where nothing is left of it, and the kinds of secrets that were in it. */
export function cleanText(given: string): Redacted {
  const { text, kinds } = redactSecrets(given.replaceAll('\0', ''))
  return { text: text.toWellFormed().trim(), kinds }
}
