/**
 * Metaculus' download of data (its form of February 2026): question_data.csv with a row for each question, forecast_data.csv
 * with a row for each forecast and how long it stood. Binary questions are taken; aggregates, which have no forecaster, and
 * questions of other types are passed over.
 */
import { unnamedAgent } from '../../core/agent-names.ts'
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

const questionFile = 'question_data.csv'
const forecastFile = 'forecast_data.csv'

const endings: Readonly<Record<string, Ending>> = {
  yes: 'correct',
  no: 'incorrect',
  annulled: 'annulled',
  ambiguous: 'annulled',
}

const cell = (row: Row, name: string): string | undefined => row.get(name) || undefined

function toPrediction(question: Row, rows: readonly Row[], passed: Passed): ForeignPrediction {
  const [first] = rows
  const forecaster = (first && (cell(first, 'Forecaster ID') ?? cell(first, 'Forecaster (Anonymized)'))) ?? ''
  const forecasts = readForecasts(rows, { confidence: 'Probability Yes', time: 'Start Time', passed })
  const told = cell(question, 'Resolution')
  const outcome = endings[told?.toLowerCase() ?? '']
  const closes = cell(question, 'Actual Close Time') ?? cell(question, 'Scheduled Close Time')
  const resolvedAt = readSiteTime(cell(question, 'Resolution Known Time') ?? closes)
  const label = cell(question, 'Label')
  const title = cell(question, 'Question Title') ?? cell(question, 'Question URL') ?? 'untitled'
  return {
    origin: `metaculus:${cell(question, 'Question ID')}:${forecaster}`,
    prediction: label === undefined ? title : `${title} (${label})`,
    domain: cell(question, 'Default Project') ?? 'metaculus',
    agent: (first && cell(first, 'Forecaster Username')) ?? null,
    basis: cell(question, 'Question URL') ?? null,
    dueAt: readSiteTime(closes) ?? null,
    forecasts,
    resolution:
      outcome === undefined || resolvedAt === undefined
        ? null
        : { outcome, actual: `resolved ${told} on Metaculus`, resolvedAt },
  }
}

const resolutions: Readonly<Record<Ending, string>> = {
  correct: 'yes',
  incorrect: 'no',
  partial: 'ambiguous',
  annulled: 'annulled',
}

/** Both tables, whichever of them was named. @throws BrainError `invalid` where the other one is missing. */
function readBoth(name: string, text: string, sibling: (name: string) => string | undefined) {
  const other = name === forecastFile ? questionFile : forecastFile
  const found = sibling(other)
  if (found === undefined)
    throw new BrainError(
      'invalid',
      `${other} is missing beside ${name}: name the folder of Metaculus' download`,
    )
  const [questions, forecasts] = name === forecastFile ? [found, text] : [text, found]
  return { questions: readTable(questions), forecasts: readTable(forecasts) }
}

export const metaculus: ForecastFormat = {
  about: "Metaculus' question_data.csv and forecast_data.csv (2026)",
  recognises: ({ text }) => {
    const head = text.slice(0, 2_000)
    return head.includes('Question ID') && /Probability Yes|Resolution Known Time/.test(head)
  },
  read: ({ name, text, sibling }) => {
    const { questions, forecasts } = readBoth(name, text, sibling)
    const byId = new Map(questions.map((question) => [cell(question, 'Question ID'), question]))
    const passed = new Passed()
    const own = forecasts.filter((row) => {
      const question = byId.get(cell(row, 'Question ID'))
      if (question === undefined) passed.add('forecasts of no question in the download')
      else if (cell(question, 'Question Type')?.toLowerCase() !== 'binary')
        passed.add('forecasts of questions that are not binary')
      else if ((cell(row, 'Forecaster ID') ?? cell(row, 'Forecaster (Anonymized)')) === undefined)
        passed.add('aggregates')
      else return true
      return false
    })
    const groups = groupRows(own, (row) =>
      JSON.stringify([
        row.get('Question ID'),
        row.get('Forecaster ID') ?? row.get('Forecaster (Anonymized)'),
      ]),
    )
    const predictions = groups.flatMap((rows) => {
      const question = byId.get(rows[0] && cell(rows[0], 'Question ID'))
      return question === undefined ? [] : [toPrediction(question, rows, passed)]
    })
    return { predictions, passedOver: passed.counts }
  },
  write: (predictions) => {
    const questions = predictions.map((one) => ({
      'Question ID': one.id,
      'Question Title': one.prediction,
      'Default Project': one.domain,
      'Question Type': 'binary',
      'Open Time': toSiteTime(one.forecasts[0]?.createdAt ?? null),
      'Scheduled Close Time': toSiteTime(one.dueAt),
      Resolution: one.resolution && resolutions[one.resolution.outcome],
      'Resolution Known Time': toSiteTime(one.resolution?.resolvedAt ?? null),
    }))
    const forecasts = predictions.flatMap((one) =>
      one.forecasts.map(({ confidence, createdAt }, at) => ({
        'Question ID': one.id,
        'Forecaster ID': one.agent ?? unnamedAgent,
        'Forecaster Username': one.agent ?? unnamedAgent,
        'Start Time': toSiteTime(createdAt),
        'End Time': toSiteTime(one.forecasts[at + 1]?.createdAt ?? null),
        'Probability Yes': confidence,
      })),
    )
    return new Map([
      [questionFile, toTable(Object.keys(questions[0] ?? { 'Question ID': '' }), questions)],
      [forecastFile, toTable(Object.keys(forecasts[0] ?? { 'Question ID': '' }), forecasts)],
    ])
  },
}
