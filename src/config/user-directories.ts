/** The user's directories by the XDG base directory specification. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** The user's home: what the environment says, else what the system knows. */
export function homeOf(environment: Environment, known = homedir): string {
  try {
    return environment.HOME || known()
  } catch {
    // A user whom the system does not know, as in containers: the root, where nobody but root can put anything.
    return '/'
  }
}

/** What `variable` names, unless it is relative, which the specification tells us to ignore. */
export function baseDirectory(environment: Environment, variable: string, fallback: string): string {
  const named = environment[variable]
  return named !== undefined && isAbsolute(named) ? named : join(homeOf(environment), fallback)
}

/** What is the user's own and made by nobody else: to be kept, and backed up. */
export const dataDirectory = (environment: Environment): string =>
  join(baseDirectory(environment, 'XDG_DATA_HOME', '.local/share'), 'brain')

/** Caches, which may be deleted at any time. */
export const cacheDirectory = (environment: Environment): string =>
  join(
    environment.LOCALAPPDATA === undefined || environment.XDG_CACHE_HOME
      ? baseDirectory(environment, 'XDG_CACHE_HOME', '.cache')
      : environment.LOCALAPPDATA,
    'brain',
  )
