/**
 * How often a false belief is promoted where one run of tests is told five times, or five runs of a day agree more than
 * chance has them. Simulated, seeded; the figures of docs/judgement.md are the ones that come out here.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Observed, weighEvidence } from '../../src/core/beliefs.ts'
import type { Belief, EvidenceKind } from '../../src/core/records.ts'
import type { Weighty } from '../../src/core/sources.ts'
import { boundariesOf } from '../../src/core/sprt.ts'
import { judge } from '../../src/core/verdict.ts'
import { drawFrom } from '../../src/dreams/reading/chance.ts'

const walks = 10_000
const toldTimes = 5
const rates = { alpha: 0.05, beta: 0.1 }
const boundaries = boundariesOf(rates)
const [hour, day] = [3_600_000, 86_400_000]

/** A trail as a store keeps it, as far as evidence asks for it. */
class Trail {
  #belief: Belief = {
    id: 1,
    text: 'it holds',
    prior: 0.5,
    confidence: 0.5,
    logRatio: 0,
    evidenceCount: 0,
    status: 'accumulating',
    lastEvidenceAt: null,
    supersededBy: null,
    createdAt: 0,
  }
  #events = 0
  readonly #last = new Map<string, Weighty>()
  readonly #for = new Set<string>()
  readonly #against = new Set<string>()

  add(observed: Observed): void {
    const known = { sameSource: this.#last.get(observed.source ?? '') }
    const { event, ...standing } = weighEvidence(this.#belief, 1, { observed, rates, known })
    this.#belief = { ...this.#belief, ...standing }
    this.#events += 1
    if (event.logLikelihood === 0) return
    const source = event.source ?? `${this.#events}`
    if (event.source !== undefined) this.#last.set(source, { id: this.#events, createdAt: event.createdAt })
    ;(event.kind === 'supporting' ? this.#for : this.#against).add(source)
  }

  get status() {
    return this.#belief.status
  }

  get verdict() {
    const { logRatio, confidence } = this.#belief
    return judge(
      { logRatio, confidence, supporting: this.#for.size, refuting: this.#against.size },
      boundaries,
    ).verdict
  }
}

interface World {
  readonly strength: number
  /** How often a day's run is told. */
  readonly times: number
  /** How likely a further one of a day is a copy of the first; else it is drawn anew. */
  readonly copied: number
  /** Whether observations name their source, one of two that take turns. */
  readonly named: boolean
}

/** The share of false beliefs whose first verdict is promoted. */
function falselyPromoted({ strength, times, copied, named }: World): number {
  const random = drawFrom(19_450_617)
  const draw = (): EvidenceKind => (random() < (1 - strength) / 2 ? 'supporting' : 'refuting')
  let promoted = 0
  for (let walk = 0; walk < walks; walk++) {
    const trail = new Trail()
    const decided = () => (named ? trail.verdict : trail.status)
    for (let today = 0; decided() === 'accumulating'; today++) {
      const first = draw()
      for (let time = 0; time < times && decided() === 'accumulating'; time++) {
        const kind = time === 0 || random() < copied ? first : draw()
        const createdAt = today * day + time * hour
        const source = today % 2 === 0 ? 'unit tests' : 'load test'
        trail.add({ kind, strength, note: null, createdAt, ...(named && { source }) })
      }
    }
    if (decided() === 'promoted') promoted++
  }
  return promoted / walks
}

const strengths = [0.3, 0.5, 0.7, 0.9] as const
const worlds = {
  'each run once': { times: 1, copied: 1, named: false },
  'each run reported five times': { times: toldTimes, copied: 1, named: false },
  'five runs a day, four of five copies': { times: toldTimes, copied: 0.8, named: false },
  'reported five times, sources named': { times: toldTimes, copied: 1, named: true },
  'five runs a day, sources named': { times: toldTimes, copied: 0.8, named: true },
} as const

const shares = new Map(
  Object.entries(worlds).map(([title, world]) => [
    title,
    strengths.map((strength) => falselyPromoted({ strength, ...world })),
  ]),
)
const shareOf = (title: keyof typeof worlds): readonly number[] => shares.get(title) ?? []

/** Three standard errors of a share near alpha. */
const sampling = 3 * Math.sqrt((rates.alpha * (1 - rates.alpha)) / walks)
/** Wald's bound, since the last observation overshoots the boundary. */
const bound = rates.alpha / (1 - rates.beta) + sampling

describe('a false belief', () => {
  it('is promoted within the stated rate while each run counts once', () => {
    for (const share of shareOf('each run once')) expect(share).toBeLessThan(bound)
  })

  it('is promoted many times as often where each run counts five times', () => {
    const [weak = 0] = shareOf('each run reported five times')
    expect(weak).toBeGreaterThan(0.3)
  })

  it('is promoted within the stated rate again where observations name their source', () => {
    for (const title of ['reported five times, sources named', 'five runs a day, sources named'] as const) {
      for (const share of shareOf(title)) expect(share).toBeLessThan(bound)
    }
  })
})

it('the figures of the documentation are these', () => {
  const documented = readFileSync('docs/judgement.md', 'utf8')
  for (const [title, found] of shares) {
    const figures = found.map((share) => `${(100 * share).toFixed(1)} %`)
    expect(documented.replace(/ +/g, ' ')).toContain(`| ${title} | ${figures.join(' | ')} |`)
  }
})
