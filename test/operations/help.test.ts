import { expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'

test('no two operations of a group have one place in the help', () => {
  const places = operations.map(({ help: { group, place } }) => `${group} ${place}`)
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})
