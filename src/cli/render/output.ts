/** What renderers share: the types of outputs, and figures and dates as people read them. */
import type * as z from 'zod/mini'
import { unnamedAgent } from '../../core/agent-names.ts'
import { endsDay } from '../../core/moments.ts'
import type { definitions } from '../../operations/index.ts'
import { alignColumns, cutAt, displayWidth } from './layout.ts'

/** The output of an operation, by its name. */
export type Output<Name extends keyof typeof definitions> = z.output<
  ReturnType<(typeof definitions)[Name]['output']>
>

/** A number with two decimals. */
export const figure = (value: number): string => value.toFixed(2)

/** The day of a timestamp. */
export const day = (timestamp: string): string => timestamp.slice(0, 10)

/** A moment, to the minute. */
export const minute = (timestamp: string): string => `${timestamp.slice(0, 16).replace('T', ' ')} UTC`

/** By whom, for the end of a verb; nothing of a caller that gave no name: "kept by default" says something else. */
export const byAgent = (agent: string | null | undefined): string =>
  agent == null || agent === unnamedAgent ? '' : ` by ${agent}`

/** When something is due: the day, with the minute (UTC) where that is not its end. */
export function dueDay(timestamp: string): string {
  return endsDay(Date.parse(timestamp)) ? day(timestamp) : `${day(timestamp)} ${timestamp.slice(11, 16)} UTC`
}

const units = ['B', 'kB', 'MB', 'GB'] as const

/** Bytes in the unit that leaves one to three digits before the point. */
export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** A share as a percentage, or a dash where there is none. */
export const percent = (share: number | null): string =>
  share === null ? '-' : `${Math.round(share * 100)} %`

/** Minimum columns of a name next to its figures, and the number of figures that every row keeps. */
const minName = 12
const minFigures = 2

/**
 * A table whose first column is text and whose others are figures. What does not fit `width` is left out: figures from the
 * right, then the ends of names.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const all = [header, ...rows]
  const widestOf = (at: number): number =>
    all.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? '')), 0)
  let shown = header.length
  let figures = header.slice(1).reduce((sum, _, at) => sum + 2 + widestOf(at + 1), 0)
  while (shown > minFigures + 1 && figures + Math.min(minName, widestOf(0)) > width) {
    shown -= 1
    figures -= 2 + widestOf(shown)
  }
  const cells = all.map(([name = '', ...rest]) => [
    cutAt(name, Math.max(minName, width - figures)),
    ...rest.slice(0, shown - 1),
  ])
  return alignColumns(cells, { right: header.map((_, at) => at).slice(1) })
}
