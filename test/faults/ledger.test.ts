/** The ledger itself: a drill whose judge sees nothing proves nothing. */
import { expect, it } from 'vitest'
import { type Entry, judge } from './ledger.ts'

const add = (state: Entry['state'], ...texts: string[]): Entry => ({ action: 'add', state, texts })
const forget = (state: Entry['state'], ...texts: string[]): Entry => ({ action: 'forget', state, texts })
const clean = { lost: [], undead: [], doubled: [], halves: [], unknown: [] }

const acknowledged = [add('begun', 'a'), add('acknowledged', 'a')]

it.each<[string, Entry[], string[], object]>([
  ['an acknowledged text that is there is well', acknowledged, ['a'], { ...clean, checked: 1 }],
  ['an acknowledged text that is not there is lost', acknowledged, [], { lost: ['a'] }],
  ['a text that is there twice is doubled', acknowledged, ['a', 'a'], { doubled: ['a'] }],
  ['an intended text may be there', [add('begun', 'a')], ['a'], { ...clean, checked: 0 }],
  ['an intended text may be missing', [add('begun', 'a')], [], { ...clean, checked: 0 }],
  ['half of an intended group is a half', [add('begun', 'a', 'b')], ['b'], { halves: ['a'] }],
  ['a text that nobody intended is unknown', acknowledged, ['a', 'b'], { unknown: ['b'] }],
  [
    'a forgotten text that is there is undead',
    [...acknowledged, forget('begun', 'a'), forget('acknowledged', 'a')],
    ['a'],
    { undead: ['a'] },
  ],
  ['a text begun to be forgotten may be gone', [...acknowledged, forget('begun', 'a')], [], clean],
  [
    'a group of which one was forgotten is no half',
    [add('begun', 'a', 'b'), forget('begun', 'a')],
    ['b'],
    clean,
  ],
])('%s', (_, entries, present, verdict) => {
  expect(judge(entries, present)).toMatchObject(verdict)
})
