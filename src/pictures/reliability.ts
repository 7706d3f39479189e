/**
 * The reliability diagram of a track record: what was claimed against what came true, where chance would put it if the
 * claims held, and the best function from one to the other. Knows bins and lines; nothing of predictions, files or pages.
 */
import { at, type Palette, type Shape, shape } from './shape.ts'

/** What was claimed on average from `lower` on, and how much of it came true. */
export interface Mark {
  readonly lower: number
  readonly n: number
  readonly mean_confidence: number
  readonly observed: number
}

export interface Bin extends Mark {
  readonly upper: number
  /** Where `observed` lies in nine of ten cases if the claims hold; 0 to 1 when absent. */
  readonly expected_low?: number | undefined
  readonly expected_high?: number | undefined
}

/** Claims from `lower` to `upper` of which `observed` came true, by a fit without bins. */
export interface FittedRange {
  readonly lower: number
  readonly upper: number
  readonly observed: number
}

/** Below this many resolved predictions a bin says little, and a track record nothing. */
export const minInBin = 5
const tooFew = 10
const minOverall = 30

/** What so few resolved predictions can mean, or undefined when there are enough. */
export function caveatOf(n: number): string | undefined {
  if (n < tooFew) return `n = ${n}: too few to mean anything; read it again from ${tooFew} on.`
  if (n < minOverall) return `n = ${n}: a rough picture; from ${minOverall} on it begins to hold.`
  return undefined
}

const percent = (share: number): number => Math.round(share * 100)

/** Whether so much or so little came true that chance alone seldom does it. */
export const isOutside = ({ observed, expected_low = 0, expected_high = 1 }: Bin): boolean =>
  observed < expected_low || observed > expected_high

/** One bin in words. */
export const tellBin = ({ mean_confidence, observed, n, expected_low = 0, expected_high = 1 }: Bin): string =>
  `claimed ${percent(mean_confidence)} %, came true ${percent(observed)} %, n = ${n}; ` +
  `${percent(expected_low)} to ${percent(expected_high)} % would fit the claim`

const legend = 'band: nine of ten records whose claims hold'
const fitLegend = '; line: the fit without bins'

const side = 480
const margin = { left: 64, top: 48, right: 24, bottom: 72 }
const width = margin.left + side + margin.right
const height = margin.top + side + margin.bottom

const x = (share: number): number => margin.left + share * side
const y = (share: number): number => margin.top + (1 - share) * side

/** Space between the bands of neighbouring bins. */
const gap = 3

function drawBand(
  { lower, upper, expected_low: low = 0, expected_high: high = 1 }: Bin,
  { band }: Palette,
): Shape {
  return shape('rect', {
    x: at(x(lower) + gap),
    y: at(y(high)),
    width: at(x(upper) - x(lower) - 2 * gap),
    // A band that is a single share is still to be seen.
    height: at(Math.max(2, y(low) - y(high))),
    fill: band,
    'fill-opacity': 0.35,
  })
}

function drawBin(bin: Bin, { paper, accent, bad }: Palette): Shape {
  const colour = isOutside(bin) ? bad : accent
  return shape(
    'g',
    {},
    shape('title', {}, tellBin(bin)),
    shape('circle', {
      cx: at(x(bin.mean_confidence)),
      cy: at(y(bin.observed)),
      r: at(4 + Math.min(10, Math.sqrt(bin.n))),
      fill: bin.n < minInBin ? paper : colour,
      stroke: colour,
      'stroke-width': 2,
    }),
  )
}

/** The fit as stairs: level over each range, straight to the next. */
const drawFit = (fit: readonly FittedRange[], { faint }: Palette): Shape[] =>
  fit.length === 0
    ? []
    : [
        shape('polyline', {
          points: fit
            .flatMap(({ lower, upper, observed }) =>
              [lower, upper].map((claim) => [claim, observed] as const),
            )
            .map(([claim, observed]) => `${at(x(claim))},${at(y(observed))}`)
            .join(' '),
          fill: 'none',
          stroke: faint,
          'stroke-width': 1.5,
        }),
      ]

function drawTicks({ grid }: Palette): Shape[] {
  return [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((share) => {
    const label = `${Math.round(share * 100)} %`
    return [
      shape('line', { x1: at(x(share)), y1: at(y(0)), x2: at(x(share)), y2: at(y(1)), stroke: grid }),
      shape('line', { x1: at(x(0)), y1: at(y(share)), x2: at(x(1)), y2: at(y(share)), stroke: grid }),
      shape('text', { x: at(x(share)), y: at(y(0) + 20), 'text-anchor': 'middle' }, label),
      shape('text', { x: at(x(0) - 8), y: at(y(share) + 4), 'text-anchor': 'end' }, label),
    ]
  })
}

/**
 * The diagram: bands where nine of ten track records lie whose claims hold, marks of what came true (hollow on few
 * predictions, in the bad colour outside their band), and as a thin line the fit without bins.
 */
export function drawReliability(
  bins: readonly Bin[],
  {
    n,
    title,
    palette,
    fit = [],
  }: { n: number; title: string; palette: Palette; fit?: readonly FittedRange[] },
): Shape {
  const { paper, ink, faint, line } = palette
  const middle = { x: at(x(0.5)), 'text-anchor': 'middle' }
  return shape(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': 'sans-serif',
      'font-size': 13,
      fill: ink,
    },
    shape('title', {}, title),
    shape('rect', { width, height, fill: paper }),
    shape('text', { ...middle, y: 26, 'font-size': 16 }, title),
    shape(
      'text',
      { ...middle, y: 42, 'font-size': 11, fill: faint },
      legend + (fit.length > 0 ? fitLegend : ''),
    ),
    ...drawTicks(palette),
    ...bins.map((bin) => drawBand(bin, palette)),
    shape('line', {
      x1: at(x(0)),
      y1: at(y(0)),
      x2: at(x(1)),
      y2: at(y(1)),
      stroke: line,
      'stroke-dasharray': '4 4',
    }),
    ...drawFit(fit, palette),
    ...bins.map((bin) => drawBin(bin, palette)),
    shape('text', { ...middle, y: at(y(0) + 42) }, 'claimed'),
    shape(
      'text',
      { x: 18, y: at(y(0.5)), 'text-anchor': 'middle', transform: `rotate(-90 18 ${at(y(0.5))})` },
      'came true',
    ),
    shape('text', { ...middle, y: at(y(0) + 62), fill: faint }, caveatOf(n) ?? `n = ${n}`),
  )
}
