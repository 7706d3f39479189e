/** The trail of a belief for people. */
import { ratesOf } from '../../config/config.ts'
import { toLine } from '../../core/excerpt.ts'
import { boundariesOf } from '../../core/sprt.ts'
import { colourOf } from './belief-status.ts'
import { cutAt, hang } from './layout.ts'
import { figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import { renderTrail } from './trail.ts'
import { remarksOn } from './trail-remarks.ts'
import type { RenderInput } from './view.ts'

export function render(output: Output<'evidence_for'>, style: Style, { config }: RenderInput): string {
  const { belief, events } = output
  const head = hang(`${style.bold(String(belief.id))}  `, visible(belief.text), style.width)
  const standing = `confidence ${figure(belief.confidence)}, log ratio ${figure(belief.sprt_log_ratio)}, ${colourOf(belief.verdict ?? belief.sprt_status, style)}`
  if (events.length === 0) return `${head}\n${standing}\n${style.dim('no evidence yet')}`
  const picture = renderTrail(events, boundariesOf(ratesOf(config)), style.width)
  const shown = events.slice(-picture.events.length)
  const lines = picture.events.flatMap((event, at) => {
    const line = cutAt(event, style.width)
    const own = shown[at]
    const remarks = own === undefined ? [] : remarksOn(own)
    return [line, ...remarks.map((remark) => hang('  ', style.dim(visible(toLine(remark))), style.width))]
  })
  const caveats = (belief.caveats ?? []).map((caveat) => style.yellow(visible(caveat)))
  return [
    head,
    standing,
    '',
    ...picture.head,
    ...lines,
    ...(caveats.length > 0 ? ['', ...caveats] : []),
  ].join('\n')
}
