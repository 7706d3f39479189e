/** Evidence that names its source, evidence read from reports, and what neither can do. */
import { describe, expect, it } from 'vitest'
import { boundariesOf, logLikelihoodOf } from '../../src/core/sprt.ts'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const hour = 3_600_000

async function believing(text = 'the cache is warm'): Promise<SmallBrain> {
  const brain = await openSmallBrain()
  await brain.call('believe', { text })
  return brain
}

const seen = { belief_id: 1, kind: 'supporting', strength: 0.6 } as const

describe('an observation', () => {
  it('weighs nothing where another of its source weighed within a day, and stays in the trail with its note', async () => {
    const brain = await believing()
    const first = await brain.call('evidence', { ...seen, source: ' nightly ' })
    brain.clock.now += hour
    const second = await brain.call('evidence', { ...seen, source: 'nightly', note: 'again' })
    expect(second).toMatchObject({
      log_likelihood: 0,
      new_log_ratio: first.new_log_ratio,
      confidence_delta: 0,
      repeats: 1,
    })
    brain.clock.now += hour
    const against = await brain.call('evidence', { ...seen, kind: 'refuting', source: 'nightly' })
    expect(against).toMatchObject({ log_likelihood: 0, repeats: 1 })
    const { belief, events } = await brain.call('evidence_for', { belief_id: 1 })
    expect(belief.evidence_count).toBe(3)
    expect(events.map(({ source, repeats, note }) => [source, repeats, note])).toEqual([
      ['nightly', undefined, null],
      ['nightly', 1, 'again'],
      ['nightly', 1, null],
    ])
    expect(events.reduce((sum, { log_likelihood }) => sum + log_likelihood, 0)).toBe(belief.sprt_log_ratio)
  })

  it('weighs again a day after the last that weighed, of another source, or where it is said to be independent', async () => {
    const brain = await believing()
    const step = logLikelihoodOf('supporting', 0.6)
    await brain.call('evidence', { ...seen, source: 'nightly' })
    expect((await brain.call('evidence', { ...seen, source: 'a person' })).log_likelihood).toBe(step)
    expect((await brain.call('evidence', seen)).log_likelihood).toBe(step)
    expect(
      (await brain.call('evidence', { ...seen, source: 'nightly', independent: true })).log_likelihood,
    ).toBe(step)
    brain.clock.now += 23 * hour
    expect((await brain.call('evidence', { ...seen, source: 'nightly' })).log_likelihood).toBe(0)
    brain.clock.now += hour
    expect((await brain.call('evidence', { ...seen, source: 'nightly' })).log_likelihood).toBe(step)
    const { events } = await brain.call('evidence_for', { belief_id: 1 })
    expect(events.map(({ independent }) => independent === true)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ])
  })

  it('weighs nothing where the clock was set back to the day of another of its source', async () => {
    const brain = await believing()
    await brain.call('evidence', { ...seen, source: 'nightly' })
    brain.clock.now += 25 * hour
    await brain.call('evidence', { ...seen, source: 'nightly' })
    brain.clock.now -= 24 * hour
    const again = await brain.call('evidence', { ...seen, source: 'nightly' })
    expect(again).toMatchObject({ log_likelihood: 0, repeats: 1 })
    const { events } = await brain.call('evidence_for', { belief_id: 1 })
    // By time, and not as they came.
    expect(events.map(({ id, repeats }) => [id, repeats])).toEqual([
      [1, undefined],
      [3, 1],
      [2, undefined],
    ])
  })

  it('of a run is counted once, whatever space stands around its name', async () => {
    const brain = await believing()
    await brain.call('evidence', { ...seen, run: ' ci 7 ' })
    await expect(brain.call('evidence', { ...seen, run: 'ci 7' })).rejects.toThrow(
      'this run was counted already, as evidence 1',
    )
  })

  it('of another belief is no repetition', async () => {
    const brain = await believing()
    await brain.call('believe', { text: 'the cache is cold' })
    await brain.call('evidence', { ...seen, source: 'nightly' })
    const other = await brain.call('evidence', { ...seen, belief_id: 2, source: 'nightly' })
    expect(other).not.toHaveProperty('repeats')
  })

  it('without a source is answered as it always was', async () => {
    const brain = await believing()
    expect(Object.keys(await brain.call('evidence', seen))).toEqual([
      'evidence_id',
      'belief_id',
      'kind',
      'strength',
      'log_likelihood',
      'new_log_ratio',
      'new_confidence',
      'confidence_delta',
      'status',
      'boundaries',
    ])
    const { belief, events } = await brain.call('evidence_for', { belief_id: 1 })
    expect(Object.keys(belief)).toEqual([
      'id',
      'text',
      'confidence',
      'sprt_log_ratio',
      'evidence_count',
      'sprt_status',
      'last_evidence_at',
    ])
    expect(Object.keys(events[0] ?? {})).toEqual([
      'id',
      'kind',
      'strength',
      'log_likelihood',
      'note',
      'created_at',
    ])
  })
})

describe('a verdict', () => {
  it('stays the test’s in `status`, and is withheld in `verdict` while one source stands behind it', async () => {
    const brain = await believing()
    const { promote } = boundariesOf({ alpha: 0.05, beta: 0.1 })
    const strong = await brain.call('evidence', { ...seen, strength: 0.9, source: 'load test' })
    expect(strong.new_log_ratio).toBeGreaterThan(promote)
    expect(strong).toMatchObject({ status: 'promoted', verdict: 'accumulating' })
    expect(strong.caveats?.[0]).toBe('One source decides nothing: a verdict needs observations from two')
    const listed = async () => (await brain.call('list', { kinds: 'belief' })).records[0]?.status
    expect(await listed()).toBe('accumulating')
    const shown = async () => (await brain.call('show', { kind: 'belief', id: 1 })).record
    expect(await shown()).toMatchObject({ sprt_status: 'promoted', verdict: 'accumulating' })
    brain.clock.now += 25 * hour
    // The same source on another day weighs, and is no second source.
    expect((await brain.call('evidence', { ...seen, source: 'load test' })).verdict).toBe('accumulating')
    const second = await brain.call('evidence', { ...seen, source: 'a person' })
    expect(second).not.toHaveProperty('verdict')
    expect(second.caveats).toEqual(['Only supporting evidence so far: would a failure have been noted?'])
    expect(await listed()).toBe('promoted')
    expect(await shown()).not.toHaveProperty('verdict')
  })

  it('is in no answer that the specification has, for observations that name no source', async () => {
    const brain = await believing()
    const strong = await brain.call('evidence', { ...seen, strength: 0.9 })
    const { beliefs } = await brain.call('beliefs', { status: 'promoted' })
    const { belief } = await brain.call('evidence_for', { belief_id: 1 })
    for (const answer of [strong, beliefs[0], belief]) {
      expect(answer).not.toHaveProperty('verdict')
      expect(answer).not.toHaveProperty('caveats')
    }
  })

  it('is not in prime while it is withheld', async () => {
    const brain = await believing()
    await brain.call('evidence', { ...seen, strength: 0.9 })
    expect((await brain.call('prime')).text).not.toContain('promoted')
    await brain.call('evidence', { ...seen, strength: 0.2 })
    expect((await brain.call('prime')).text).toContain('[promoted, confidence 0.95]')
  })
})

const junit = (cases: string, properties = '') =>
  `<testsuites name="vitest"><testsuite name="cache">${properties}${cases}</testsuite></testsuites>`
const passing = '<testcase name="warms"/>'

describe('a report', () => {
  it('supports or refutes by what its tests say, with a note of it and a source of its own', async () => {
    const brain = await believing()
    const passed = await brain.call('evidence_from', { belief_id: 1, report: junit(passing) })
    expect(passed).toMatchObject({
      kind: 'supporting',
      strength: 0.5,
      note: '1 passed (JUnit XML, vitest)',
      source: 'JUnit XML vitest',
    })
    const failing = junit('<testcase name="warms"><failure/></testcase>')
    const failed = await brain.call('evidence_from', {
      belief_id: 1,
      report: failing,
      note: 'after the upgrade',
      strength: 0.7,
      source: 'staging',
    })
    expect(failed).toMatchObject({ kind: 'refuting', strength: 0.7, source: 'staging' })
    expect(failed.note).toBe('after the upgrade\n1 of 1 failed: warms (JUnit XML, vitest)')
  })

  it('has no longer note than any other: what is given and what the run says are one', async () => {
    const brain = await believing()
    const from = (note: string) => brain.call('evidence_from', { belief_id: 1, report: junit(passing), note })
    await expect(from('x'.repeat(65_536))).rejects.toThrow('note must be at most 65536 bytes')
    expect((await from('x'.repeat(65_500))).note).toHaveLength(65_529)
  })

  it('is asked for the tests of a pattern, whatever space stands around it', async () => {
    const brain = await believing()
    const report = junit(`${passing}<testcase name="cools"><failure/></testcase>`)
    const found = await brain.call('evidence_from', { belief_id: 1, report, test: ' *warms ' })
    expect(found.kind).toBe('supporting')
  })

  it('counts half where a test passed only after it had failed', async () => {
    const brain = await believing()
    const report = junit('<testcase name="warms"><flakyFailure/></testcase>')
    expect(await brain.call('evidence_from', { belief_id: 1, report, strength: 0.6 })).toMatchObject({
      kind: 'supporting',
      strength: 0.3,
      log_likelihood: logLikelihoodOf('supporting', 0.3),
    })
  })

  it('counts once for a belief, by its run and commit or by its content, and says as which evidence', async () => {
    const brain = await believing()
    await brain.call('believe', { text: 'another' })
    const run =
      '<properties><property name="run_id" value="7"/><property name="commit" value="abc"/></properties>'
    await brain.call('evidence_from', { belief_id: 1, report: junit(passing, run) })
    await brain.call('evidence_from', { belief_id: 1, report: junit(passing) })
    for (const report of [junit(passing + passing, run), `${junit(passing)}\n`]) {
      await expect(brain.call('evidence_from', { belief_id: 1, report })).rejects.toThrow(
        /^this run was counted already, as evidence [12]$/,
      )
    }
    brain.clock.now += 48 * hour
    await expect(brain.call('evidence_from', { belief_id: 1, report: junit(passing) })).rejects.toThrow(
      'counted already',
    )
    expect((await brain.call('evidence_for', { belief_id: 1 })).events).toHaveLength(2)
    await brain.call('evidence_from', { belief_id: 2, report: junit(passing) })
  })

  it('is of the same source whichever of its tests are chosen', async () => {
    const brain = await believing()
    const first = { belief_id: 1, report: junit(passing), test: 'warms' }
    expect((await brain.call('evidence_from', first)).source).toBe('JUnit XML vitest')
    const again = { ...first, report: `${junit(passing)}<!-- later -->`, test: 'warm*' }
    expect(await brain.call('evidence_from', again)).toMatchObject({ log_likelihood: 0, repeats: 1 })
  })

  it('of the same tests on the same day weighs nothing, though it is another run', async () => {
    const brain = await believing()
    await brain.call('evidence_from', { belief_id: 1, report: junit(passing) })
    const again = await brain.call('evidence_from', {
      belief_id: 1,
      report: junit(`${passing}<!-- later -->`),
    })
    expect(again).toMatchObject({ log_likelihood: 0, repeats: 1 })
  })
})
