/**
 * Predictions from and to forecasting sites: finds and recognises their files, converts them to our records, and
 * writes ours in their formats. Knows files and formats; storing is the import's job.
 */
import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cannotRead, isFileFault } from '../config/file-faults.ts'
import { unnamedAgent } from '../core/agent-names.ts'
import { toName } from '../core/circumstances.ts'
import { msPerDay } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import { maxTextBytes } from '../core/limits.ts'
import { addTo } from '../core/lists.ts'
import { maxForecasts } from '../core/predictions.ts'
import { deriveSurprise } from '../core/surprise.ts'
import { readPlain } from '../direct-files.ts'
import { toTimestamp } from '../operations/schemas.ts'
import type { Store } from '../store/store.ts'
import { cleanText } from './cleaning.ts'
import { formatVersion } from './format.ts'
import { fatebook } from './formats/fatebook.ts'
import type { ForecastFormatName } from './formats/forecast-names.ts'
import {
  type ForecastFiles,
  type ForecastFormat,
  type ForeignPrediction,
  type OutgoingPrediction,
  Passed,
} from './formats/foreign-prediction.ts'
import { metaculus } from './formats/metaculus.ts'
import { predictionBook } from './formats/predictionbook.ts'
import { partsOf } from './long-texts.ts'

const formats: Readonly<Record<ForecastFormatName, ForecastFormat>> = {
  fatebook,
  predictionbook: predictionBook,
  metaculus,
}

const maxFileBytes = 64 * 1024 * 1024

/** Undefined for a file that is not there. @throws BrainError naming a file that cannot be read. */
function readText(file: string): string | undefined {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found === undefined || !found.isFile()) return undefined
    if (found.size > maxFileBytes)
      throw new BrainError('invalid', `${file} is larger than ${maxFileBytes} bytes`)
    // Another file may be there by now: what is read is judged by itself.
    const plain = readPlain(file, maxFileBytes)
    return plain && new TextDecoder('utf-8', { fatal: true }).decode(plain.bytes)
  } catch (error) {
    if (error instanceof TypeError)
      throw new BrainError('invalid', `${file} is not UTF-8 text`, { cause: error })
    throw isFileFault(error) ? cannotRead(file, error) : error
  }
}

/** File names of sites' exports, by which they are found in a folder. */
const inFolder = ['question_data.csv', 'fatebook.csv', 'fatebook-forecasts.csv']

/** Predictions of a site that are new here, and counts of the others. */
export interface FoundPredictions {
  readonly format: ForecastFormatName
  readonly predictions: readonly ForeignPrediction[]
  readonly passedOver: ReadonlyMap<string, number>
}

/** The files at a path; undefined where there are none that may be a site's. */
function openFiles(path: string, now: number): ForecastFiles | undefined {
  const folder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const names = folder ? inFolder : [basename(path)]
  const directory = folder ? path : dirname(path)
  for (const name of names) {
    const text = readText(join(directory, name))
    if (text !== undefined)
      return {
        name,
        text: text.replace(/^\ufeff/, ''),
        now,
        sibling: (other) => readText(join(directory, other)),
      }
  }
  return undefined
}

const noteLength = 500

/** In our shape; undefined where nothing of it was stated before the answer was known. */
function clean(found: ForeignPrediction, passed: Passed): ForeignPrediction | undefined {
  const end = found.resolution?.resolvedAt ?? Number.POSITIVE_INFINITY
  const forecasts = [...found.forecasts]
    .sort((a, b) => a.createdAt - b.createdAt)
    .filter(({ createdAt }) => createdAt <= end)
  if (forecasts.length < found.forecasts.length) passed.add('questions with forecasts after their resolution')
  if (forecasts.length === 0) {
    passed.add('questions without a forecast before their resolution')
    return undefined
  }
  const within = (given: string): string => {
    const [first = '', ...rest] = partsOf(cleanText(given).text)
    if (rest.length > 0) passed.add(`what questions and their basis say beyond ${maxTextBytes} bytes`)
    return first
  }
  const prediction = within(found.prediction)
  if (prediction === '') return undefined
  const basis = within(found.basis ?? '')
  return {
    ...found,
    prediction,
    domain: toName(found.domain) ?? 'imported',
    agent: found.agent === null ? null : (toName(found.agent) ?? unnamedAgent),
    basis: basis === '' ? null : basis,
    // The first, and the last so many: those in between weigh least.
    forecasts: [...forecasts.slice(0, 1), ...forecasts.slice(1).slice(-(maxForecasts - 1))].map((one) => {
      const note = [...cleanText(one.note ?? '').text].slice(0, noteLength).join('')
      return { ...one, note: note === '' ? null : note }
    }),
  }
}

/**
 * The predictions of a site's export; undefined where the file is no site's and no format is named.
 * @throws BrainError `invalid` naming what is wrong.
 */
export function readForeignPredictions(
  path: string,
  { format, now }: { format?: ForecastFormatName; now: number },
): FoundPredictions | undefined {
  const files = openFiles(path, now)
  const names = format === undefined ? (Object.keys(formats) as ForecastFormatName[]) : [format]
  const known = files && names.find((name) => formats[name].recognises(files))
  if (files === undefined || known === undefined) {
    if (format === undefined) return undefined
    throw new BrainError('invalid', `${path} is no export of ${format}: ${formats[format].about}`)
  }
  const { predictions, passedOver } = formats[known].read(files)
  const passed = new Passed()
  for (const [why, count] of passedOver) passed.counts.set(why, count)
  return {
    format: known,
    predictions: predictions.flatMap((one) => clean(one, passed) ?? []),
    passedOver: passed.counts,
  }
}

/**
 * Those whose origin is not in the project yet, and that are not the project's own, come back from a site: in its
 * words, by its agent, of its day.
 */
export async function leaveOutKnownPredictions(
  store: Store,
  project: string,
  predictions: readonly ForeignPrediction[],
): Promise<ForeignPrediction[]> {
  const known = await store.predictions.knownOrigins(
    project,
    predictions.map(({ origin }) => origin),
  )
  const fresh = predictions.filter(({ origin }) => !known.has(origin))
  if (fresh.length === 0) return fresh
  const own = new Map<string, number[]>()
  for await (const record of store.transfer.records(project))
    if (record.type === 'prediction')
      addTo(own, `${record.agent ?? unnamedAgent}\0${record.prediction}`, record.createdAt)
  const isOwn = ({ agent, prediction, forecasts }: ForeignPrediction): boolean =>
    (own.get(`${agent ?? unnamedAgent}\0${prediction}`) ?? []).some(
      (createdAt) => Math.abs(createdAt - (forecasts[0]?.createdAt ?? Number.NaN)) <= msPerDay,
    )
  return fresh.filter((one) => !isOwn(one))
}

/** Predictions as lines of our own export format, which an import reads. */
export async function* toPredictionLines(
  predictions: readonly ForeignPrediction[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const toLine = (line: object): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`)
  yield toLine({ type: 'brain', format: formatVersion })
  for (const [at, one] of predictions.entries()) {
    const [first, ...later] = one.forecasts
    const last = one.forecasts.at(-1)
    if (first === undefined || last === undefined) continue
    const { resolution } = one
    yield toLine({
      type: 'prediction',
      id: at + 1,
      prediction: one.prediction,
      domain: one.domain,
      confidence: first.confidence,
      basis: one.basis,
      created_at: toTimestamp(first.createdAt),
      ...(resolution && {
        outcome: resolution.outcome,
        actual: resolution.actual,
        surprise:
          resolution.outcome === 'annulled' ? null : deriveSurprise(last.confidence, resolution.outcome),
        resolved_at: toTimestamp(resolution.resolvedAt),
      }),
      ...(one.agent !== null && { agent: one.agent }),
      ...(one.dueAt !== null && { due_at: toTimestamp(one.dueAt) }),
      forecasts: later.map(({ confidence, note, createdAt }) => ({
        confidence,
        note,
        created_at: toTimestamp(createdAt),
      })),
      origin: one.origin,
    })
  }
  yield toLine({ type: 'end', records: predictions.length })
}

/** The files of a project's predictions as a site has them, by their names. */
export async function writeForSite(
  store: Store,
  project: string,
  format: ForecastFormatName,
): Promise<{ files: ReadonlyMap<string, string>; records: number }> {
  const predictions: OutgoingPrediction[] = []
  for await (const record of store.transfer.records(project)) {
    if (record.type !== 'prediction') continue
    const { id, prediction, domain, agent, basis, dueAt, resolution, createdAt, firstConfidence } = record
    const first = { confidence: firstConfidence, note: null, createdAt }
    predictions.push({
      ...{ id, prediction, domain, agent, basis, dueAt, resolution },
      forecasts: [first, ...record.forecasts],
    })
  }
  return { files: formats[format].write(predictions), records: predictions.length }
}
