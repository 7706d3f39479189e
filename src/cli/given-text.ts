/** What a person gives to be kept: it is kept as given, and what seems to be a secret in it is told of. */
import type { Session } from './session.ts'

/** Every secret has a long word or a value in it; to look for secrets in a text without takes longer than to see that. */
const mayHoldSecret = /\S{12}|[=:]\s*\S{4}/

/** Members that are read, and not kept. */
const passing: readonly string[] = ['query', 'report']

/** Warns of secrets in what an operation has kept. */
export async function warnOfSecrets(
  input: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<void> {
  const kept = Object.entries(input).flatMap(([member, value]) =>
    typeof value === 'string' && mayHoldSecret.test(value) && !passing.includes(member) ? [value] : [],
  )
  if (kept.length === 0) return
  const { redactSecrets } = await import('../agents/secrets.ts')
  const kinds = new Set(kept.flatMap((text) => redactSecrets(text).kinds))
  if (kinds.size > 0)
    session.warn(
      `this seems to hold a secret (${[...kinds].join(', ')}) and is kept as given: brain forget removes it`,
    )
}
