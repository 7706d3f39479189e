/** Drift: a belief whose recent evidence points the other way than its older evidence, with the most closely related note. */

import type { EvidenceEvent } from '../../core/records.ts'
import { contentTerms, coverText, freshness, type Night, noteAt } from '../reading/material.ts'
import { choose, enumerate, inWords, percent, quote, tellDay } from '../reading/wording.ts'
import type { HeldBelief, Thought } from '../thought.ts'

/** Minimum number of observations, and of log ratio, on each side of the turn. */
const fewest = 2
const minWeight = 0.7

/** Where a trail turns: the sums before and after. */
export interface Turn {
  /** Index of the first event after the turn. */
  readonly at: number
  readonly before: number
  readonly after: number
}

const sum = (events: readonly EvidenceEvent[]): number =>
  events.reduce((total, event) => total + event.logLikelihood, 0)

/** The sharpest turn of a trail, oldest first; undefined when it keeps its direction. */
export function findTurn(trail: readonly EvidenceEvent[]): Turn | undefined {
  let best: Turn | undefined
  for (let at = fewest; at <= trail.length - fewest; at += 1) {
    const [before, after] = [sum(trail.slice(0, at)), sum(trail.slice(at))]
    if (before * after >= 0 || Math.min(Math.abs(before), Math.abs(after)) < minWeight) continue
    if (best === undefined || Math.abs(before - after) > Math.abs(best.before - best.after)) {
      best = { at, before, after }
    }
  }
  // The newest word counts: a trail that has swung back is not drifting away.
  const last = trail.at(-1)
  return best !== undefined && last !== undefined && last.logLikelihood * best.after > 0 ? best : undefined
}

/** Notes that belong to the belief: they share its telling words, or those of the evidence after the turn. */
function sourcesOf(night: Night, held: HeldBelief, turn: Turn): number[] {
  const ofBelief = contentTerms(held.belief.text)
  const ofEvidence = contentTerms(
    held.trail
      .slice(turn.at)
      .flatMap((event) => event.note ?? [])
      .join(' '),
  )
  const close = coverText(night, ofBelief, 20)
    .filter(
      ({ distinctive, shared, share }) => distinctive.length >= 1 && (shared.length >= 2 || share >= 0.5),
    )
    .map((cover) => ({
      position: cover.position,
      worth: cover.share + 0.3 * cover.shared.filter((term) => ofEvidence.includes(term)).length,
    }))
    .sort((a, b) => b.worth - a.worth || b.position - a.position)
  return close.slice(0, 2).map(({ position }) => position)
}

function word(night: Night, held: HeldBelief, turn: Turn, sources: readonly number[]): string {
  const { belief, trail } = held
  const [older, newer] = [trail.slice(0, turn.at), trail.slice(turn.at)]
  const [was, is] = turn.before > 0 ? ['for', 'against'] : ['against', 'for']
  const since = tellDay(newer[0]?.createdAt ?? belief.createdAt, night.telling)
  const notes = [...sources]
    .sort((a, b) => a - b)
    .map((position) => quote(noteAt(night, position).text, new Set(), 80))
  return choose(
    [
      `The evidence on ${quote(belief.text)} has turned. The first ${inWords(older.length)} pieces spoke ${was} it, the ${inWords(newer.length)} since ${since} speak ${is} it (now ${percent(belief.confidence)}). Compare ${enumerate(notes)}.`,
      `Belief ${belief.id}, ${quote(belief.text)}, is drifting: it began with evidence ${was} it, but since ${since} the balance is ${is} it. Compare ${enumerate(notes)}.`,
    ],
    night.telling,
    [belief.id, trail.length],
  )
}

/** Beliefs whose evidence has turned, in no particular order. */
export function* drifts(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  for (const [at, held] of night.input.beliefs.entries()) {
    if (at % 10 === 0) yield
    const turn = findTurn(held.trail)
    if (turn === undefined) continue
    const sources = sourcesOf(night, held, turn)
    if (sources.length === 0) continue
    const weight = Math.min(Math.abs(turn.before), Math.abs(turn.after))
    found.push({
      kind: 'drift',
      signal: Math.min(1, 0.5 + 0.15 * weight) * freshness(night, held.trail.at(-1)?.createdAt ?? 0),
      sourceMemoryIds: sources.map((position) => noteAt(night, position).id),
      thought: word(night, held, turn, sources),
      reasons: ['the evidence before and after weighs opposite ways'],
      quoted: [{ kind: 'belief', id: held.belief.id }],
    })
  }
  return found
}
