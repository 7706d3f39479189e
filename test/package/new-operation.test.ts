/**
 * What CONTRIBUTING says it takes to add an operation, or a member to a prediction, is all it takes: a copy of the
 * sources gets both.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The files of the page's steps, by their paths. */
const steps = new Map(
  [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/```ts\n *\/\/ (\S+)\n(.*?)```/gs)].map(
    ([, path = '', code = '']) => [path, code.replace(/^ {3}/gm, '')],
  ),
)

/** A copy of what the lists and the generated pages are made of. */
function copySources(): string {
  const directory = mkdtempSync(join(tmpdir(), 'brain-sources-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const copied = ['src', 'packaging', 'package.json', 'tsconfig.json', 'LICENSE', '.cache/bundled.json']
  for (const path of copied) cpSync(path, join(directory, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'))
  for (const name of ['models', 'native']) symlinkSync(resolve(name), join(directory, name))
  return directory
}

/** What a member of a prediction takes, by file: each text and what comes in its place. */
const member: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/core/records.ts': [
    ['  readonly check: Check | null\n', '  readonly check: Check | null\n  readonly sourceUrl?: string\n'],
  ],
  'src/store/rows/predictions.ts': [
    ['  check_proof: string | null\n', '  check_proof: string | null\n  source_url: string | null\n'],
    [
      '    resolution: toResolution(row),',
      '    ...(row.source_url !== null && { sourceUrl: row.source_url }),\n    resolution: toResolution(row),',
    ],
    [
      '  ...fromResolution(prediction.resolution),',
      '  source_url: prediction.sourceUrl ?? null,\n  ...fromResolution(prediction.resolution),',
    ],
  ],
  'src/operations/prediction-wire.ts': [
    [
      '    check: z.nullable(z.string()),\n',
      '    check: z.nullable(z.string()),\n    source_url: z.nullable(z.string()),\n',
    ],
    [
      '    check: prediction.check?.command ?? null,\n',
      '    check: prediction.check?.command ?? null,\n    source_url: prediction.sourceUrl ?? null,\n',
    ],
  ],
  'src/transfer/records/prediction.ts': [
    ['    forecasts,\n', '    sourceUrl: ifSaid(named()),\n    forecasts,\n'],
    ['  derived,\n', '  derived,\n  ifSaid,\n'],
  ],
  'src/transfer/share/items.ts': [['    check: shared,\n', '    check: shared,\n    sourceUrl: shared,\n']],
  'src/operations/predict.ts': [
    [
      '    check: about(',
      "    source_url: about('Where it was read', optional(name(), null)),\n    check: about(",
    ],
    [
      '      dueAt,\n',
      '      dueAt,\n      ...(input.source_url != null && { sourceUrl: input.source_url }),\n',
    ],
  ],
}

const migrations: typeof member = {
  'src/store/sqlite/migrations.ts': [
    ['\n]\n\n/** Brings', '\n  `ALTER TABLE prediction ADD COLUMN source_url TEXT;`,\n]\n\n/** Brings'],
  ],
  'src/store/postgres/migrations.ts': [
    [
      'oldestReader: 1 },\n]',
      'oldestReader: 1 },\n  { sql: () => `ALTER TABLE prediction ADD COLUMN source_url text`, oldestReader: 1 },\n]',
    ],
  ],
}

const directory = copySources()
const made = (path: string): string => readFileSync(join(directory, path), 'utf8')
const run = (...argv: string[]): string =>
  execFileSync(process.execPath, argv, { cwd: directory, stdio: 'pipe', encoding: 'utf8' })

/** Both samples in one copy, which is then generated, checked and bundled once. */
beforeAll(() => {
  for (const [path, code] of steps) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), code)
  }
  for (const [path, changes] of Object.entries({ ...member, ...migrations })) {
    let text = made(path)
    for (const [before, after] of changes) {
      expect([path, before, text.split(before).length]).toEqual([path, before, 2])
      text = text.replace(before, () => after)
    }
    writeFileSync(join(directory, path), text)
  }
  run('packaging/generate.js')
  // The sources alone: what the tests make of records is theirs.
  run('node_modules/typescript/bin/tsc', '-p', '.')
  run('packaging/dev.js', 'init', '--yes')
})

test('the operation of CONTRIBUTING is a command and an endpoint by its two files alone', () => {
  expect([...steps.keys()]).toEqual(['src/operations/count.ts', 'src/cli/render/count.ts'])
  expect(made('docs/reference/cli.md')).toContain('## brain count')
  expect(made('docs/reference/http.md')).toContain('## GET /v1/count')
  expect(made('docs/reference/tools.md')).not.toContain('## count')
  expect(made('man/brain.1')).toContain('.SS brain count')
  expect(JSON.parse(made('docs/openapi.json')).paths['/v1/count'].get.operationId).toBe('count')
})

test('a member of a prediction takes the six files of CONTRIBUTING and a migration in each store', () => {
  const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(
    '## Adding a member to a prediction\n',
  )
  const documented = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\S+)`/gm)].map(([, path]) => path)
  expect(documented).toEqual(Object.keys(member))
  const brain = (...argv: string[]): string => run('.cache/dev/main.js', ...argv)
  brain('predict', 'It rains', '--domain', 'weather', '--source-url', 'example.org/forecast')
  brain('predict', 'It snows', '--domain', 'weather')
  const shown = ['1', '2'].map(
    (id) => JSON.parse(brain('show', 'prediction', id, '--json')).record.source_url,
  )
  expect(shown).toEqual(['example.org/forecast', null])
  brain('export', '--output', 'out.jsonl')
  mkdirSync(join(directory, 'elsewhere'))
  brain('init', '--yes', '--dir', 'elsewhere')
  brain('import', 'out.jsonl', '--dir', 'elsewhere')
  expect(brain('export', '--dir', 'elsewhere')).toBe(readFileSync(join(directory, 'out.jsonl'), 'utf8'))
})
