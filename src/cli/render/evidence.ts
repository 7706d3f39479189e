/** What one observation did to a belief, for people. */
import { BrainError } from '../../core/errors.ts'
import { remainingAt } from '../../core/sprt.ts'
import type { Observed } from '../observed.ts'
import type { Session } from '../session.ts'
import { colourOf } from './belief-status.ts'
import { figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import type { ShellOptions } from './view.ts'

export { citeFromHere as complete } from '../cited-paths.ts'

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
  const verdict = colourOf(output.verdict ?? output.status, style)
  const head = `belief ${output.belief_id}: ${moved}, log ratio ${figure(output.new_log_ratio)}, ${verdict}`
  const { repeats, caveats = [] } = output
  const repeated =
    repeats === undefined
      ? []
      : [
          style.yellow(
            `weighs nothing: evidence ${repeats} was of the same source within a day; --independent counts it`,
          ),
        ]
  const outlooks = output.verdict === undefined ? [outlook(output)] : []
  const after = [
    ...outlooks.filter((part) => part !== '').map(style.dim),
    ...caveats.map((one) => style.yellow(visible(one))),
  ]
  return [head, ...repeated, ...after].join('\n')
}

/** The result of a report or of a command, where the options name one. */
export async function observe(
  input: Readonly<Record<string, unknown>>,
  options: ShellOptions,
  session: Session,
): Promise<Observed> {
  const { from, test, watchExit, rest } = options
  const words = Array.isArray(rest) ? rest.map(String) : []
  if (typeof from !== 'string' && watchExit !== true) {
    if (test !== undefined)
      throw new BrainError('invalid', 'test chooses from a report: name that with --from')
    if (words.length > 0)
      throw new BrainError('invalid', 'a command after the id needs --watch-exit before it')
    return { input }
  }
  if (typeof from === 'string' && watchExit === true)
    throw new BrainError('invalid', 'from and watch-exit are two observations: give one of them')
  if (input.kind !== undefined)
    throw new BrainError('invalid', 'the run itself decides the kind: leave out --supporting and --refuting')
  const { observeCommand, observeReport } = await import('../observed.ts')
  if (watchExit === true) return observeCommand(input, words, session)
  if (words.length > 0) throw new BrainError('invalid', 'a command after the id needs --watch-exit before it')
  return observeReport(
    input,
    { from: String(from), test: typeof test === 'string' ? test : undefined },
    session,
  )
}
