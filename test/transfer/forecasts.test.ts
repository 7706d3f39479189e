/** Forecasting sites: what their exports become, what ours becomes there, and that taking one in twice takes it in once. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForeignPredictions } from '../../src/transfer/foreign-predictions.ts'
import { readTable, toTable } from '../../src/transfer/formats/csv-table.ts'
import type { ForecastFormatName } from '../../src/transfer/formats/forecast-names.ts'
import { readSiteTime } from '../../src/transfer/formats/foreign-prediction.ts'
import { createBrainPlace, type Place } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const now = Date.UTC(2026, 5, 1)

const fatebookHead =
  'Question title,Multiple choice option,Forecast created by,Forecast (scale = 0-1),Forecast created at,' +
  'Question created by,Question created at,Question resolve by,Resolution,Resolved at,' +
  'Your Brier score for this question,Your relative Brier score for this question,Question notes,' +
  'Question shared with,Question shared publicly,Question comments,Question tags'

const fatebookRows = [
  '"Will it ship, really?",,Ada,0.5,2026-01-01 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,YES,2026-01-21 10:00:0,0.5,,"see ""plan""",,false,,work; planning',
  '"Will it ship, really?",,Ada,0.9,2026-01-11 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,YES,2026-01-21 10:00:0,0.5,,"see ""plan""",,false,,work; planning',
  '"Will it ship, really?",,Bob,0.2,2026-01-02 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,YES,2026-01-21 10:00:0,0.5,,"see ""plan""",,false,,work; planning',
  'Which one?,red,Ada,0.3,2026-01-01 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,NO,2026-01-21 10:00:00,,,,,false,,',
  'Which one?,blue,Ada,0.7,2026-01-01 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,,,,,,,false,,',
  'Unclear,,Ada,0.7,2026-01-01 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,AMBIGUOUS,2026-01-21 10:00:00,,,,,false,,',
  'Too late,,Ada,0.99,2026-03-01 10:00:00,Ada,2026-01-01 10:00:00,2026-02-01 00:00:00,YES,2026-01-21 10:00:00,,,,,false,,',
]

const predictionBookExport = {
  user: { user_id: 7, name: 'ada', email: 'ada@example.org' },
  predictions: [
    {
      ...{ id: 1, uuid: 'u-1', description: 'Rain by Friday', deadline: '2026-03-01T00:00:00.000Z' },
      ...{ created_at: '2026-02-01T00:00:00.000Z', updated_at: '2026-02-01T00:00:00.000Z', creator_id: 7 },
      ...{
        withdrawn: false,
        outcome: false,
        mean_confidence: 70,
        version: 1,
        visibility: 'visible_to_creator',
      },
      responses: [
        { confidence: 80, comment: 'clouds', created_at: '2026-02-01T00:00:00.000Z', id: 1, user_id: 7 },
        { confidence: null, comment: 'hm', created_at: '2026-02-02T00:00:00.000Z', id: 2, user_id: 7 },
        { confidence: 60, comment: null, created_at: '2026-02-20T00:00:00.000Z', id: 3, user_id: 7 },
        { confidence: 10, comment: null, created_at: '2026-02-20T00:00:00.000Z', id: 4, user_id: 8 },
      ],
    },
    {
      ...{ id: 2, uuid: 'u-2', description: 'Withdrawn', deadline: '2026-03-01T00:00:00.000Z' },
      ...{ created_at: '2026-02-01T00:00:00.000Z', updated_at: '2026-02-05T00:00:00.000Z', creator_id: 7 },
      ...{ withdrawn: true, outcome: null },
      responses: [{ confidence: 50, created_at: '2026-02-01T00:00:00.000Z', id: 5, user_id: 7 }],
    },
  ],
}

const questionData = [
  'Question ID,Question URL,Question Title,Post ID,Default Project,Label,Question Type,Open Time,Scheduled Close Time,Actual Close Time,Resolution,Resolution Known Time',
  '11,https://www.metaculus.com/questions/5/,Will X happen?,5,Some Cup,,binary,2026-01-01 12:00:00+00:00,2026-03-01 12:00:00+00:00,2026-02-01 12:00:00+00:00,yes,2026-02-01 12:00:00+00:00',
  '12,https://www.metaculus.com/questions/6/,How many?,6,Some Cup,,numeric,2026-01-01 12:00:00+00:00,2026-03-01 12:00:00+00:00,,,',
  '13,https://www.metaculus.com/questions/7/,Open one,7,Some Cup,by May,binary,2026-01-01 12:00:00+00:00,2026-09-01 12:00:00+00:00,,,',
].join('\n')

const forecastData = [
  'Question ID,Forecaster ID,Forecaster Username,Is Bot,Start Time,End Time,Forecaster Count,Probability Yes,Probability Yes Per Category,Continuous CDF',
  '11,42,ada,False,2026-01-01 12:00:00+00:00,2026-01-11 12:00:00+00:00,,0.6,,',
  '11,42,ada,False,2026-01-11 12:00:00+00:00,,,0.8,,',
  '11,,recency_weighted,,2026-01-01 12:00:00+00:00,,30,0.5,,',
  '12,42,ada,False,2026-01-01 12:00:00+00:00,,,,,"[0.1, 0.2]"',
  '13,42,ada,False,2026-01-02 12:00:00+00:00,,,0.25,,',
].join('\n')

function place(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

const fatebookFile = () =>
  join(place({ 'fatebook.csv': [fatebookHead, ...fatebookRows].join('\n') }), 'fatebook.csv')

const read = (path: string, format?: ForecastFormatName) =>
  readForeignPredictions(path, { now, ...(format && { format }) }) ?? expect.unreachable()

describe('Fatebook', () => {
  it('has a row a forecast, of which each person’s for a question become one prediction', () => {
    const { format, predictions, passedOver } = read(fatebookFile())
    expect(format).toBe('fatebook')
    expect(predictions.map(({ prediction, agent, domain }) => [prediction, agent, domain])).toEqual([
      ['Will it ship, really?', 'Ada', 'work'],
      ['Will it ship, really?', 'Bob', 'work'],
      ['Which one?: red', 'Ada', 'fatebook'],
      ['Which one?: blue', 'Ada', 'fatebook'],
      ['Unclear', 'Ada', 'fatebook'],
    ])
    const [ada, , red, blue, unclear] = predictions
    expect(ada).toMatchObject({
      basis: 'see "plan"',
      dueAt: Date.UTC(2026, 1, 1),
      forecasts: [
        { confidence: 0.5, createdAt: Date.UTC(2026, 0, 1, 10) },
        { confidence: 0.9, createdAt: Date.UTC(2026, 0, 11, 10) },
      ],
      resolution: { outcome: 'correct', resolvedAt: Date.UTC(2026, 0, 21, 10) },
    })
    expect([red, blue, unclear].map((one) => one?.resolution?.outcome)).toEqual([
      'incorrect',
      undefined,
      'annulled',
    ])
    expect(Object.fromEntries(passedOver)).toEqual({
      'questions with forecasts after their resolution': 1,
      'questions without a forecast before their resolution': 1,
    })
  })

  it('is refused where a column is spelt otherwise, by its name, and counts questions without a title', async () => {
    const brain = await createBrainPlace()
    const write = (head: string, row: string) =>
      writeFileSync(join(brain.directory, 'f.csv'), `${head}\n${row}\n`)
    write(fatebookHead.replace('Question title', 'Question Title'), fatebookRows[0] ?? '')
    expect(await brain.run(['import', 'f.csv'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('not known: it has no column "Question title"'),
    })
    write(fatebookHead, `,${fatebookRows[3]?.split(',').slice(1).join(',')}`)
    expect((await brain.run(['import', 'f.csv'])).stderr).toContain(
      'passed over: questions without a title (1)\n',
    )
  })

  it('counts both sides of a yes or no: its Brier score is not taken, ours is half of it', async () => {
    const brain = await createBrainPlace()
    const row =
      'X,,Ada,0.5,2026-01-01 10:00:00,Ada,2026-01-01 10:00:00,,YES,2026-01-21 10:00:00,0.5,,,,false,,'
    writeFileSync(join(brain.directory, 'f.csv'), `${fatebookHead}\n${row}\n`)
    expect((await brain.run(['import', 'f.csv'])).stdout).toBe('imported 1 prediction\n')
    const { overall } = JSON.parse((await brain.run(['--json', 'calibration'])).stdout)
    expect(overall.brier).toBe(0.25)
  })
})

describe('another table', () => {
  it('is refused with the remedy, unless it is one column of text or is to be taken as text', async () => {
    const brain = await createBrainPlace()
    const put = (text: string) => writeFileSync(join(brain.directory, 'odd.csv'), text)
    for (const text of [
      'text,date\n"He said ""no""",2024-01-01\n',
      'text\n"many\nlines"\n',
      'a\tb\n1\t2\n',
    ]) {
      put(text)
      for (const more of [[], ['--dry-run']])
        expect(await brain.run(['import', 'odd.csv', ...more])).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/this is a table.*"text".*--format text/),
        })
    }
    expect((await brain.run(['import', 'odd.csv', '--format', 'text'])).code).toBe(0)
    put('The queue is slow\nIt drains at night, mostly\n')
    expect((await brain.run(['import', 'odd.csv'])).stdout).toContain('imported 2 memories')
  })
})

describe('PredictionBook', () => {
  it('has confidences in percent, of which the export’s own are taken, and what was withdrawn is annulled', () => {
    const { format, predictions, passedOver } = read(
      join(place({ 'pb.json': JSON.stringify(predictionBookExport) }), 'pb.json'),
    )
    expect(format).toBe('predictionbook')
    expect(predictions).toMatchObject([
      {
        origin: 'predictionbook:u-1',
        agent: 'ada',
        forecasts: [
          { confidence: 0.8, note: 'clouds' },
          { confidence: 0.6, note: null },
        ],
        resolution: { outcome: 'incorrect', resolvedAt: Date.UTC(2026, 2, 1) },
      },
      { origin: 'predictionbook:u-2', resolution: { outcome: 'annulled' } },
    ])
    expect(passedOver.get("other people's forecasts")).toBe(1)
  })
})

describe('Metaculus', () => {
  it('has questions and forecasts in two files, of which binary questions of people are taken', () => {
    const directory = place({ 'question_data.csv': questionData, 'forecast_data.csv': forecastData })
    for (const path of [
      directory,
      join(directory, 'forecast_data.csv'),
      join(directory, 'question_data.csv'),
    ]) {
      const { format, predictions, passedOver } = read(path)
      expect(format).toBe('metaculus')
      expect(predictions).toMatchObject([
        {
          ...{ origin: 'metaculus:11:42', prediction: 'Will X happen?', domain: 'Some Cup', agent: 'ada' },
          dueAt: Date.UTC(2026, 1, 1, 12),
          forecasts: [{ confidence: 0.6 }, { confidence: 0.8 }],
          resolution: { outcome: 'correct', resolvedAt: Date.UTC(2026, 1, 1, 12) },
        },
        { prediction: 'Open one (by May)', dueAt: Date.UTC(2026, 8, 1, 12), resolution: null },
      ])
      expect(Object.fromEntries(passedOver)).toEqual({
        aggregates: 1,
        'forecasts of questions that are not binary': 1,
      })
    }
  })

  it('names the file that is missing', () => {
    const path = join(place({ 'question_data.csv': questionData }), 'question_data.csv')
    expect(() => read(path)).toThrow('forecast_data.csv is missing beside question_data.csv')
  })
})

describe('any other file', () => {
  it('is no site’s, and refused where it is said to be one', () => {
    const path = join(place({ 'x.csv': 'a,b\n1,2\n' }), 'x.csv')
    expect(readForeignPredictions(path, { now })).toBeUndefined()
    expect(() => read(path, 'fatebook')).toThrow('is no export of fatebook')
    const torn = join(place({ 'x.csv': `${fatebookHead}\n"never closed` }), 'x.csv')
    expect(() => read(torn)).toThrow('never closed')
  })
})

describe('an import of forecasts', () => {
  const shown = async (brain: Place, id: number) =>
    JSON.parse((await brain.run(['--json', 'show', 'prediction', String(id)])).stdout).record

  it('keeps every forecast with its time, is dry when asked, and taken in twice is taken in once', async () => {
    const brain = await createBrainPlace()
    const file = fatebookFile()
    const dry = await brain.run(['import', file, '--dry-run'])
    expect(dry.stdout).toContain('would import 5 predictions')
    expect((await brain.run(['predictions', '--all'])).stdout).toBe('no predictions\n')
    expect((await brain.run(['import', file])).stdout).toBe('imported 5 predictions\n')
    expect(await shown(brain, 1)).toMatchObject({
      agent: 'Ada',
      confidence: 0.9,
      outcome: 'correct',
      surprise: expect.closeTo(0.1, 12),
      forecasts: [{ confidence: 0.5 }, { confidence: 0.9 }],
      // Ten days at 0.5, ten at 0.9.
      brier: { first: 0.25, last: expect.closeTo(0.01, 9), time_weighted: expect.closeTo(0.13, 9) },
    })
    const again = await brain.run(['import', file])
    expect(again).toMatchObject({
      stdout: 'imported nothing\n',
      stderr: expect.stringContaining('5 are here'),
    })
    const exported = (await brain.run(['export'])).stdout
    expect((await brain.run(['import', '-'], { stdin: exported })).code).toBe(0)
  })

  it.each(['out.csv', 'out.json'])(
    'its own predictions that come back from a site are here already: %s',
    async (target) => {
      const brain = await createBrainPlace()
      await brain.run(['predict', 'The release is out by Friday', '--domain', 'd', '--due', '2030-01-31'])
      await brain.run(['predict', 'No page this week', '--domain', 'd'])
      const format = target === 'out.csv' ? 'fatebook' : 'predictionbook'
      await brain.run(['export', '--format', format, '--output', target])
      expect(await brain.run(['import', target])).toMatchObject({
        stdout: 'imported nothing\n',
        stderr: expect.stringContaining('2 are here'),
      })
    },
  )

  it.each(['fatebook', 'predictionbook', 'metaculus'] as const)(
    'goes to %s and comes back',
    async (format) => {
      const brain = await createBrainPlace()
      await brain.run(['import', fatebookFile()])
      await brain.run(['predict', '=cmd|x', '--domain', 'd', '--due', '2030-01-31', '--confidence', '0.35'])
      const target = format === 'metaculus' ? 'out' : `out.${format === 'fatebook' ? 'csv' : 'json'}`
      if (format === 'metaculus') mkdirSync(join(brain.directory, target))
      const words = ['export', '--format', format, '--output', target]
      for (let turn = 0; turn < 2; turn += 1)
        expect((await brain.run(words)).stdout).toContain('exported 6 predictions')
      const { predictions } = read(join(brain.directory, target), format)
      expect(predictions.map(({ prediction }) => prediction).sort()).toEqual(
        [
          '=cmd|x',
          'Unclear',
          'Which one?: blue',
          'Which one?: red',
          ...Array(2).fill('Will it ship, really?'),
        ].sort(),
      )
      const ship = predictions.find(({ forecasts }) => forecasts.length === 2)
      expect(ship?.forecasts.map(({ confidence }) => confidence)).toEqual([0.5, 0.9])
      expect(ship?.resolution?.outcome).toBe('correct')
      expect(predictions.find(({ prediction }) => prediction === 'Unclear')?.resolution?.outcome).toBe(
        'annulled',
      )
    },
  )

  it('is known by its name, too, which may end as the format is called', async () => {
    const brain = await createBrainPlace()
    writeFileSync(join(brain.directory, 'out.fatebook'), [fatebookHead, ...fatebookRows].join('\n'))
    expect((await brain.run(['import', 'out.fatebook', '--dry-run'])).stdout).toContain('would import 5 pred')
  })

  it('takes secrets out', async () => {
    const brain = await createBrainPlace()
    const row =
      'X,,Ada,0.5,2026-01-01 10:00:00,Ada,2026-01-01 10:00:00,,,,,,ghp_0123456789abcdefghijABCDEFGHIJ012345,,false,,'
    writeFileSync(join(brain.directory, 'f.csv'), `${fatebookHead}\n${row}\n`)
    await brain.run(['import', 'f.csv'])
    expect((await shown(brain, 1)).basis).not.toContain('ghp_')
  })
})

describe('a table', () => {
  it('comes back as it was written, whatever is in it', () => {
    const cells = fc
      .string({ unit: 'grapheme' })
      .map((text) => text.trim())
      .filter((text) => !text.startsWith("'"))
    fc.assert(
      fc.property(fc.array(fc.record({ a: cells, b: cells }), { maxLength: 8 }), (rows) => {
        const kept = rows.filter(({ a, b }) => a !== '' || b !== '')
        const read = readTable(toTable(['a', 'b'], kept)).map((row) => ({ a: row.get('a'), b: row.get('b') }))
        expect(read).toEqual(kept)
      }),
    )
  })

  it('of more columns than any site has is refused before its rows are made', () => {
    const wide = Array.from({ length: 20_000 }, (_, at) => `c${at}`).join(',')
    expect(() => readTable(`${wide}\n${'x\n'.repeat(8_000)}`)).toThrow('more than 1000 columns')
  })

  it('has no cell that a spreadsheet takes for a formula', () => {
    const cells = ['=1+1', '@x', '-2', ' =A1', '\uff1d1']
    const table = toTable(
      ['a'],
      cells.map((a) => ({ a })),
    )
    expect(table).toBe(`a\n${cells.map((cell) => `'${cell}\n`).join('')}`)
    expect(readTable(table).map((row) => row.get('a'))).toEqual(cells)
  })
})

describe('a time of a site', () => {
  it.each([
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-1-2 3:4:5', '2026-01-02T03:04:05.000Z'],
    ['2026-02-13 22:22:25.274728+00:00', '2026-02-13T22:22:25.000Z'],
    ['2026-02-13T22:22:25+0200', '2026-02-13T20:22:25.000Z'],
    ['2026-02-13', '2026-02-13T00:00:00.000Z'],
  ])('%s is %s', (text, time) => expect(new Date(readSiteTime(text) ?? 0).toISOString()).toBe(time))

  it.each(['', 'soon', '2026-13-01', '2026-2-31', '9999-12-31 23:59:59-0200', undefined])(
    '%s is none',
    (text) => expect(readSiteTime(text)).toBeUndefined(),
  )
})
