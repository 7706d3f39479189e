import { expect, it } from 'vitest'
import { areLog } from '../../src/dreams/reading/material.ts'

const by = (...counts: readonly number[]) =>
  counts.flatMap((count, author) => Array.from({ length: count }, () => ({ agent: `agent-${author}` })))

it.each([
  ['of one author', by(10), 1, true],
  ['of nearly one', by(9, 1), 1, true],
  ['of which one wrote half, of short notes', by(6, 4), 1.3, false],
  ['of which one wrote half, of notes of several matters', by(6, 4), 1.8, true],
  ['of a team, of notes of several matters', by(3, 3, 2, 2), 1.8, false],
  ['of nothing', by(), 1, false],
])('a brain %s is a log or none', (_, notes, mattersEach, isLog) => {
  expect(areLog(notes, mattersEach)).toBe(isLog)
})

it('one author is one in whatever case the name is written', () => {
  expect(areLog([{ agent: 'Ana' }, { agent: 'ana' }, { agent: 'ANA' }], 1)).toBe(true)
})
