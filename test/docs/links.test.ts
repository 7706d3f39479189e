import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n')

test.for(pages)('every link of %s to a file leads somewhere', (page) => {
  const targets = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, to]) => to ?? '',
  )
  const dead = targets.filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(dirname(page), to)))
  expect(dead).toEqual([])
})

test('every file that docs/architecture.md names exists', () => {
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
  const named = [...readFileSync('docs/architecture.md', 'utf8').matchAll(/`([\w/.-]+\.(?:ts|js|json))`/g)]
  const absent = named
    .map(([, name]) => name ?? '')
    .filter((name) => !tracked.some((file) => file === name || file.endsWith(`/${name}`)))
  expect(absent).toEqual([])
})
