import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const made = new Set(['node_modules', 'dist', 'native', '.cache', '.git', '.brain', 'coverage'])

/** Every file of the project, what is made or fetched aside. Asks no git: a copy of the tree will do. */
function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (made.has(entry.name)) return []
    const path = join(directory, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

const files = listFiles('.')

test.for(files.filter((file) => file.endsWith('.md')))(
  'every link of %s to a file leads somewhere',
  (page) => {
    const links = readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)
    const targets = [...links].map(([, to]) => to ?? '')
    const dead = targets.filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(dirname(page), to)))
    expect(dead).toEqual([])
  },
)

test('every file that docs/architecture.md names exists', () => {
  const named = [...readFileSync('docs/architecture.md', 'utf8').matchAll(/`([\w/.-]+\.(?:ts|js|json))`/g)]
  const absent = named
    .map(([, name]) => name ?? '')
    .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
  expect(absent).toEqual([])
})
