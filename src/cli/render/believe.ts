/** A new belief for people. */
import { keptConfidence } from './kept-confidence.ts'
import type { Output } from './output.ts'
import type { Style } from './style.ts'
import type { RenderInput } from './view.ts'

export const render = (output: Output<'believe'>, style: Style, { input }: RenderInput): string =>
  `${style.green('believed')} ${style.bold(String(output.id))} at ${keptConfidence(output.confidence, input.confidence)}`
