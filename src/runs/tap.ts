/** Test Anything Protocol, versions 12 to 14: lines of outcomes, subtests indented below their parent's. */
import { BrainError } from '../core/errors.ts'
import type { Report, TestResult } from './report.ts'

const outcomeLine = /^(not )?ok\b(?:[ \t]+(\d+))?(?:[ \t]+(.*))?$/
const planLine = /^1\.\.(\d+)(?:[ \t]*#(.*))?$/
const directiveIn = /(?:^|[^\\])#[ \t]*(skip|todo)\b/i

interface Level {
  readonly indent: number
  plan: number | undefined
  seen: number
  readonly results: TestResult[]
}

/** A test line: `todo` tests may fail, and skipped ones did not run. */
function resultOf(failed: boolean, rest: string, number: number): TestResult {
  const directive = directiveIn.exec(rest)
  const word = directive?.[1]?.toLowerCase()
  const description = (directive === null ? rest : rest.slice(0, rest.indexOf('#', directive.index)))
    .replace(/^- /, '')
    .trim()
  const name = description.replace(/\\#/g, '#') || `test ${number}`
  const outcome = word === 'skip' || (word === 'todo' && failed) ? 'skipped' : failed ? 'failed' : 'passed'
  return { name, outcome, flaky: false }
}

/** If fewer tests ran than planned, the run was cut off, which is a failure. */
function brokenOff({ plan, seen }: Level): TestResult[] {
  if (plan === undefined || seen >= plan) return []
  return [{ name: `${plan - seen} of ${plan} planned tests did not run`, outcome: 'broken', flaky: false }]
}

const close = (level: Level): TestResult[] => [...level.results, ...brokenOff(level)]

/** A test with subtests takes their outcomes, unless it fails by itself or does not count. */
function withChildren(parent: TestResult, children: readonly TestResult[]): TestResult[] {
  if (children.length === 0 || parent.outcome === 'skipped') return [parent]
  const told =
    parent.outcome === 'passed' ||
    children.some(({ outcome }) => outcome === 'failed' || outcome === 'broken')
  const named = children.map((child) => ({ ...child, name: `${parent.name} > ${child.name}` }))
  return told ? named : [...named, parent]
}

/** @throws BrainError `invalid` for text that is no TAP, or has no plan. */
export function readTap(text: string): Report {
  const levels: Level[] = [{ indent: 0, plan: undefined, seen: 0, results: [] }]
  let found = false
  let bailed: string | undefined
  // Of subtests that ended and wait for the line of their parent.
  let pending: TestResult[] = []
  // The indentation of the block of details that is passed over, and of the test line that one may follow.
  let inDetails: number | undefined
  let before: number | undefined
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trimStart()
    const indent = raw.length - line.length
    if (inDetails !== undefined) {
      // What is indented less ends a block that was cut off.
      if (line === '' || indent >= inDetails) {
        if (line === '...' && indent === inDetails) inDetails = undefined
        continue
      }
      inDetails = undefined
    }
    // Elsewhere a test has printed it.
    if (line === '---' && before !== undefined && indent > before) {
      inDetails = indent
      continue
    }
    before = outcomeLine.test(line) ? indent : undefined
    if (/^Bail out!/i.test(line)) {
      bailed = line.slice(9).trim()
      break
    }
    const plan = planLine.exec(line)
    const told = plan === null ? outcomeLine.exec(line) : null
    if (plan === null && told === null) continue
    found = true
    let level = levels.at(-1) ?? { indent: 0, plan: undefined, seen: 0, results: [] }
    while (indent < level.indent && levels.length > 1) {
      levels.pop()
      pending = [...close(level), ...pending]
      level = levels.at(-1) ?? level
    }
    if (indent > level.indent) {
      for (const one of pending) level.results.push(one)
      level = { indent, plan: undefined, seen: 0, results: [] }
      levels.push(level)
      pending = []
    }
    if (plan !== null) {
      level.plan = Number(plan[1])
      continue
    }
    level.seen += 1
    const result = resultOf(told?.[1] !== undefined, told?.[3] ?? '', level.seen)
    for (const one of withChildren(result, pending)) level.results.push(one)
    pending = []
  }
  if (!found && bailed === undefined)
    throw new BrainError(
      'invalid',
      'report is none of JUnit XML, TAP, CTRF and SARIF; `-` reads it from standard input',
    )
  // What no line of a parent follows counts by itself.
  const [top, ...open] = levels
  const results = [...(top === undefined ? [] : close(top)), ...open.flatMap(close), ...pending]
  if (bailed !== undefined)
    results.push({ name: `Bail out! ${bailed}`.trim(), outcome: 'broken', flaky: false })
  else if (top?.plan === undefined)
    throw new BrainError('invalid', 'report is TAP without a plan (1..N): it may be cut off')
  return { format: 'TAP', tool: null, namesTests: false, run: null, commit: null, results }
}
