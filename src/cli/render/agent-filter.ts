/** Whose records a command lists, counts or scores. */
import type { Session } from '../session.ts'
import type { ShellOptions } from './view.ts'

/** The member `agent`: `--agent` is an option of every command, and selects here; `--by` is what recall calls it. */
export function agentFilter({ options: { agent } }: Session, { by }: ShellOptions = {}): { agent?: unknown } {
  const wanted = agent ?? by
  return wanted === undefined ? {} : { agent: wanted }
}
