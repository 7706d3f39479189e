/**
 * The allostatic verdict: how heavily a project's brain is used, and what in its content needs attention. Knows a
 * tally of calls per minute and a few totals; the same figures always give the same answer.
 */
import { counted } from './counts.ts'
import { msPerDay, msPerMinute } from './durations.ts'

/** How far back calls are tallied. */
export const windowMinutes = 60
/** How far back "lately" reaches for surprise, and how long a prediction may stay open before it is overdue. */
export const attentionPeriod = 30 * msPerDay

export const conditions = ['rest', 'engaged', 'overloaded'] as const
export type Condition = (typeof conditions)[number]

/** Start of the minute that holds `time` (milliseconds). */
export const minuteOf = (time: number): number => Math.floor(time / msPerMinute) * msPerMinute

/** Start of the oldest of the last 60 minutes, the current one included. */
export const windowStart = (now: number): number => minuteOf(now) - (windowMinutes - 1) * msPerMinute

/** How heavily the brain is used. */
export interface Effort {
  readonly condition: Condition
  /** Mean calls per active minute. */
  readonly load: number
  /** Population standard deviation of the calls per active minute. */
  readonly deviation: number
  /** 0..1: the share of 60 calls a minute that is unused. */
  readonly reserve: number
  readonly activeMinutes: number
}

/** The effort behind the calls of each active minute. */
export function effortOf(calls: readonly number[]): Effort {
  const active = calls.filter((count) => count > 0)
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  const load = mean(active)
  const deviation = Math.sqrt(mean(active.map((count) => (count - load) ** 2)))
  return {
    condition: conditionOf(load, deviation),
    load,
    deviation,
    reserve: Math.max(0, 1 - load / 60),
    activeMinutes: active.length,
  }
}

function conditionOf(load: number, deviation: number): Condition {
  if (load > 15 || (load > 4 && deviation > 1.5 * load)) return 'overloaded'
  return load >= 2 ? 'engaged' : 'rest'
}

/** Totals of a project that may need attention; means are null when there is nothing to average. */
export interface Contents {
  readonly resolved: number
  readonly meanConfidence: number | null
  readonly accuracy: number | null
  readonly meanSurprise: number | null
  /** Of predictions resolved in the last 30 days. */
  readonly recentSurprise: number | null
  /** Past their due date, or without one open for more than 30 days. */
  readonly overduePredictions: number
  /** Of the first few of them. */
  readonly overdueIds?: readonly number[]
  /** Current, accumulating, with evidence on both sides. */
  readonly contestedBeliefs: number
  readonly unreadDreams: number
  /** Memories without a vector. */
  readonly embeddingBacklog: number
}

/** Something in the content that needs attention. */
export interface Driver {
  readonly name: string
  /** The raw figure. */
  readonly value: number
  /** 0..1. */
  readonly weight: number
  readonly why: string
}

const minForMiscalibration = 10
// Rounding of two means must not pass for a difference between them.
const noise = 1e-9

/** A gap between two means is weighted by twice its size: half a point is as bad as it gets. */
const weightOfGap = (gap: number): number => Math.min(1, 2 * gap)

/** A count has the weight n / (n + half): at `half` it is one half. */
const weightOfCount = (count: number, half: number): number => count / (count + half)

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** What needs attention, heaviest first, then by name; only what applies. */
export function driversOf(contents: Contents): Driver[] {
  return [...gaps(contents), ...counts(contents)].sort(
    (a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1),
  )
}

function gaps(contents: Contents): Driver[] {
  const { resolved, meanConfidence, accuracy, meanSurprise, recentSurprise } = contents
  const found: Driver[] = []
  if (recentSurprise !== null && meanSurprise !== null && recentSurprise - meanSurprise > noise) {
    const value = recentSurprise - meanSurprise
    const why = `the last 30 days surprised more (${percent(recentSurprise)}) than all time (${percent(meanSurprise)})`
    found.push({ name: 'surprise', value, weight: weightOfGap(value), why })
  }
  if (resolved >= minForMiscalibration && meanConfidence !== null && accuracy !== null) {
    const value = Math.abs(meanConfidence - accuracy)
    const why = `predictions claim ${percent(meanConfidence)} and reach ${percent(accuracy)} over ${resolved} resolutions`
    if (value > noise) found.push({ name: 'miscalibration', value, weight: weightOfGap(value), why })
  }
  return found
}

function counts(contents: Contents): Driver[] {
  const { overduePredictions, contestedBeliefs, unreadDreams, embeddingBacklog } = contents
  const candidates = [
    {
      name: 'overdue_predictions',
      value: overduePredictions,
      half: 5,
      why: tellOverdue(contents),
    },
    {
      name: 'contested_beliefs',
      value: contestedBeliefs,
      half: 5,
      why: `${counted(contestedBeliefs, 'belief has', 'beliefs have')} evidence on both sides and no verdict yet`,
    },
    {
      name: 'unread_dreams',
      value: unreadDreams,
      half: 20,
      why: `${counted(unreadDreams, 'dream waits', 'dreams wait')} to be read`,
    },
    {
      name: 'embedding_backlog',
      value: embeddingBacklog,
      half: 100,
      why: `${counted(embeddingBacklog, 'memory has', 'memories have')} no vector and can be found by keyword only`,
    },
  ]
  return candidates
    .filter(({ value }) => value > 0)
    .map(({ name, value, half, why }) => ({ name, value, weight: weightOfCount(value, half), why }))
}

/** Which predictions are overdue, by their ids. */
function tellOverdue({ overduePredictions: total, overdueIds: ids = [] }: Contents): string {
  const more = total > ids.length ? ` and ${total - ids.length} more` : ''
  const named = ids.length === 0 ? '' : ` (${ids.length === 1 ? 'id' : 'ids'} ${ids.join(', ')}${more})`
  return `${counted(total, 'prediction is', 'predictions are')} overdue${named}`
}

const adviceOf: Readonly<Record<Condition, string>> = {
  rest: 'There is room to work',
  engaged: 'The pace is steady, keep it',
  overloaded: 'Slow down and let the brain sleep on it',
}

/** Minutes with calls below which a crowd of them is no reason to slow down: whoever begins does much at once. */
const minToSlow = 5

const adviceOn = ({ condition, activeMinutes }: Pick<Effort, 'condition' | 'activeMinutes'>): string =>
  condition === 'overloaded' && activeMinutes < minToSlow
    ? `Busy, but ${counted(activeMinutes, 'minute is', 'minutes are')} too little to judge by: look again later`
    : adviceOf[condition]

/** One sentence of advice, about the heaviest driver. */
export function adviseOn(
  effort: Pick<Effort, 'condition' | 'activeMinutes'>,
  drivers: readonly Driver[],
): string {
  const heaviest = drivers[0]
  return heaviest === undefined ? `${adviceOn(effort)}.` : `${adviceOn(effort)}; ${heaviest.why}.`
}
