/**
 * `brain serve --detach`: a daemon that outlives the shell it was started from. Knows how such a process is started, what
 * it reports when it listens; `serve.ts` does the serving.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { brainDirectoryName } from '../../config/locate.ts'
import { openLog } from '../daemon-log.ts'
import { exitCodes, Relayed } from '../exit-codes.ts'
import { findScript } from '../own-script.ts'
import type { Session } from '../session.ts'

/** The first line of a stream; undefined where it ends before. */
async function firstLine(stream: Readable | null): Promise<string | undefined> {
  let text = ''
  for await (const chunk of stream ?? []) {
    text += String(chunk)
    if (text.includes('\n')) return text.split('\n', 1)[0]
  }
  return undefined
}

/** The daemon's last message before it ended, and its exit code. */
function failureOf(log: { file: number; size: number }, code: number | null): Relayed {
  const bytes = Buffer.alloc(65_536)
  const said = bytes.toString('utf8', 0, readSync(log.file, bytes, 0, bytes.length, log.size))
  const told = /^\{"error":.*\}$/m.exec(said)?.[0]
  const message = told === undefined ? said.trim() : String(JSON.parse(told).error)
  return new Relayed(
    message || `the daemon ended with exit code ${code} before it listened`,
    code ?? exitCodes.failed,
  )
}

/** Options of `serve` as the words they were, those left out that are the starting process's own. */
export function toWords(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    // True unless its --no-… says otherwise.
    if (value === true) return name === 'dreams' || name === 'page' ? [] : [flag]
    if (value === false) return [flag.replace('--', '--no-')]
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return values.flatMap((one) => [flag, String(one)])
  })
}

/** A daemon that listens, in a process of its own. */
export interface Detached {
  readonly url: string
  readonly pid: number
}

/** The words that lead from anywhere to the brain of a session, with its settings in `directory`. */
export function wordsTo({ isPersonal, options, terminal }: Session, directory: string): string[] {
  const { project, agent, store = terminal.environment.BRAIN_STORE || undefined } = options
  // Where a database has its settings without a project's directory, none is to be named.
  const dir = isPersonal || basename(directory) !== brainDirectoryName ? undefined : dirname(directory)
  const named = Object.entries({ dir, project, agent, ...(!isPersonal && { store }) })
  const words = named.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  return isPersonal ? ['--global', ...words] : words
}

/** Starts a daemon and waits until it listens. @throws Relayed with the daemon's own message and exit code. */
export async function startDetached(
  session: Session,
  directory: string,
  words: readonly string[],
): Promise<Detached> {
  const log = openLog(directory)
  try {
    const argv = [findScript(), 'serve', '--json', ...wordsTo(session, directory), ...words]
    const child = spawn(process.execPath, argv, {
      cwd: session.terminal.workingDirectory,
      env: { ...session.terminal.environment },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', log.file],
    })
    const ended = once(child, 'exit')
    const line = await firstLine(child.stdout)
    if (line === undefined) throw failureOf(log, (await ended)[0] as number | null)
    child.unref()
    const { url, pid } = JSON.parse(line) as Detached
    return { url, pid }
  } finally {
    closeSync(log.file)
  }
}
