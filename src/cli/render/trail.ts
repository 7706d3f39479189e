/**
 * The evidence trail of a belief as a picture for a terminal: its log ratio moving between the two boundaries,
 * one line an event. Knows numbers and columns; colours, wording around it and escaping belong to the caller.
 */

import { ratiosOf, reachOf, signed, type TrailBoundaries } from '../../pictures/trail.ts'

export interface TrailEvent {
  readonly kind: string
  readonly strength: number
  readonly log_likelihood: number
  /** RFC 3339. */
  readonly created_at: string
}

/** Columns of the plot, and of the figures next to it. */
const widestPlot = 44
const narrowestPlot = 24
const figuresWidth = 46
const shownEvents = 20

/** Where `text` begins that is centred on `column` of so many, moved inwards where it would stick out. */
const startOf = (text: string, column: number, columns: number): number =>
  Math.max(0, Math.min(columns - text.length, column - Math.floor(text.length / 2)))

/**
 * The picture: lines before the events, and a line for each of the last 20, none wider than `width` where that is 70
 * or more; those before them are summed up in one.
 */
export function renderTrail(
  events: readonly TrailEvent[],
  boundaries: TrailBoundaries,
  width = Number.POSITIVE_INFINITY,
): { head: string[]; events: string[] } {
  const plotWidth = Math.max(narrowestPlot, Math.min(widestPlot, width - figuresWidth))
  const { promote, demote } = boundaries
  const ratios = ratiosOf(events)
  const [lowest, highest] = reachOf(ratios.slice(-shownEvents - 1), boundaries)
  const columnOf = (ratio: number): number =>
    Math.round(((ratio - lowest) / (highest - lowest)) * (plotWidth - 1))

  const blank = (fill: string): string[] => Array.from({ length: plotWidth }, () => fill)
  const axisColumns = [columnOf(demote), columnOf(0), columnOf(promote)]
  const [low, high] = [`demoted ${demote.toFixed(2)}`, `promoted ${promote.toFixed(2)}`]
  const [lowAt, highAt] = [
    startOf(low, columnOf(demote), plotWidth),
    startOf(high, columnOf(promote), plotWidth),
  ]
  // Where the boundaries leave them no room, each has a line; and the axis alone has to show where 0 is.
  const apart = lowAt + low.length < highAt
  const zero = columnOf(0)
  const shown = apart && zero > lowAt + low.length && zero < highAt - 1
  const between = shown ? '0'.padStart(zero - lowAt - low.length + 1) : ''
  const labels = apart
    ? [`${' '.repeat(lowAt)}${low}${between}`.padEnd(highAt) + high]
    : [' '.repeat(lowAt) + low, ' '.repeat(highAt) + high]
  const axis = blank('─')
  for (const column of axisColumns) axis[column] = '┼'

  const drawEvent = (event: TrailEvent, index: number): string => {
    const line = blank(' ')
    for (const column of axisColumns) line[column] = '│'
    const from = columnOf(ratios[index] ?? 0)
    const to = columnOf(ratios[index + 1] ?? 0)
    for (let column = Math.min(from, to); column <= Math.max(from, to); column++) line[column] = '─'
    line[to] = '●'
    const figures = `${signed(event.log_likelihood)} = ${signed(ratios[index + 1] ?? 0)}`
    return `${line.join('')}  ${event.created_at.slice(0, 10)}  ${figures}  ${event.kind} ${event.strength}`
  }

  const hidden = Math.max(0, events.length - shownEvents)
  const earlier =
    hidden === 0 ? [] : [`… ${hidden} earlier, log ratio ${signed(ratios[hidden] ?? 0)} by then`]
  return {
    head: [...labels, axis.join(''), ...earlier],
    events: events.slice(hidden).map((event, index) => drawEvent(event, hidden + index)),
  }
}
