import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the reference pages, openapi.json and NOTICE are what `npm run generate` makes', () => {
  const { status, stderr } = spawnSync(process.execPath, ['packaging/generate.js', '--check'], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('NOTICE carries the terms of every package whose code is in dist/', () => {
  const notice = readFileSync('NOTICE', 'utf8')
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const bundled: string[] = JSON.parse(readFileSync('.cache/bundled.json', 'utf8'))
  expect(bundled).toEqual(expect.arrayContaining(['node_modules/commander', 'node_modules/zod']))
  for (const directory of bundled) {
    const name = directory.slice(directory.lastIndexOf('node_modules/') + 'node_modules/'.length)
    expect(notice).toContain(`\n${name} ${lock.packages[directory].version} (`)
  }
  expect(notice.match(/Permission is hereby granted|Apache License/g)?.length).toBeGreaterThanOrEqual(
    bundled.length,
  )
})
