/** The allostatic verdict for people. */
import type { Condition } from '../../core/activity.ts'
import { hang } from './layout.ts'
import { figure, type Output, percent } from './output.ts'
import type { Style } from './style.ts'

const colourOf = (condition: Condition, style: Style): string =>
  ({ rest: style.green, engaged: style.cyan, overloaded: style.red })[condition](condition)

export function render(output: Output<'state'>, style: Style): string {
  const { load, variance, reserve, active_minutes, window_minutes } = output
  // One minute varies from no other; people are told the deviation, which is in calls a minute, too.
  const spread = active_minutes === 1 ? 'all' : `give or take ${figure(variance)},`
  const pace =
    active_minutes === 0
      ? `no calls in the last ${window_minutes} minutes`
      : `${figure(load)} calls a minute, ${spread} in ${active_minutes} of the last ${window_minutes} minutes; ${percent(reserve)} in reserve`
  return [
    hang(`${style.bold(colourOf(output.state, style))}  `, pace, style.width),
    hang('', output.advice, style.width),
    ...output.drivers.map(({ name, weight, why }) =>
      hang(`  ${percent(weight).padStart(5)}  `, `${name.replaceAll('_', ' ')}: ${why}`, style.width),
    ),
  ].join('\n')
}
