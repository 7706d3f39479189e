/** A gut-check for people. */
import type { Verdict } from '../../core/gut-check.ts'
import type { Session } from '../session.ts'
import { hang } from './layout.ts'
import { figure, type Output, percent } from './output.ts'
import { type Style, visible } from './style.ts'
import type { ShellOptions } from './view.ts'

const colourOf = (verdict: Verdict, style: Style): string =>
  ({ danger: style.red, caution: style.yellow, clear: style.green })[verdict](verdict)

export function render(output: Output<'assess'>, style: Style): string {
  const record = output.track_record
  const surprises = (record?.most_surprising ?? []).map(({ id, prediction, outcome, surprise }) =>
    hang(
      `  ${String(id).padStart(4)}  ${outcome}, surprise ${figure(surprise)}  `,
      visible(prediction),
      style.width,
    ),
  )
  return [
    `${style.bold(colourOf(output.verdict, style))}  risk ${figure(output.risk)}`,
    hang('', visible(output.why), style.width),
    ...(record === null
      ? []
      : [
          `related predictions: ${percent(record.accuracy)} right at ${percent(record.mean_confidence)} claimed`,
          ...surprises,
        ]),
  ].join('\n')
}

const exitCodes = { clear: 0, caution: 10, danger: 20 } as const

export async function after(
  output: Output<'assess'>,
  options: ShellOptions,
  session: Session,
): Promise<void> {
  if (options.exitCode === true) session.outcome.exitCode = exitCodes[output.verdict]
}
