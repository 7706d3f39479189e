/** The allostatic verdict for people. */
import type { Condition } from '../../core/activity.ts'
import { figure, type Output } from './output.ts'
import type { Style } from './style.ts'

const colourOf = (condition: Condition, style: Style): string =>
  ({ rest: style.green, engaged: style.cyan, overloaded: style.red })[condition](condition)

export function render(output: Output<'state'>, style: Style): string {
  const pace = `${figure(output.load)} calls a minute over ${output.active_minutes} active of ${output.window_minutes} minutes`
  return [
    `${style.bold(colourOf(output.state, style))}  ${pace}, spread ${figure(output.variance)}, reserve ${figure(output.reserve)}`,
    output.advice,
    ...output.drivers.map(({ name, weight, why }) => `  ${figure(weight)}  ${name}: ${style.dim(why)}`),
  ].join('\n')
}
