/** The tally of calls is one, whoever calls: daemon, shell and other processes on the same brain. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBrainPlace, runBuilt } from '../cli/command-line.ts'
import { call, startTestDaemon } from '../http/daemon.ts'

it('calls through HTTP and through the command line are counted together', async () => {
  const place = await createBrainPlace()
  const daemon = await startTestDaemon({ directory: join(place.directory, '.brain') })
  await call(daemon, '/v1/believe', { body: { text: 'x' } })
  await call(daemon, '/v1/believe', { body: { text: 'y' } })
  expect((await runBuilt(place.directory, ['believe', 'z'])).code).toBe(0)
  expect((await runBuilt(place.directory, ['evidence-for', '9'])).code).toBe(3)
  expect((await runBuilt(place.directory, ['evidence', '1', '--strength', '0.5'])).code).toBe(2)

  const calls = ({ load, active_minutes }: { load: number; active_minutes: number }) =>
    Math.round(load * active_minutes)
  const here = (await call(daemon, '/v1/state')).body as { load: number; active_minutes: number }
  expect(calls(here)).toBe(4)
  // The daemon writes its own calls in batches.
  const told = async () => calls(JSON.parse((await runBuilt(place.directory, ['state', '--json'])).stdout))
  await expect.poll(told, { interval: 200 }).toBe(4)
})
