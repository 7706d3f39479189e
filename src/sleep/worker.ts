/**
 * Dreams a night in a thread of its own. Knows how the thread is started, told to stop and outlived; the night
 * is the thread's.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config/config.ts'
import { BrainError } from '../core/errors.ts'

/** What the thread is started with. */
export interface NightOrder {
  readonly directory: string
  readonly config: Config
  readonly project: string
  readonly now: number
  readonly seed: number
  readonly timeZone: string
}

/** What the thread says; the last word is how many dreams were kept, or why the night failed. */
export type NightReport =
  | { readonly warning: string }
  | { readonly dreams: number }
  | { readonly failure: string }

/** Megabytes of JavaScript heap after which the night ends rather than the daemon. */
const heapLimit = 512
/** Milliseconds a night has to end after it was asked to. */
const grace = 2_000

/** The bundled entry of the thread: beside this code or above it. */
function workerFile(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < 3; level += 1) {
    const candidate = join(directory, 'night-worker.js')
    if (existsSync(candidate)) return candidate
    directory = dirname(directory)
  }
  throw new BrainError('failed', 'night-worker.js is missing: reinstall brain')
}

/** Resolves to the number of dreams kept. @throws BrainError `failed` when the night does. */
export function dreamInWorker(
  order: NightOrder,
  { signal, warn }: { signal: AbortSignal; warn: (message: string) => void },
): Promise<number> {
  const worker = new Worker(workerFile(), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
  })
  let kept: number | undefined
  let failure = 'the thread ended early'
  const stop = (): void => {
    worker.postMessage('stop')
    setTimeout(() => void worker.terminate(), grace).unref()
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  worker.on('message', (report: NightReport) => {
    if ('warning' in report) warn(report.warning)
    else if ('dreams' in report) kept = report.dreams
    else failure = report.failure
  })
  return new Promise<number>((resolve, reject) => {
    worker.once('error', (error) => {
      failure = error.message
    })
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      if (kept !== undefined) resolve(kept)
      else reject(new BrainError('failed', `no dreams: ${failure}`))
    })
  })
}
