/**
 * Requirements as data: every promise, that no attack of old is possible again, and what is asked of the agents' loop,
 * is proved by tests that are there.
 */
import { existsSync, readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import { agentsLoop } from './agents-loop.ts'
import { attacks } from './attacks.ts'
import { promises } from './promises.ts'

const numbers = Array.from({ length: 29 }, (_, at) => String(at + 1))

/** The code of a test file: in it a title is a string, which a comment is not. */
const codeOf = (file: string): string =>
  existsSync(file)
    ? transformSync(readFileSync(file, 'utf8'), { loader: 'ts', charset: 'utf8', legalComments: 'none' }).code
    : ''

it('there are twenty-nine promises', () => {
  expect(Object.keys(promises)).toEqual(numbers)
})

const required = [
  ...Object.entries(promises).map(([number, { proofs }]) => [`promise ${number}`, proofs] as const),
  ...Object.entries(attacks),
  ...Object.entries(agentsLoop),
]

it.each(required)('%s: proved by tests that are there', (_, proofs) => {
  const cited = Object.entries(proofs).flatMap(([file, titles]) => titles.map((title) => ({ file, title })))
  expect(cited.length).toBeGreaterThan(0)
  const missing = cited.filter(
    ({ file, title }) => !['"', "'", '`'].some((quote) => codeOf(file).includes(`${quote}${title}${quote}`)),
  )
  expect(missing).toEqual([])
})
