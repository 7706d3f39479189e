/** A revised belief for people. */
import { revisedConfidence } from '../../core/beliefs.ts'
import { clampConfidence } from '../../core/sprt.ts'
import { keptConfidence } from './kept-confidence.ts'
import { figure, type Output } from './output.ts'
import type { Style } from './style.ts'
import type { RenderInput } from './view.ts'

/** The confidence it starts with: without one given a new claim's, as the old belief's does not pass to it. */
const startOf = (asked: unknown): string =>
  typeof asked === 'number'
    ? keptConfidence(clampConfidence(asked), asked)
    : `${figure(revisedConfidence)}, where a revised claim starts unless --confidence says otherwise; its trail is new`

export const render = (output: Output<'revise'>, style: Style, { input }: RenderInput): string =>
  `${style.green('revised')} belief ${output.revised_from}: it is now ${style.bold(String(output.new_belief_id))} at ${startOf(input.confidence)}`
