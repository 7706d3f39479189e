/**
 * The evidence trail of a belief: its log ratio, observation by observation, between the boundaries of its test. Knows
 * numbers and lines; nothing of beliefs, terminals or pages.
 */
import { counted } from '../core/counts.ts'
import { at, type Palette, type Shape, shape } from './shape.ts'

export interface TrailBoundaries {
  readonly promote: number
  readonly demote: number
}

/** Where the log ratio stood before the first event and after each. */
export function ratiosOf(events: readonly { readonly log_likelihood: number }[]): number[] {
  const ratios = [0]
  for (const { log_likelihood } of events) ratios.push((ratios.at(-1) ?? 0) + log_likelihood)
  return ratios
}

/** The lowest and highest of ratios and boundaries together. */
export function reachOf(
  ratios: readonly number[],
  { promote, demote }: TrailBoundaries,
): readonly [lowest: number, highest: number] {
  return [Math.min(demote, ...ratios), Math.max(promote, ...ratios)]
}

/** Fixed width with its sign, so that the numbers of a column line up. */
export const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`

const [width, height] = [440, 220]
const margin = { left: 44, right: 76, top: 14, bottom: 28 }

/** More marks than this would be a smear. */
const maxMarks = 120

/** Where events are marked with a word each: which number the event is, and what it says. */
export interface TrailTold {
  readonly palette: Palette
  readonly title: string
  /** What is said of an event when it is pointed at. */
  readonly tell: (at: number) => string
}

/** The trail from left to right, the boundaries as lines across. */
export function drawTrail(
  events: readonly { readonly log_likelihood: number }[],
  boundaries: TrailBoundaries,
  { palette, title, tell }: TrailTold,
): Shape {
  const { ink, faint, grid, accent, good, bad, paper } = palette
  const ratios = ratiosOf(events)
  const [lowest, highest] = reachOf(ratios, boundaries)
  const room = { across: width - margin.left - margin.right, down: height - margin.top - margin.bottom }
  const x = (step: number): number => margin.left + (room.across * step) / Math.max(1, events.length)
  const y = (ratio: number): number => margin.top + room.down * (1 - (ratio - lowest) / (highest - lowest))
  const across = (ratio: number, stroke: string, dashes: string): Shape =>
    shape('line', {
      x1: margin.left,
      x2: width - margin.right,
      y1: at(y(ratio)),
      y2: at(y(ratio)),
      stroke,
      'stroke-dasharray': dashes,
    })
  const label = (ratio: number, text: string, fill: string): Shape[] => [
    shape('text', { x: width - margin.right + 8, y: at(y(ratio) + 4), fill }, text),
    shape(
      'text',
      { x: margin.left - 8, y: at(y(ratio) + 4), 'text-anchor': 'end', fill: faint },
      ratio === 0 ? '0' : signed(ratio),
    ),
  ]
  const marks = events.length > maxMarks ? [events.length] : events.map((_, index) => index + 1)
  return shape(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': 'sans-serif',
      'font-size': 12,
      fill: ink,
    },
    shape('title', {}, title),
    across(0, grid, 'none'),
    across(boundaries.promote, good, '5 4'),
    across(boundaries.demote, bad, '5 4'),
    ...label(boundaries.promote, 'promoted', good),
    ...label(boundaries.demote, 'demoted', bad),
    ...label(0, 'undecided', faint),
    shape('polyline', {
      points: ratios.map((ratio, step) => `${at(x(step))},${at(y(ratio))}`).join(' '),
      fill: 'none',
      stroke: accent,
      'stroke-width': 2,
      'stroke-linejoin': 'round',
    }),
    ...marks.map((step) =>
      shape(
        'circle',
        {
          cx: at(x(step)),
          cy: at(y(ratios[step] ?? 0)),
          r: step === events.length ? 5 : 3.5,
          fill: step === events.length ? accent : paper,
          stroke: accent,
          'stroke-width': 2,
        },
        shape('title', {}, tell(step - 1)),
      ),
    ),
    shape(
      'text',
      { x: at(margin.left + room.across / 2), y: height - 8, 'text-anchor': 'middle', fill: faint },
      counted(events.length, 'observation'),
    ),
  )
}
