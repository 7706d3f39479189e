/** What reports of test runs say, as the tools that write them write them, and what is refused. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeReport, readReport } from '../../src/runs/index.ts'
import { fits, identityOf, sourceOf, strengthOf, verdictOn } from '../../src/runs/report.ts'

const judge = (text: string, pattern?: string) => verdictOn(readReport(text), pattern)

const surefire = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="com.shop.QueueTest" time="1.2" tests="4" errors="0" skipped="1" failures="0">
  <properties><property name="ci.build.id" value="812"/><property name="git.commit.id" value="abc123"/></properties>
  <testcase name="drains" classname="com.shop.QueueTest" time="0.1"/>
  <testcase name="refills" classname="com.shop.QueueTest" time="0.1">
    <flakyFailure message="timed out" type="java.lang.AssertionError">at line 4</flakyFailure>
  </testcase>
  <testcase name="later" classname="com.shop.QueueTest"><skipped/></testcase>
  <testcase name="warms up" classname="com.shop.CacheTest"/>
</testsuite>`

const vitest = (
  broken: string,
) => `<testsuites name="vitest tests" tests="2" failures="${broken && 1}" errors="0" time="0.4">
  <testsuite name="a.test.ts" tests="2" failures="${broken && 1}" errors="0" skipped="0">
    <testcase classname="a.test.ts" name="adds &gt; one &amp; two" time="0.1"></testcase>
    <testcase classname="a.test.ts" name="subtracts" time="0.1">${broken}</testcase>
  </testsuite>
</testsuites>`

describe('JUnit XML', () => {
  it('supports where all passed, and half where one passed only after it had failed', () => {
    expect(judge(surefire)).toMatchObject({ kind: 'supporting', flaky: true })
    expect(judge(surefire).summary).toBe(
      '3 passed, 1 after failing before: com.shop.QueueTest refills (JUnit XML, com.shop.QueueTest)',
    )
    expect(judge(surefire, 'cachetest*warm')).toMatchObject({ kind: 'supporting', flaky: false })
    expect(strengthOf(0.6, { kind: 'supporting', flaky: true, summary: '' })).toBe(0.3)
    expect(strengthOf(0.1, { kind: 'supporting', flaky: true, summary: '' })).toBe(0.1)
  })

  it('refutes where one failed or broke, unless the pattern leaves it out', () => {
    const failing = vitest('<failure message="expected 1">…</failure>')
    expect(judge(failing)).toMatchObject({ kind: 'refuting', flaky: false })
    expect(judge(failing).summary).toContain('1 of 2 failed: a.test.ts subtracts')
    expect(judge(vitest('<error/>')).kind).toBe('refuting')
    expect(judge(vitest('<failure/><rerunFailure/>')).kind).toBe('refuting')
    expect(judge(failing, 'one & two').kind).toBe('supporting')
  })

  it('takes a failure and a pass of one name in one suite for tries of one test, and in two suites for two tests', () => {
    const suite = (cases: string) => `<testsuite name="s" tests="2">${cases}</testsuite>`
    const fail = '<testcase name="a"><failure/></testcase>'
    const pass = '<testcase name="a"/>'
    expect(judge(suite(fail + pass))).toMatchObject({ kind: 'supporting', flaky: true })
    expect(judge(suite(pass + fail)).kind).toBe('refuting')
    expect(judge(`<testsuites>${suite(fail)}${suite(pass)}</testsuites>`).kind).toBe('refuting')
    expect(judge(suite(suite(fail) + pass)).kind).toBe('refuting')
    expect(judge(suite(fail + suite(pass) + pass))).toMatchObject({ kind: 'supporting', flaky: true })
    expect(judge(suite(fail + pass + pass)).flaky).toBe(true)
    expect(judge(suite(`${pass}<testcase name="a"><skipped/></testcase>`)).summary).toBe(
      '1 passed (JUnit XML, s)',
    )
  })

  it('refutes with a test that is called skipped and failed all the same', () => {
    expect(judge('<testsuite><testcase name="a" status="skipped"><error/></testcase></testsuite>').kind).toBe(
      'refuting',
    )
  })

  it('takes what is still to do for what did not run, though it failed, and not what else failed when it was skipped', () => {
    const todo = '<testcase name="later"><skipped type="todo"/><failure/></testcase>'
    const run = (cases: string) =>
      `<testsuites><testsuite tests="2" failures="1">${cases}</testsuite></testsuites>`
    expect(judge(run(`<testcase name="sum"/>${todo}`))).toMatchObject({ kind: 'supporting', flaky: false })
    expect(judge(run('<testcase name="sum"/><testcase name="x"><skipped/><error/></testcase>')).kind).toBe(
      'refuting',
    )
  })

  it('believes a suite that some failed, where it lists none of them', () => {
    const cases = '<testcase name="a"/><testcase name="b"/>'
    const suite = (inner: string) => `<testsuite name="s" tests="3" failures="1">${inner}</testsuite>`
    expect(judge(suite(cases)).summary).toBe('1 of 3 failed: s (as a whole) (JUnit XML, s)')
    expect(judge(suite(suite('')))).toMatchObject({ summary: '1 of 1 failed: s (as a whole) (JUnit XML, s)' })
    expect(judge(suite('<testcase name="a"><rerunFailure/></testcase>')).kind).toBe('supporting')
    // Of a filtered run some writers state how many tests there are.
    expect(judge(`<testsuite name="s" tests="3">${cases}</testsuite>`).kind).toBe('supporting')
  })

  it('believes the counts of a suite that lists no tests', () => {
    expect(judge('<testsuite name="s" tests="3" failures="1"/>').kind).toBe('refuting')
    expect(judge('<testsuite name="s" tests="3" errors="1"/>').kind).toBe('refuting')
    expect(judge('<testsuite name="s" tests="3" failures="0"/>').kind).toBe('supporting')
    expect(() => judge('<testsuite name="s" tests="3" disabled="3"/>')).toThrow('report has no test that ran')
    // Counted once: the outer suite states the same tests.
    const nested = '<testsuites tests="3"><testsuite name="s" tests="3"/></testsuites>'
    expect(judge(nested).summary).toBe('1 passed (JUnit XML, s)')
    expect(() => judge('<testsuite name="s" tests="3" skipped="3"/>')).toThrow('report has no test that ran')
    expect(() => judge('<testsuites/>')).toThrow('report has no test that ran')
  })

  it('is one run by the id and commit that it names, else by its content', () => {
    const digest = () => 'd1'
    expect(identityOf(readReport(surefire), digest)).toBe('run 812 at abc123')
    expect(identityOf(readReport(vitest('')), digest)).toBe('sha256 d1')
  })

  it('has the source that its suite is; where only what ran the tests is named, the file tells them apart', () => {
    const source = (text: string, file?: string) => sourceOf(readReport(text), file)
    expect(source(surefire, 'run-2.xml')).toBe('JUnit XML com.shop.QueueTest')
    expect(source(vitest(''), 'e2e.xml')).toBe('JUnit XML vitest tests e2e.xml')
    expect(source(vitest(''))).toBe('JUnit XML vitest tests')
    expect(source('<testsuite><testcase name="a"/></testsuite>', 'a.xml')).toBe('JUnit XML a.xml')
    expect(source('1..1\nok 1\n', 'logs/unit.tap')).toBe('TAP logs/unit.tap')
    expect(source(ctrf([]), 'ctrf.json')).toBe('CTRF jest ctrf.json')
    expect(source(sarif([]), 'scan.json')).toBe('SARIF semgrep')
  })

  it('takes no name and no property that is empty for what identifies it', () => {
    const property = (name: string, value: string) => `<property name="${name}" value="${value}"/>`
    const properties = property('build.id', ' ') + property('run.id', '812') + property('commit', 'abc')
    const named = `<testsuites name=""><testsuite name="vitest">${properties}<testcase name="a"/></testsuite></testsuites>`
    expect(judge(named).summary).toBe('1 passed (JUnit XML, vitest)')
    expect(identityOf(readReport(named), () => 'd1')).toBe('run 812 at abc')
    expect(identityOf(readReport(named.replace('commit', 'author')), () => 'd1')).toBe('sha256 d1')
  })

  it('nests 64 elements and no more', () => {
    const deep = (levels: number) => '<testsuite>'.repeat(levels) + '</testsuite>'.repeat(levels)
    expect(() => judge(deep(64))).toThrow('report has no test that ran')
    expect(() => judge(deep(65))).toThrow('report nests deeper than 64 elements')
  })

  it('names three of the tests that failed', () => {
    const cases = [1, 2, 3, 4, 5].map((at) => `<testcase name="t${at}"><failure/></testcase>`)
    expect(judge(`<testsuite>${cases.join('')}</testsuite>`).summary).toContain(': t1, t2, t3 and 2 more (')
  })

  it('names the tests there are where none fits the pattern', () => {
    expect(() => judge(vitest(''), 'multiplies')).toThrow(
      'test multiplies matches none that ran (there are a.test.ts adds > one & two, a.test.ts subtracts)',
    )
  })

  it.each([
    [
      'a billion laughs',
      '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><testsuite name="&lol2;"/>',
    ],
    ['an entity from outside', '<!DOCTYPE t SYSTEM "file:///etc/passwd"><testsuite/>'],
    ['an entity nobody declared', '<testsuite name="&xxe;"/>'],
    ['an end that is missing', '<testsuite name="s"><testcase name="a"/>'],
    ['an end too many', '<testsuite></testsuite></testsuite>'],
    ['two roots', '<testsuite/><testsuite/>'],
    ['another document', '<html><body>ok</body></html>'],
    ['elements without end', `<testsuites>${'<testsuite>'.repeat(100_000)}`],
    ['control characters', '<testsuite name="\u0001"/>'],
  ])('is refused with %s', (_, text) => {
    expect(() => judge(text)).toThrow(/^report /)
  })
})

describe('TAP', () => {
  it('counts what ran, and neither what was skipped nor what is still to do', () => {
    const text =
      'TAP version 14\n1..4\nok 1 - adds\nnot ok 2 - fast # TODO later\nok 3 - slow # SKIP no net\nok 4\n'
    expect(judge(text)).toMatchObject({ kind: 'supporting', summary: '2 passed (TAP)' })
    expect(() => judge(text, 'slow')).toThrow('matches none that ran')
    expect(judge('1..1\nok 1 - fast # TODO done by now\n').summary).toBe('1 passed (TAP)')
    expect(() => judge('1..1\n    1..1\n    not ok 1 - a\nnot ok 1 - later # TODO\n')).toThrow(
      'no test that ran',
    )
  })

  it('names a subtest with its parent, whose own line adds nothing unless it fails by itself', () => {
    const text = [
      'TAP version 13',
      '# Subtest: queue',
      '    ok 1 - drains',
      '    not ok 2 - refills',
      '      ---',
      '      message: "not ok 9 - in details"',
      '      ...',
      '    1..2',
      'not ok 1 - queue',
      '1..1',
    ].join('\n')
    expect(judge(text).summary).toBe('1 of 2 failed: queue > refills (TAP)')
    expect(judge(text, 'drains').kind).toBe('supporting')
    expect(judge('1..1\n    1..1\n    ok 1 - a\nnot ok 1 - teardown\n').summary).toContain('teardown')
  })

  it('loses no subtest whose parent has no line of its own', () => {
    expect(judge('    not ok 1 - a\n1..1\n    ok 1 - b\nok 1 - parent\n').summary).toContain('failed: a (')
    expect(judge('1..1\nok 1\n    not ok 1 - a\n        not ok 1 - b\n').summary).toContain('failed: a, b (')
    const deeper = '1..1\n    not ok 1 - a\n        not ok 1 - b\nnot ok 1 - top\n'
    expect(judge(deeper).summary).toContain('failed: top > a, top > b (')
  })

  it('takes a failure and a pass of one name for two tests', () => {
    const twice = judge('1..2\nnot ok 1 - x\nok 2 - x\n')
    expect(twice).toMatchObject({ kind: 'refuting', summary: '1 of 2 failed: x (TAP)' })
  })

  it('refutes where it bailed out or fewer ran than were planned', () => {
    const bailed = judge('1..2\nok 1 - a\nBail out! no disk\n')
    expect(bailed.kind).toBe('refuting')
    expect(bailed.summary).toBe('1 of 2 planned tests did not run, Bail out! no disk (TAP)')
    const cut = judge('1..3\nok 1 - a\nnot ok 2 - b\n')
    expect(cut.summary).toBe('1 of 2 failed: b; 1 of 3 planned tests did not run (TAP)')
    expect(judge('1..3\nok 1 - a\n').summary).toBe('2 of 3 planned tests did not run (TAP)')
    const inner = judge('1..1\n    1..2\n    ok 1 - a\nnot ok 1 - suite\n')
    expect(inner.summary).toBe('suite > 1 of 2 planned tests did not run (TAP)')
  })

  it('takes what a test prints for no block of details, and passes over no test where a block is cut off', () => {
    const printed = '1..3\nok 1\n---\nsome output\nok 2\nok 3\n'
    expect(judge(printed)).toMatchObject({ kind: 'supporting', summary: '3 passed (TAP)' })
    const cut = '1..2\nok 1\n  ---\n  duration: 3\nnot ok 2 - second\n  ---\n  ok 3\n  ...\n'
    expect(judge(cut)).toMatchObject({ kind: 'refuting', summary: '1 of 2 failed: second (TAP)' })
    const block = '1..2\nok 1\n  ---\n  found: |\n    ...\n\n  not ok 9 - told\n  ...\nok 2\n'
    expect(judge(block).summary).toBe('2 passed (TAP)')
    const [named] = readReport('1..1\nok 1 - works # SKIP see issue #12\n').results
    expect(named).toMatchObject({ name: 'works', outcome: 'skipped' })
  })

  it('is refused without a plan, and so is any other text', () => {
    expect(() => judge('ok 1 - a\nok 2 - b\n')).toThrow('without a plan')
    expect(() => judge('All tests passed.')).toThrow('none of JUnit XML, TAP, CTRF and SARIF')
    expect(() => judge('')).toThrow('none of')
  })
})

const ctrf = (tests: object[], environment: object = {}) =>
  JSON.stringify({
    reportFormat: 'CTRF',
    results: { tool: { name: 'jest' }, summary: {}, tests, environment },
  })

describe('CTRF', () => {
  it('tells passed from failed, and a flaky pass by its mark or its retries', () => {
    const passed = { name: 'adds', status: 'passed', suite: ['math'] }
    expect(judge(ctrf([passed, { name: 'x', status: 'pending' }])).summary).toBe('1 passed (CTRF, jest)')
    expect(judge(ctrf([{ ...passed, flaky: true }])).flaky).toBe(true)
    expect(judge(ctrf([{ ...passed, retries: 2 }])).flaky).toBe(true)
    expect(judge(ctrf([{ ...passed, retries: 0 }])).flaky).toBe(false)
    expect(judge(ctrf([passed, { name: 'x', status: 'failed', flaky: true }])).kind).toBe('refuting')
    const environment = { buildNumber: 3, buildId: 7, commit: 'c' }
    expect(identityOf(readReport(ctrf([passed], environment)), () => '')).toBe('run 7 at c')
  })

  it('takes a failure and a pass of one name for two tests', () => {
    const both = [
      { name: 'x', status: 'failed' },
      { name: 'x', status: 'passed' },
    ]
    expect(judge(ctrf(both)).kind).toBe('refuting')
  })

  it('is refused with a status of its own making, or cut off', () => {
    expect(() => judge(ctrf([{ name: 'x', status: 'fine' }]))).toThrow('a status that CTRF does not have')
    expect(() => judge(ctrf([]).slice(0, -3))).toThrow('it may be cut off')
    expect(() => judge('{"results": 1}')).toThrow('neither CTRF')
    expect(() => judge('[1]')).toThrow('neither CTRF')
  })
})

const sarif = (results: object[], run: object = {}) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'semgrep', rules: [{ id: 'sqli', defaultConfiguration: { level: 'error' } }] },
        },
        results,
        ...run,
      },
    ],
  })
const at = (uri: string) => [{ physicalLocation: { artifactLocation: { uri } } }]

describe('SARIF', () => {
  it('refutes with a finding, and supports where there is none', () => {
    const finding = { ruleId: 'sqli', locations: at('src/db.ts') }
    expect(judge(sarif([finding])).summary).toBe('1 of 1 failed: sqli src/db.ts #1 (SARIF, semgrep)')
    expect(judge(sarif([finding]), 'src/page.ts')).toMatchObject({ kind: 'supporting' })
    expect(judge(sarif([]))).toMatchObject({ kind: 'supporting', summary: 'no finding (SARIF, semgrep)' })
  })

  it('leaves out notes, what was suppressed and what is gone', () => {
    const harmless = [
      { ruleId: 'style', level: 'note' },
      { ruleId: 'sqli', suppressions: [{ kind: 'inSource' }] },
      { ruleId: 'sqli', baselineState: 'absent' },
      { ruleId: 'sqli', kind: 'open' },
    ]
    expect(judge(sarif(harmless)).kind).toBe('supporting')
    expect(judge(sarif([{ ruleId: 'x' }])).kind).toBe('refuting')
    const rejected = { ruleId: 'sqli', suppressions: [{ kind: 'external', status: 'rejected' }] }
    expect(judge(sarif([rejected])).kind).toBe('refuting')
    const rules = [
      { id: 'sqli', defaultConfiguration: { level: 'error' } },
      { id: 'style', defaultConfiguration: { level: 'note' } },
    ]
    const tool = { driver: { name: 'semgrep', rules } }
    expect(judge(sarif([{ ruleIndex: 1 }], { tool })).kind).toBe('supporting')
    expect(judge(sarif([{ ruleIndex: 0 }], { tool })).kind).toBe('refuting')
  })

  it('is refused where the analysis did not finish', () => {
    expect(() => judge(sarif([], { invocations: [{ executionSuccessful: false }] }))).toThrow(
      'did not finish',
    )
    expect(judge(sarif([], { invocations: [{}] })).kind).toBe('supporting')
    expect(() => judge('{"version":"2.1.0","runs":[]}')).toThrow('without a run')
  })
})

describe('bytes', () => {
  const xml = '<testsuite name="größe"><testcase name="läuft"/></testsuite>'

  it('are read in the encoding that they name or are marked with', () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1')
    const [marked, wide] = [`\ufeff${xml}`, xml].map((text) => Buffer.from(text, 'utf16le'))
    const wides = [marked, wide].flatMap((one = Buffer.of()) => [one, Buffer.from(one).swap16()])
    for (const bytes of [Buffer.from(xml), Buffer.from(`\ufeff${xml}`), latin, ...wides]) {
      expect(judge(decodeReport(bytes)).summary).toContain('größe')
    }
  })

  it('that are in none, or too many, are refused', () => {
    expect(() => decodeReport(Buffer.from(xml, 'latin1'))).toThrow('report is not in utf-8')
    expect(() => decodeReport(Buffer.from('<?xml version="1.0" encoding="klingon"?>'))).toThrow(
      'not known here',
    )
    expect(() => decodeReport(Buffer.alloc(33 * 1024 * 1024))).toThrow('at most 32 MiB')
  })
})

it('whatever comes as a report is read or refused in a sentence', () => {
  const pieces = [
    '<testsuite',
    ' name="a"',
    '>',
    '</testsuite>',
    '<testcase name="x"/>',
    '{',
    '"runs":[',
    ']}',
    'ok 1',
    '\n',
    '1..1',
    'not ok 2',
    '    ',
    '---',
    '&amp;',
    '\u0000',
    '# SKIP',
  ]
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 30 }), (parts) => {
      try {
        expect(['supporting', 'refuting']).toContain(judge(parts.join('')).kind)
      } catch (error) {
        expect((error as Error).name).toBe('BrainError')
      }
    }),
    { numRuns: 2_000 },
  )
})

it('a pattern fits where its parts stand one after the other, capitals or not', () => {
  expect(fits('src/Queue.test.ts drains', 'queue*DRAINS')).toBe(true)
  expect(fits('drains queue', 'queue*drains')).toBe(false)
  expect(fits('drains', 'dr*rains')).toBe(false)
  expect(fits('(a+)+$', '(a+)+$')).toBe(true)
})
