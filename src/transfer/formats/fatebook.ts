/**
 * Fatebook's export: a row for each forecast, with the question's members repeated. Read from its source of 2025 (the
 * columns that `questionsToCsv` writes) and from an older form with "Question resolution". Its Brier scores add up both
 * sides of a yes or no and the days of a question, so they are not taken: ours are computed from the forecasts.
 */
import { createHash } from 'node:crypto'
import { BrainError } from '../../core/errors.ts'
import type { Ending } from '../../core/records.ts'
import { type Row, readTable, toTable } from './csv-table.ts'
import {
  type ForecastFormat,
  type ForeignPrediction,
  groupRows,
  Passed,
  readForecasts,
  readSiteTime,
  toSiteTime,
} from './foreign-prediction.ts'

const columns = {
  title: 'Question title',
  option: 'Multiple choice option',
  forecaster: 'Forecast created by',
  forecast: 'Forecast (scale = 0-1)',
  stated: 'Forecast created at',
  author: 'Question created by',
  asked: 'Question created at',
  due: 'Question resolve by',
  resolution: 'Resolution',
  resolved: 'Resolved at',
  brier: 'Your Brier score for this question',
  relative: 'Your relative Brier score for this question',
  notes: 'Question notes',
  shared: 'Question shared with',
  public: 'Question shared publicly',
  comments: 'Question comments',
  tags: 'Question tags',
} as const

const names = Object.values(columns)

const cell = (row: Row | undefined, ...wanted: readonly string[]): string | undefined =>
  wanted.map((name) => row?.get(name)).find((value) => value !== undefined && value !== '')

const endings: Readonly<Record<string, Ending>> = { YES: 'correct', NO: 'incorrect', AMBIGUOUS: 'annulled' }

/** Columns without which nothing could be taken: another spelling is that of another version. */
const needed = [columns.title, columns.forecast, columns.stated]

/** @throws BrainError `invalid` naming the column that is missing. */
function requireColumns(row: Row | undefined): void {
  const missing = row && needed.find((name) => !row.has(name))
  if (missing === undefined) return
  const hint = `The columns that are known: ${names.join(', ')}.`
  throw new BrainError(
    'invalid',
    `this form of Fatebook's export is not known: it has no column "${missing}"`,
    { hint },
  )
}

/** How one option of several ended: by its own word, or by the option that the question was resolved to. */
function endingOf(told: string, option: string | undefined): Ending {
  const known = endings[told.toUpperCase()]
  if (known !== undefined) return known
  if (option === undefined) return 'annulled'
  return told === option ? 'correct' : 'incorrect'
}

function toPrediction(rows: readonly Row[], passed: Passed): ForeignPrediction | undefined {
  const [first] = rows
  const title = cell(first, columns.title)
  if (title === undefined) {
    passed.add('questions without a title')
    return undefined
  }
  const option = cell(first, columns.option)
  const forecaster = cell(first, columns.forecaster)
  const forecasts = readForecasts(rows, { confidence: columns.forecast, time: columns.stated, passed })
  const told = cell(first, columns.resolution, 'Question resolution')
  const resolvedAt = readSiteTime(cell(first, columns.resolved, 'Question resolved at'))
  const key = [title, option ?? '', cell(first, columns.asked) ?? '', forecaster ?? ''].join('\n')
  return {
    origin: `fatebook:${createHash('sha256').update(key).digest('hex').slice(0, 24)}`,
    prediction: option === undefined ? title : `${title}: ${option}`,
    domain: cell(first, columns.tags)?.split(/[;,]/)[0]?.trim() || 'fatebook',
    agent: forecaster ?? null,
    basis: cell(first, columns.notes) ?? null,
    dueAt: readSiteTime(cell(first, columns.due)) ?? null,
    forecasts,
    resolution:
      told === undefined || resolvedAt === undefined
        ? null
        : { outcome: endingOf(told, option), actual: `resolved ${told} on Fatebook`, resolvedAt },
  }
}

const resolutions: Readonly<Record<Ending, string>> = {
  correct: 'YES',
  incorrect: 'NO',
  // What is half so is neither there.
  partial: 'AMBIGUOUS',
  annulled: 'AMBIGUOUS',
}

export const fatebook: ForecastFormat = {
  about: "Fatebook's CSV (2025)",
  recognises: ({ text }) => text.slice(0, 2_000).includes(columns.forecast),
  read: ({ text }) => {
    const passed = new Passed()
    const rows = readTable(text)
    requireColumns(rows[0])
    const groups = groupRows(rows, (row) =>
      JSON.stringify(
        [columns.title, columns.option, columns.asked, columns.forecaster].map((name) => row.get(name)),
      ),
    )
    const predictions = groups.flatMap((rows) => toPrediction(rows, passed) ?? [])
    return { predictions, passedOver: passed.counts }
  },
  write: (predictions) => {
    const rows = predictions.flatMap((one) =>
      one.forecasts.map(({ confidence, createdAt }) => ({
        [columns.title]: one.prediction,
        [columns.forecaster]: one.agent,
        [columns.forecast]: confidence,
        [columns.stated]: toSiteTime(createdAt),
        [columns.author]: one.agent,
        [columns.asked]: toSiteTime(one.forecasts[0]?.createdAt ?? null),
        [columns.due]: toSiteTime(one.dueAt),
        [columns.resolution]: one.resolution && resolutions[one.resolution.outcome],
        [columns.resolved]: toSiteTime(one.resolution?.resolvedAt ?? null),
        [columns.notes]: one.basis,
        [columns.public]: false,
        [columns.tags]: one.domain,
      })),
    )
    return new Map([['fatebook.csv', toTable(names, rows)]])
  },
}
