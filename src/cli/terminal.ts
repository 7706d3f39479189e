/** Where a command reads and writes: the process's own streams, or a test's. */
import type { Readable, Writable } from 'node:stream'

export interface Terminal {
  readonly stdin: Readable
  /** Data, and nothing but data. */
  readonly stdout: Writable
  /** Talk: warnings, progress, errors. */
  readonly stderr: Writable
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  /** Whether a person reads standard output. */
  readonly interactive: boolean
  readonly colour: boolean
}

/** Writes to a stream and waits until it is taken, so that large output is never cut at exit. */
export const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** All of standard input as UTF-8. */
export async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
