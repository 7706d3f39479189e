/** A new flag for people. */
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export { completeNote as complete } from '../given-text.ts'

export const render = (output: Output<'flag'>, style: Style): string =>
  `${style.green('flagged')} ${style.bold(String(output.id))} with caution ${output.caution}`
