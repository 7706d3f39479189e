/** What recall found, for people. */
import { defaultLimit } from '../../operations/recall.ts'
import { renderExplanation } from './explanation.ts'
import { hang } from './layout.ts'
import type { Output } from './output.ts'
import { type Style, visible } from './style.ts'
import type { Told } from './view.ts'

const renderItem = (item: Output<'recall'>['results'][number], style: Style): string => {
  const flag = item.caution > 0 ? style.yellow(` flag ${item.caution}`) : ''
  const head = `${style.bold(String(item.id).padStart(4))}  ${item.score.toFixed(2)}${flag}  ${style.dim(item.created_at.slice(0, 10))}`
  return hang(`${head}  `, visible(item.text), style.width)
}

export function render(output: Output<'recall'>, style: Style, { input }: Told): string {
  if (output.results.length + output.keyword_extra.length === 0) return style.dim('nothing found')
  const lines = output.results.flatMap((item) => [renderItem(item, style), ...renderExplanation(item, style)])
  // The limit means all that is shown: what matches by keyword alone fills up what is left of it.
  const limit = typeof input.limit === 'number' ? input.limit : defaultLimit
  const extra = output.keyword_extra.slice(0, Math.max(0, limit - output.results.length))
  if (extra.length > 0)
    lines.push(style.dim('also by keyword:'), ...extra.map((item) => renderItem(item, style)))
  return lines.join('\n')
}
