/** Composition root of the `brain` command: the process's own streams, environment and signals, and nothing else. */
import { fstatSync, readSync, statSync, writeSync } from 'node:fs'
import { stopSignals } from './cli/interrupt.ts'
import { runCli } from './cli/program.ts'
import type { Terminal } from './cli/terminal.ts'
import { BrainError } from './core/errors.ts'

/** Errors of a stream are reported to its writer; without a listener they would end the process with a stack trace. */
function guarded<T extends NodeJS.WriteStream>(stream: T): T {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  return stream
}

const [standardInput, standardOutput] = [0, 1]
const environment = process.env

/** What `/dev/null` is; Windows has none. */
const nullDevice =
  process.platform === 'win32' ? undefined : statSync('/dev/null', { throwIfNoEntry: false })?.rdev

/** Only a device can be a terminal, but for the null device, and only for one is it worth opening the stream to ask. */
function isTerminal(descriptor: number, stream: () => NodeJS.WriteStream): boolean {
  try {
    const found = fstatSync(descriptor)
    return found.isCharacterDevice() && found.rdev !== nullDevice && stream().isTTY === true
  } catch {
    return false
  }
}

/** Whether something else than a device is read, as a pipe or a file. */
function isPiped(descriptor: number): boolean {
  try {
    return !fstatSync(descriptor).isCharacterDevice()
  } catch {
    return false
  }
}

const interactive = isTerminal(standardOutput, () => process.stdout)

/** Opening a standard stream takes milliseconds, so each is opened by the first who uses it. */
const terminal: Terminal = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return guarded(process.stdout)
  },
  get stderr() {
    return guarded(process.stderr)
  },
  environment,
  get workingDirectory() {
    try {
      return process.cwd()
    } catch (error) {
      throw new BrainError('failed', 'the working directory is gone: change into one that is there', {
        cause: error,
      })
    }
  },
  uid: process.geteuid?.(),
  interactive,
  colour: interactive && !environment.NO_COLOR && environment.TERM !== 'dumb',
  take: (bytes) => writeSync(standardOutput, bytes),
  get give() {
    return isPiped(standardInput) ? (room: Uint8Array) => readSync(standardInput, room) : undefined
  },
  get attended() {
    return isTerminal(2, () => process.stderr)
  },
  get answering() {
    return process.stdin.isTTY === true
  },
  get columns() {
    return interactive ? process.stdout.columns : undefined
  },
  onInterrupt: (listener) => {
    // Only once: a second Ctrl-C ends the process as it would without us.
    for (const signal of stopSignals) process.once(signal, listener)
    return () => {
      for (const signal of stopSignals) process.off(signal, listener)
    }
  },
}

// Whoever runs this uses what it writes, and nobody else a brain, whatever the mask says.
process.umask(process.umask(0o077) & 0o077)

// Node would open a port through which any user of the machine can look into the process, and run code in it.
process.on('SIGUSR1', () => {})

runCli(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode
})
