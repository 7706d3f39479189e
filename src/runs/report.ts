/** The content of a test report, whatever its format: tests with their outcomes, and what identifies the run. */
import { inName } from '../core/circumstances.ts'
import { BrainError } from '../core/errors.ts'
import { excerptOf } from '../core/excerpt.ts'
import type { EvidenceKind } from '../core/records.ts'

export interface TestResult {
  readonly name: string
  /** `broken` is no test: the run itself ended too early, as the name says. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'broken'
  /** Whether it also failed before it passed. */
  readonly flaky: boolean
  /** Its suite in the report: only there are two tests with one name attempts at the same test. */
  readonly suite?: number
}

export interface Report {
  readonly format: 'JUnit XML' | 'TAP' | 'CTRF' | 'SARIF'
  /** The test runner, or the name of the suite; null if the report does not say. */
  readonly tool: string | null
  /** Whether `tool` says which tests these are, and not only what ran them. */
  readonly namesTests: boolean
  /** The run's id in CI, and the commit that was tested. */
  readonly run: string | null
  readonly commit: string | null
  readonly results: readonly TestResult[]
  /** Whether an empty report counts as a pass: a scan without findings does, a run without tests does not. */
  readonly silence?: 'passes'
}

/** A run as evidence for a belief. */
export interface RunVerdict {
  readonly kind: EvidenceKind
  readonly flaky: boolean
  /** One line for the evidence trail. */
  readonly summary: string
}

const shownNames = 3
const shownName = 80

const cut = (text: string): string => excerptOf(text.toWellFormed(), shownName)

const namesOf = (results: readonly TestResult[]): string => {
  const named = results.slice(0, shownNames).map(({ name }) => cut(name))
  const more = results.length > shownNames ? ` and ${results.length - shownNames} more` : ''
  return `${named.join(', ')}${more}`
}

/** Whether a name matches a pattern: contains it, ignoring case; `*` matches anything. */
export function fits(name: string, pattern: string): boolean {
  const lower = name.toLowerCase()
  let from = 0
  for (const part of pattern.trim().toLowerCase().split('*')) {
    const at = lower.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return true
}

/** A failure followed by a pass of the same name in the same suite, as rerunning tools list them, is one flaky test. */
function together(results: readonly TestResult[]): TestResult[] {
  const tests = new Map<string, TestResult>()
  for (const [at, result] of results.entries()) {
    const key = result.suite === undefined ? `#${at}` : `${result.suite} ${result.name}`
    const before = tests.get(key)
    tests.set(key, before === undefined ? result : merge(before, result))
  }
  return [...tests.values()]
}

function merge(before: TestResult, after: TestResult): TestResult {
  if (after.outcome === 'skipped') return before
  if (before.outcome === 'failed' && after.outcome === 'passed') return { ...after, flaky: true }
  return { ...after, flaky: before.flaky || after.flaky }
}

/**
 * The evidence of the tests whose names match `pattern`, or of all: a failure refutes, otherwise passes support.
 * @throws BrainError `invalid` if none of them ran.
 */
export function verdictOn(report: Report, pattern?: string): RunVerdict {
  const all = together(report.results)
  const chosen = pattern === undefined ? all : all.filter(({ name }) => fits(name, pattern))
  const of = [report.format, ...(report.tool === null ? [] : [cut(report.tool)])].join(', ')
  const which = pattern === undefined ? '' : ` of those that match ${cut(pattern)}`
  const having = (wanted: TestResult['outcome']) => chosen.filter(({ outcome }) => outcome === wanted)
  const [failed, passed, broken] = [having('failed'), having('passed'), having('broken')]
  const ran = failed.length + passed.length
  const against = [
    ...(failed.length > 0 ? [`${failed.length} of ${ran} failed${which}: ${namesOf(failed)}`] : []),
    ...(broken.length > 0 ? [namesOf(broken)] : []),
  ]
  if (against.length > 0) return { kind: 'refuting', flaky: false, summary: `${against.join('; ')} (${of})` }
  if (passed.length === 0) {
    if (report.silence === 'passes') {
      return { kind: 'supporting', flaky: false, summary: `no finding${which} (${of})` }
    }
    throw new BrainError('invalid', nothingRan(all, pattern))
  }
  const flaky = passed.filter((result) => result.flaky)
  const after = flaky.length > 0 ? `, ${flaky.length} after failing before: ${namesOf(flaky)}` : ''
  return { kind: 'supporting', flaky: flaky.length > 0, summary: `${ran} passed${which}${after} (${of})` }
}

function nothingRan(all: readonly TestResult[], pattern: string | undefined): string {
  const ran = all.filter(({ outcome }) => outcome !== 'skipped')
  if (ran.length === 0) return 'report has no test that ran'
  return `test ${cut(pattern ?? '')} matches none that ran (there are ${namesOf(ran)})`
}

/** Strength of a flaky run, half of the given one: as often as not its outcome says nothing. At least 0.1. */
export const strengthOf = (strength: number, { flaky }: RunVerdict): number =>
  flaky ? Math.max(0.1, strength / 2) : strength

/**
 * The source of the run: its suite, else what ran it and the `file` with the report. Which of its tests were chosen is no
 * part of it: they are of one source.
 */
export function sourceOf({ format, tool, namesTests }: Report, file?: string): string {
  const parts = [format, tool, namesTests ? null : file].flatMap((part) =>
    part == null ? [] : [inName(part)],
  )
  return inName(parts.join(' '))
}

/** The identity of the run, from the report if it states one, otherwise from its content. */
export const identityOf = ({ run, commit }: Report, digest: () => string): string =>
  run === null || commit === null ? `sha256 ${digest()}` : inName(`run ${inName(run)} at ${inName(commit)}`)
