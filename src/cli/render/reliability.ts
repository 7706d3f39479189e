/**
 * The reliability diagram of a track record on a terminal: what was claimed against what came true. Knows bins and
 * columns, nothing of predictions.
 */
import { type Mark, minInBin } from '../../pictures/reliability.ts'

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
export function renderReliability(bins: readonly Mark[], width = Number.POSITIVE_INFINITY): string[] {
  const columns = columnsIn(width)
  const grid = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column): string =>
      Math.round((column / columns) * rows) === rows - row && column % (columns / 10) === 0 ? '·' : ' ',
    ),
  )
  for (const bin of bins) {
    const row = grid[rows - Math.round(bin.observed * rows)]
    if (row) row[Math.round(bin.mean_confidence * columns)] = bin.n < minInBin ? '○' : '●'
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
