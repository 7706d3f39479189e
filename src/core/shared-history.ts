/**
 * A record changed by several people: which text of a memory is current, and what became of a prediction, if each did
 * something independently. The same set of changes gives the same result in whatever order they arrive.
 */
import type { Forecast, MemoryVersion, PredictionHistory, Reopening, Resolution } from './records.ts'

/** A current or earlier text of a memory. */
export type Wording = Omit<MemoryVersion, 'replacedAt' | 'formerId'>

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const later = (a: Wording, b: Wording): number =>
  a.createdAt - b.createdAt || inOrder(a.text, b.text) || a.caution - b.caution || inOrder(a.agent, b.agent)

/** The texts of a memory, oldest first, without duplicates; the last one is current. */
export function orderWordings(wordings: readonly Wording[]): Wording[] {
  const named = wordings.map(
    (one) => [`${one.createdAt} ${one.caution} ${one.agent} ${one.text}`, one] as const,
  )
  return [...new Map(named).values()].sort(later)
}

/** The history of a prediction: later forecasts, its resolution, and resolutions that were undone. */
export interface PredictionEnd extends PredictionHistory {
  readonly resolution: Resolution | null
}

/** Everything that anybody contributed to its history. */
export interface PredictionActs extends PredictionHistory {
  readonly resolutions: readonly Resolution[]
}

const nameOf = ({ outcome, actual, resolvedAt }: Resolution): string => `${resolvedAt} ${outcome} ${actual}`

const once = <T>(items: readonly T[], name: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [name(item), item])).values(),
]

/** Of the resolutions that nobody undid, the earliest is valid; the others are kept as undone at the time they were made. */
export function endOfPrediction({ forecasts, resolutions, reopenings }: PredictionActs): PredictionEnd {
  const undone = new Set(reopenings.map(nameOf))
  const [resolution = null, ...beaten] = once(resolutions, nameOf)
    .filter((one) => !undone.has(nameOf(one)))
    .sort((a, b) => a.resolvedAt - b.resolvedAt || (nameOf(a) < nameOf(b) ? -1 : 1))
  const said = beaten.map((one): Reopening => ({ ...one, note: null, createdAt: one.resolvedAt }))
  return {
    resolution,
    forecasts: once(forecasts, forecastName).sort(
      (a, b) => a.createdAt - b.createdAt || (forecastName(a) < forecastName(b) ? -1 : 1),
    ),
    reopenings: once([...reopenings, ...said], reopeningName).sort(
      (a, b) => a.createdAt - b.createdAt || (reopeningName(a) < reopeningName(b) ? -1 : 1),
    ),
  }
}

const forecastName = ({ createdAt, confidence, note }: Forecast): string =>
  `${createdAt} ${confidence} ${note ?? ''}`

const reopeningName = (one: Reopening): string => `${one.createdAt} ${nameOf(one)} ${one.note ?? ''}`
