/** A new flag for people. */
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export { citeFromHere as complete } from '../cited-paths.ts'

export function render({ id, caution }: Output<'flag'>, style: Style): string {
  const name = style.bold(String(id))
  return caution > 0
    ? `${style.green('flagged')} ${name} with caution ${caution}`
    : `${style.yellow('remembered')} ${name} as an ordinary memory: only a caution above 0 makes a flag`
}
