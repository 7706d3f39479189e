import { describe, expect, test } from 'vitest'
import { Encoder } from '../../src/models/encoder.ts'
import { NightModel, roles, standings } from '../../src/models/night-model.ts'
import { head, pooled } from './reference.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder, installNightModel, pieces } from './tiny-models.ts'

const [start, end] = [pieces.indexOf('[CLS]'), pieces.indexOf('[SEP]')]

function open() {
  const words = temporaryDirectory()
  const directory = temporaryDirectory()
  const weights = installNightModel(directory, installEncoder(words))
  const encoder = new Encoder(words)
  const read = (a: string, b: string): number[] => {
    const [first, second] = [encoder.tokenise(a), encoder.tokenise(b)]
    return pooled(weights, [start, ...first, end, ...second, end], first.length + 2)
  }
  return { model: new NightModel(directory, encoder), encoder, weights, read }
}

describe('the model of the night', () => {
  test('gives probabilities in the order of its head, as plain arithmetic does', () => {
    const { model, weights, read } = open()
    const newer = ['deploy note', 'running user', '']
    const told = newer.map((text) => model.stand('the user', text))
    for (const [at, standing] of told.entries()) {
      const powers = head(weights, 'head.night', read('the user', newer[at] ?? '')).map(Math.exp)
      const sum = powers.reduce((total, power) => total + power, 0)
      for (const [place, name] of standings.entries())
        expect(standing[name]).toBeCloseTo((powers[place] ?? 0) / sum, 2)
    }
  })

  test('tells what a note does by its vector and by what it makes of it alone, whoever gives the vector', () => {
    const { model, encoder, weights, read } = open()
    const vector = encoder.embed('running user').slice()
    const powers = head(weights, 'head.role', [...vector, ...read('running user', '')]).map(Math.exp)
    const sum = powers.reduce((total, power) => total + power, 0)
    const told = model.rolesOf('running user', vector)
    for (const [place, role] of roles.entries()) expect(told[role]).toBeCloseTo((powers[place] ?? 0) / sum, 2)
    expect(model.rolesOf('running user')).toEqual(told)
    expect(model.rolesOf('deploy note', vector)).not.toEqual(told)
  })

  test('reads the same whatever it has read before, and however often', () => {
    const { model } = open()
    const older = Array.from(
      { length: 40 },
      (_, at) => `${'note '.repeat(1 + (at % 9))}${'user '.repeat(at)}`,
    )
    const newer = ['running user', 'deploy']
    const ask = (text: string) => newer.map((one) => model.stand(text, one))
    const first = older.map(ask)
    expect(older.toReversed().map(ask)).toEqual(first.toReversed())
    const other = open().model
    expect(newer.map((one) => other.stand(older[17] ?? '', one))).toEqual(first[17])
  })
})
