/** What a person gives to be kept: it is kept as given, and what seems to be a secret in it is told of. */
import { citeFromHere } from './cited-paths.ts'
import type { Session } from './session.ts'

type Input = Readonly<Record<string, unknown>>

/** Every secret has a long word or a value in it; to look for secrets in a text without takes longer than to see that. */
const mayHoldSecret = /\S{12}|[=:]\s*\S{4}/

/** Warns of secrets in the text of a note. */
async function warnOfSecrets({ text }: Input, session: Session): Promise<void> {
  if (typeof text !== 'string' || !mayHoldSecret.test(text)) return
  const { redactSecrets } = await import('../agents/secrets.ts')
  const { kinds } = redactSecrets(text)
  if (kinds.length > 0)
    session.warn(
      `this seems to hold a secret (${kinds.join(', ')}) and is kept as given: brain forget removes it`,
    )
}

/** The input of a new note: its citations told from the directory of the brain. */
export async function completeNote(input: Input, session: Session): Promise<Input> {
  await warnOfSecrets(input, session)
  return citeFromHere(input, session)
}
