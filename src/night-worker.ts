/**
 * Composition root of a night that is dreamt beside a daemon: a thread with its own connection to the brain's
 * file, so that nothing it does holds up a request.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openBrain } from './brain.ts'
import { dreamNight } from './sleep/night.ts'
import { createReword } from './sleep/reword.ts'
import type { NightOrder, NightReport } from './sleep/worker.ts'

// Started by `sleep/worker.ts` with exactly this, and by nobody else.
const order = workerData as NightOrder
const report = (message: NightReport): void => parentPort?.postMessage(message)
const warn = (message: string): void => report({ warning: message })

const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

try {
  const { directory, config, project } = order
  const brain = await openBrain({ directory, config, label: 'brain dreaming', warn })
  try {
    const dreams = await dreamNight(brain.context({ project, agent: config.agent }), {
      now: order.now,
      seed: order.seed,
      timeZone: order.timeZone,
      most: config['dream.max'],
      reword: createReword({ config, environment: process.env, warn }),
      signal: stop.signal,
    })
    report({ dreams: dreams.length })
  } finally {
    await brain.close()
  }
} catch (error) {
  report({ failure: error instanceof Error ? error.message : String(error) })
} finally {
  parentPort?.close()
}
