/** Predictions for people, or their due dates as a calendar. */
import { maxPageSize, pageSize } from '../../operations/predictions.ts'
import { agentFilter } from './agent-filter.ts'
import { toCalendar } from './calendar.ts'
import { hang, moreOf } from './layout.ts'
import { day, dueDay, figure, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput, View } from './view.ts'

type Listed = Output<'predictions'>['predictions'][number]

export const complete: NonNullable<View<'predictions'>['complete']> = async (input, session, options) => ({
  // A calendar is read by a program: as many as one request gives.
  ...(options.ics === true && { limit: maxPageSize }),
  ...input,
  ...agentFilter(session, options),
})

function standingOf({ outcome, resolved_at, due_at, overdue }: Listed, style: Style): string {
  if (outcome !== null) return style.dim(`${outcome}${resolved_at === null ? '' : ` ${day(resolved_at)}`}`)
  if (due_at === null) return overdue ? style.yellow('open for more than 30 days') : ''
  return overdue ? style.yellow(`was due ${dueDay(due_at)}`) : `due ${dueDay(due_at)}`
}

function renderOne(one: Listed, style: Style): string {
  const about = [
    figure(one.confidence),
    style.dim(
      `${day(one.created_at)}  ${visible(one.domain)}${one.agent === null ? '' : `, ${visible(one.agent)}`}`,
    ),
    standingOf(one, style),
  ].filter((part) => part !== '')
  const lines = [
    `${style.bold(String(one.id).padStart(4))}  ${about.join('  ')}`,
    hang('      ', visible(one.prediction), style.width),
    ...(one.basis === null ? [] : [hang('      ', style.dim(`because ${visible(one.basis)}`), style.width)]),
    ...(one.check === null || one.outcome !== null
      ? []
      : [hang('      ', style.dim(`check: ${visible(one.check)}`), style.width)]),
  ]
  return lines.join('\n')
}

const nothing: Readonly<Record<string, string>> = {
  overdue: 'nothing is overdue',
  resolved: 'no resolved predictions',
  annulled: 'no annulled predictions',
  all: 'no predictions',
}

export function render(output: Output<'predictions'>, style: Style, { input, options }: RenderInput): string {
  if (options.ics === true) return toCalendar(output.predictions)
  if (output.predictions.length === 0) {
    const due =
      input.due === undefined ? 'no open predictions' : `nothing is due by ${visible(String(input.due))}`
    return style.dim(nothing[String(input.standing)] ?? due)
  }
  const more = moreOf(output, { limit: Number(input.limit ?? pageSize), count: output.predictions.length })
  return [...output.predictions.map((one) => renderOne(one, style)), ...more.map(style.dim)].join('\n')
}
