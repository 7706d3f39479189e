/**
 * Runs one command of the user's in a shell, for so long and no longer, and says how it ended. Knows processes; what the
 * exit code means is its caller's.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

export interface CommandRun {
  readonly command: string
  /** Where it runs. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds it may take. */
  readonly limit: number
  readonly signal?: AbortSignal
}

export interface Ended {
  /** Null where a signal ended it, or it could not be started. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** The end of what it wrote on both streams. */
  readonly output: string
}

/** Characters of output that are kept: the end tells most. */
const keptOutput = 2_000

/** How long a command that ended is waited for to close its streams, which its own children may hold open. */
const drain = 500

/** Keeps the end of what is written. */
class Tail {
  #bytes = Buffer.alloc(0)

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-4 * keptOutput)
  }

  get text(): string {
    const text = new TextDecoder().decode(this.#bytes).replaceAll('\0', '').toWellFormed().trim()
    return text.length > keptOutput ? `…${text.slice(-keptOutput).toWellFormed()}` : text
  }
}

/** Runs it to its end. Never throws: what cannot be started has no exit code, and says why in its output. */
export function runCommand({ command, directory, environment, limit, signal }: CommandRun): Promise<Ended> {
  const tail = new Tail()
  const child = spawn(command, {
    cwd: directory,
    env: { ...environment },
    shell: true,
    // A group of its own, so that what it starts ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Gone already, or a system without groups.
      child.kill('SIGKILL')
    }
  }
  return new Promise((resolve) => {
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      end()
    }, limit)
    signal?.addEventListener('abort', end, { once: true })
    let draining: NodeJS.Timeout | undefined
    const settle = (exitCode: number | null): void => {
      clearTimeout(timer)
      clearTimeout(draining)
      signal?.removeEventListener('abort', end)
      resolve({ exitCode: timedOut ? null : exitCode, timedOut, output: tail.text })
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => tail.add(chunk))
    child.once('error', (error) => {
      tail.add(Buffer.from(error.message))
      settle(null)
    })
    const finish = (code: number | null): void => {
      // Whatever it left running is none of what was asked for. Once: the number of a group that is gone is another's some day.
      child.off('close', finish)
      end()
      settle(code)
    }
    child.once('close', finish)
    child.once('exit', (code) => {
      draining = setTimeout(finish, drain, code).unref()
    })
  })
}
