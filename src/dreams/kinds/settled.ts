/**
 * Settled: an open prediction that a later note seems to decide. It says that the note is relevant and never which
 * way; whoever predicted decides.
 */

import { dot } from '../../core/ranking.ts'
import { hedges, outcomeStems, processStems } from '../reading/lexicon.ts'
import { contentTerms, coverText, freshness, isAtLeast, type Night, noteAt } from '../reading/material.ts'
import { type Clause, clausesOf, isEveryday, tokensOf } from '../reading/reading.ts'
import { choose, percent, quote, tellDay } from '../reading/wording.ts'
import type { OpenPrediction, Thought } from '../thought.ts'

/** Least share of the prediction's weight that a deciding note holds. */
const minShare = 0.42
const perPrediction = 12

// Words in which predictions are made and results are told; they are no part of what was predicted.
const frame = new Set([
  'expect',
  'predict',
  'think',
  'guess',
  'bet',
  'will',
  'happen',
  'believ',
  'end',
  'week',
  'month',
  'dai',
])

/** A clause that tells how something came out, on the question or in the measure the prediction was made in. */
function tellsResult(clause: Clause, asked: readonly Clause[]): boolean {
  if (clause.tokens.some((token) => processStems.has(token.term))) return false
  const measures = new Set(asked.flatMap(({ quantities }) => quantities.map(({ measure }) => measure)))
  return (
    clause.quantities.some(({ measure }) => measures.has(measure)) ||
    asked.some(({ stance }) => [...stance.keys()].some((axis) => clause.stance.has(axis))) ||
    clause.tokens.some((token) => outcomeStems.has(token.term))
  )
}

interface Verdict {
  readonly position: number
  readonly share: number
  readonly subject: ReadonlySet<string>
}

function decide(night: Night, open: OpenPrediction): Verdict | undefined {
  const { prediction } = open
  const terms = contentTerms(prediction.prediction).filter((term) => !frame.has(term))
  const named = terms.filter((term) => !isEveryday(term)).length
  const asked = clausesOf(prediction.prediction)
  let best: Verdict | undefined
  for (const cover of coverText(night, terms, perPrediction)) {
    const note = noteAt(night, cover.position)
    // A warning says what may happen, not what came.
    if (note.caution > 0 || note.at <= prediction.createdAt || cover.distinctive.length === 0) continue
    if (cover.shared.length < Math.min(3, Math.max(2, named - 1))) continue
    const similarity =
      open.vector !== undefined && note.vector !== undefined ? dot(open.vector, note.vector) : undefined
    const alike = isAtLeast(night, similarity, 'alike')
    if (cover.share < (alike ? minShare * 0.75 : minShare)) continue
    const subject = new Set(cover.shared)
    const { clauses } = night.concordance.read(cover.position)
    const about = clauses.filter((clause) => [...clause.content].some((term) => subject.has(term)))
    // The clauses about it must tell a result, all of them: "not merged yet, should land on Friday" decides nothing.
    if (about.length === 0 || about.some(({ hedged }) => hedged)) continue
    if (!about.some((clause) => tellsResult(clause, asked))) continue
    if (/\?\s*$/.test(note.text) || noteIsForecast(note.text)) continue
    const share = Math.min(1, cover.share + (alike ? 0.15 : 0))
    if (best === undefined || share > best.share) best = { position: cover.position, share, subject }
  }
  return best
}

const noteIsForecast = (text: string): boolean => hedges.has(tokensOf(text.slice(0, 80))[0]?.lower ?? '')

function word(night: Night, open: OpenPrediction, verdict: Verdict): string {
  const note = noteAt(night, verdict.position)
  const { prediction } = open
  const [made, came] = [tellDay(prediction.createdAt, night.telling), tellDay(note.at, night.telling)]
  const [said, seen] = [quote(prediction.prediction), quote(note.text, verdict.subject)]
  const sure = percent(prediction.confidence)
  return choose(
    [
      `Prediction ${prediction.id} of ${made} is still open: ${said} (${sure}). The note of ${came} seems to settle it: ${seen}.`,
      `On ${made} you gave ${sure} to ${said}. Then, on ${came}, ${seen}: time to resolve prediction ${prediction.id}?`,
    ],
    night.telling,
    [note.id, prediction.id],
  )
}

/** Open predictions that a note seems to decide, in no particular order; all that one note decides are one thought. */
export function* settlements(night: Night): Generator<undefined, Thought[]> {
  const found = new Map<number, Thought>()
  for (const [at, open] of night.input.predictions.entries()) {
    if (at % 10 === 0) yield
    const verdict = decide(night, open)
    if (verdict === undefined) continue
    const note = noteAt(night, verdict.position)
    const signal = Math.min(1, 0.5 + 0.5 * verdict.share) * freshness(night, note.at)
    const before = found.get(note.id)
    found.set(note.id, {
      kind: 'settled',
      signal: Math.max(signal, before?.signal ?? 0),
      sourceMemoryIds: [note.id],
      thought: [...(before === undefined ? [] : [before.thought]), word(night, open, verdict)].join(' '),
      reasons: ['a result in the words of the prediction'],
      quoted: [...(before?.quoted ?? []), { kind: 'prediction', id: open.prediction.id }],
    })
  }
  return [...found.values()]
}
