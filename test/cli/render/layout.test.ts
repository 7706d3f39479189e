import { expect, test } from 'vitest'
import { alignColumns, cutBeside, displayWidth, hang } from '../../../src/cli/render/layout.ts'

test.each([
  ['plain', 5],
  ['\u001b[1mbold\u001b[22m', 4],
  ['größe', 5],
  ['漢字', 4],
  ['Ａ', 2],
  ['ｱ', 1],
  ['\u1112\u1161\u11ab', 2],
  ['e\u0301', 1],
  ['✅', 2],
  ['⚡', 2],
  ['⌚', 2],
  ['🌡', 1],
  ['🌡\ufe0f', 2],
  ['❤', 1],
  ['❤\ufe0f', 2],
  ['1\ufe0f\u20e3', 2],
  ['🇫🇷', 2],
  ['👍🏽', 2],
  ['👨\u200d👩\u200d👧', 2],
  ['done ✅ by 👩🏾\u200d🚀!', 14],
])('%s takes so many columns: %i', (text, columns) => {
  expect(displayWidth(text)).toBe(columns)
})

test('columns beside pictures end where they do beside letters', () => {
  expect(
    alignColumns([
      ['✅', 'a'],
      ['ab', 'b'],
      ['👨\u200d👩\u200d👧', 'c'],
    ]),
  ).toEqual(['✅  a', 'ab  b', '👨\u200d👩\u200d👧  c'])
})

test('a text without room beside its head goes beneath it', () => {
  const head = '   12  accumulating  2026-05-01  '
  expect(hang(head, 'the cache is warm after two minutes', 80)).toBe(
    `${head}the cache is warm after two minutes`,
  )
  expect(hang(head, 'the cache is warm after two minutes', 34)).toBe(
    '   12  accumulating  2026-05-01\n    the cache is warm after two\n    minutes',
  )
  expect(cutBeside(head, 'the cache is warm after two minutes', 34)).toBe(
    '   12  accumulating  2026-05-01\n    the cache is warm after two m…',
  )
})
