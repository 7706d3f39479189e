/** `brain stop`: ends the daemon that serves this brain, and waits until it is gone. */
import type { Command } from 'commander'
import { pause } from '../../clock.ts'
import { findDaemon } from '../../config/daemon-note.ts'
import { BrainError, reasonOf } from '../../core/errors.ts'
import type { Session } from '../session.ts'

/** A daemon takes five seconds at most; a moment more, in milliseconds. */
const timeout = 8_000
const interval = 50

async function stop(session: Session): Promise<void> {
  const { place } = session
  const daemon = findDaemon(place)
  if (daemon === undefined) {
    throw new BrainError('refused', 'no daemon serves this brain: `brain serve --detach` starts one')
  }
  const { pid, url } = daemon
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    const reason = reasonOf(error)
    throw new BrainError('failed', `cannot stop process ${pid}: ${reason}`, { cause: error })
  }
  for (let waited = 0; findDaemon(place)?.pid === pid; waited += interval) {
    if (waited >= timeout) {
      throw new BrainError(
        'failed',
        `the daemon did not stop within ${timeout / 1000} s: end process ${pid} yourself`,
      )
    }
    await pause(interval)
  }
  await session.print(
    { url, pid, dir: place.directory },
    () => `stopped the daemon at ${url} (process ${pid})`,
  )
}

export function configureStop(command: Command, open: () => Session): void {
  command.action(() => stop(open()))
}
