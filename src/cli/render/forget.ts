/** A forgotten memory for people. */
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export const render = (output: Output<'forget'>, style: Style): string =>
  `${style.green('forgot')} ${style.bold(String(output.id))}`
