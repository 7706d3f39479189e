/** Tables as comma-separated values (RFC 4180): rows by the names in the first line. */
import { BrainError } from '../../core/errors.ts'
import { toCell, withoutGuard } from '../csv-cell.ts'

/** A row's cells by the names of their columns. */
export type Row = ReadonlyMap<string, string>

/** @throws BrainError `invalid` for a quotation that never ends. */
function readCells(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (character === '"' && cell === '') quoted = true
    else if (character === ',' || character === '\n') {
      row.push(cell)
      cell = ''
      if (character === '\n') {
        rows.push(row)
        row = []
      }
    } else if (character !== '\r' || text[at + 1] !== '\n') cell += character
  }
  if (quoted) throw new BrainError('invalid', 'a quotation in the table is never closed')
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows.filter((cells) => cells.some((one) => one !== ''))
}

/** Far more than any site's export has: each row is held with all of them. */
const maxColumns = 1_000

/** The rows below the first line, which names their columns. @throws BrainError `invalid`. */
export function readTable(text: string): Row[] {
  const [names = [], ...rows] = readCells(text.replace(/^\ufeff/, ''))
  if (names.length > maxColumns)
    throw new BrainError('invalid', `the table has more than ${maxColumns} columns`)
  return rows.map(
    (cells) =>
      new Map(
        names.map((name, at) => {
          const cell = cells[at]?.trim() ?? ''
          return [name.trim(), withoutGuard(cell)]
        }),
      ),
  )
}

/** A table's text, its columns in the order of `names`. */
export const toTable = (
  names: readonly string[],
  rows: readonly Readonly<Record<string, string | number | boolean | null>>[],
): string =>
  [names.map(toCell), ...rows.map((row) => names.map((name) => toCell(row[name] ?? null)))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')
