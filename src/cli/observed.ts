/** Evidence that a command collects by itself: from a report in a file, and from how another command ends. */
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { cannotRead } from '../config/file-faults.ts'
import { inName } from '../core/circumstances.ts'
import { BrainError, codeOf } from '../core/errors.ts'
import { fromRoot } from './cited-paths.ts'
import type { Session } from './session.ts'
import { inputOf, readUpTo } from './terminal.ts'

type Input = Readonly<Record<string, unknown>>

/** Members that an observation brings, what to say of it once it is kept, and the exit code of the command that made it. */
export interface Observed {
  readonly input: Input
  readonly said?: string
  readonly exitCode?: number
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

async function readReportFile(session: Session, file: string): Promise<string> {
  const { decodeReport, maxReportBytes } = await import('../runs/index.ts')
  const stream = file === '-' ? inputOf(session.terminal) : createReadStream(session.path(file))
  try {
    return decodeReport((await readUpTo(stream, maxReportBytes + 1)).bytes)
  } catch (error) {
    if (error instanceof BrainError || !(error instanceof Error)) throw error
    throw cannotRead(file, error)
  }
}

/** A report's result as members of `evidence`. @throws BrainError `invalid` where it has none. */
export async function observeReport(
  input: Input,
  { from, test }: { from: string; test: string | undefined },
  session: Session,
): Promise<Observed> {
  const report = await readReportFile(session, from)
  const { observe } = await import('../operations/evidence-from.ts')
  const { strength, note, source } = input
  const told = {
    report,
    test,
    strength: typeof strength === 'number' ? strength : null,
    note: textOf(note),
    source: textOf(source),
  }
  const path = from === '-' ? undefined : fromRoot(session)(from)
  // Where a file elsewhere lies is nothing for others who read the source.
  const observed = observe(told, path?.startsWith('../') ? basename(path) : path)
  return { input: { ...input, ...observed }, said: observed.note.split('\n').at(-1) ?? '' }
}

/** A command's words as one line for people. */
const lineOf = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')

/** Runs a command to its end; what it writes is talk. @throws BrainError `failed` where it does not start or is killed. */
function run(words: readonly string[], { terminal }: Session): Promise<number> {
  const [program = '', ...rest] = words
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      cwd: terminal.workingDirectory,
      env: { ...terminal.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.pipe(terminal.stderr, { end: false })
    child.stderr.pipe(terminal.stderr, { end: false })
    const failed = (why: string): void =>
      reject(
        new BrainError(
          'failed',
          `${program} ${why}: nothing is recorded, since that says nothing of the belief`,
        ),
      )
    child.once('error', (error) => {
      const why = codeOf(error) === 'ENOENT' ? 'there is no such program' : error.message
      failed(`did not start (${why})`)
    })
    child.once('close', (code, signal) => (code === null ? failed(`was ended by ${signal}`) : resolve(code)))
  })
}

/** The end of a command as members of `evidence`. */
export async function observeCommand(
  input: Input,
  words: readonly string[],
  session: Session,
): Promise<Observed> {
  if (words.length === 0)
    throw new BrainError('invalid', 'watch-exit needs a command: brain evidence 3 --watch-exit -- npm test')
  const { runStrength } = await import('../operations/evidence-from.ts')
  const exitCode = await run(words, session)
  const line = [...lineOf(words)].slice(0, 200).join('')
  const ended = `\`${line}\` ended with ${exitCode}`
  const note = textOf(input.note)
  return {
    exitCode,
    input: {
      ...input,
      kind: exitCode === 0 ? 'supporting' : 'refuting',
      strength: input.strength ?? runStrength,
      note: note === undefined ? ended : `${note}\n${ended}`,
      source: input.source ?? inName(`command ${line}`),
    },
  }
}
