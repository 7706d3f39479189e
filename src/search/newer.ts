/**
 * Later memories on the matter of a result: what it says may be out of date, which words alone do not tell. They are named
 * beside it. One that tells of a change comes before the first result; others change no order, since many of them only add
 * to it, but leave it less sure.
 */

import { dot, likelyFrom } from '../core/ranking.ts'
import { type Memory, saidAt } from '../core/records.ts'
import { sharedWords } from '../core/sameness.ts'
import type { StoredPassage } from '../store/index-store.ts'
import { localDay, type Span } from './calendar.ts'
import type { SearchContext } from './candidates.ts'
import type { Found } from './index.ts'
import { asksPast, tellsChange } from './present.ts'
import type { Result } from './score.ts'
import { changedCeiling, laterCeiling, outdatedCeiling } from './weights.ts'

/** Results that are looked at: the first few that are likely enough to be relied on. */
const maxResults = 3
/** How far down a later one is looked for. */
const maxDepth = 12
/** Least share of the result's blend that a later one has. */
const minShare = 0.5
/**
 * How near a later one is at least, to be named and to come first: the cosine of the two and the share of their words that both
 * have. docs/quality.md has the figures.
 */
const nearEnough = { named: 0.6, first: 0.72 }
const maxNewer = 2
/** Milliseconds. */
const leastLater = 1_000
/** Passages of a long memory that are compared. */
const maxPassages = 4

const cosineOf = (one: readonly StoredPassage[], other: readonly StoredPassage[]): number =>
  Math.max(-1, ...one.flatMap(({ vector }) => other.map((its) => dot(vector, its.vector))))

/** What was found, and of each result that has any the ids of later memories, latest first. */
export interface Updated {
  readonly ranked: readonly Result[]
  readonly newer: ReadonlyMap<number, readonly number[]>
}

/** Whether a time that is over is asked for. The day of a question and days to come are asked about as things stand. */
const isOver = (spans: readonly Span[], today: number): boolean =>
  spans.some(({ to, yearly }) => !yearly && to < today)

/**
 * Results with the later memories on their matter. Questions about a time that is over, and turns of a conversation,
 * stay as they are.
 */
export async function withNewer(
  { now, project, store }: SearchContext,
  query: string,
  { conversation, mode, onlyTime, ranked, spans }: Found,
): Promise<Updated> {
  const same = { ranked, newer: new Map() }
  const likely = ranked.slice(0, maxResults).filter(({ score }) => score >= likelyFrom)
  if (likely.length === 0 || mode === 'keyword' || conversation || onlyTime) return same
  if (isOver(spans, localDay(now()))) return same
  const looked = ranked.slice(0, maxDepth).filter(({ misfit }) => misfit === undefined)
  const memories = await store.memories.findMany(
    project,
    looked.map(({ id }) => id),
  )
  const notes = new Map(memories.map((memory) => [memory.id, memory]))
  /**
   * By their times and their nearness to the question, latest first: vectors take longer to read. What was kept within the
   * second came in one go, and tells no order.
   */
  const laterThan = ({ id, blend }: Result): Memory[] => {
    const result = notes.get(id)
    const at = result === undefined ? Number.POSITIVE_INFINITY : saidAt(result)
    return looked
      .filter((other) => other.blend >= minShare * blend)
      .flatMap((other) => notes.get(other.id) ?? [])
      .filter((other) => saidAt(other) - at >= leastLater)
      .sort((a, b) => saidAt(b) - saidAt(a))
  }
  const possible = likely.map((result) => ({ id: result.id, others: laterThan(result) }))
  const compared = new Set(
    possible.flatMap(({ id, others }) => (others.length === 0 ? [] : [id, ...others.map((one) => one.id)])),
  )
  const model = compared.size === 0 ? undefined : await store.index.servedModel()
  if (model === undefined) return same
  const passages = await store.index.passages(project, model, [...compared])
  const of = (id: number) => passages.filter(({ memoryId }) => memoryId === id).slice(0, maxPassages)
  const later = possible.map(({ id, others }) => {
    const [own, text] = [of(id), notes.get(id)?.text ?? '']
    const found = others.map((memory) => ({
      memory,
      nearness: cosineOf(own, of(memory.id)) + sharedWords(text, memory.text),
    }))
    return [id, found.filter(({ nearness }) => nearness >= nearEnough.named)] as const
  })
  const [[first, afterFirst] = [0, []]] = later
  const change = afterFirst.find(
    ({ memory, nearness }) => nearness >= nearEnough.first && tellsChange(memory.text),
  )?.memory
  // Who asks in the very words of a note means that one.
  const isMeant = asksPast(query) || notes.get(first)?.text.trim() === query.trim()
  const newer = new Map(
    later.flatMap(([id, found]) =>
      found.length === 0 ? [] : [[id, found.slice(0, maxNewer).map(({ memory }) => memory.id)]],
    ),
  )
  if (isMeant) return { ranked, newer }
  return { ranked: lessSure(change === undefined ? ranked : putFirst(ranked, change.id), newer), newer }
}

/** The results in their order; those that have later ones, and so all behind them, are at most as likely as such results are. */
function lessSure(ranked: readonly Result[], newer: ReadonlyMap<number, unknown>): readonly Result[] {
  let highest = 1
  return ranked.map((result) => {
    if (newer.has(result.id)) highest = Math.min(highest, laterCeiling)
    return result.score <= highest ? result : { ...result, score: highest }
  })
}

/** The result that tells of a change comes first, about as likely as the one that was; that one may be out of date. */
function putFirst(ranked: readonly Result[], id: number): readonly Result[] {
  const [first] = ranked
  const changed = ranked.find((result) => result.id === id)
  if (first === undefined || changed === undefined) return ranked
  const others = ranked.filter((result) => result !== changed && result !== first)
  const outdated = { ...first, score: Math.min(outdatedCeiling, first.score) }
  const rest = [outdated, ...others].sort((a, b) => b.score - a.score)
  const score = Math.min(first.score, Math.max(changedCeiling, rest[0]?.score ?? 0))
  return [{ ...changed, score }, ...rest]
}
