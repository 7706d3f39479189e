/** The log of hooks: one line for each that failed, since a hook itself must not say anything. Bounded. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { direct } from '../direct-files.ts'

const maxBytes = 64 * 1024
const maxLine = 500

/** Where hooks log in a `.brain` directory. */
const hookLogIn = (brain: string): string => join(brain, 'hooks.log')

/** Adds a line; when the log has grown too long, its older half goes. Never throws. */
export function logHook(brain: string, message: string, now: number): void {
  let file: number | undefined
  try {
    // A link or a pipe that a repository brought in the log's place is not followed, and not waited for.
    file = openSync(hookLogIn(brain), constants.O_RDWR | constants.O_CREAT | direct, 0o600)
    const found = fstatSync(file)
    if (!found.isFile()) return
    const line = Buffer.from(
      `${new Date(now).toISOString()} ${message.replace(/\s+/g, ' ').slice(0, maxLine)}\n`,
    )
    let end = found.size
    if (end + line.length > maxBytes) {
      const kept = Buffer.alloc(maxBytes / 2)
      const length = readSync(file, kept, 0, kept.length, Math.max(0, end - kept.length))
      const whole = kept.subarray(0, length)
      const rest = whole.subarray(whole.indexOf(10) + 1)
      ftruncateSync(file, 0)
      writeSync(file, rest, 0, rest.length, 0)
      end = rest.length
    }
    writeSync(file, line, 0, line.length, end)
  } catch {
    // There is nobody to tell.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
