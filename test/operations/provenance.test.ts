/** Under which circumstances records were kept: shown with each, and asked for by branch. */
import { expect, it } from 'vitest'
import { openSmallBrain } from './small-brain.ts'

const caller = {
  agent: 'reviewer',
  circumstances: () => ({ session: 's-1', branch: 'feature/queue', commit: 'a'.repeat(40) }),
}
const told = { session: 's-1', branch: 'feature/queue', commit: 'a'.repeat(40), origin: null }

it('every kind of record that is kept says by whom, in which session, on which branch and commit', async () => {
  const brain = await openSmallBrain()
  await brain.call('remember', { text: 'a note' }, caller)
  await brain.call('flag', { text: 'take care' }, caller)
  await brain.call('believe', { text: 'a claim' }, caller)
  await brain.call('evidence', { belief_id: 1, kind: 'supporting', strength: 0.5 }, caller)
  await brain.call('revise', { belief_id: 1, new_text: 'another claim' }, caller)
  await brain.call('predict', { prediction: 'it holds', domain: 'd' }, caller)
  await brain.call('note_about', { subject_agent: 'planner', observation: 'plans early' }, caller)
  const shown = async (kind: string, id: number) => (await brain.call('show', { kind, id })).record
  for (const [kind, id, agent] of [
    ['memory', 1, null],
    ['flag', 2, null],
    ['belief', 1, 'reviewer'],
    ['belief', 2, 'reviewer'],
    ['prediction', 1, 'reviewer'],
    ['observation', 1, null],
  ] as const) {
    expect(await shown(kind, id), `${kind} ${id}`).toMatchObject({ provenance: { ...told, agent } })
  }
  expect(await shown('belief', 1)).toMatchObject({ events: [{ provenance: { ...told, agent: 'reviewer' } }] })
})

it('a record of which nothing is known has no such member', async () => {
  const brain = await openSmallBrain()
  await brain.call('remember', { text: 'a note' })
  await brain.call('believe', { text: 'a claim' })
  for (const kind of ['memory', 'belief']) {
    expect((await brain.call('show', { kind, id: 1 })).record).not.toHaveProperty('provenance')
  }
})

it('list gives what was kept on a branch, of every kind that is kept on one, and of this project alone', async () => {
  const brain = await openSmallBrain()
  await brain.call('remember', { text: 'elsewhere' })
  await brain.call('flag', { text: 'take care' }, caller)
  await brain.call('believe', { text: 'a claim' }, caller)
  await brain.call('remember', { text: 'theirs' }, { ...caller, project: 'theirs' })
  const { total, records } = await brain.call('list', { branch: ' feature/queue ' })
  expect([total, records.map(({ kind, agent }) => [kind, agent])]).toEqual([
    2,
    [
      ['belief', 'reviewer'],
      ['flag', 'reviewer'],
    ],
  ])
  expect((await brain.call('list', { branch: 'feature' })).total).toBe(0)
  expect((await brain.call('list', { agent: 'reviewer', kinds: 'belief' })).total).toBe(1)
})

it('whoever kept anything is among the agents, also by beliefs and predictions alone', async () => {
  const brain = await openSmallBrain()
  await brain.call('believe', { text: 'a claim' }, caller)
  await brain.call('predict', { prediction: 'it holds', domain: 'd' }, { ...caller, agent: 'planner' })
  await brain.call('predict', { prediction: 'nobody says so', domain: 'd' })
  expect((await brain.call('overview', {})).agents).toEqual([
    { name: 'default', records: 1 },
    { name: 'planner', records: 1 },
    { name: 'reviewer', records: 1 },
  ])
  const said = { standing: 'open', agent: 'default' }
  expect((await brain.call('predictions', said)).predictions).toMatchObject([
    { prediction: 'nobody says so' },
  ])
  expect((await brain.call('list', { agent: 'default' })).records).toMatchObject([
    { text: 'nobody says so', agent: 'default' },
  ])
})
