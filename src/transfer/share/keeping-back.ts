/** What is nobody else's business unless somebody says so: private, secret, captured in a session, or redacted. Pure. */
import { withoutPrivate } from '../../agents/capture.ts'
import { redactSecrets } from '../../agents/secrets.ts'
import { commitTag, fixTag, summaryTag } from '../../core/tags.ts'
import { isEvent, type SharedItem } from './items.ts'

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

/** Every text of an item. */
function textsOf(item: SharedItem): string[] {
  const said: Readonly<Record<string, unknown>> = isEvent(item) ? { ...item.said } : { ...item }
  const check = typeof said.check === 'object' && said.check !== null ? Object.values(said.check) : []
  return [...Object.values(said), ...check].filter((value) => typeof value === 'string')
}

/** Marks of a line or a passage that a person does not want kept, let alone given away. */
const isPrivate = (text: string): boolean => withoutPrivate(text) !== text

/** Why an item is kept back; undefined where it is not. */
export function reasonFor(
  item: SharedItem,
  { captured, tags }: { readonly captured: boolean; readonly tags: readonly string[] },
): Reason | undefined {
  const texts = textsOf(item)
  if (tags.some((tag) => tag.toLowerCase() === privateTag) || texts.some(isPrivate)) return 'private'
  if (texts.some((text) => redactSecrets(text).kinds.length > 0)) return 'secret'
  if (texts.some((text) => text.includes('[redacted: '))) return 'redacted'
  return captured || tags.some((tag) => captureTags.has(tag)) ? 'captured' : undefined
}

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
