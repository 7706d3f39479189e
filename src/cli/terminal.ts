/** Where a command reads and writes: the process's own streams, or a test's. */
import type { Readable, Writable } from 'node:stream'
import { describeFault } from '../config/file-faults.ts'
import { BrainError, codeOf } from '../core/errors.ts'
import type { StopSignal } from './interrupt.ts'

export interface Terminal {
  readonly stdin: Readable
  /** Data, and nothing but data. */
  readonly stdout: Writable
  /** Talk: warnings, progress, errors. */
  readonly stderr: Writable
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  /** The user that the process acts as; absent on systems without such numbers. */
  readonly uid?: number | undefined
  /** Whether a person reads standard output. */
  readonly interactive: boolean
  readonly colour: boolean
  /** Whether a person follows standard error, so that progress can be drawn there; false when absent. */
  readonly attended?: boolean
  /** Whether a person answers on standard input; false when absent. */
  readonly answering?: boolean
  /** Width of the terminal in columns, where there is one. */
  readonly columns?: number | undefined
  /**
   * Writes to standard output as much as the system takes at once, and returns how many bytes that was: a stream,
   * which costs more to open than most commands cost to run, is then not needed.
   */
  readonly take?: (bytes: Uint8Array) => number
  /**
   * Waits for the next bytes of standard input and returns how many there are in `room`, 0 at the end; absent where a
   * person types them. For the same reason.
   */
  readonly give?: ((room: Uint8Array) => number) | undefined
  /** Calls `listener` once, when the process is asked to stop (Ctrl-C), instead of ending it. Returns how to stop listening. */
  readonly onInterrupt?: (listener: (signal?: StopSignal) => void) => () => void
}

/** Whether a write failed because the reader went away (`| head -1`). */
export const isClosedPipe = (error: unknown): boolean =>
  ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(codeOf(error) ?? '')

/**
 * Writes to a stream and waits until it is taken, so that large output is never cut at exit.
 * @throws BrainError `failed` where the stream takes no more; the closed pipe as it is.
 */
export const write = (stream: Writable, text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(toFailure(error)) : resolve()))
  })

function toFailure(error: Error): Error {
  if (isClosedPipe(error)) return error
  return new BrainError('failed', `cannot write the output: ${describeFault(error) ?? error.message}`, {
    cause: error,
  })
}

/** Prints on standard output, and waits until all of it is taken. @throws as `write` does. */
export async function print(terminal: Terminal, text: string): Promise<void> {
  if (terminal.take === undefined) return write(terminal.stdout, text)
  let rest: Uint8Array = Buffer.from(text)
  try {
    while (rest.length > 0) rest = rest.subarray(terminal.take(rest))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (codeOf(error) !== 'EAGAIN') throw toFailure(error)
    // A pipe that somebody made non-blocking is full: a stream knows how to wait.
    await write(terminal.stdout, rest)
  }
}

/** What comes on standard input, piece by piece. */
export async function* inputOf(terminal: Terminal): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(65_536)
  try {
    for (;;) {
      const length = terminal.give?.(room)
      if (length === undefined) break
      if (length === 0) return
      yield room.slice(0, length)
    }
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    if (codeOf(error) === 'EOF') return
    // A pipe that somebody made non-blocking is empty: a stream knows how to wait.
    if (codeOf(error) !== 'EAGAIN') throw error
  }
  yield* terminal.stdin
}

/** At most `limit` bytes of what comes, and whether there were more. */
export async function readUpTo(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ bytes: Uint8Array; complete: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length > limit) return { bytes: Buffer.concat(chunks).subarray(0, limit), complete: false }
  }
  return { bytes: Buffer.concat(chunks), complete: true }
}
