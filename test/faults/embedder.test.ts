/** Whatever becomes of the embedder, calls are answered and nothing is lost. The long form is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { embedderDrill } from './embedder.ts'
import { embedderKillDrill } from './embedder-kills.ts'

it('an endpoint that fails costs one warning and vectors that come later, never an answer or a memory', async () => {
  const figures = await embedderDrill({
    directory: temporaryDirectory(),
    faults: [
      'is down',
      'never answers',
      'closes in the middle of an answer',
      'answers in another dimension',
      'answers a gigabyte',
    ],
    damages: [],
    healing: 'by command',
  })
  expect(figures.faults).toEqual([])
  expect(figures.healed).toBeGreaterThanOrEqual(25)
})

it('a built-in model that is missing, cut, noise or another one costs no more than that', async () => {
  const figures = await embedderDrill({
    directory: temporaryDirectory(),
    faults: [],
    damages: ['another model', 'missing', 'cut by half', 'noise from its beginning'],
    healing: 'by command',
  })
  expect(figures.faults).toEqual([])
  expect(figures.healed).toBeGreaterThanOrEqual(20)
})

it("a model's process and a move to another model are killed and started again; no process is left behind", async () => {
  const figures = await embedderKillDrill({ directory: temporaryDirectory(), rounds: 3, seed: 20_261_120 })
  expect(figures.faults).toEqual([])
  expect(figures.kills).toBeGreaterThanOrEqual(4)
  expect(figures.checked).toBeGreaterThan(600)
})
