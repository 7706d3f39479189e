import { expect, test } from 'vitest'
import { renderReading } from '../../../src/cli/render/explanation.ts'
import { createStyle } from '../../../src/cli/render/style.ts'

const plain = createStyle(false)

test('says how a question was read: words, times, and turns of a conversation', () => {
  const reading = {
    corrections: [{ written: 'postgers', read: 'postgres' }],
    times: [{ from: '2026-03-01', to: '2026-03-31', yearly: true }],
    conversation: true,
    only_time: false,
    agent: null,
  }
  expect(renderReading({ reading, results: [] }, plain)).toEqual([
    'read `postgers` as `postgres`',
    'asked about 03-01 to 03-31 of any year',
    'read turns of a conversation with those around them',
  ])
})

const nothing = { corrections: [], times: [], conversation: false, only_time: false, agent: null }

test('says where the days asked about have no bound, and that nothing else was asked for', () => {
  const times = [
    { from: null, to: '2026-03-11', yearly: false },
    { from: '2026-04-01', to: null, yearly: false },
  ]
  expect(renderReading({ reading: { ...nothing, times, only_time: true }, results: [] }, plain)).toEqual([
    'asked about all up to 2026-03-11',
    'asked about all from 2026-04-01',
    'asked for nothing but that time: its notes, newest first',
  ])
})

test('says whose notes of the time were asked for', () => {
  const reading = { ...nothing, only_time: true, agent: 'kwame' }
  expect(renderReading({ reading, results: [] }, plain)).toEqual([
    'asked for nothing but that time and the agent `kwame`: its notes, newest first',
  ])
})

test('says where a time has no notes', () => {
  const explanation = { cosine: 0.2, soft: 0.3, coverage: 0, codes: null, names: null, time: 0 }
  const result = {
    ...{
      id: 1,
      text: 'Of another day.',
      created_at: '2026-11-01T00:00:00.000+00:00',
      score: 0.03,
      caution: 0,
    },
    explanation: { ...explanation, misfit: null, words: [] },
  }
  expect(renderReading({ reading: { ...nothing, only_time: true }, results: [result] }, plain)).toEqual([
    'asked for nothing but that time: it has no notes',
  ])
})

test('says nothing where nothing was read otherwise than it stands', () => {
  expect(renderReading({ reading: nothing, results: [] }, plain)).toEqual([])
})
