/**
 * A prediction as forecasting sites keep it, between their files and our records. Knows no site; times are milliseconds,
 * confidences 0..1.
 */
import { toInstant } from '../../core/instant.ts'
import { addTo } from '../../core/lists.ts'
import type { Ending, Forecast } from '../../core/records.ts'
import type { Row } from './csv-table.ts'
import { readTime } from './foreign-note.ts'

/** One person's forecasts of one question, oldest first and at least one. */
export interface ForeignPrediction {
  /** What it is called there, the same whenever it is exported. */
  readonly origin: string
  readonly prediction: string
  readonly domain: string
  readonly agent: string | null
  readonly basis: string | null
  readonly dueAt: number | null
  readonly forecasts: readonly Forecast[]
  readonly resolution: {
    readonly outcome: Ending
    readonly actual: string
    readonly resolvedAt: number
  } | null
}

/** Files of a site's export: the one that was named, and others in its directory. */
export interface ForecastFiles {
  /** The file's name, without its folder. */
  readonly name: string
  readonly text: string
  /** Milliseconds: no resolution is later. */
  readonly now: number
  /** The text of another file of the export; undefined where it is not there. */
  sibling(name: string): string | undefined
}

/** What an export of a site was read as. */
export interface ForeignPredictions {
  readonly predictions: readonly ForeignPrediction[]
  /** What was passed over, in words, with how many. */
  readonly passedOver: ReadonlyMap<string, number>
}

/** A prediction of ours on its way to a site. */
export interface OutgoingPrediction extends Omit<ForeignPrediction, 'origin'> {
  readonly id: number
}

export interface ForecastFormat {
  /** What it is, in a few words, with the version that it was read from. */
  readonly about: string
  recognises(files: ForecastFiles): boolean
  /** @throws BrainError `invalid` naming what is wrong. */
  read(files: ForecastFiles): ForeignPredictions
  /** The files of an export of ours in this form, by their names. */
  write(predictions: readonly OutgoingPrediction[]): ReadonlyMap<string, string>
}

/** Counts what is passed over, by why. */
export class Passed {
  readonly counts = new Map<string, number>()

  add(why: string): void {
    this.counts.set(why, (this.counts.get(why) ?? 0) + 1)
  }
}

const timePattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/**
 * A time as sites write it, without a zone taken for UTC; some leave out zeros. Undefined where it is none that a
 * record could have.
 */
export function readSiteTime(text: string | undefined): number | undefined {
  const parts = timePattern.exec(text?.trim() ?? '')
  if (parts === null) return undefined
  const [, year, month = '', day = '', hour = '0', minute = '0', second = '0', zone = 'Z'] = parts
  const two = (part: string): string => part.padStart(2, '0')
  const offset = /^z$/i.test(zone) ? 'Z' : zone.replace(/^(.\d{2}):?(\d{2})$/, '$1:$2')
  return readTime(`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${offset}`)
}

/** `2026-01-31 12:00:00`, UTC. */
export const toSiteTime = (time: number | null): string =>
  time === null ? '' : toInstant(time).toISOString().slice(0, 19).replace('T', ' ')

/** A number of 0..1 in a cell; undefined for anything else. */
function readShare(text: string | undefined): number | undefined {
  const share = text === undefined || text === '' ? Number.NaN : Number(text)
  return share >= 0 && share <= 1 ? share : undefined
}

/** The forecasts of rows, by their columns; those without a probability or a time are passed over. */
export const readForecasts = (
  rows: readonly Row[],
  { confidence, time, passed }: { confidence: string; time: string; passed: Passed },
): Forecast[] =>
  rows.flatMap((row) => {
    const share = readShare(row.get(confidence))
    const createdAt = readSiteTime(row.get(time))
    if (share !== undefined && createdAt !== undefined) return [{ confidence: share, note: null, createdAt }]
    passed.add('forecasts without a probability or a time')
    return []
  })

/** Groups by a key, in the order in which keys first come. */
export function groupRows<T>(rows: readonly T[], keyOf: (row: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const row of rows) addTo(groups, keyOf(row), row)
  return [...groups.values()]
}
