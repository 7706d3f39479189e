/** A revised forecast for people. */
import { counted } from '../../core/counts.ts'
import { figure, type Output } from './output.ts'
import type { Style } from './style.ts'

export const render = (output: Output<'forecast'>, style: Style): string =>
  `${style.green('revised')} ${style.bold(String(output.prediction_id))} from ${figure(output.previous_confidence)} to ${figure(output.confidence)} (${counted(output.forecasts, 'forecast')} so far)`
