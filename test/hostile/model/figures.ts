/** The specification's arithmetic once more, written from its words and not from the program's. */

export type Outcome = 'correct' | 'incorrect' | 'partial'

export interface Closed {
  readonly domain: string
  readonly confidence: number
  readonly outcome: Outcome
  readonly surprise: number
}

export const worth: Readonly<Record<Outcome, number>> = { correct: 1, partial: 0.5, incorrect: 0 }

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Signed natural-log likelihood ratio of an observation. */
export const weightOf = (kind: string, strength: number): number =>
  (kind === 'supporting' ? 1 : -1) * Math.log((1 + strength) / (1 - strength))

export const clamped = (confidence: number): number => Math.min(0.95, Math.max(0.05, confidence))

/** What evidence that sums up to `ratio` makes of a confidence. */
export const posterior = (prior: number, ratio: number): number => {
  const odds = (prior / (1 - prior)) * Math.exp(ratio)
  return clamped(odds / (1 + odds))
}

export const promote = Math.log(0.9 / 0.05)
export const demote = Math.log(0.1 / 0.95)

export const statusAt = (ratio: number): string =>
  ratio >= promote ? 'promoted' : ratio <= demote ? 'demoted' : 'accumulating'

function binsOf(closed: readonly Closed[]) {
  return Array.from({ length: 10 }, (_, at) => {
    const [lower, upper] = [at / 10, (at + 1) / 10]
    const inside = closed.filter(
      ({ confidence }) => confidence >= lower && (confidence < upper || (at === 9 && confidence === 1)),
    )
    return {
      lower,
      upper,
      n: inside.length,
      mean_confidence: mean(inside.map(({ confidence }) => confidence)),
      observed: mean(inside.map(({ outcome }) => worth[outcome])),
    }
  }).filter(({ n }) => n > 0)
}

function figuresOf(closed: readonly Closed[]) {
  const of = (outcome: Outcome) => closed.filter((one) => one.outcome === outcome)
  const whenCorrect = mean(of('correct').map(({ confidence }) => confidence))
  const whenIncorrect = mean(of('incorrect').map(({ confidence }) => confidence))
  const crossEntropy = ({ confidence, outcome }: Closed): number => {
    const stated = Math.min(1 - 1e-6, Math.max(1e-6, confidence))
    return -worth[outcome] * Math.log(stated) - (1 - worth[outcome]) * Math.log(1 - stated)
  }
  return {
    n: closed.length,
    accuracy: mean(closed.map(({ outcome }) => worth[outcome])),
    correct: of('correct').length,
    incorrect: of('incorrect').length,
    partial: of('partial').length,
    mean_confidence_when_correct: whenCorrect,
    mean_confidence_when_incorrect: whenIncorrect,
    confidence_gap: whenCorrect === null || whenIncorrect === null ? null : whenCorrect - whenIncorrect,
    mean_surprise: mean(closed.map(({ surprise }) => surprise)),
    brier: mean(closed.map(({ confidence, outcome }) => (confidence - worth[outcome]) ** 2)),
    log_loss: mean(closed.map(crossEntropy)),
    bins: binsOf(closed),
  }
}

/** What `calibration` answers. */
export function calibrationOf(closed: readonly Closed[], windowDays: number | null) {
  const domains = [...new Set(closed.map(({ domain }) => domain))].map((domain) => ({
    domain,
    ...figuresOf(closed.filter((one) => one.domain === domain)),
  }))
  domains.sort((a, b) => b.n - a.n || (a.domain < b.domain ? -1 : 1))
  return { total_resolved: closed.length, window_days: windowDays, domains, overall: figuresOf(closed) }
}
