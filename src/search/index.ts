/**
 * Entry point of search: the memories that answer a question, best first, each with the probability that it is the
 * one. Knows the steps from candidates to scores; what each step decides is in its own file.
 */
import type { MemoryFilter } from '../store/memory-life.ts'
import type { SearchContext } from './candidates.ts'
import type { Featured } from './features.ts'
import { type Gathered, gather } from './gather.ts'
import { createMisfit } from './misfits.ts'
import { order } from './rerank.ts'
import { holdBack, type Result, type Scored, score } from './score.ts'
import { blendWeights, misfitCeiling } from './weights.ts'

export interface Found extends Pick<Gathered, 'mode' | 'corrections' | 'spans' | 'agent' | 'words'> {
  /** Whether the nearest are turns of a conversation, which were read with those around them. */
  readonly conversation: boolean
  /** Whether nothing but a time was asked for, or a time and the agent. */
  readonly onlyTime: boolean
  /** Best first; in keyword mode those that share words with the question. */
  readonly ranked: readonly Result[]
  /** Keyword matches that have no vector, best first. */
  readonly unembedded: readonly Scored[]
}

/** Everything worth showing for `query`, best first, among the memories that match the filter, if one is given. */
export async function search(context: SearchContext, query: string, among?: MemoryFilter): Promise<Found> {
  const { candidates, unembedded, surroundings, mode, ...told } = await gather(context, query, among)
  const onlyTime = surroundings.ofTime !== undefined
  const rank = async (some: readonly Featured[]): Promise<readonly Result[]> => {
    const scored = score(order(some, blendWeights, surroundings), surroundings)
    return onlyTime ? scored : await holdMisfits(context, query, scored)
  }
  const ranked = await rank(candidates)
  // A note that asks the same is no rival of one that answers: it takes nothing of what that stands out by.
  const open = ranked.filter(({ misfit }) => misfit === 'open')
  const answers =
    open.length === 0 ? [] : await rank(candidates.filter(({ id }) => !open.some((one) => one.id === id)))
  return {
    mode,
    conversation: surroundings.conversation,
    onlyTime,
    ranked: open.length === 0 ? ranked : [...answers, ...open].toSorted((a, b) => b.score - a.score),
    unembedded: score(order(unembedded, blendWeights), surroundings),
    ...told,
  }
}

/** The results, those that cannot be what was asked for with a low score and behind the others. */
async function holdMisfits(
  { project, store }: SearchContext,
  query: string,
  ranked: readonly Scored[],
): Promise<readonly Result[]> {
  const misfitOf = createMisfit(query)
  const likely = ranked.filter(({ score }) => score > misfitCeiling).map(({ id }) => id)
  if (likely.length === 0) return ranked
  const memories = misfitOf === undefined ? [] : await store.memories.findMany(project, likely)
  return holdBack(ranked, new Map(memories.map(({ id, text }) => [id, misfitOf?.(text)])))
}
