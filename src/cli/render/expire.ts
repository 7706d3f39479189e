/** A memory's end for people. */
import { minute, type Output } from './output.ts'
import type { Style } from './style.ts'

export function render({ id, expires_at: at }: Output<'expire'>, style: Style): string {
  const name = style.bold(String(id))
  if (at === null) return `${name} ${style.green('stays')}: it has no end`
  const when = minute(at)
  return Date.parse(at) > Date.now()
    ? `${name} ${style.green('expires')} ${when}; from then on \`brain list --expired\` finds it`
    : `${name} ${style.yellow('is hidden')}: its end, ${when}, has passed; \`brain list --expired\` finds it, \`brain expire ${id} never\` takes that back`
}
