/** A track record for people, and the picture of it that `--svg` asks for. */

import { closeSync, constants, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs'
import { cannotWrite } from '../../config/file-faults.ts'
import { requireOutsideBrains, requireReplaceable } from '../../config/output-files.ts'
import { counted } from '../../core/counts.ts'
import { BrainError, codeOf } from '../../core/errors.ts'
import { direct } from '../../direct-files.ts'
import { caveatOf, drawReliability, isOutside, tellBin } from '../../pictures/reliability.ts'
import { printed, toText } from '../../pictures/shape.ts'
import type { Session } from '../session.ts'
import { agentFilter } from './agent-filter.ts'
import { hang } from './layout.ts'
import { type Output, percent, table } from './output.ts'
import { renderReliability } from './reliability.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput, View } from './view.ts'

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

const legend =
  'A mark on the dots is a claim that holds; below them, overconfident. Hollow: fewer than 5. Said: the mean confidence of those that came true, and of those that did not. Brier and log loss: 0 is perfect.'

export const complete: NonNullable<View<'calibration'>['complete']> = async (input, session) => ({
  ...input,
  ...agentFilter(session),
})

const columns = ['n', 'accuracy', 'said if right', 'said if wrong', 'brier', 'log loss', 'surprise']

/** "The last day", "the last 30 days". */
const daysOf = (days: number): string => (days === 1 ? 'day' : counted(days, 'day'))

/** Which predictions the figures are about, in words. */
function scopeOf(input: Readonly<Record<string, unknown>>): string {
  const { since_days, since, agent, horizon } = input
  const parts = [
    since_days == null
      ? since == null
        ? 'of all time'
        : `since ${since}`
      : `of the last ${daysOf(Number(since_days))}`,
    ...(agent == null ? [] : [`by ${agent}`]),
    ...(horizon == null ? [] : [`with a horizon of ${horizon}`]),
  ]
  return visible(parts.join(' '))
}

/** The Brier score in parts, and over the life of the predictions where confidences were revised. */
function tellScores({ overall, scores }: Output<'calibration'>): string[] {
  const { brier, mcb = null, dsc = null, unc = null } = overall
  const parts =
    brier === null || mcb === null || dsc === null || unc === null
      ? []
      : [
          `Brier ${score(brier)} = ${score(unc)} uncertainty - ${score(dsc)} won by telling cases apart + ${score(mcb)} lost by claims that do not hold`,
        ]
  const revised = scores !== undefined && scores.first.brier !== scores.last.brier
  return [
    ...parts,
    ...(revised
      ? [
          `Brier by the first forecast ${score(scores.first.brier)}, by the last ${score(scores.last.brier)}, over the time each stood ${score(scores.time_weighted.brier)}`,
        ]
      : []),
  ]
}

/** Bins in which chance alone seldom gives what came true. */
function tellOutside({ bins }: Figures): string[] {
  const outside = bins.filter(isOutside)
  return outside.length === 0
    ? []
    : ['outside what chance allows:', ...outside.map((bin) => `  ${tellBin(bin)}`)]
}

const tabulate = (title: string, rows: readonly string[][], style: Style): string[] => {
  const [titles, ...lines] = table([title, ...columns], rows, style.width)
  return [style.dim(titles ?? ''), ...lines]
}

export function render(output: Output<'calibration'>, style: Style, { input }: RenderInput): string {
  const { overall, domains, groups } = output
  if (overall.n === 0) return style.dim(`no resolved predictions ${scopeOf(input)}`)
  const rows = [...domains.map((record) => toRow(record.domain, record)), toRow('overall', overall)]
  const grouped =
    groups === undefined
      ? []
      : [
          ...tabulate(
            String(input.by),
            groups.map((record) => toRow(record.group, record)),
            style,
          ),
          '',
        ]
  const caveat = caveatOf(overall.n)
  return [
    style.dim(`${counted(overall.n, 'resolved prediction')} ${scopeOf(input)}`),
    ...grouped,
    ...tabulate('domain', rows, style),
    '',
    ...tellScores(output).map((line) => hang('', line, style.width)),
    '',
    ...renderReliability(overall.bins, style.width),
    '',
    ...tellOutside(overall).map((line) => hang('', line, style.width)),
    hang('', style.dim(legend), style.width),
    ...(caveat === undefined ? [] : [hang('', style.yellow(caveat), style.width)]),
  ].join('\n')
}

/** Never through a link, which may lead to anything, and never waiting for who reads a pipe. */
const writing = constants.O_WRONLY | constants.O_CREAT | direct

/** Whether a file begins as such a picture does. */
const isPicture = (beginning: string): boolean =>
  /^<svg xmlns="[^"]*" width="\d+" [^>]*><title>Reliability/.test(beginning)

function draw(file: string, picture: string): void {
  try {
    const descriptor = openSync(file, writing | constants.O_TRUNC, 0o600)
    try {
      // A file that was there may be open to others.
      if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
      writeFileSync(descriptor, picture)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (codeOf(error) !== 'ELOOP') throw error
    throw new BrainError('failed', `cannot write ${file}: it is a symbolic link: name the file itself`, {
      cause: error,
    })
  }
}

/** @throws BrainError `failed` naming the file. */
export async function after(
  output: Output<'calibration'>,
  { options: { svg } }: RenderInput,
  session: Session,
): Promise<void> {
  if (typeof svg !== 'string') return
  requireOutsideBrains(session.path(svg))
  requireReplaceable(session.path(svg), isPicture, 'picture')
  const { overall, window_days } = output
  const period = window_days === null ? '' : `, last ${daysOf(window_days)}`
  const told = { n: overall.n, title: `Reliability${period}`, palette: printed, fit: output.fit ?? [] }
  const picture = `${toText(drawReliability(overall.bins, told))}\n`
  try {
    draw(session.path(svg), picture)
  } catch (error) {
    throw error instanceof BrainError ? error : cannotWrite(svg, error)
  }
  session.say(`wrote the reliability diagram to ${svg}`)
}
