import { expect, it, vi } from 'vitest'
import { createExcerpts } from '../../src/core/excerpt.ts'
import { compare } from '../../src/core/judgement/features.ts'
import { firstStepOf } from '../../src/core/judgement/order.ts'
import { read } from '../../src/core/judgement/reading.ts'
import { actionOf, waysOf } from '../../src/core/judgement/tool-call.ts'
import { readWarning } from '../../src/core/judgement/warning.ts'
import { thinkAtOnce } from '../../src/dreams/thinking.ts'
import { inputOf } from '../dreams/night-input.ts'

// None of these ended within a minute once, where each takes a part of a second: this limit is what is tested.
vi.setConfig({ testTimeout: 20_000 })

it('judges long texts that repeat a command or hold a run of blanks', () => {
  for (const text of [
    'git push '.repeat(6_000),
    'docker volume '.repeat(4_000),
    `Never${' '.repeat(60_000)}touch it`,
    'wget\n'.repeat(12_000),
    'aws --'.repeat(10_000),
    'kubectl -a aaa.'.repeat(4_000),
    'SELECT xmin('.repeat(5_000),
  ]) {
    expect(read(text).terms.size).toBeGreaterThan(0)
    expect(readWarning(text).warned).not.toBe('')
  }
  expect(read('git push   --force').command).toMatchObject({ effect: 'harmful' })
})

it('reads of a long plan or warning no more than where it begins and where it ends', () => {
  for (const word of ['wget\n', 'had to ', 'july ', 'last ', 'curl a ', 'gh pr merge ', 'at 4 ']) {
    const text = `x ${word.repeat(64_000 / word.length)}\nx`
    for (const part of [read(text).text, readWarning(text).text, actionOf(text)])
      expect(part.length).toBeLessThanOrEqual(4_001)
  }
})

it('reads what a long plan does at its end, and what a long warning asks for there', () => {
  const history = 'The courier came late again, and nobody was at the desk.\n'.repeat(1_000)
  expect(read(`${history}git push --force origin main`).command).toMatchObject({ effect: 'harmful' })
  expect(actionOf(`${history}git push --force origin main`)).toMatch(/--force origin main$/)
  expect(readWarning(`Never push to main.\n${history}Use a branch.`)).toMatchObject({
    safe: expect.stringContaining('Use a branch'),
    warned: expect.stringContaining('Never push to main'),
  })
})

it('judges a plan that holds a run of blanks or of quotes', () => {
  for (const run of [' ', '\t', '\n', '\u00a0', '` ']) {
    const plan = read(actionOf(`git push${run.repeat(60_000 / run.length)}--force`))
    expect(compare(readWarning('Never push to main'), plan).keepsDuty.value).toBe(0)
  }
})

it('judges a plan that ends in a run of marks', () => {
  for (const run of ['!', '..', '` ', ',.'])
    expect(
      compare(readWarning('Never push to main'), read(`push ${run.repeat(30_000)}x`)).sameText.value,
    ).toBe(0)
})

it('reads calls over HTTP with quotes that do not end, hosts and statements that repeat', () => {
  for (const text of ['curl -H "a '.repeat(6_000), `curl http://${'a.local.'.repeat(8_000)}`])
    expect(waysOf(text).length).toBeGreaterThan(0)
  const tables = 'DROP TABLE IF EXISTS ONLY readings '.repeat(2_000)
  const features = compare(readWarning('Never delete anything from the logs'), read(tables))
  expect(features.destroyed.value).toBe(0)
})

it('compares with a warning what is one long word', () => {
  const features = compare(readWarning('Never push to main'), read('a'.repeat(64_000)))
  expect(features.keepsDuty.value).toBe(0)
})

it('looks for an order in long texts that repeat a connective or hold a run of blanks', () => {
  for (const text of ['deploy after '.repeat(5_000), `deploy${' '.repeat(60_000)}it`])
    expect(firstStepOf(text).length).toBeGreaterThan(0)
})

it('cuts fifty notes that are nothing but the words that are asked for', () => {
  const excerpt = createExcerpts('x y z')
  for (let note = 0; note < 50; note += 1)
    expect(excerpt(`${note} ${'x y '.repeat(16_000)}`, 600)).toMatch(/^\d+ x y /)
})

it('dreams of notes that are tables of figures', () => {
  const row = (at: number): string =>
    Array.from({ length: 240 }, (_, column) => ((at * 7_919 + column * 104_729) % 9_973) / 10).join(' ')
  const lines = Array.from({ length: 12 }, (_, at): [number, string] => [
    at + 1,
    `Benchmark ledger ms per query: ${row(at)}`,
  ])
  expect(thinkAtOnce(inputOf(lines)).filter(({ kind }) => kind === 'trend')).toEqual([])
})
