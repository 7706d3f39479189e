/** Beliefs, evidence and trails for people. */
import type { BeliefStatus } from '../../core/records.ts'
import { boundariesOf, type ErrorRates, remainingAt } from '../../core/sprt.ts'
import { cutAt, hang, padEnd } from './layout.ts'
import { day, figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import { renderTrail } from './trail.ts'

const colourOf = (status: BeliefStatus, style: Style): string =>
  ({ promoted: style.green, demoted: style.red, accumulating: style.yellow })[status](status)

export const renderBelieve = (output: Output<'believe'>, style: Style): string =>
  `${style.green('believed')} ${style.bold(String(output.id))} at ${figure(output.confidence)}`

export const renderRevise = (output: Output<'revise'>, style: Style): string =>
  `${style.green('revised')} belief ${output.revised_from}: it is now ${style.bold(String(output.new_belief_id))}`

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

export function renderEvidence(output: Output<'evidence'>, style: Style): string {
  const before = output.new_confidence - output.confidence_delta
  const moved = `confidence ${figure(before)} to ${style.bold(figure(output.new_confidence))}`
  const verdict = colourOf(output.status, style)
  const head = `belief ${output.belief_id}: ${moved}, log ratio ${figure(output.new_log_ratio)}, ${verdict}`
  return `${head}\n${style.dim(outlook(output))}`
}

export function renderEvidenceFor(output: Output<'evidence_for'>, style: Style, rates: ErrorRates): string {
  const { belief, events } = output
  const head = hang(`${style.bold(String(belief.id))}  `, visible(belief.text), style.width)
  const standing = `confidence ${figure(belief.confidence)}, log ratio ${figure(belief.sprt_log_ratio)}, ${colourOf(belief.sprt_status, style)}`
  if (events.length === 0) return `${head}\n${standing}\n${style.dim('no evidence yet')}`
  const shown = events.map((event) => ({ ...event, note: event.note === null ? null : oneLine(event.note) }))
  const picture = renderTrail(shown, boundariesOf(rates)).map((line) => cutAt(line, style.width))
  return [head, standing, '', ...picture].join('\n')
}

const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' ').trim())

export function renderBeliefs(output: Output<'beliefs'>, style: Style): string {
  if (output.beliefs.length === 0) return style.dim('no beliefs')
  return output.beliefs
    .map((belief) => {
      const id = style.bold(String(belief.id).padStart(4))
      const status = padEnd(colourOf(belief.sprt_status, style), 'accumulating'.length)
      const count = belief.evidence_count === 0 ? 'no evidence' : `${belief.evidence_count} evidence`
      const about = style.dim(`${count}  ${day(belief.created_at)}`)
      const head = `${id}  ${figure(belief.confidence)}  ${status}  ${about}  `
      return hang(head, visible(belief.text), style.width)
    })
    .join('\n')
}
