/**
 * What a command does for the brain before its own work, so that the answer is already the better for it. Knows when
 * there is something to do and how to say what is left; the work itself is loaded only then.
 */
import { count, counted } from '../core/counts.ts'
import { isBuiltin } from '../models/pool.ts'
import type { Context, Operation } from '../operations/operation.ts'
import type { Session } from './session.ts'

/** Whether memories wait for vectors of a model that is here and asks nobody. */
async function isWanting({ store, embedders, config }: Context, waiting: number): Promise<boolean> {
  if (config.embedder === 'none') return false
  const served = await store.index.servedModel()
  if (served !== undefined && (await embedders.successor(served)) !== undefined) return true
  return waiting > 0 && isBuiltin(served ?? { name: config.embedder })
}

/** A second's worth at most. What goes wrong with it is no fault of the command. */
export async function tidyUp(session: Session, context: Context, operation: Operation): Promise<void> {
  const { store, project } = context
  const { waiting: all, untidy } = await store.index.upkeep()
  const wanting = await isWanting(context, all.length)
  if (!wanting && !untidy) return
  const { tidy } = await import('../sleep/backfill.ts')
  await tidy(context, { heals: wanting }).catch(() => {})
  const waiting = wanting && operation.name === 'recall' ? await store.index.backlog(project) : 0
  if (waiting === 0) return
  const memories = counted(await store.memories.count(project), 'memory', 'memories')
  session.warn(
    `${count(waiting)} of ${memories} ${waiting === 1 ? 'waits for its vector, and is found by its' : 'wait for their vector, and are found by their'} words meanwhile: every command embeds some of them, \`brain reindex\` all`,
  )
}
