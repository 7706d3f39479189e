/** A gut-check for people. */
import { BrainError } from '../../core/errors.ts'
import type { Verdict } from '../../core/gut-check.ts'
import type { Session } from '../session.ts'
import { hang } from './layout.ts'
import { figure, type Output, percent } from './output.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput } from './view.ts'

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
  const nearest = output.nearest.map(({ memory_id, relevance, text }) =>
    hang(
      `  ${String(memory_id).padStart(4)}  ${percent(relevance).padStart(5)}  `,
      visible(text),
      style.width,
    ),
  )
  return [
    `${style.bold(colourOf(output.verdict, style))}  risk ${figure(output.risk)}`,
    hang('', visible(output.why), style.width),
    ...(output.nearest.length > 0 ? ['nearest flags, with the chance that each applies:', ...nearest] : []),
    ...(record === null
      ? []
      : [
          `related predictions: ${percent(record.accuracy)} right at ${percent(record.mean_confidence)} claimed`,
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
  topic: string,
  { option, id, verdict }: { option: string; id: string; verdict: keyof typeof said },
  session: Session,
): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new BrainError('invalid', `${option} must be the id of a flag`)
  const { assessFeedback } = await import('../../operations/assess-feedback.ts')
  await session.withBrain('assess', (brain, caller) =>
    brain.call(assessFeedback, caller, { memory_id: Number(id), topic, verdict }),
  )
  session.terminal.stderr.write(`flag ${id} ${said[verdict]}\n`)
}

const exitCodes = { clear: 0, caution: 10, danger: 20 } as const

export async function after(
  output: Output<'assess'>,
  { options }: RenderInput,
  session: Session,
): Promise<void> {
  const { notThis, applies } = options
  if (typeof notThis === 'string')
    await exempt(output.topic, { option: '--not-this', id: notThis, verdict: 'no_match' }, session)
  if (typeof applies === 'string')
    await exempt(output.topic, { option: '--applies', id: applies, verdict: 'match' }, session)
  if (options.exitCode === true) session.outcome.exitCode = exitCodes[output.verdict]
}
