/** What renderers share: the types of outputs, and figures and dates as people read them. */
import type * as z from 'zod/mini'
import type { definitions } from '../../operations/index.ts'
import { alignColumns } from './layout.ts'

/** The output of an operation, by its name. */
export type Output<Name extends keyof typeof definitions> = z.output<(typeof definitions)[Name]['output']>

/** A number with two decimals. */
export const figure = (value: number): string => value.toFixed(2)

/** The day of a timestamp. */
export const day = (timestamp: string): string => timestamp.slice(0, 10)

/** A share as a percentage, or a dash where there is none. */
export const percent = (share: number | null): string =>
  share === null ? '-' : `${Math.round(share * 100)} %`

/** A table whose first column is text and whose others are figures. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return alignColumns([header, ...rows], { right: header.map((_, at) => at).slice(1) })
}
