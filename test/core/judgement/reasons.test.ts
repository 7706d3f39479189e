/** The reasons of a verdict: none contradicts another. */
import { expect, it } from 'vitest'
import { createJudge, type Nearness } from '../../../src/core/judgement/judgement.ts'
import { reasonsOf } from '../../../src/core/judgement/reasons.ts'

const warning = 'Restarting the gateway dropped every open call'
const reasons = (plan: string, near: Partial<Nearness>) =>
  reasonsOf(
    createJudge(plan)(warning, { cosine: 0.5, nearest: 0.5, logit: 4, exempted: 0, graver: 0, ...near })
      .contributions,
  )

it('a warning that is far away, and one behind a nearer one, are told apart', () => {
  const plan = 'reboot the proxy of the call centre'
  const reads = ['the plan reads like what is warned of']
  expect(reasons(plan, {})).toEqual({ for: reads, against: [] })
  expect(reasons(plan, { cosine: 0.1, nearest: 0.1 })).toEqual({
    for: reads,
    against: ['little in it is near to the warning'],
  })
  expect(reasons(plan, { nearest: 0.6 })).toEqual({
    for: reads,
    against: ['the words of another warning are nearer to it'],
  })
})

it('a plan that nothing like it is exempted from is held no less and no more against, however grave it is', () => {
  const relevance = (near: Partial<Nearness>) =>
    createJudge('reboot the proxy')(warning, {
      cosine: 0.5,
      nearest: 0.5,
      logit: 0,
      exempted: 0,
      graver: 0,
      ...near,
    }).relevance
  for (const exempted of [0, 0.6, 0.9])
    expect(relevance({ exempted, graver: 5 })).toBe(relevance({ exempted: 0 }))
  expect(relevance({ exempted: 0.9 })).toBeLessThan(relevance({ exempted: 0.6 }))
})

it('what is written to somebody is not called a mere look', () => {
  expect(reasons('write to customers about the outage', {}).against).toEqual([])
  expect(reasons('write the minutes of the meeting', {}).against).toContain(
    'it only looks or tells ("write")',
  )
})

it('of a bare step that shares only the place with a warning of another act, that is said', () => {
  const warning = 'Never restore production data into staging without masking it'
  const against = (plan: string) =>
    reasonsOf(
      createJudge(plan)(warning, { cosine: 0.5, nearest: 0.5, logit: 4, exempted: 0, graver: 0 })
        .contributions,
    ).against
  const place = (words: string) => `only where it is done is the warning's ("${words}")`
  expect(against('deploy to production')).toContain(place('production'))
  expect(against('restart staging')).toContain(place('staging'))
  // What it does is the warning's, too; it says more than where; or what it does is not known.
  for (const plan of ['restore production', 'deploy the data to staging', 'pg_restore the dump into staging'])
    expect(against(plan)).not.toContainEqual(expect.stringContaining('only where'))
})
