/** A program on a terminal of its own, by way of script(1), and a person who reads and types. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { childEnvironment, program } from './command-line.ts'

export interface Person {
  /** Everything on the screen so far, colours and cursor movements left out. */
  screen(): string
  /** Waits until the screen shows `text` after what was last waited for. */
  sees(text: string): Promise<void>
  types(keys: string): void
  /** Exit code of the program. */
  leaves(): Promise<number>
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Starts the built command on a terminal. */
export function sitDown(directory: string, argv: readonly string[]): Person {
  // A new terminal has no size.
  const line = `stty cols 100 rows 40; exec ${[process.execPath, program, ...argv].map(quote).join(' ')}`
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: directory,
    env: { ...childEnvironment(directory), TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: 'pipe',
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let raw = ''
  child.stdout.on('data', (chunk: Buffer) => {
    raw += chunk.toString('utf8')
  })
  const ended = once(child, 'close')
  const screen = (): string => raw.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '')
  let seen = 0
  return {
    screen,
    sees: async (text) => {
      for (;;) {
        const at = screen().indexOf(text, seen)
        if (at >= 0) {
          seen = at + text.length
          return
        }
        if (child.exitCode !== null) throw new Error(`ended without showing ${text}:\n${screen()}`)
        await sleep(20)
      }
    },
    types: (keys) => child.stdin.write(keys),
    leaves: async () => Number((await ended)[0]),
  }
}
