/** The arrows between the rooms of src/, as the linter enforces them. Knows no file of src/. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

const rules = ['--only=style/noRestrictedImports', '--only=style/noRestrictedGlobals']

/** Whether the linter refuses this line in a file at `path`, for what it imports or names. */
function isRefused(path: string, line: string): boolean {
  const { status } = spawnSync('node_modules/.bin/biome', ['lint', ...rules, `--stdin-file-path=${path}`], {
    input: `${line}\n`,
  })
  return status !== 0
}

const importing = (specifier: string): string => `import { a } from '${specifier}'\n\nexport const b = a`

describe('the linter refuses', () => {
  test.for([
    ['src/core/x.ts', '../store/store.ts'],
    ['src/core/thoughts/x.ts', '../../operations/call.ts'],
    ['src/core/x.ts', 'zod'],
    ['src/core/x.ts', 'node:path'],
    ['src/config/x.ts', '../operations/call.ts'],
    ['src/embed/x.ts', '../store/store.ts'],
    ['src/store/sqlite/x.ts', '../../operations/call.ts'],
    ['src/store/x.ts', './sqlite/open.ts'],
    ['src/operations/x.ts', '../store/sqlite/open.ts'],
    ['src/operations/x.ts', '../http/app.ts'],
    ['src/operations/x.ts', 'better-sqlite3'],
    ['src/http/x.ts', '../cli/program.ts'],
    ['src/http/x.ts', 'commander'],
    ['src/mcp/x.ts', '../cli/program.ts'],
    ['src/cli/commands/x.ts', '../../store/sqlite/open.ts'],
    ['src/cli/x.ts', '@modelcontextprotocol/server'],
    ['src/sleep/x.ts', 'onnxruntime-node'],
    ['src/x.ts', 'fastembed'],
  ] as const)('%s importing %s', ([path, specifier]) => {
    expect(isRefused(path, importing(specifier))).toBe(true)
  })

  test('an import() against the arrows', () => {
    expect(isRefused('src/sleep/x.ts', "export const a = await import('fastembed')")).toBe(true)
  })

  test('the process in core', () => {
    expect(isRefused('src/core/x.ts', 'export const a = process.pid')).toBe(true)
  })
})

describe('the linter lets pass', () => {
  test.for([
    ['src/core/thoughts/x.ts', '../records.ts'],
    ['src/store/sqlite/x.ts', 'better-sqlite3'],
    ['src/store/sqlite/x.ts', '../../core/errors.ts'],
    ['src/operations/x.ts', '../store/store.ts'],
    ['src/http/x.ts', '../operations/index.ts'],
    ['src/cli/commands/x.ts', '../../http/daemon.ts'],
  ] as const)('%s importing %s', ([path, specifier]) => {
    expect(isRefused(path, importing(specifier))).toBe(false)
  })
})
