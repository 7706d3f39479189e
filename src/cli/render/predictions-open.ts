/** Open predictions for people. */
import { hang } from './layout.ts'
import { day, dueDay, figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'

export function render(output: Output<'predictions_open'>, style: Style): string {
  if (output.predictions.length === 0) return style.dim('no open predictions')
  return output.predictions
    .map((one) => {
      const due = one.due_at === undefined ? '' : `, due ${dueDay(one.due_at)}`
      const about = style.dim(`${day(one.created_at)}  ${visible(one.domain)}${due}`)
      const head = `${style.bold(String(one.id).padStart(4))}  ${figure(one.confidence)}  ${about}  `
      const lines = [hang(head, visible(one.prediction), style.width)]
      if (one.basis !== null) {
        lines.push(hang('      ', style.dim(`because ${visible(one.basis)}`), style.width))
      }
      return lines.join('\n')
    })
    .join('\n')
}
