/**
 * Lets one process at a time read a small file, change it and put it back: who reads what another is about to replace would
 * undo that one's change. A lock is a file beside it, made by whoever comes first; that of a process that is gone counts for
 * nothing. Knows only that.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { BrainError, codeOf } from './core/errors.ts'
import { readPlain } from './direct-files.ts'
import { makeDirectories } from './make-directories.ts'
import { isAlive, isOfLife, lifeOf } from './process-life.ts'

/** Milliseconds between two looks at a lock, and how long one is waited for: it is held for as long as a file is written. */
const interval = 5
const timeout = 5_000

/** Bytes of a lock at most: longer files are not ours. */
const maxBytes = 256

/** How long a lock may say nothing, in milliseconds: it is made first, and its process named in it then. */
const timeToName = 1_000

interface Holder {
  readonly text: string
  readonly written: number
}

/** What a lock says; undefined where there is none any more. */
function readLock(lock: string): Holder | undefined {
  try {
    const found = readPlain(lock, maxBytes)
    return { text: found?.bytes.toString() ?? '', written: found?.written ?? 0 }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Whether the process that made a lock still runs. */
function isHeld({ text, written }: Holder): boolean {
  const [pid = '', life = ''] = text.split('\n')
  if (!/^\d+$/.test(pid)) return Date.now() - written < timeToName
  return isAlive(Number(pid)) && isOfLife(Number(pid), life, written)
}

/** Makes the lock; false where there is one. @throws the system's error. */
function take(lock: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(lock, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, `${process.pid}\n${lifeOf(process.pid)}`)
    return true
  } catch (error) {
    // On a full disk it would be left without a name.
    rmSync(lock, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Removes a lock that nobody holds, unless it is another by now. */
function clear(lock: string, left: Holder): void {
  const aside = `${lock}-${process.pid}`
  try {
    renameSync(lock, aside)
    if (readLock(aside)?.text !== left.text && !existsSync(lock)) renameSync(aside, lock)
  } catch (error) {
    // Another was faster.
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

const wait = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, interval)

/** Whether the lock was made; false where nothing can be made here. @throws BrainError `busy` after some seconds. */
function acquire(lock: string, pause: () => void): boolean {
  const deadline = Date.now() + timeout
  try {
    makeDirectories(dirname(lock))
    while (!take(lock)) {
      const holder = readLock(lock)
      if (holder === undefined) continue
      if (!isHeld(holder)) clear(lock, holder)
      else if (Date.now() < deadline) pause()
      else {
        const file = lock.slice(0, -'.lock'.length)
        throw new BrainError('busy', `another process is changing ${file}: try again, or remove ${lock}`)
      }
    }
    return true
  } catch (error) {
    if (error instanceof BrainError) throw error
    // Where no lock can be made no file can: whoever writes it says so in words of its own.
    return false
  }
}

/**
 * Does `work`, which reads `file` and replaces it, while no other process does the same. @throws BrainError `busy` where
 * another takes longer than any does.
 */
export function whileLocked<T>(file: string, work: () => T, { pause = wait } = {}): T {
  const lock = `${file}.lock`
  const locked = acquire(lock, pause)
  try {
    return work()
  } finally {
    if (locked) rmSync(lock, { force: true })
  }
}
