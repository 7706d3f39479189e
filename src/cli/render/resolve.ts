/** A resolved prediction for people. */
import { figure, type Output } from './output.ts'
import type { Style } from './style.ts'

export const render = (output: Output<'resolve'>, style: Style): string =>
  `${style.green('resolved')} ${style.bold(String(output.prediction_id))} as ${output.outcome}, surprise ${figure(output.surprise)}`
