/** Processes of a drill: started, killed at a chosen moment or system call, waited for. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { compiledCode } from '../compiled-code.ts'
import { bundle } from './bundle.ts'
import type { Task } from './plan.ts'

/** Whether strace may look into processes here: not every container allows it. */
export const canTrace = (): boolean =>
  spawnSync('strace', ['-f', '-o', '/dev/null', process.execPath, '-e', '0']).status === 0

export interface Running {
  readonly child: ChildProcess
  /** The first line it prints; undefined when it ends before. */
  readonly firstLine: Promise<string | undefined>
  /** Resolves when it has ended, with its code; null when it was killed. */
  readonly ended: Promise<number | null>
  /** What it said on standard error so far, where that is kept. */
  readonly said: () => string
}

function watch(child: ChildProcess): Running {
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const firstLine = new Promise<string | undefined>((settle) => {
    if (child.stdout) createInterface(child.stdout).once('line', settle)
    void ended.then(() => settle(undefined))
  })
  const said: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk))
  return { child, firstLine, ended, said: () => Buffer.concat(said).toString('utf8').trim() }
}

/** A worker; with `killAt` it is killed in its n-th call of a system call. */
export async function startWorker(
  task: Task,
  killAt?: { readonly call: string; readonly n: number },
): Promise<Running> {
  const command = [process.execPath, await bundle('test/faults/worker.ts'), JSON.stringify(task)]
  const traced = killAt && [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${killAt.call}`,
    '-e',
    `inject=${killAt.call}:signal=SIGKILL:when=${killAt.n}`,
  ]
  const [program = '', ...rest] = [...(traced ?? []), ...command]
  return watch(spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] }))
}

export interface HowToStart {
  readonly environment?: Readonly<Record<string, string>>
  /** Where the package lies, if not here. */
  readonly installed?: string
  readonly workingDirectory?: string
}

/** The environment of a command over the brain in `directory`, and of nothing else of this machine. */
export const environmentIn = (
  directory: string,
  environment: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: directory,
  BRAIN_DIR: directory,
  ...compiledCode,
  ...environment,
})

/** The command line of the product, over the brain in `directory`. */
export function startBrain(
  directory: string,
  words: readonly string[],
  { environment = {}, installed = '.', workingDirectory }: HowToStart = {},
): Running {
  const child = spawn(process.execPath, [resolve(installed, 'bin/brain.js'), ...words], {
    env: environmentIn(directory, environment),
    stdio: 'pipe',
    ...(workingDirectory !== undefined && { cwd: workingDirectory }),
  })
  return watch(child)
}

/** After so many milliseconds without an answer none is coming. */
const answerTimeout = 60_000

export interface Served {
  readonly running: Running
  readonly url: string
  /** POSTs a call, GETs one without a body. @throws DOMException where no answer comes for a minute. */
  call(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
}

/** The daemon of a brain, and a client of it. @throws Error with what it said where it does not start. */
export async function serveBrain(
  directory: string,
  how: HowToStart & { readonly key: string },
): Promise<Served> {
  const words = ['serve', '--port', '0', '--json', '--no-dreams', '--log', 'off']
  const running = startBrain(directory, words, how)
  const line = await running.firstLine
  if (line === undefined) throw new Error(`the daemon did not start: ${running.said()}`)
  const { url } = JSON.parse(line) as { url: string }
  return {
    running,
    url,
    call: async (path, body) => {
      const reply = await fetch(url + path, {
        signal: AbortSignal.timeout(answerTimeout),
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'x-svc-key': how.key, ...(body && { 'content-type': 'application/json' }) },
      })
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
    },
  }
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((settle) => setTimeout(settle, milliseconds))

/** Kills as the system does when memory runs out: nothing is said, nothing is finished. */
export async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  await ended
}
