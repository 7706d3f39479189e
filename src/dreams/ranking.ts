/**
 * Selects the thoughts to keep: by the strength of their evidence, the usefulness of their kind, and readers'
 * feedback; each night on different things, and nothing twice. Pure; knows no notes.
 */

import { addTo } from '../core/lists.ts'
import type { DreamKind } from '../core/records.ts'
import type { EarlierDream, Thought } from './thought.ts'

interface Traits {
  /** Use and surprise to someone who reads it over coffee, 0..1. */
  readonly use: number
  /** One matter may be told by any of these kinds: of two notes the other telling would be the second. */
  readonly sharesMatter: boolean
  /** About its first source, whatever else bears it out. */
  readonly aboutFirst: boolean
  /** Each further source is news: a second plan that meets an absence. */
  readonly growsByEach?: boolean
}

const traits: Readonly<Record<DreamKind, Traits>> = {
  collision: { use: 1, sharesMatter: false, aboutFirst: false, growsByEach: true },
  rule: { use: 0.95, sharesMatter: true, aboutFirst: true },
  reversal: { use: 0.95, sharesMatter: true, aboutFirst: true },
  tension: { use: 0.95, sharesMatter: true, aboutFirst: true },
  preference: { use: 0.9, sharesMatter: true, aboutFirst: true },
  promise: { use: 0.9, sharesMatter: false, aboutFirst: true },
  question: { use: 0.9, sharesMatter: false, aboutFirst: false },
  trend: { use: 0.9, sharesMatter: false, aboutFirst: false },
  settled: { use: 0.9, sharesMatter: false, aboutFirst: false },
  recurrence: { use: 0.85, sharesMatter: false, aboutFirst: false },
  drift: { use: 0.85, sharesMatter: false, aboutFirst: false },
  cause: { use: 0.8, sharesMatter: true, aboutFirst: true },
  echo: { use: 0.75, sharesMatter: true, aboutFirst: false },
  bridge: { use: 0.7, sharesMatter: true, aboutFirst: false },
}

/** Minimum worth of a thought. */
const minWorth = 0.3
/** The evidence from which a second note is told that goes against what another one was told to. */
const sureSignal = 0.7
/** Maximum number of thoughts compared; the weakest are dropped. */
const maxCandidates = 3_000
/** Maximum number of one kind per night: a page of one kind reads like a list. */
const maxOfAKind = 3

const nameOf = ({ kind, sourceMemoryIds }: EarlierDream): string =>
  `${kind} ${[...sourceMemoryIds].sort((a, b) => a - b).join(' ')}`

/** Whether a thought says no more than one that was told: the same matter, grown by less than its own size. */
export function isRetelling(thought: EarlierDream, earlier: EarlierDream): boolean {
  const [ours, theirs] = [thought.sourceMemoryIds, earlier.sourceMemoryIds]
  const shared = ours.filter((id) => theirs.includes(id)).length
  if (shared === 0) return false
  if (thought.kind === earlier.kind && traits[thought.kind].aboutFirst && ours[0] === theirs[0]) return true
  const related =
    thought.kind === earlier.kind || (traits[thought.kind].sharesMatter && traits[earlier.kind].sharesMatter)
  if (!related) return shared === ours.length && theirs.length === ours.length
  if (shared * 2 < Math.min(ours.length, theirs.length)) return false
  const fresh = ours.length - shared
  return fresh < (traits[thought.kind].growsByEach ? 1 : theirs.length)
}

/** Whether another later note goes against what one was told to go against, surely enough to be told as well. */
const goesAgainstAgain = (thought: Thought, earlier: EarlierDream): boolean =>
  traits[thought.kind].sharesMatter &&
  traits[thought.kind].aboutFirst &&
  thought.signal >= sureSignal &&
  thought.sourceMemoryIds.length === 2 &&
  thought.sourceMemoryIds[0] === earlier.sourceMemoryIds[0] &&
  thought.sourceMemoryIds[1] !== earlier.sourceMemoryIds[1]

/** What a thought loses beside one already picked. */
function likeness(a: Thought, b: Thought): number {
  const shared = a.sourceMemoryIds.filter((id) => b.sourceMemoryIds.includes(id)).length
  const smaller = Math.min(a.sourceMemoryIds.length, b.sourceMemoryIds.length)
  return (a.kind === b.kind ? 0.08 : 0) + 0.4 * (smaller > 0 ? shared / smaller : 0)
}

/**
 * At most `limit` thoughts, those of most worth and most different first; ties by kind and sources, so that the
 * order is certain. `worthOf` is what readers make of a kind, 1 where they said nothing.
 */
export function rank(
  thoughts: readonly Thought[],
  {
    limit,
    told = [],
    worthOf = () => 1,
  }: { limit: number; told?: readonly EarlierDream[]; worthOf?: ((kind: DreamKind) => number) | undefined },
): Thought[] {
  const known = new Set(told.map(nameOf))
  const bySource = new Map<number, EarlierDream[]>()
  for (const one of told) for (const id of one.sourceMemoryIds) addTo(bySource, id, one)
  const trends = [...told, ...thoughts].filter(({ kind }) => kind === 'trend')
  // Values of one measure that creeps are not at odds, and no trouble that comes again.
  const isOfTrend = ({ kind, sourceMemoryIds }: Thought): boolean =>
    (kind === 'tension' || kind === 'recurrence') &&
    trends.some((trend) => sourceMemoryIds.every((id) => trend.sourceMemoryIds.includes(id)))
  const isOld = (thought: Thought): boolean => {
    const again = new Set(
      thought.sourceMemoryIds.flatMap((id) =>
        (bySource.get(id) ?? []).filter((one) => isRetelling(thought, one)),
      ),
    )
    if (known.has(nameOf(thought)) || again.size > 1 || isOfTrend(thought)) return true
    return [...again].some((one) => !goesAgainstAgain(thought, one))
  }
  const worth = (thought: Thought): number =>
    thought.signal * traits[thought.kind].use * worthOf(thought.kind)
  const byName = new Map(thoughts.map((thought) => [nameOf(thought), thought]))
  const left = [...byName.values()]
    .filter((thought) => worth(thought) >= minWorth && !isOld(thought))
    .sort((a, b) => worth(b) - worth(a) || (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, maxCandidates)
  const picked: Thought[] = []
  const losses = left.map(() => 0)
  while (picked.length < limit) {
    let best = -1
    let bestWorth = minWorth
    for (const [at, thought] of left.entries()) {
      const now = worth(thought) * (1 - Math.min(0.95, losses[at] ?? 0))
      if (losses[at] !== Number.POSITIVE_INFINITY && now > bestWorth) [best, bestWorth] = [at, now]
    }
    const chosen = left[best]
    if (chosen === undefined) break
    picked.push(chosen)
    const full = picked.filter(({ kind }) => kind === chosen.kind).length >= maxOfAKind
    for (const [at, thought] of left.entries()) {
      const again =
        thought === chosen || isRetelling(thought, chosen) || (full && thought.kind === chosen.kind)
      losses[at] = again ? Number.POSITIVE_INFINITY : Math.max(losses[at] ?? 0, likeness(chosen, thought))
    }
  }
  return picked
}
