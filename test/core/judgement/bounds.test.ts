import { describe, expect, test } from 'vitest'
import { boundsOf, compareQuantities } from '../../../src/core/judgement/bounds.ts'

const relationOf = (warning: string, plan: string) => compareQuantities(boundsOf(warning), plan)?.relation

describe('a bound in a warning', () => {
  test.each([
    ['Do not open freezer D for longer than two minutes', [['above', 120, 'duration']]],
    ['Never store seeds above 8 percent moisture', [['above', 8, 'share']]],
    ['Keep the cold room below 8 degrees', [['above', 8, 'temperature']]],
    ['Never go below 20 degrees in the greenhouse', [['below', 20, 'temperature']]],
    ['Leave at least 10 GB free', [['below', 10_000, 'size']]],
    ['No more than 3 people in the lift', [['above', 3, 'people']]],
    ['Batches of more than 1,500 rows took down the API', [['above', 1_500, 'row']]],
    // Nothing is bounded here.
    ['Do not push on Fridays after 15:00', []],
    ['Upgrading to Node 20 broke the build of 1.2.3', []],
    ['The export took two hours and failed', []],
  ])('"%s"', (warning, expected) => {
    expect(boundsOf(warning).map(({ side, value, kind }) => [side, value, kind])).toEqual(expected)
  })
})

describe('what a plan takes', () => {
  test.each([
    ['Do not open freezer D for longer than two minutes', 'open freezer D for thirty seconds', 'within'],
    ['Do not open freezer D for longer than two minutes', 'leave D open for 5 min to defrost it', 'beyond'],
    ['Batches of more than 500 rows took down the API', 'send 2,000 rows in one batch', 'beyond'],
    ['Batches of more than 500 rows took down the API', 'send 500 rows in one batch', 'within'],
    ['Leave at least 10 GB free', 'go on until 900 MB are free', 'beyond'],
    ['Never go below 20 degrees', 'lower the greenhouse to 15 °C', 'beyond'],
    // Other units, and now this and now that.
    ['Never go below 20 degrees', 'lower the greenhouse for 15 minutes', undefined],
    ['At most 20 s for tests, never more than 30 s', 'set the timeout to 25 seconds', undefined],
  ])('"%s": %s', (warning, plan, relation) => {
    expect(relationOf(warning, plan)).toBe(relation)
  })
})
