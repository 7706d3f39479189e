/** Why a recall result stands where it does, for people. */
import type { ExplainedItem } from '../../operations/recall.ts'
import { figure } from './output.ts'
import { type Style, visible } from './style.ts'

/** Word matches shown: the weightiest tell the story. */
const mostWords = 6

/** Indented lines under a result; none when it carries no explanation. */
export function renderExplanation(item: { readonly id: number } | ExplainedItem, style: Style): string[] {
  if (!('explanation' in item)) return []
  const { cosine, soft, coverage, identifiers, words } = item.explanation
  const parts = [
    cosine === null ? 'no vector' : `cosine ${figure(cosine)}`,
    ...(soft === null ? [] : [`word by word ${figure(soft)}`]),
    `keywords ${figure(coverage)}`,
    ...(identifiers === null ? [] : [`identifiers ${figure(identifiers)}`]),
  ]
  const met = words
    .slice(0, mostWords)
    .map(({ piece, match, similarity }) => `${visible(piece)} ~ ${visible(match)} ${figure(similarity)}`)
  return [
    `      ${style.dim(parts.join(', '))}`,
    ...(met.length > 0 ? [`      ${style.dim(met.join('; '))}`] : []),
  ]
}
