/** A revised belief for people. */
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export const render = (output: Output<'revise'>, style: Style): string =>
  `${style.green('revised')} belief ${output.revised_from}: it is now ${style.bold(String(output.new_belief_id))}`
