import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the compiled kernels are those of their sources, the same bytes each time', () => {
  const { status, stderr } = spawnSync(process.execPath, ['packaging/kernels.js', '--check'], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
