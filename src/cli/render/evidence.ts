/** What one observation did to a belief, for people. */
import { remainingAt } from '../../core/sprt.ts'
import { colourOf } from './belief-status.ts'
import { figure, type Output } from './output.ts'
import type { Style } from './style.ts'

/** What it would take to reach the boundaries that are not reached yet, in observations of the same strength. */
function outlook(output: Output<'evidence'>): string {
  const { kind, strength, boundaries } = output
  const remaining = remainingAt(strength, output.new_log_ratio, boundaries)
  const likewise = kind === 'supporting' ? remaining.promote : remaining.demote
  const opposite = kind === 'supporting' ? remaining.demote : remaining.promote
  const [onward, back] = kind === 'supporting' ? ['promote', 'demote'] : ['demote', 'promote']
  const other = kind === 'supporting' ? 'refuting' : 'supporting'
  const parts = [
    ...(likewise > 0 ? [`${likewise} more at ${strength} would ${onward} it`] : []),
    ...(opposite > 0 ? [`${opposite} ${other} at ${strength} would ${back} it`] : []),
  ]
  return parts.join('; ')
}

export function render(output: Output<'evidence'>, style: Style): string {
  const before = output.new_confidence - output.confidence_delta
  const moved = `confidence ${figure(before)} to ${style.bold(figure(output.new_confidence))}`
  const verdict = colourOf(output.status, style)
  const head = `belief ${output.belief_id}: ${moved}, log ratio ${figure(output.new_log_ratio)}, ${verdict}`
  return `${head}\n${style.dim(outlook(output))}`
}
