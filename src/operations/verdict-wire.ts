/** What responses say about a belief besides the status of its test: a verdict that differs from it, and caveats. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { type BeliefStatus, beliefStatuses } from '../core/records.ts'
import { boundariesOf, statusOf } from '../core/sprt.ts'
import { judge } from '../core/verdict.ts'
import type { Context } from './operation.ts'

export const verdictMembers = {
  /** Absent if it equals the test's status. */
  verdict: z.exactOptional(z.enum(beliefStatuses)),
  /** Caveats; absent if there are none. */
  caveats: z.exactOptional(z.array(z.string())),
}

/** The values of these members. */
export interface Verdict {
  readonly verdict?: BeliefStatus
  readonly caveats?: string[]
}

/** The verdict on a belief in a word. */
export const verdictIn = ({ verdict }: Verdict, ratio: number, { config }: Context): BeliefStatus =>
  verdict ?? statusOf(ratio, boundariesOf(ratesOf(config)))

/** By belief; without grounds there is neither. */
export async function verdictsOn(
  { store, project, config }: Context,
  ids: readonly number[],
): Promise<(id: number) => Verdict> {
  const found = await store.beliefs.grounds(project, ids)
  const boundaries = boundariesOf(ratesOf(config))
  return (id) => {
    const grounds = found.get(id)
    if (grounds === undefined) return {}
    const { verdict, caveats } = judge(grounds, boundaries)
    return {
      ...(verdict !== statusOf(grounds.logRatio, boundaries) && { verdict }),
      ...(caveats.length > 0 && { caveats: [...caveats] }),
    }
  }
}
