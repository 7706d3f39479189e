/** Predictions and calibration for people. */
import { hang } from './layout.ts'
import { day, figure, type Output, percent, table } from './output.ts'
import { caveatOf, renderReliability } from './reliability.ts'
import { type Style, visible } from './style.ts'

export const renderPredict = (output: Output<'predict'>, style: Style): string =>
  `${style.green('predicted')} ${style.bold(String(output.id))} in ${visible(output.domain)} at ${figure(output.confidence)}`

export const renderResolve = (output: Output<'resolve'>, style: Style): string =>
  `${style.green('resolved')} ${style.bold(String(output.prediction_id))} as ${output.outcome}, surprise ${figure(output.surprise)}`

export function renderPredictionsOpen(output: Output<'predictions_open'>, style: Style): string {
  if (output.predictions.length === 0) return style.dim('no open predictions')
  return output.predictions
    .map((one) => {
      const about = style.dim(`${day(one.created_at)}  ${visible(one.domain)}`)
      const head = `${style.bold(String(one.id).padStart(4))}  ${figure(one.confidence)}  ${about}  `
      const lines = [hang(head, visible(one.prediction), style.width)]
      if (one.basis !== null) {
        lines.push(hang('      ', style.dim(`because ${visible(one.basis)}`), style.width))
      }
      return lines.join('\n')
    })
    .join('\n')
}

const score = (value: number | null): string => (value === null ? '-' : value.toFixed(3))

type Figures = Output<'calibration'>['overall']

const toRow = (name: string, record: Figures): string[] => [
  visible(name),
  String(record.n),
  percent(record.accuracy),
  percent(record.mean_confidence_when_correct),
  percent(record.mean_confidence_when_incorrect),
  score(record.brier),
  score(record.log_loss),
  score(record.mean_surprise),
]

const legend = 'A mark on the dots is a claim that holds; below them, overconfident. Hollow: fewer than 5.'

export function renderCalibration(output: Output<'calibration'>, style: Style): string {
  const { overall, domains, window_days } = output
  const period = window_days === null ? 'of all time' : `of the last ${window_days} days`
  if (overall.n === 0) return style.dim(`no resolved predictions ${period}`)
  const header = ['domain', 'n', 'accuracy', 'sure, right', 'sure, wrong', 'brier', 'log loss', 'surprise']
  const rows = [...domains.map((record) => toRow(record.domain, record)), toRow('overall', overall)]
  const [titles, ...lines] = table(header, rows, style.width)
  const caveat = caveatOf(overall.n)
  return [
    style.dim(titles ?? ''),
    ...lines,
    '',
    ...renderReliability(overall.bins, style.width),
    '',
    hang('', style.dim(legend), style.width),
    ...(caveat === undefined ? [] : [hang('', style.yellow(caveat), style.width)]),
  ].join('\n')
}
