/** Dreams a night in a separate process. Knows how to start it, stop it and survive it; the night itself runs there. */
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { BrainError } from '../core/errors.ts'
import { heapGrowth } from '../heap.ts'

/** What the process is started with. */
export interface NightJob {
  readonly directory: string
  readonly config: Config
  readonly project: string
  readonly now: number
  readonly seed: number
  /** IANA name. */
  readonly timeZone: string
}

/** Messages of the process; the last one is the number of dreams kept, or why the night failed. */
export type NightReport =
  | { readonly warning: string }
  | { readonly dreams: number }
  | { readonly failure: string }

/** Megabytes of JavaScript heap beside which a night must do. */
const heapLimit = 512
/** Milliseconds a night has to end after it was asked to. */
const grace = 2_000

/** The bundled entry of the process: beside this code or above it. */
function entryFile(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < 3; level += 1) {
    const candidate = join(directory, 'night-process.js')
    if (existsSync(candidate)) return candidate
    directory = dirname(directory)
  }
  throw new BrainError('failed', 'night-process.js is missing: reinstall brain')
}

/** Resolves to the number of dreams kept. @throws BrainError `failed` when the night does. */
export function runNightInChild(
  order: NightJob,
  { signal, warn }: { signal: AbortSignal; warn: (message: string) => void },
): Promise<number> {
  const child = fork(entryFile(), [], {
    execArgv: [`--max-old-space-size=${heapLimit}`, `--heap-growing-percent=${heapGrowth}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let kept: number | undefined
  let failure = 'its process ended early'
  const stop = (): void => {
    if (child.connected) child.send('stop', () => {})
    setTimeout(() => child.kill('SIGKILL'), grace).unref()
  }
  signal.addEventListener('abort', stop, { once: true })
  child.on('message', (report: NightReport) => {
    if ('warning' in report) warn(report.warning)
    else if ('dreams' in report) kept = report.dreams
    else failure = report.failure
  })
  child.once('error', (error) => {
    failure = error.message
  })
  child.send(order, () => {})
  if (signal.aborted) stop()
  return new Promise<number>((resolve, reject) => {
    child.once('close', () => {
      signal.removeEventListener('abort', stop)
      if (kept !== undefined) resolve(kept)
      else reject(new BrainError('failed', `no dreams: ${failure}`))
    })
  })
}
