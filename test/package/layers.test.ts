/** The arrows between the rooms of src/, as the linter enforces them. Knows no file of src/. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const importing = (specifier: string): string => `import { a } from '${specifier}'\n\nexport const b = a\n`

const refused: readonly (readonly [room: string, line: string])[] = [
  ['core', importing('../store/store.ts')],
  ['dreams/kinds', importing('../../operations/call.ts')],
  ['dreams/reading', importing('zod')],
  ['core', importing('zod')],
  ['core', importing('node:path')],
  ['core', 'export const a = process.pid\n'],
  ['config', importing('../operations/call.ts')],
  ['models', importing('../store/store.ts')],
  ['store/sqlite', importing('../../operations/call.ts')],
  ['store', importing('./sqlite/open.ts')],
  ['store/sqlite', importing('pg')],
  ['store/postgres', importing('better-sqlite3')],
  ['store/postgres', importing('../sqlite/open.ts')],
  ['store/search', importing('../postgres/connection.ts')],
  ['store/sql', importing('../sqlite/connection.ts')],
  ['operations', importing('pg')],
  ['cli/commands', importing('../../store/postgres/roles.ts')],
  ['operations', importing('../store/sqlite/open.ts')],
  ['operations', importing('../http/app.ts')],
  ['operations', importing('better-sqlite3')],
  ['operations', importing('saxes')],
  ['runs', importing('../operations/call.ts')],
  ['runs', importing('node:fs')],
  ['http', importing('../cli/program.ts')],
  ['http', importing('commander')],
  ['http', importing('../mcp/http.ts')],
  ['mcp', importing('../cli/program.ts')],
  ['cli/commands', importing('../../store/sqlite/open.ts')],
  ['cli', importing('@modelcontextprotocol/server')],
  ['sleep', importing('onnxruntime-node')],
  ['sleep', "export const a = await import('fastembed')\n"],
  ['.', importing('fastembed')],
  ['page', importing('../operations/index.ts')],
  ['page/views', importing('../../http/app.ts')],
  ['page', importing('zod/mini')],
  ['page', importing('node:path')],
  ['page', 'export const a = process.pid\n'],
  ['pictures', importing('../cli/program.ts')],
  ['pictures', importing('preact')],
]

const allowed: readonly (readonly [room: string, line: string])[] = [
  ['dreams/kinds', importing('../../core/records.ts')],
  ['dreams', importing('../store/store.ts')],
  ['store/sqlite', importing('better-sqlite3')],
  ['store/sqlite', importing('../../core/errors.ts')],
  ['store/postgres', importing('pg')],
  ['store/postgres', importing('../search/matching.ts')],
  ['operations', importing('../store/store.ts')],
  ['runs', importing('saxes')],
  ['http', importing('../operations/index.ts')],
  ['cli/commands', importing('../../http/daemon.ts')],
  ['cli/render', importing('../../pictures/trail.ts')],
  ['page', importing('preact/hooks')],
  ['page', importing('@preact/signals')],
  ['page/views', importing('../../pictures/reliability.ts')],
  ['pictures', importing('../core/calibration.ts')],
]

const title = ([room, line]: readonly [string, string]): string => `src/${room}: ${line.split('\n', 1)[0]}`
const fileOf = (at: number, [room]: readonly [string, string]): string => join('src', room, `case-${at}.ts`)
const cases = [...refused, ...allowed]

let directory: string
let complaints: Set<string>

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'brain-layers-'))
  const { $schema: _, vcs: __, ...rules } = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(directory, 'biome.json'), JSON.stringify(rules))
  for (const [at, one] of cases.entries()) {
    const file = join(directory, fileOf(at, one))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, one[1])
  }
  const only = ['--only=style/noRestrictedImports', '--only=style/noRestrictedGlobals']
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/biome'),
    ['lint', ...only, '--max-diagnostics=none', '--reporter=github', 'src'],
    { cwd: directory, encoding: 'utf8' },
  )
  complaints = new Set([...stdout.matchAll(/(src[^,]+case-\d+\.ts),/g)].map(([, file]) => file ?? ''))
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test.for(refused.map((one, at) => [title(one), fileOf(at, one)] as const))(
  'the linter refuses in %s',
  ([, file]) => {
    expect(complaints).toContain(file)
  },
)

test.for(allowed.map((one, at) => [title(one), fileOf(refused.length + at, one)] as const))(
  'the linter lets pass in %s',
  ([, file]) => {
    expect(complaints).not.toContain(file)
  },
)
