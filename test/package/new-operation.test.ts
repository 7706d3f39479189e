/** What CONTRIBUTING says it takes to add an operation is all it takes: a copy of the sources gets one so. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/** The files of the page's steps, by their paths. */
const steps = new Map(
  [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/```ts\n *\/\/ (\S+)\n(.*?)```/gs)].map(
    ([, path = '', code = '']) => [path, code.replace(/^ {3}/gm, '')],
  ),
)

/** A copy of what the lists and the generated pages are made of. */
function copySources(): string {
  const directory = temporaryDirectory()
  const copied = ['src', 'packaging', 'package.json', 'tsconfig.json', 'LICENSE', '.cache/bundled.json']
  for (const path of copied) cpSync(path, join(directory, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'))
  symlinkSync(resolve('models'), join(directory, 'models'))
  return directory
}

test('the operation of CONTRIBUTING is a command, an endpoint and a tool by its two files alone', () => {
  expect([...steps.keys()]).toEqual(['src/operations/count.ts', 'src/cli/render/count.ts'])
  const directory = copySources()
  for (const [path, code] of steps) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), code)
  }
  const run = (...argv: string[]) => execFileSync(process.execPath, argv, { cwd: directory, stdio: 'pipe' })
  run('packaging/generate.js')
  run('node_modules/typescript/bin/tsc', '-p', '.')
  const made = (path: string): string => readFileSync(join(directory, path), 'utf8')
  expect(made('docs/reference/cli.md')).toContain('## brain count')
  expect(made('docs/reference/http.md')).toContain('## GET /v1/count')
  expect(made('docs/reference/tools.md')).toContain('## count')
  expect(made('man/brain.1')).toContain('.SS brain count')
  expect(JSON.parse(made('docs/openapi.json')).paths['/v1/count'].get.operationId).toBe('count')
})
