/** A memory's end for people. */
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export function render({ id, expires_at: at }: Output<'expire'>, style: Style): string {
  const name = style.bold(String(id))
  return at === null
    ? `${name} ${style.green('stays')}: it has no end`
    : `${name} ${style.green('expires')} ${at.slice(0, 16).replace('T', ' ')} UTC; from then on \`brain list --expired\` finds it`
}
