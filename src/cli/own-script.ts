/** Where this program starts, for whatever starts it again: an agent's settings, a service, its own daemon. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
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

/** What a path resolves to where it may be run; undefined where it may not, or is not there. */
function runnable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK)
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** npm puts these on the path for one command only, as `npx brain` does. */
const passing = /[\\/]node_modules[\\/]\.bin[\\/]?$/

/**
 * Whether a shell that is told `brain` starts this program. Never on Windows: what npm puts on the path there is a `.cmd`,
 * which not every agent can start.
 */
export function isOnPath(path: string): boolean {
  if (process.platform === 'win32') return false
  const places = path.split(delimiter).filter((place) => isAbsolute(place) && !passing.test(place))
  for (const place of places) {
    const found = runnable(join(place, 'brain'))
    if (found !== undefined) return found === realpathSync(findScript())
  }
  return false
}
