/** A new prediction for people. */
import { figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'

export const render = (output: Output<'predict'>, style: Style): string =>
  `${style.green('predicted')} ${style.bold(String(output.id))} in ${visible(output.domain)} at ${figure(output.confidence)}`
