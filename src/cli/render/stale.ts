/** What became of cited places, in words. */
import type { CitationState } from '../../core/citations.ts'
import { type Style, visible } from './style.ts'

/** The state of a cited place, to follow its path. */
export const stateWord = (state: CitationState): string => (state === 'unknown' ? 'not seen here' : state)

interface Stale {
  readonly stale?: readonly { readonly path: string; readonly state: CitationState }[]
}

/** The label of a record in a list: the first cited place that has changed; empty while none has. */
export function staleLabel({ stale = [] }: Stale, style: Style): string {
  const [first] = stale
  if (first === undefined) return ''
  const more = stale.length > 1 ? ` and ${stale.length - 1} more` : ''
  return style.yellow(`[stale: ${visible(first.path)} ${stateWord(first.state)}${more}] `)
}
