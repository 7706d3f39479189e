import { describe, expect, it } from 'vitest'
import type { Role } from '../../../src/models/night-model.ts'
import { dream, ofKind } from '../night-input.ts'
import { type Lines, readerOf } from '../reader.ts'

const sources = (change: string, trouble: string): number[] =>
  ofKind(
    'cause',
    dream([
      [4, change],
      [12, trouble],
    ]),
  ).flatMap(({ sourceMemoryIds }) => sourceMemoryIds)

it.each([
  [
    'Replaced the old thermocouple of the kiln',
    'Two shelves of mugs cracked, the thermocouple failed at noon',
  ],
  ['The thermocouple of the kiln was swapped', 'Thermocouple error on the display, firing broken off'],
])('trouble that names what was changed is told beside the change: %s', (change, trouble) => {
  expect(sources(change, trouble)).toEqual([1, 2])
})

it.each([
  [
    'Setting changed at the request of Hamid, so that the shop now empties forgotten thermocouple baskets',
    'The thermocouple failed at noon',
  ],
  [
    'Kiln 1.10 installed on stage, three small deprecated thermocouple lines fixed',
    'Thermocouple failed at noon',
  ],
])('what only stands in the same note was not changed: %s', (change, trouble) => {
  expect(sources(change, trouble)).toEqual([])
})

describe('as notes are read', () => {
  const trouble = 'Two shelves of mugs cracked, the thermocouple failed at noon'
  const causesBy = (change: string, own: Role | undefined, after: Role | undefined = 'trouble') => {
    const lines: Lines = [
      [4, change],
      [12, trouble],
    ]
    const reader = readerOf((text) => (text === trouble ? after : own))
    return ofKind('cause', dream(lines, { reader }))
  }

  it('a word for a change in a note that tells of none is no cause, unless the note begins with it', () => {
    expect(causesBy('The thermocouple of the kiln was swapped', 'change')).toHaveLength(1)
    expect(causesBy('The thermocouple of the kiln was swapped', undefined)).toEqual([])
    expect(causesBy('Replaced the old thermocouple of the kiln', undefined)).toHaveLength(1)
  })

  it('what only sounds like trouble is none, and the word for a change is no name', () => {
    expect(causesBy('The thermocouple of the kiln was swapped', 'change', 'change')).toEqual([])
    expect(sources('Rewrote the README of the kiln', 'Rewrote the loader: unknown keys are errors')).toEqual(
      [],
    )
  })
})
