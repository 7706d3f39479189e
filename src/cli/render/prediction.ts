/** A prediction in full for people: what was stated and when, when it is due, what became of it. */
import { byAgent, day, dueDay, figure, type Output } from './output.ts'
import type { RecordText } from './show.ts'

type Shown = Extract<Output<'show'>['record'], { kind: 'prediction' }>

/** The scores of a resolved prediction are shown apart only where the confidence was revised. */
function tellScores({ brier, forecasts }: Shown): string[] {
  if (brier === null) return []
  if (forecasts.length < 2) return [`Brier ${brier.last.toFixed(3)}`]
  return [
    `Brier by the first forecast ${brier.first.toFixed(3)}, by the last ${brier.last.toFixed(3)}, over the time each stood ${brier.time_weighted.toFixed(3)}`,
  ]
}

function tellEnd(record: Shown): string[] {
  const { outcome, actual, resolved_at, surprise } = record
  if (outcome === null || resolved_at === null) return ['still open']
  if (outcome === 'annulled') return [`annulled on ${day(resolved_at)}, in no figure: ${actual}`]
  return [
    `resolved on ${day(resolved_at)} as ${outcome}: ${actual}`,
    ...(surprise === null ? [] : [`surprise ${figure(surprise)}`]),
    ...tellScores(record),
  ]
}

const noted = (note: string | null): string => (note === null ? '' : `: ${note}`)

export function tellPrediction(record: Shown): RecordText {
  const { id, prediction, domain, confidence, basis, agent, created_at, due_at, check } = record
  const { forecasts, reopenings, outcome } = record
  const [first] = forecasts
  const revised =
    forecasts.length < 2
      ? []
      : [
          `revised ${forecasts.length - 1} ${forecasts.length === 2 ? 'time' : 'times'}, now ${figure(confidence)}`,
          ...forecasts
            .slice(1)
            .map((one) => `  ${day(one.created_at)}  ${figure(one.confidence)}${noted(one.note)}`),
        ]
  return {
    text: prediction,
    facts: [
      `predicted on ${day(created_at)}${byAgent(agent)} in ${domain} at ${figure(first?.confidence ?? confidence)}`,
      ...(basis === null ? [] : [`because ${basis}`]),
      ...revised,
      ...(due_at === null ? [] : [`due ${dueDay(due_at)}`]),
      ...(check === null ? [] : [`check: ${check}`]),
      ...reopenings.map(
        (one) =>
          `reopened on ${day(one.reopened_at)}${noted(one.note)} (it was ${one.outcome} on ${day(one.resolved_at)}: ${one.actual})`,
      ),
      ...tellEnd(record),
    ],
    commands:
      outcome === null
        ? [
            `brain resolve ${id} correct|incorrect|partial --actual …`,
            `brain forecast ${id} …`,
            ...(check === null ? [] : [`brain check ${id}`]),
          ]
        : [`brain reopen prediction ${id}`],
  }
}
