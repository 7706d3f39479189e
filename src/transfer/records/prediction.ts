/** A prediction as a line of an export, with its forecasts, and what it was resolved as before it was opened again. */
import * as z from 'zod/mini'
import { BrainError } from '../../core/errors.ts'
import { type Ending, endings, type Resolution } from '../../core/records.ts'
import {
  detailMembers,
  fromWireDetails,
  toWireDetails,
  toWireForecast,
  toWireReopening,
} from '../../operations/prediction-wire.ts'
import {
  at,
  id,
  name,
  number,
  oneOf,
  optional,
  text,
  time,
  timestampOrNull,
  toTimestamp,
} from '../../operations/schemas.ts'
import type { RecordOf } from '../../store/transfer.ts'
import { circumstanceMembers, circumstancesFromWire, circumstancesToWire, defineCodec } from './members.ts'

const listOf = <T extends z.ZodMiniType>(item: T) =>
  optional(z.array(item, { error: 'must be a list of objects' }))

const forecast = () =>
  z.strictObject(
    { confidence: number(0, 1), note: optional(text()), created_at: time() },
    { error: 'must be a list of objects with confidence, note and created_at' },
  )

const reopening = () =>
  z.strictObject(
    {
      outcome: oneOf(endings),
      actual: text(),
      surprise: optional(number(0, 1)),
      resolved_at: time(),
      note: optional(text()),
      reopened_at: time(),
    },
    { error: 'must be a list of objects with outcome, actual, surprise, resolved_at, note and reopened_at' },
  )

interface WireResolution {
  readonly outcome?: Ending | null | undefined
  readonly actual?: string | null | undefined
  readonly surprise?: number | null | undefined
  readonly resolved_at?: string | null | undefined
}

/** @throws BrainError `invalid` where some of its members are there and others are not. */
function toResolution({ outcome, actual, surprise, resolved_at }: WireResolution): Resolution | null {
  if (outcome == null && actual == null && surprise == null && resolved_at == null) return null
  if (outcome != null && actual != null && resolved_at != null) {
    const resolvedAt = at(resolved_at)
    if (outcome === 'annulled' && surprise == null) return { outcome, actual, surprise: null, resolvedAt }
    if (outcome !== 'annulled' && surprise != null) return { outcome, actual, surprise, resolvedAt }
  }
  throw new BrainError(
    'invalid',
    'outcome, actual, surprise and resolved_at belong together, and what is annulled has no surprise',
  )
}

/** Members of which nothing was said are left out, so that a prediction without them reads as it always did. */
const spoken = (prediction: RecordOf<'prediction'>) => ({
  ...Object.fromEntries(Object.entries(toWireDetails(prediction)).filter(([, said]) => said !== null)),
  ...(prediction.forecasts.length > 0 && { forecasts: prediction.forecasts.map(toWireForecast) }),
  ...(prediction.reopenings.length > 0 && { reopenings: prediction.reopenings.map(toWireReopening) }),
})

export const prediction = defineCodec({
  members: {
    type: z.string(),
    id: id(),
    prediction: text(),
    domain: name(),
    confidence: number(0, 1),
    basis: optional(text()),
    created_at: time(),
    outcome: optional(oneOf(endings)),
    actual: optional(text()),
    surprise: optional(number(0, 1)),
    resolved_at: optional(time()),
    agent: optional(name()),
    ...detailMembers,
    forecasts: listOf(forecast()),
    reopenings: listOf(reopening()),
    ...circumstanceMembers,
  },
  toWire: (line: RecordOf<'prediction'>) => ({
    type: line.type,
    id: line.id,
    prediction: line.prediction,
    domain: line.domain,
    confidence: line.firstConfidence,
    basis: line.basis,
    created_at: toTimestamp(line.createdAt),
    outcome: line.resolution?.outcome ?? null,
    actual: line.resolution?.actual ?? null,
    surprise: line.resolution?.surprise ?? null,
    resolved_at: timestampOrNull(line.resolution?.resolvedAt ?? null),
    ...spoken(line),
    ...circumstancesToWire(line),
  }),
  fromWire: (wire): RecordOf<'prediction'> => {
    const forecasts = (wire.forecasts ?? []).map(({ confidence, note, created_at }) => ({
      confidence,
      note: note ?? null,
      createdAt: at(created_at),
    }))
    return {
      type: 'prediction',
      id: wire.id,
      prediction: wire.prediction,
      domain: wire.domain.trim(),
      confidence: forecasts.at(-1)?.confidence ?? wire.confidence,
      firstConfidence: wire.confidence,
      basis: wire.basis ?? null,
      agent: wire.agent?.trim() ?? null,
      createdAt: at(wire.created_at),
      ...fromWireDetails(wire),
      resolution: toResolution(wire),
      forecasts,
      reopenings: (wire.reopenings ?? []).map(({ note, reopened_at, ...closed }) => {
        const resolution = toResolution(closed)
        if (resolution === null) throw new BrainError('invalid', 'reopenings must say what they undid')
        return { ...resolution, note: note ?? null, createdAt: at(reopened_at) }
      }),
      ...circumstancesFromWire(wire),
    }
  },
})
