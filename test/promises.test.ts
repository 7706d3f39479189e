/** Requirements as data: every promise is proved by tests that are there. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { promises } from './promises.ts'

const numbers = Array.from({ length: 29 }, (_, at) => String(at + 1))

it('there are twenty-nine promises', () => {
  expect(Object.keys(promises)).toEqual(numbers)
})

it.each(Object.entries(promises))('promise %s is proved by tests that are there', (_, { proofs }) => {
  const cited = Object.entries(proofs).flatMap(([file, titles]) => titles.map((title) => ({ file, title })))
  expect(cited.length).toBeGreaterThan(0)
  const missing = cited.filter(({ file, title }) => {
    if (!existsSync(file)) return true
    const text = readFileSync(file, 'utf8')
    // A title is a string of its own: 'so', "so" or `so`.
    return !["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
  })
  expect(missing).toEqual([])
})
