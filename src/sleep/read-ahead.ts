/**
 * Does for nobody what the first question and the first plan of a daemon would wait for: opens the models, reads vectors
 * and the newest flags. Of the built-in model's vectors alone: another embedder is not to be asked unasked.
 */
import { yieldToEventLoop } from '../clock.ts'
import { isBuiltin } from '../models/pool.ts'
import type { SearchContext } from '../search/candidates.ts'
import { search } from '../search/index.ts'
import { relevantFlags } from '../search/relevant-flags.ts'

/** Projects that are read ahead; a server of many is not to be kept busy by those that nobody asks. */
const maxProjects = 4
/** Flags of all of them that are read; the pair model keeps somewhat more. */
const maxFlags = 64
/** Any plan at all: what is opened and compiled for it is there for the next. */
const anyPlan = 'carry out the next step'

/** Reads a brain a few milliseconds at a time, until `signal` is aborted. Changes nothing. */
export async function readAhead(brain: Omit<SearchContext, 'project'>, signal: AbortSignal): Promise<void> {
  const { embedders, store } = brain
  const served = await store.index.servedModel()
  if (served === undefined || !isBuiltin(served)) return
  let left = maxFlags
  for (const project of (await store.maintenance.projects()).slice(0, maxProjects)) {
    if (signal.aborted) return
    const context = { ...brain, project }
    await search(context, anyPlan)
    const newest = { kinds: ['flag'], now: brain.now(), limit: left, skip: 0 } as const
    const { records } = left === 0 ? { records: [] } : await store.records.list(project, newest)
    left -= records.length
    if (records.length === 0) continue
    await relevantFlags(context, anyPlan)
    const reader = await embedders.reader()
    for (const { text } of records) {
      if (signal.aborted) return
      await yieldToEventLoop()
      reader?.judge(text, [])
    }
  }
}
