import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

/** The development sets are no part of the repository. */
const shared = '../shared'

describe.skipIf(!existsSync(`${shared}/dev/mixed.json`))('on the development set of questions', () => {
  test('recall is no worse, kind by kind, than the floors of bench/quality.js', async () => {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['bench/quality.js', shared, '--floors'])
    expect(stdout).not.toContain('is below')
  })
})
