import { describe, expect, test } from 'vitest'
import { createBrainPlace } from './command-line.ts'

describe('brain forget', () => {
  test('says which belief is current again without the one that replaced it', async () => {
    const { run } = await createBrainPlace()
    await run(['believe', 'one'])
    await run(['revise', '1', 'two'])
    await run(['revise', '2', 'three'])
    // What replaced the forgotten one replaces the first.
    expect((await run(['forget', 'belief', '2'])).stdout).toBe('forgot 2\n')
    expect((await run(['forget', 'belief', '3'])).stdout).toBe(
      'forgot 3; belief 1, replaced until now, is current again: `brain forget belief 1` forgets it, too\n',
    )
    await run(['revise', '1', 'four'])
    const { stdout } = await run(['--json', 'forget', 'belief', '4'])
    expect(JSON.parse(stdout)).toEqual({ id: 4, current_again: [1] })
  })

  test('of a query that fits too little says how much it has to, and what to do', async () => {
    const { run } = await createBrainPlace()
    await run(['remember', 'The staging host is tin'])
    const { code, stderr } = await run(['forget', '--query', 'zebras', '--yes'])
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /no memory fits zebras with a score of 0\.5 or more.*`brain forget ID` forgets it/,
      ),
    ])
  })
})
