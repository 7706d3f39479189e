/** Reports in JSON: CTRF from test runners, SARIF from analysers. Reads what matters for a verdict and ignores the rest. */
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { Report, TestResult } from './report.ts'

type Json = Readonly<Record<string, unknown>>

const objectIn = (value: unknown): Json => (isObject(value) ? value : {})
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

const ctrfOutcomes: Readonly<Record<string, TestResult['outcome']>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  other: 'skipped',
}

function readCtrf(report: Json): Report {
  const results = objectIn(report.results)
  const environment = objectIn(results.environment)
  const tests = objectsIn(results.tests).map((test): TestResult => {
    const outcome = ctrfOutcomes[String(test.status)]
    if (outcome === undefined)
      throw new BrainError('invalid', 'report is CTRF with a status that CTRF does not have')
    const again = test.flaky === true || (typeof test.retries === 'number' && test.retries > 0)
    const suite = Array.isArray(test.suite) ? test.suite.join(' ') : textIn(test.suite)
    const name = [suite, textIn(test.name)].filter((part) => part !== null && part !== '').join(' ')
    return { name: name || 'a test without a name', outcome, flaky: outcome === 'passed' && again }
  })
  return {
    format: 'CTRF',
    tool: textIn(objectIn(results.tool).name),
    namesTests: false,
    run: textIn(environment.buildId) ?? textIn(environment.buildNumber) ?? textIn(report.reportId),
    commit: textIn(environment.commit),
    results: tests,
  }
}

/** Location and rule of a finding, in one name for patterns to match. */
function nameOf(result: Json): string {
  const places = objectsIn(result.locations).map((location) => {
    const { artifactLocation } = objectIn(location.physicalLocation)
    return textIn(objectIn(artifactLocation).uri)
  })
  const rule = textIn(result.ruleId) ?? textIn(objectIn(result.rule).id) ?? 'a finding'
  return [rule, ...new Set(places.filter((place) => place !== null))].join(' ')
}

/** Severity of a finding that does not state one: its rule's, otherwise warning. */
function levelOf(result: Json, rules: readonly Json[]): string {
  const stated = textIn(result.level)
  if (stated !== null) return stated
  const at = typeof result.ruleIndex === 'number' ? rules[result.ruleIndex] : undefined
  const rule = at ?? rules.find(({ id }) => id === result.ruleId) ?? {}
  return textIn(objectIn(rule.defaultConfiguration).level) ?? 'warning'
}

function outcomeOf(result: Json, rules: readonly Json[]): TestResult['outcome'] {
  const kind = textIn(result.kind) ?? 'fail'
  if (kind === 'pass') return 'passed'
  const suppressed = objectsIn(result.suppressions).some(({ status = 'accepted' }) => status === 'accepted')
  if (kind !== 'fail' || suppressed || result.baselineState === 'absent') return 'skipped'
  return ['error', 'warning'].includes(levelOf(result, rules)) ? 'failed' : 'skipped'
}

function readSarif(report: Json): Report {
  const runs = objectsIn(report.runs)
  if (runs.length === 0) throw new BrainError('invalid', 'report is SARIF without a run')
  const [first = {}] = runs
  const results = runs.flatMap((run) => {
    if (objectsIn(run.invocations).some(({ executionSuccessful }) => executionSuccessful === false)) {
      throw new BrainError('invalid', 'report is of an analysis that did not finish')
    }
    const rules = objectsIn(objectIn(objectIn(run.tool).driver).rules)
    return objectsIn(run.results).map(
      (result, at): TestResult => ({
        // Findings are counted one by one, not as tries of the same.
        name: `${nameOf(result)} #${at + 1}`,
        outcome: outcomeOf(result, rules),
        flaky: false,
      }),
    )
  })
  const details = objectIn(first.automationDetails)
  const [control = {}] = objectsIn(first.versionControlProvenance)
  return {
    format: 'SARIF',
    tool: textIn(objectIn(objectIn(first.tool).driver).name),
    namesTests: true,
    run: textIn(details.guid) ?? textIn(details.id),
    commit: textIn(control.revisionId),
    results,
    silence: 'passes',
  }
}

/** @throws BrainError `invalid` for JSON that is neither. */
export function readJsonReport(text: string): Report {
  let report: unknown
  try {
    report = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new BrainError('invalid', 'report begins like JSON and is none: it may be cut off')
  }
  if (isObject(report) && Array.isArray(objectIn(report.results).tests)) return readCtrf(report)
  if (isObject(report) && Array.isArray(report.runs)) return readSarif(report)
  throw new BrainError('invalid', 'report is JSON, but neither CTRF (results.tests) nor SARIF (runs)')
}
