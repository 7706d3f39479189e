/** The trail of a belief for people. */
import { type Config, ratesOf } from '../../config/config.ts'
import { boundariesOf } from '../../core/sprt.ts'
import { colourOf } from './belief-status.ts'
import { cutAt, hang } from './layout.ts'
import { figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import { renderTrail } from './trail.ts'

export function render(output: Output<'evidence_for'>, style: Style, config: Config): string {
  const { belief, events } = output
  const head = hang(`${style.bold(String(belief.id))}  `, visible(belief.text), style.width)
  const standing = `confidence ${figure(belief.confidence)}, log ratio ${figure(belief.sprt_log_ratio)}, ${colourOf(belief.sprt_status, style)}`
  if (events.length === 0) return `${head}\n${standing}\n${style.dim('no evidence yet')}`
  const shown = events.map((event) => ({ ...event, note: event.note === null ? null : oneLine(event.note) }))
  const picture = renderTrail(shown, boundariesOf(ratesOf(config))).map((line) => cutAt(line, style.width))
  return [head, standing, '', ...picture].join('\n')
}

const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' ').trim())
