/**
 * JUnit XML in the dialects that runners write: nested suites, reruns of Surefire and others, CI properties. The
 * parser knows XML's five predefined entities and no others; a document type declaration is rejected before it can
 * define any.
 */
import { SaxesParser } from 'saxes'
import { BrainError } from '../core/errors.ts'
import type { Report, TestResult } from './report.ts'

const failures = new Set(['failure', 'error'])
const reruns = new Set(['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError', 'rerun'])

/** Maximum depth: no test runner nests deeper. */
const maxDepth = 64

/** Property names that CI systems use for the run and the commit. */
const runName = /^(?:ci[._-]?)?(?:run|build|pipeline|job)[._-]?(?:id|number)$|^github_run_id$/i
const commitName =
  /^(?:ci[._-]|git[._-]|build[._-]|github[._-])?(?:commit|revision|sha)(?:[._-](?:id|sha|hash))?$/i

interface Suite {
  readonly number: number
  readonly name: string
  cases: number
  failed: number
  readonly stated: { tests: number; failed: number; skipped: number }
}

const numberIn = (text: string | undefined): number => {
  const value = Number(text ?? '0')
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

class Reader {
  readonly results: TestResult[] = []
  tool: string | null = null
  namesTests = false
  run: string | null = null
  commit: string | null = null
  readonly #path: string[] = []
  readonly #suites: Suite[] = []
  #opened = 0
  #test: { name: string; failed: boolean; skipped: boolean; todo: boolean; again: boolean } | undefined

  open(tag: string, of: Readonly<Record<string, string>>): void {
    const depth = this.#path.length
    if (depth === 0 && tag !== 'testsuites' && tag !== 'testsuite') {
      throw new BrainError(
        'invalid',
        `report is XML, but no JUnit report: it begins with <${tag.slice(0, 40)}>`,
      )
    }
    if (depth >= maxDepth) throw new BrainError('invalid', `report nests deeper than ${maxDepth} elements`)
    this.#path.push(tag)
    if (tag === 'testsuites' || tag === 'testsuite') this.#openSuite(tag, of)
    else if (tag === 'property') this.#property(of.name ?? '', of.value ?? '')
    else if (tag === 'testcase') {
      const name = [of.classname, of.name].filter((part) => part !== undefined && part !== '').join(' ')
      const status = (of.status ?? of.result ?? '').toLowerCase()
      this.#test = {
        name: name === '' ? 'a test without a name' : name,
        failed: false,
        skipped: /^(?:skipped|disabled|notrun|suppressed)$/.test(status),
        todo: false,
        again: false,
      }
      for (const suite of this.#suites) suite.cases += 1
    } else if (this.#test !== undefined) {
      if (failures.has(tag)) this.#test.failed = true
      else if (tag === 'skipped') {
        this.#test.skipped = true
        this.#test.todo ||= of.type === 'todo'
      } else if (reruns.has(tag)) this.#test.again = true
    }
  }

  close(): void {
    const tag = this.#path.pop()
    if (tag === 'testcase' && this.#test !== undefined) {
      const { name, failed, skipped, todo, again } = this.#test
      // What is still to do may fail. Any other that was skipped and failed did so in what comes after it.
      const outcome = failed && !todo ? 'failed' : skipped ? 'skipped' : 'passed'
      const suite = this.#suites.at(-1)?.number ?? 0
      this.results.push({ name, outcome, flaky: outcome === 'passed' && again, suite })
      if (failed || again) for (const one of this.#suites) one.failed += 1
      this.#test = undefined
    }
    if (tag === 'testsuites' || tag === 'testsuite') this.#closeSuite()
  }

  #openSuite(tag: string, of: Readonly<Record<string, string>>): void {
    const name = of.name ?? ''
    // A list of suites is called by what ran them.
    if (this.#suites.length === 0) this.namesTests = tag === 'testsuite' && name !== ''
    if (name !== '') this.tool ??= name
    const failed = numberIn(of.failures) + numberIn(of.errors)
    const skipped = numberIn(of.skipped) + numberIn(of.disabled)
    this.#opened += 1
    const stated = { tests: numberIn(of.tests), failed, skipped }
    this.#suites.push({ number: this.#opened, name: name || tag, cases: 0, failed: 0, stated })
  }

  /**
   * A suite that lists none of its tests still states how many there were, and one that lists none that failed whether
   * any did. A higher number of tests than are listed says nothing: some writers count those that a filter left out.
   */
  #closeSuite(): void {
    const suite = this.#suites.pop()
    if (suite === undefined) return
    const { tests, failed, skipped } = suite.stated
    const unlisted = failed > 0 && suite.failed === 0
    const outcome = unlisted ? 'failed' : suite.cases === 0 && tests > skipped ? 'passed' : undefined
    if (outcome !== undefined)
      this.results.push({ name: `${suite.name} (as a whole)`, outcome, flaky: false })
    for (const outer of this.#suites) {
      if (suite.cases === 0) outer.cases += tests
      if (unlisted) outer.failed += failed
    }
  }

  #property(name: string, value: string): void {
    if (value.trim() === '') return
    if (runName.test(name)) this.run ??= value
    else if (commitName.test(name)) this.commit ??= value
  }
}

/** @throws BrainError `invalid` for what is no JUnit report, or not well-formed. */
export function readJUnit(text: string): Report {
  const reader = new Reader()
  const parser = new SaxesParser({ xmlns: false })
  parser.on('doctype', () => {
    throw new BrainError('invalid', 'report declares a document type, which no test runner does')
  })
  parser.on('opentag', ({ name, attributes }) => reader.open(name, attributes))
  parser.on('closetag', () => reader.close())
  parser.on('error', (error) => {
    throw new BrainError('invalid', `report is not well-formed XML: ${error.message.slice(0, 200)}`)
  })
  parser.write(text.replace(/^\ufeff/, '')).close()
  const { tool, namesTests, run, commit, results } = reader
  return { format: 'JUnit XML', tool, namesTests, run, commit, results }
}
