/** Findings of a check-up, as every store and the command line make them. */
import type { Finding } from './store.ts'

/** What was found, before it is told whether it can be mended. */
export type Unmended = Omit<Finding, 'fixable'>

export const healthy = (check: string, detail: string): Unmended => ({ check, ok: true, detail })

/** A finding that nothing mends without loss. */
export const finding = (check: string, ok: boolean, detail: string): Finding => ({
  check,
  ok,
  detail,
  fixable: false,
})

/** The finding of what was examined: it can be mended if it has a `mend`. */
export const toFinding = ({ check, ok, detail, mend }: Unmended & { readonly mend?: unknown }): Finding => ({
  check,
  ok,
  detail,
  fixable: !ok && mend !== undefined,
})
