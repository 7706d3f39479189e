/** The user's directories by the XDG base directory specification. */
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The user's home: what the environment says, else what the system knows. A relative one would be in whatever project a
 * command is called in, with what somebody else put there.
 */
export function homeOf(environment: Environment, known = () => userInfo().homedir): string {
  if (environment.HOME !== undefined && isAbsolute(environment.HOME)) return environment.HOME
  try {
    const home = known()
    if (isAbsolute(home)) return home
  } catch {
    // A user whom the system does not know, as in containers.
  }
  // Where nobody but root can put anything.
  return '/'
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
    environment.LOCALAPPDATA === undefined ||
      !isAbsolute(environment.LOCALAPPDATA) ||
      environment.XDG_CACHE_HOME
      ? baseDirectory(environment, 'XDG_CACHE_HOME', '.cache')
      : environment.LOCALAPPDATA,
    'brain',
  )
