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
  expect(renderReading({ reading }, plain)).toEqual([
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
  expect(renderReading({ reading: { ...nothing, times, only_time: true } }, plain)).toEqual([
    'asked about all up to 2026-03-11',
    'asked about all from 2026-04-01',
    'asked for nothing but that time: its notes, newest first',
  ])
})

test('says whose notes of the time were asked for', () => {
  expect(renderReading({ reading: { ...nothing, only_time: true, agent: 'kwame' } }, plain)).toEqual([
    'asked for nothing but that time and the agent `kwame`: its notes of then, newest first',
  ])
})

test('says nothing where nothing was read otherwise than it stands', () => {
  expect(renderReading({ reading: nothing }, plain)).toEqual([])
})
