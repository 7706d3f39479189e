/**
 * The reliability diagram of a track record, for a terminal and as SVG: what was claimed against what came
 * true. Knows bins and pictures, nothing of predictions.
 */
import { intervalOf } from '../../core/calibration.ts'

export interface Bin {
  readonly lower: number
  readonly upper: number
  readonly n: number
  readonly mean_confidence: number
  readonly observed: number
}

/** Below this many resolved predictions a bin says little, and a track record nothing. */
const fewInBin = 5
const tooFew = 10
const fewOverall = 30

/** What so few resolved predictions can mean, or undefined when there are enough. */
export function caveatOf(n: number): string | undefined {
  if (n < tooFew) return `n = ${n}: too few to mean anything; read it again from ${tooFew} on.`
  if (n < fewOverall) return `n = ${n}: a rough picture; from ${fewOverall} on it begins to hold.`
  return undefined
}

const rows = 10
/** Columns of the labels on the left. */
const aside = 8
const unit = ' % claimed'

/** The widest picture, a multiple of ten columns, that fits; 30 at least. */
function columnsIn(width: number): number {
  const room = Math.floor((width - aside - '100'.length - unit.length) / 10) * 10
  return Math.max(30, Math.min(50, room))
}

/**
 * The diagram's lines, none wider than `width` where that is 42 or more: the diagonal is a perfect record, a hollow
 * mark stands on fewer than five predictions.
 */
export function renderReliability(bins: readonly Bin[], width = Number.POSITIVE_INFINITY): string[] {
  const columns = columnsIn(width)
  const grid = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column): string =>
      Math.round((column / columns) * rows) === rows - row && column % (columns / 10) === 0 ? '·' : ' ',
    ),
  )
  for (const bin of bins) {
    const row = grid[rows - Math.round(bin.observed * rows)]
    if (row) row[Math.round(bin.mean_confidence * columns)] = bin.n < fewInBin ? '○' : '●'
  }
  const lines = grid.map((cells, row) => {
    const label = row % 2 === 0 ? `${100 - row * 10} %` : ''
    return `${label.padStart(6)} │${cells.join('').trimEnd()}`
  })
  const scale = [0, 20, 40, 60, 80, 100].map((percent) => String(percent).padEnd(columns / 5)).join('')
  const counts = Array.from({ length: 10 }, (_, index) => {
    const bin = bins.find(({ lower }) => Math.round(lower * 10) === index)
    return (bin === undefined ? '·' : String(bin.n)).padStart(3).padEnd(columns / 10)
  })
  return [
    'came true',
    ...lines,
    `${' '.repeat(6)} └${'─'.repeat(columns + 1)}`,
    `${' '.repeat(aside)}${scale.trimEnd()}${aside + columns + 3 + unit.length <= width ? unit : ''}`,
    `${'n'.padStart(6)}  ${counts.join('').trimEnd()}`,
  ]
}

const side = 480
const margin = { left: 64, top: 48, right: 24, bottom: 72 }

const x = (share: number): number => margin.left + share * side
const y = (share: number): number => margin.top + (1 - share) * side
const at = (value: number): string => String(Math.round(value * 100) / 100)

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function drawBin(bin: Bin): string {
  const [low, high] = intervalOf(bin.observed, bin.n)
  const [column, fill] = [at(x(bin.mean_confidence)), bin.n < fewInBin ? '#fff' : '#2563eb']
  const told = `claimed ${Math.round(bin.mean_confidence * 100)} %, came true ${Math.round(bin.observed * 100)} %, n = ${bin.n}`
  return `  <g><title>${told}</title>
    <line x1="${column}" y1="${at(y(low))}" x2="${column}" y2="${at(y(high))}" stroke="#93b4f5" stroke-width="2"/>
    <circle cx="${column}" cy="${at(y(bin.observed))}" r="${at(4 + Math.min(10, Math.sqrt(bin.n)))}" fill="${fill}" stroke="#2563eb" stroke-width="2"/>
  </g>`
}

/** The same diagram as a self-contained SVG document, with the 95 % interval of each bin. */
export function renderReliabilitySvg(
  bins: readonly Bin[],
  { n, title }: { n: number; title: string },
): string {
  const width = margin.left + side + margin.right
  const height = margin.top + side + margin.bottom
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((share) => {
    const label = `${Math.round(share * 100)} %`
    return [
      `  <line x1="${at(x(share))}" y1="${at(y(0))}" x2="${at(x(share))}" y2="${at(y(1))}" stroke="#e5e7eb"/>`,
      `  <line x1="${at(x(0))}" y1="${at(y(share))}" x2="${at(x(1))}" y2="${at(y(share))}" stroke="#e5e7eb"/>`,
      `  <text x="${at(x(share))}" y="${at(y(0) + 20)}" text-anchor="middle">${label}</text>`,
      `  <text x="${at(x(0) - 8)}" y="${at(y(share) + 4)}" text-anchor="end">${label}</text>`,
    ]
  })
  const caveat = caveatOf(n) ?? `n = ${n}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="13" fill="#374151">
  <title>${escapeXml(title)}</title>
  <rect width="${width}" height="${height}" fill="#fff"/>
  <text x="${at(x(0.5))}" y="26" text-anchor="middle" font-size="16">${escapeXml(title)}</text>
${ticks.join('\n')}
  <line x1="${at(x(0))}" y1="${at(y(0))}" x2="${at(x(1))}" y2="${at(y(1))}" stroke="#9ca3af" stroke-dasharray="4 4"/>
${bins.map(drawBin).join('\n')}
  <text x="${at(x(0.5))}" y="${at(y(0) + 42)}" text-anchor="middle">claimed</text>
  <text x="18" y="${at(y(0.5))}" text-anchor="middle" transform="rotate(-90 18 ${at(y(0.5))})">came true</text>
  <text x="${at(x(0.5))}" y="${at(y(0) + 62)}" text-anchor="middle" fill="#6b7280">${escapeXml(caveat)}</text>
</svg>
`
}
