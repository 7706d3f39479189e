import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Encoder } from '../../src/models/encoder.ts'
import { PairModel } from '../../src/models/pair-model.ts'
import { head, pooled } from './reference.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder, installPairModel, pieces } from './tiny-models.ts'

const [start, end] = [pieces.indexOf('[CLS]'), pieces.indexOf('[SEP]')]

function open(shape?: 'narrow' | 'wide') {
  const words = temporaryDirectory()
  const directory = temporaryDirectory()
  const weights = installPairModel(directory, installEncoder(words), shape)
  const encoder = new Encoder(words)
  const model = new PairModel(directory, encoder)
  const read = (a: string, b: string): number[] => {
    const [first, second] = [encoder.tokenise(a).subarray(0, 96), encoder.tokenise(b).subarray(0, 96)]
    return pooled(weights, [start, ...first, end, ...second, end], first.length + 2)
  }
  return { model, weights, read }
}

describe('the pair model', () => {
  test('judges each plan as plain arithmetic does', () => {
    const { model, weights, read } = open()
    const plans = ['running user', 'the note: timeout', '']
    const expected = plans.map((plan) => head(weights, 'head.judge', read('deploy database', plan))[0] ?? 0)
    const logits = model.judge('deploy database', plans)
    for (const [at, logit] of logits.entries()) expect(logit).toBeCloseTo(expected[at] ?? 0, 2)
  })

  test('gives relations as probabilities, in the order of the head', () => {
    const { model, weights, read } = open()
    const powers = head(weights, 'head.relation', read('the user', 'deploy note')).map(Math.exp)
    const sum = powers.reduce((total, power) => total + power, 0)
    const { reverses, same, continues, other } = model.relate('the user', 'deploy note')
    for (const [at, share] of [reverses, same, continues, other].entries()) {
      expect(share).toBeCloseTo((powers[at] ?? 0) / sum, 2)
    }
    expect(reverses + same + continues + other).toBeCloseTo(1, 9)
  })

  test('judges the same whatever it has read before, and however often', () => {
    const { model } = open()
    const flags = Array.from(
      { length: 90 },
      (_, at) => `${'note '.repeat(1 + (at % 9))}${'user '.repeat(at)}`,
    )
    const asked = (flag: string): number[] => model.judge(flag, ['running user', 'deploy'])
    const first = flags.map(asked)
    expect(flags.map(asked)).toEqual(first)
    expect(flags.toReversed().map(asked)).toEqual(first.toReversed())
    expect(open().model.judge(flags[17] ?? '', ['running user', 'deploy'])).toEqual(first[17])
  })

  test.each([
    ['narrow', 'a112337b7879894a2de3afb96b531b092c7d0b674a4258927395604b4a9ba2b6'],
    ['wide', '8914a0751d699af3667e17e1f1d932a44f19cf94aecf5e1683961aec14e695f2'],
  ] as const)('gives the logits that releases before gave: %s', (shape, digest) => {
    const { model } = open(shape)
    const flags = [1, 2, 3, 20, 93].map((words) => 'user note '.repeat(words))
    const plans = ['', 'note', 'running user: deploy', 'the timeout '.repeat(40)]
    const logits = Float64Array.from(flags.flatMap((flag) => model.judge(flag, plans)))
    expect(createHash('sha256').update(logits).digest('hex')).toBe(digest)
  })

  test("moves a plan's vector by a map of low rank, and leaves its length at 1", () => {
    const { model, weights } = open()
    const plan = Float32Array.from({ length: 384 }, (_, at) => (at % 2 === 0 ? 1 : -1) / Math.sqrt(384))
    const [down, up] = [weights.float('aim.down'), weights.float('aim.up')]
    const times = (rows: Float32Array, input: readonly number[]): number[] =>
      Array.from({ length: rows.length / input.length }, (_, row) =>
        input.reduce((sum, value, at) => sum + value * (rows[row * input.length + at] ?? 0), 0),
      )
    const shift = times(up, times(down, [...plan]))
    const moved = shift.map((value, at) => value + (plan[at] ?? 0))
    const aimed = model.aim(plan)
    expect(Math.hypot(...aimed)).toBeCloseTo(1, 6)
    for (const [at, value] of moved.entries()) expect(aimed[at]).toBeCloseTo(value / Math.hypot(...moved), 5)
    expect(aimed).not.toEqual(plan)
  })

  test('cuts each text to 96 pieces', () => {
    const { model } = open()
    const long = 'note '.repeat(96)
    expect(model.judge(`${long} user`, [`${long} deploy`])).toEqual(model.judge(long, [long]))
  })
})
