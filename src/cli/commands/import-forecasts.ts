/** `brain import` of a forecasting site's export: its predictions, all of them or none, those that are here already left out. */
import { counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import type { FoundPredictions } from '../../transfer/foreign-predictions.ts'
import { forecastFormatNames, isForecastFormat } from '../../transfer/formats/forecast-names.ts'
import type { ForeignPrediction } from '../../transfer/formats/foreign-prediction.ts'
import { interruptible } from '../interrupt.ts'
import { hang } from '../render/layout.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Options {
  readonly format: string
  readonly git?: boolean
  readonly dryRun?: boolean
}

const samples = 10

/** Names that a site's export may have: other files are not looked at unless a format says so. */
const mayBe = new RegExp(
  String.raw`\.(?:csv|json|${forecastFormatNames.join('|')})$|(?:^|[\\/])[^.\\/]+$`,
  'i',
)

async function find(
  session: Session,
  named: string,
  { format, git }: Options,
): Promise<FoundPredictions | undefined> {
  const asked = isForecastFormat(format) ? format : undefined
  if (git === true || (asked === undefined && (format !== 'auto' || !mayBe.test(named)))) return undefined
  if (named === '-') {
    if (asked === undefined) return undefined
    throw new BrainError('invalid', `${asked} is read from a file`)
  }
  const { readForeignPredictions } = await import('../../transfer/foreign-predictions.ts')
  return readForeignPredictions(session.path(named), { now: Date.now(), ...(asked && { format: asked }) })
}

/** What was found, and why not all of it is taken. */
function describe({ format, passedOver }: FoundPredictions, known: number): string[] {
  return [
    `predictions of ${format}`,
    ...(known > 0 ? [`${counted(known, 'is', 'are')} here already`] : []),
    ...[...passedOver].map(([why, count]) => `passed over: ${why} (${count})`),
  ]
}

function renderSample(one: ForeignPrediction, style: Style): string {
  const last = one.forecasts.at(-1)?.confidence ?? 0
  const head = `  ${last.toFixed(2)}  ${(one.resolution?.outcome ?? 'open').padEnd(9)}  `
  return hang(head, visible(one.prediction), style.width)
}

/** Whether the file was a forecasting site's; it is taken in then. */
export async function importForecasts(session: Session, named: string, options: Options): Promise<boolean> {
  const found = await find(session, named, options)
  if (found === undefined) return false
  const { terminal } = session
  const [{ importRecords }, { leaveOutKnownPredictions, toPredictionLines }] = await Promise.all([
    import('../../transfer/import.ts'),
    import('../../transfer/foreign-predictions.ts'),
  ])
  const { fresh, imported } = await session.withBrain('import', (brain, caller) =>
    interruptible(terminal, async (signal) => {
      const context = brain.context(caller)
      const fresh = await leaveOutKnownPredictions(context.store, context.project, found.predictions)
      if (options.dryRun === true || fresh.length === 0) return { fresh, imported: undefined }
      const imported = await importRecords({
        context,
        source: { open: () => toPredictionLines(fresh) },
        format: 'jsonl',
        projectNamed: session.options.project !== undefined,
        signal,
        progress: () => {},
      })
      return { fresh, imported }
    }),
  )
  const known = found.predictions.length - fresh.length
  const { style } = session
  for (const line of describe(found, known)) session.say(line)
  const passed_over = Object.fromEntries(found.passedOver)
  const predictions = counted(fresh.length, 'prediction')
  if (options.dryRun === true) {
    await session.print({ would_import: fresh.length, known, format: found.format, passed_over }, () =>
      [`would import ${predictions}`, ...fresh.slice(0, samples).map((one) => renderSample(one, style))].join(
        '\n',
      ),
    )
    return true
  }
  const counts = imported?.counts ?? { prediction: 0 }
  await session.print({ imported: counts, known, format: found.format, passed_over }, () =>
    fresh.length === 0 ? 'imported nothing' : `${style.green('imported')} ${predictions}`,
  )
  return true
}
