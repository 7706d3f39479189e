/** Bug reports come with stacks of what is shipped: the maps beside it lead back to the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const shipped = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.c?js$/.test(file),
)

/** The source and the text of its line that stand behind `needle` in a shipped file. */
function originOf(file: string, needle: string): { source: string; line: string } {
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  const text = readFileSync(file, 'utf8')
  // Lines are cut at a length, inside of texts, too.
  const found = text.search(new RegExp([...needle].join('(?:\\\\\\n)?')))
  const before = text.slice(0, Math.max(0, found)).split('\n')
  const entry = new SourceMap(map).findEntry(before.length - 1, before.at(-1)?.length ?? 0)
  if (!('originalSource' in entry)) throw new Error(`${needle} is not in the map of ${file}`)
  const source = normalize(join(map.sourceRoot ? '' : 'dist', entry.originalSource.replace(/^(\.\.\/)+/, '')))
  const path = existsSync(source) ? source : source.replace(/^dist\//, '')
  return { source: path, line: readFileSync(path, 'utf8').split('\n')[entry.originalLine] ?? '' }
}

test('every shipped file of code has a map', () => {
  expect(shipped.length).toBeGreaterThan(20)
  expect(shipped.filter((file) => !existsSync(join('dist', `${file}.map`)))).toEqual([])
})

test.each([
  ['dist/main.cjs', ' needs one of: ', 'src/cli/program.ts'],
  ['dist/chunks/operations.cjs', 'was already revised', 'src/core/beliefs.ts'],
  ['dist/library.js', 'was already revised', 'src/core/beliefs.ts'],
])('a place in %s leads to its line in the sources', (file, needle, source) => {
  const origin = originOf(file, needle)
  expect(origin.source).toBe(source)
  expect(origin.line).toContain(needle)
})

test('what every command reads holds no library of schemas, which costs it milliseconds', () => {
  const main = readFileSync('dist/main.cjs', 'utf8')
  for (const part of ['globalRegistry', 'ZodMini']) expect(main).not.toContain(part)
})
