import { expect, it } from 'vitest'
import { ofKind } from '../night-input.ts'
import { dreamOf, dreamOfGroups, type Lines, readerOf } from '../reader.ts'

const asked: Lines = [
  [1, 'There is a green rucksack in the hall since last night, heavy. Whose is it?', { agent: 'Ana' }],
  [4, 'The rucksack hums, there may be a phone in it. Does it belong to anyone?', { agent: 'Ben' }],
]

it.each([
  ['The rucksack is still in the hall, and nobody asks for it', 1],
  ['Mystery solved, the rucksack is the lineman’s', 0],
  ['It turned out that the rucksack is the lineman’s', 0],
])('a question is open until a note tells that it is solved: %s', (text, count) => {
  const lines: Lines = [...asked, [9, text, { agent: 'Eve' }]]
  expect(ofKind('question', dreamOf(lines, { asks: 0.9 }))).toHaveLength(count)
})

it('tells who asked, and of whoever gave no name that there are others', () => {
  const [first, second] = asked
  const unnamed: Lines = [...(first ? [first] : []), ...(second ? [[second[0], second[1]] as const] : [])]
  expect(ofKind('question', dreamOf(asked, { asks: 0.9 }))[0]?.thought).toContain('(asked by Ana and Ben on')
  expect(ofKind('question', dreamOf(unnamed, { asks: 0.9 }))[0]?.thought).toContain(
    '(asked by Ana and others on',
  )
})

it.each([
  'Nobody could tell me whose account reader-7 belongs to, nor what it fetches from press-exports.',
  'Still not clear to me whose account reader-7 is; left it in the policy of press-exports.',
  'List of accounts for press-exports is done, the line of reader-7 has a question mark.',
  'Should find out who sits behind reader-7 and its downloads from press-exports.',
  "At press-exports reader-7 stays in: who lives on it is anybody's guess.",
  "What reader-7 does with press-exports isn't written anywhere.",
  'Tidied the accounts of press-exports; the owner of reader-7 remains unknown.',
])('a question needs no question mark: %s', (text) => {
  const lines: Lines = [
    [1, 'A role reader-7 fetches the dump from press-exports each night. Whose is it?'],
    [9, text],
    [12, 'Who in the world is reader-7, of all the accounts at press-exports?'],
  ]
  expect(ofKind('question', dreamOf(lines, { asks: 0.9 }))[0]?.sourceMemoryIds).toEqual([1, 2, 3])
})

it.each([
  ['in its words', 'The password of the office printer is on the label under the tray', 0.5, 0],
  ['in other words', 'It is on the label under the paper tray', 0.5, 1],
  ['in its words, but read as none', 'The office printer wants a new password', 0.1, 1],
])('a later note %s answers what was asked all along', (_, text, answers, count) => {
  const lines: Lines = [
    [1, 'What is the password of the office printer?'],
    [6, 'What was the password of the office printer again?'],
    [12, 'Password of the office printer, does anybody have it?'],
    [15, text],
  ]
  const alike = readerOf(
    () => undefined,
    (_older, newer) => (newer === text ? { answers } : { asks: 0.9 }),
  )
  const told = dreamOfGroups(lines, (of) => (lines.some(([, one]) => one === of) ? 0 : undefined), [0.6], {
    reader: alike,
  })
  expect(ofKind('question', told)).toHaveLength(count)
})
