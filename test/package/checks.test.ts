import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

/** What a tool says when it finds fault; empty when it finds none. */
const complaint = (program: string, argv: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(`node_modules/.bin/${program}`, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
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
  ['the types agree', 'tsc', ['-p', '.']],
  ['style and the arrows between rooms are kept', 'biome', ['check', '--error-on-warnings', '.']],
  ['no code is without a caller, no dependency unused or undeclared', 'knip', ['--no-progress']],
  ['the package is shaped as its users need it', 'publint', ['--strict']],
] as const)('%s', async ([, program, argv]) => {
  expect(await complaint(program, argv)).toBe('')
})
