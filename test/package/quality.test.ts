import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

/** The development sets are no part of the repository. */
const shared = '../shared'

const run = promisify(execFile)

describe.skipIf(!existsSync(`${shared}/dev/mixed.json`))('on the development set of questions', () => {
  test('recall is no worse, kind by kind, than the floors of bench/quality.js', async () => {
    const { stdout } = await run(process.execPath, ['bench/quality.js', shared, '--floors'])
    expect(stdout).not.toContain('is below')
  })
})

describe.skipIf(!existsSync(`${shared}/dev/assess.json`))('on the development set of plans', () => {
  test('the gut-check is no worse than a little below what was reached', async () => {
    const { stdout } = await run(process.execPath, ['bench/quality-assess.js', `${shared}/dev`])
    const percentOf = (what: string): number =>
      Number(
        stdout
          .split('\n')
          .find((line) => line.startsWith(`| ${what}, %`))
          ?.split('|')[2],
      )
    expect(percentOf('any alarm where a warning applies')).toBeGreaterThan(85)
    expect(percentOf('danger where a warning applies')).toBeGreaterThan(62)
    expect(percentOf('danger among harmless plans')).toBeLessThan(6)
    expect(percentOf('any alarm among harmless plans')).toBeLessThan(22)
    expect(percentOf('the warning that applies among nearest')).toBeGreaterThan(92)
  })
})
