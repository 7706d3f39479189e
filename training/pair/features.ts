/** Prints what a person can read in pairs of texts, for fit.py: pairs as JSON on standard input, features as JSON on standard output. */
import { readFileSync } from 'node:fs'
import { compare } from '../../src/core/judgement/features.ts'
import { read } from '../../src/core/judgement/reading.ts'
import { readWarning } from '../../src/core/judgement/warning.ts'

const pairs: [string, string][] = JSON.parse(readFileSync(0, 'utf8'))
const features = pairs.map(([warning, plan]) =>
  Object.fromEntries(
    Object.entries(compare(readWarning(warning), read(plan))).map(([part, { value }]) => [part, value]),
  ),
)
process.stdout.write(JSON.stringify(features))
