/** Outside views for people. */
import { hang } from './layout.ts'
import { day, type Output } from './output.ts'
import { type Style, visible } from './style.ts'

export function render(output: Output<'outside_views'>, style: Style): string {
  if (output.observations.length === 0) return style.dim('no outside views')
  return output.observations
    .map((one) => {
      const who = `${visible(one.observer_agent)} on ${style.bold(visible(one.subject_agent))}`
      const about = style.dim(`${day(one.created_at)}${one.kind === null ? '' : `  ${visible(one.kind)}`}`)
      const head = `${style.bold(String(one.id).padStart(4))}  ${about}  ${who}: `
      return hang(head, visible(one.observation), style.width)
    })
    .join('\n')
}
