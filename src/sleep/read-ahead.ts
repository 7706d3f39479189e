/**
 * Reads a daemon's newest flags before anybody asks, so that the first plan costs no more than a later one. Of the
 * built-in model's vectors alone: another embedder is not to be asked unasked.
 */
import { yieldToEventLoop } from '../clock.ts'
import { isBuiltin } from '../models/pool.ts'
import type { SearchContext } from '../search/candidates.ts'
import { relevantFlags } from '../search/relevant-flags.ts'

/** Flags of a project that are read; the pair model keeps somewhat more. */
const newestFlags = 64
/** Any plan at all: what is opened and compiled for it is there for the next. */
const anyPlan = 'carry out the next step'

/** Reads one project's flags, a few milliseconds at a time, until `signal` is aborted. Changes nothing. */
export async function readFlagsAhead(context: SearchContext, signal: AbortSignal): Promise<void> {
  const { embedders, project, store } = context
  const served = await store.index.servedModel()
  if (served === undefined || !isBuiltin(served)) return
  const newest = { kinds: ['flag'], now: context.now(), limit: newestFlags, skip: 0 } as const
  const { records } = await store.records.list(project, newest)
  if (records.length === 0) return
  await relevantFlags(context, anyPlan)
  const reader = await embedders.reader()
  for (const { text } of records) {
    if (signal.aborted) return
    await yieldToEventLoop()
    reader?.judge(text, [])
  }
}
