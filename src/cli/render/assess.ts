/** A gut-check for people. */
import { BrainError } from '../../core/errors.ts'
import type { Verdict } from '../../core/gut-check.ts'
import type { Session } from '../session.ts'
import { hang } from './layout.ts'
import { figure, type Output, percent } from './output.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput, Shell } from './view.ts'

const colourOf = (verdict: Verdict, style: Style): string =>
  ({ danger: style.red, caution: style.yellow, clear: style.green })[verdict](verdict)

/** A chance below this reads as 0 %: such a flag is near to nobody. */
const leastTold = 0.005

export function render(output: Output<'assess'>, style: Style): string {
  const record = output.track_record
  const surprises = (record?.most_surprising ?? []).map(({ id, prediction, outcome, surprise }) =>
    hang(
      `  ${String(id).padStart(4)}  ${outcome}, surprise ${figure(surprise)}  `,
      visible(prediction),
      style.width,
    ),
  )
  const near = output.nearest.filter(({ relevance }) => relevance >= leastTold)
  const nearest = near.map(({ memory_id, relevance, text }) =>
    hang(
      `  ${String(memory_id).padStart(4)}  ${percent(relevance).padStart(5)}  `,
      visible(text),
      style.width,
    ),
  )
  return [
    `${style.bold(colourOf(output.verdict, style))}  risk ${figure(output.risk)}`,
    hang('', visible(output.why), style.width),
    ...(near.length > 0
      ? [hang('', 'nearest flags, with the chance that each applies:', style.width), ...nearest]
      : []),
    ...(record === null
      ? []
      : [
          hang(
            '',
            `related predictions: ${percent(record.accuracy)} right at ${percent(record.mean_confidence)} claimed`,
            style.width,
          ),
          ...surprises,
        ]),
  ].join('\n')
}

const said = {
  no_match: 'will be held less against plans like this one',
  match: 'is held against plans like this one as any other',
} as const

/** Keeps whether a flag applies to such plans. @throws BrainError `invalid` or `refused`. */
async function exempt(
  topic: unknown,
  { option, id, verdict }: { option: string; id: unknown; verdict: keyof typeof said },
  { brain, caller, session }: Shell,
): Promise<void> {
  if (typeof id !== 'string') return
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new BrainError('invalid', `${option} must be the id of a flag`)
  const { assessFeedback } = await import('../../operations/assess-feedback.ts')
  await brain.call(assessFeedback, caller, { memory_id: Number(id), topic, verdict })
  session.terminal.stderr.write(`flag ${id} ${said[verdict]}\n`)
}

/** What is said of a flag counts for this verdict, too. */
export async function prepare(
  input: Readonly<Record<string, unknown>>,
  shell: Shell,
): Promise<Readonly<Record<string, unknown>>> {
  const { notThis, applies } = shell.options
  await exempt(input.topic, { option: '--not-this', id: notThis, verdict: 'no_match' }, shell)
  await exempt(input.topic, { option: '--applies', id: applies, verdict: 'match' }, shell)
  return input
}

const exitCodes = { clear: 0, caution: 10, danger: 20 } as const

export function after(output: Output<'assess'>, { options }: RenderInput, session: Session): void {
  if (options.exitCode === true) session.outcome.exitCode = exitCodes[output.verdict]
}
