import { expect, test } from 'vitest'
import { renderReading } from '../../../src/cli/render/explanation.ts'
import { createStyle } from '../../../src/cli/render/style.ts'

const plain = createStyle(false)

test('says how a question was read: words, times, and turns of a conversation', () => {
  const reading = {
    corrections: [{ written: 'postgers', read: 'postgres' }],
    times: [{ from: '2026-03-01', to: '2026-03-31', yearly: true }],
    conversation: true,
  }
  expect(renderReading({ reading }, plain)).toEqual([
    'read `postgers` as `postgres`',
    'asked about 03-01 to 03-31 of any year',
    'read turns of a conversation with those around them',
  ])
})

test('says nothing where nothing was read otherwise than it stands', () => {
  expect(renderReading({ reading: { corrections: [], times: [], conversation: false } }, plain)).toEqual([])
})
