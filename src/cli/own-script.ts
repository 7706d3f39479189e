/** Where this program starts, for whatever starts it again: an agent's settings, a service, its own daemon. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BrainError } from '../core/errors.ts'

/** `bin/brain.js`, wherever its code was bundled to. @throws BrainError `failed` where it cannot be found from there. */
export function findScript(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < 5; level += 1) {
    const script = join(directory, 'bin', 'brain.js')
    if (existsSync(script)) return script
    directory = dirname(directory)
  }
  throw new BrainError('failed', 'bin/brain.js is not beside this program: reinstall brain')
}
