/**
 * Composition root of a night that is dreamt beside a daemon: a process of its own, of low priority, with its own
 * connection to the brain's file, so that nothing it does holds up a request and all it needed is gone after it.
 */
import { setPriority } from 'node:os'
import { openBrain } from './brain.ts'
import { reasonOf } from './core/errors.ts'
import { dreamNight } from './dreams/night.ts'
import type { NightJob, NightReport } from './dreams/process.ts'
import { createReword } from './dreams/reword.ts'

/** Of 19: requests come first where both want the processor. */
const niceness = 10

const report = (message: NightReport): Promise<void> =>
  new Promise((resolve) => {
    // A daemon that went away hears nothing; then there is nobody to tell.
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, () => resolve())
  })

const stop = new AbortController()
// The daemon says when to stop, or is gone; what a terminal sends to both is its business alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => {})
process.on('disconnect', () => stop.abort())

async function dream({ directory, config, project, now, seed, timeZone }: NightJob): Promise<number> {
  const warn = (message: string): void => void report({ warning: message })
  const brain = await openBrain({ directory, config, as: 'worker', label: 'brain dreaming', warn })
  try {
    const dreams = await dreamNight(brain.context({ project, agent: config.agent }), {
      now,
      seed,
      timeZone,
      limit: config['dream.max'],
      reword: createReword({ config, environment: process.env, warn }),
      signal: stop.signal,
    })
    return dreams.length
  } finally {
    await brain.close()
  }
}

// The first message is the order, sent by `dreams/process.ts` and by nobody else; a second one says to stop.
process.once('message', async (order: NightJob) => {
  process.once('message', () => stop.abort())
  try {
    setPriority(niceness)
  } catch {
    // Not allowed here: the night is dreamt all the same.
  }
  try {
    await report({ dreams: await dream(order) })
  } catch (error) {
    await report({ failure: reasonOf(error) })
  }
  if (process.connected) process.disconnect()
})
