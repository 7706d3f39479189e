import { expect, it } from 'vitest'
import { withoutWhereabouts } from '../../../src/core/judgement/whereabouts.ts'

const warning = 'Never run terraform apply against prod by hand'

it.each([
  ['run terraform apply from my laptop', 'run terraform apply'],
  ['apply it to prod straight from my own machine, then tell Ana', 'apply it to prod, then tell Ana'],
  ['restart redis from home', 'restart redis'],
  ['run the load test on my laptop against production', 'run the load test against production'],
  ['delete the old dump of production from my laptop', 'delete the old dump of production'],
  ['from my laptop', 'from my laptop'],
])('where somebody sits who does it is no part of what is done: %s', (plan, act) => {
  expect(withoutWhereabouts(plan, warning)).toBe(act)
})

it.each([
  ['run the load test on my laptop', warning],
  ['delete the old dump from my laptop', 'Never delete a dump before the audit'],
  ['copy the keys from the old machine', warning],
  ['deploy from my laptop', 'Never deploy from a laptop'],
  ['deploy from home', 'Deploys only from the office, never from home'],
  ['run it from my machine', 'Nothing runs locally against the shared database'],
])('where it happens, or what the warning is about, is: %s', (plan, flag) => {
  expect(withoutWhereabouts(plan, flag)).toBe(plan)
})
