/** A prediction as a line of an export, with its forecasts, and what it was resolved as before it was opened again. */
import { BrainError } from '../../core/errors.ts'
import { type Check, endings, type Forecast, type Reopening, type Resolution } from '../../core/records.ts'
import { id, number, oneOf, shellCommand, text } from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import {
  called,
  circumstances,
  defineLine,
  derived,
  kept,
  listed,
  member,
  moment,
  named,
  object,
  orNull,
  together,
  unlessNull,
} from './members.ts'

const note = () => orNull(kept(text()))

const closing = {
  outcome: kept(oneOf(endings)),
  actual: kept(text()),
  surprise: orNull(kept(number(0, 1))),
  resolvedAt: moment(),
}

const apart =
  'outcome, actual, surprise and resolved_at belong together, and what is annulled has no surprise'

const firstConfidence = called('confidence', kept(number(0, 1)))
const forecasts = listed(
  object<Forecast>({ confidence: kept(number(0, 1)), note: note(), createdAt: moment() }),
)
const about = circumstances({ agent: true })

export const prediction = defineLine<RecordOf<'prediction'>>(
  'prediction',
  {
    id: kept(id()),
    prediction: kept(text()),
    domain: named(),
    firstConfidence,
    confidence: derived(
      (wire) => forecasts.read(wire, 'forecasts').at(-1)?.confidence ?? firstConfidence.read(wire, ''),
    ),
    basis: note(),
    createdAt: moment(),
    resolution: together<Resolution>(closing, apart),
    agent: derived((wire) => about.read(wire, '')?.agent ?? null),
    // Of what follows a line without it has no member, and reads as it always did.
    dueAt: unlessNull(moment()),
    // A check's proof stays: it says who wrote the command on this machine, which no file can.
    check: unlessNull(
      member<Check, string>(
        shellCommand(),
        ({ command }) => command,
        (command) => ({ command, proof: null }),
      ),
    ),
    forecasts,
    reopenings: listed(
      object<Reopening>({ ...closing, note: note(), createdAt: called('reopened_at', moment()) }),
    ),
    circumstances: about,
  },
  ({ resolution, reopenings }) => {
    for (const { outcome, surprise } of resolution === null ? reopenings : [...reopenings, resolution])
      if ((outcome === 'annulled') !== (surprise === null)) throw new BrainError('invalid', apart)
  },
)
