/**
 * A cell of comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula is written behind an
 * apostrophe, which programs take for the sign of a text, and read without it.
 */

/** What a cell must not begin with: programs take it for a formula, some after a tab, a return or in another width. */
const formula = /^[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

export function toCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell's text as it was before the apostrophe. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
