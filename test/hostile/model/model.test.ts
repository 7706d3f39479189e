/** Whatever happens to a brain, it is what a model of plain lists is. The long form is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../models/temporary-directory.ts'
import { modelDrill } from './drill.ts'

it('random calls, kills, restarts, copies and changes of keys leave what a model says, to the last record', async () => {
  const figures = await modelDrill({
    directory: temporaryDirectory(),
    scenes: 4,
    steps: 25,
    seed: 20_261_120,
    limit: 120_000,
  })
  expect(figures.faults.join('\n')).toBe('')
  expect(figures.kills).toBeGreaterThan(0)
  expect(figures.cutOff).toBeGreaterThan(0)
  expect(figures.keysChanged).toBeGreaterThan(0)
})
