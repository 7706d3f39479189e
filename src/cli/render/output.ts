/** What renderers share: the types of outputs, and figures and dates as people read them. */
import type * as z from 'zod'
import type { definitions } from '../../operations/index.ts'

/** The output of an operation, by its name. */
export type Output<Name extends keyof typeof definitions> = z.output<(typeof definitions)[Name]['output']>

/** A number with two decimals. */
export const figure = (value: number): string => value.toFixed(2)

/** The day of a timestamp. */
export const day = (timestamp: string): string => timestamp.slice(0, 10)

/** A share as a percentage, or a dash where there is none. */
export const percent = (share: number | null): string =>
  share === null ? '-' : `${Math.round(share * 100)} %`

/** Rows as aligned columns, two spaces apart; numbers of the table belong to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(header), ...rows.map(line)]
}
