import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

/** What a tool says when it finds fault; empty when it finds none. */
const complaint = (program: string, argv: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0 ? '' : said || `exit code ${code}`))
  })

test.for([
  ['the types agree', 'node_modules/.bin/tsc', ['-p', '.']],
  [
    'style and the arrows between rooms are kept',
    'node_modules/.bin/biome',
    ['check', '--error-on-warnings', '.'],
  ],
  [
    'no code is without a caller, no dependency unused or undeclared',
    'node_modules/.bin/knip',
    ['--no-progress'],
  ],
  ['no comment is wider than a page', process.execPath, ['packaging/comments.js', '--check']],
  ['the package is shaped as its users need it', 'node_modules/.bin/publint', ['--strict']],
] as const)('%s', async ([, program, argv]) => {
  expect(await complaint(program, argv)).toBe('')
})
