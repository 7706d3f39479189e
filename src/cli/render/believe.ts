/** A new belief for people. */
import { figure, type Output } from './output.ts'
import type { Style } from './style.ts'

export const render = (output: Output<'believe'>, style: Style): string =>
  `${style.green('believed')} ${style.bold(String(output.id))} at ${figure(output.confidence)}`
