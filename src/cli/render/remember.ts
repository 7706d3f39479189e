/** A new memory for people. */
import { excerptOf } from '../../core/excerpt.ts'
import type { Output } from './output.ts'
import { type Style, visible } from './style.ts'

/** Characters shown of a note that was there. */
const maxExcerpt = 120

export { citeFromHere as complete } from '../cited-paths.ts'

export function render(output: Output<'remember'>, style: Style): string {
  const found = output.semantic ? '' : style.yellow(' (keyword only until an embedder answers)')
  const related = (output.related ?? []).map(
    ({ id, relation, text }) =>
      `  ${relation === 'same' ? 'seems to say again' : 'seems to replace'} ${style.bold(String(id))}: ${visible(excerptOf(text, maxExcerpt))}`,
  )
  return [`${style.green('remembered')} ${style.bold(String(output.id))}${found}`, ...related].join('\n')
}
