/** A list of beliefs for people. */
import { colourOf } from './belief-status.ts'
import { fitsBeside, hang, padEnd } from './layout.ts'
import { day, figure, type Output } from './output.ts'
import { staleLabel } from './stale.ts'
import { type Style, visible } from './style.ts'

export function render(output: Output<'beliefs'>, style: Style): string {
  if (output.beliefs.length === 0) return style.dim('no beliefs')
  return output.beliefs
    .map((belief) => {
      const id = style.bold(String(belief.id).padStart(4))
      const status = padEnd(colourOf(belief.verdict ?? belief.sprt_status, style), 'accumulating'.length)
      const count = belief.evidence_count === 0 ? 'no evidence' : `${belief.evidence_count} evidence`
      const about = style.dim(`${count}  ${day(belief.created_at)}`)
      const figures = `${id}  ${figure(belief.confidence)}  ${status}  `
      const head = `${figures}${about}  `
      const text = staleLabel(belief, style) + visible(belief.text)
      // With too little room the figures stay in the first line, and all else goes beneath.
      return fitsBeside(head, style.width)
        ? hang(head, text, style.width)
        : hang(figures, `${about}\n${text}`, style.width)
    })
    .join('\n')
}
