/** What is nobody else's business unless somebody says so: private, secret, captured in a session, or redacted. Pure. */
import { withoutPrivate } from '../../agents/capture.ts'
import { redactSecrets } from '../../agents/secrets.ts'
import { commitTag, fixTag, summaryTag } from '../../core/tags.ts'
import { isEvent, type SharedItem, toFile } from './items.ts'

/** Why something is kept back. */
export type Reason = 'private' | 'secret' | 'redacted' | 'captured'

/** What is shared beside the rest. */
export interface Named {
  /** Records, as `KIND ID`: whatever stands in them. */
  readonly records: ReadonlySet<string>
  /** Captured and redacted memories with any of these tags. */
  readonly tags: readonly string[]
  /** Everything captured or redacted. */
  readonly all: boolean
}

const captureTags: ReadonlySet<string> = new Set([summaryTag, commitTag, fixTag])
const privateTag = 'private'

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* stringsIn(one)
}

/**
 * Everything in words that an item gives away: what stands in its file and, of a memory, its tags and cited places, which
 * go out beside it. Looked through at once, and parted so that no end of one and beginning of the next make a secret.
 */
function wordsOf(item: SharedItem): string {
  const beside = !isEvent(item) && item.type === 'memory' ? [item.tags, item.citations] : []
  return [...stringsIn([JSON.parse(toFile(item).text), beside])].join('\n;\n')
}

/** Marks of a line or a passage that a person does not want kept, let alone given away. */
const isPrivate = (text: string): boolean => withoutPrivate(text) !== text

const holdsSecret = (words: string): boolean => redactSecrets(words).kinds.length > 0

/** Why an item is kept back; undefined where it is not. */
export function reasonFor(
  item: SharedItem,
  { captured, tags }: { readonly captured: boolean; readonly tags: readonly string[] },
): Reason | undefined {
  const words = wordsOf(item)
  if (tags.some((tag) => tag.toLowerCase() === privateTag) || isPrivate(words)) return 'private'
  if (holdsSecret(words)) return 'secret'
  if (words.includes('[redacted: ')) return 'redacted'
  return captured || tags.some((tag) => captureTags.has(tag)) ? 'captured' : undefined
}

/** Why tags, ends and places of what is shared already are kept back: for a secret in them, since the record was judged. */
export const reasonForMarks = (item: SharedItem): Reason | undefined =>
  holdsSecret(wordsOf(item)) ? 'secret' : undefined

/** Whether it is shared all the same, because somebody named it. */
export function isNamed(
  reason: Reason,
  {
    record,
    tags,
  }: { readonly record: { readonly kind: string; readonly id: number }; readonly tags: readonly string[] },
  named: Named,
): boolean {
  if (named.records.has(`${record.kind} ${record.id}`)) return true
  if (reason === 'private' || reason === 'secret') return false
  return named.all || tags.some((tag) => named.tags.includes(tag))
}
