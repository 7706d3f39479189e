/** Command lines run in this process on a terminal of strings, and in a process of their own. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { runCli } from '../../src/cli/program.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { compiledCode } from '../compiled-code.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

class Collector extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8')
    done()
  }
}

export interface Place {
  /** The working directory; the home directory is `home` in it. */
  readonly directory: string
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>
}

interface RunOptions extends Partial<Omit<Terminal, 'stdin' | 'stderr'>> {
  readonly stdin?: string | Uint8Array
}

/** A fresh directory to run commands in, without an embedder unless the environment names one. */
export function createPlace(environment: Record<string, string> = {}): Place {
  const directory = temporaryDirectory()
  const own = { HOME: resolve(directory, 'home'), BRAIN_EMBEDDER: 'none', ...environment }
  return {
    directory,
    run: async (argv, { stdin, ...options } = {}) => {
      const stdout = new Collector()
      const stderr = new Collector()
      const code = await runCli(argv, {
        stdin: stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(stdin)]),
        stdout,
        stderr,
        workingDirectory: directory,
        interactive: false,
        colour: false,
        ...options,
        environment: { ...own, ...options.environment },
      })
      return { code, stdout: stdout.text, stderr: stderr.text }
    },
  }
}

/** The same with a brain in it. */
export async function createBrainPlace(environment?: Record<string, string>): Promise<Place> {
  const place = createPlace(environment)
  const { code, stderr } = await place.run(['init', '--yes'])
  if (code !== 0) throw new Error(stderr)
  return place
}

/** Where the command starts. */
export const program = resolve('bin/brain.js')

/** The environment of a child: nothing of this machine's brains. */
export const childEnvironment = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: resolve(directory, 'home'),
  BRAIN_EMBEDDER: 'none',
  ...compiledCode,
})

export interface Finished extends Ran {
  readonly signal: NodeJS.Signals | null
}

/** Runs any program to its end. */
export function execute(
  file: string,
  argv: readonly string[],
  { stdin, ...options }: SpawnOptions & { stdin?: string | Uint8Array } = {},
): Promise<Finished> {
  return new Promise((done, reject) => {
    const child = spawn(file, argv, { ...options, stdio: 'pipe' })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    // A command that reads nothing closes its end early.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    child.once('error', reject)
    child.once('close', (code, signal) =>
      done({
        code: code ?? -1,
        signal,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    )
  })
}

/** Runs the built command in `directory`. */
export const runBuilt = (
  directory: string,
  argv: readonly string[],
  options: { stdin?: string | Uint8Array; env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> =>
  execute(process.execPath, [program, ...argv], {
    cwd: directory,
    ...options,
    env: { ...childEnvironment(directory), ...options.env },
  })
