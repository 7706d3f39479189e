/** Fills a brain with the sample notes, through the very operations a caller would use, each at its own time. */
import type { Brain, Caller } from '../brain.ts'
import { believe } from '../operations/believe.ts'
import { callOperation } from '../operations/call.ts'
import { evidence } from '../operations/evidence.ts'
import { flag } from '../operations/flag.ts'
import type { Operation } from '../operations/operation.ts'
import { predict } from '../operations/predict.ts'
import { remember } from '../operations/remember.ts'
import { resolve } from '../operations/resolve.ts'
import { type DemoBelief, type DemoNote, type DemoPrediction, demoBrain } from './demo-notes.ts'

interface Entry {
  readonly at: number
  readonly write: () => Promise<void>
}

/** What was written. */
export interface Filled {
  readonly notes: number
  readonly beliefs: number
  readonly predictions: number
}

/** Writes the sample of the day of `now`, oldest first, as it would have come about. */
export async function fillWithDemo(brain: Brain, caller: Caller, now: number): Promise<Filled> {
  const sample = demoBrain(now)
  const call = <O>(operation: Operation<O>, at: number, input: unknown, agent = caller.agent): Promise<O> =>
    callOperation(operation, { ...brain.context({ ...caller, agent }), now: () => at }, input)

  const noteEntry = ({ at, agent, text, caution }: DemoNote): Entry => ({
    at,
    write: async () => {
      if (caution > 0) await call(flag, at, { text, caution }, agent)
      else await call(remember, at, { text }, agent)
    },
  })
  const beliefEntries = (belief: DemoBelief): Entry[] => {
    let id: number | undefined
    return [
      {
        at: belief.at,
        write: async () => {
          const { text, confidence } = belief
          id = (await call(believe, belief.at, { text, confidence })).id
        },
      },
      ...belief.evidence.map(({ at, kind, strength, note }) => ({
        at,
        write: async () => void (await call(evidence, at, { belief_id: id, kind, strength, note })),
      })),
    ]
  }
  const predictionEntries = (one: DemoPrediction): Entry[] => {
    let id: number | undefined
    const { prediction, domain, confidence, basis, resolution } = one
    const made = {
      at: one.at,
      write: async () => {
        id = (await call(predict, one.at, { prediction, domain, confidence, basis })).id
      },
    }
    if (resolution === null) return [made]
    const { at, outcome, actual } = resolution
    return [
      made,
      { at, write: async () => void (await call(resolve, at, { prediction_id: id, outcome, actual })) },
    ]
  }

  const entries = [
    ...sample.notes.map(noteEntry),
    ...sample.beliefs.flatMap(beliefEntries),
    ...sample.predictions.flatMap(predictionEntries),
  ].sort((a, b) => a.at - b.at)
  for (const { write } of entries) await write()
  return {
    notes: sample.notes.length,
    beliefs: sample.beliefs.length,
    predictions: sample.predictions.length,
  }
}
