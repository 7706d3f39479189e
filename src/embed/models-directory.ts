/** Where the user's cache is: of models, and of what was once made with them. Nothing else is known here. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where models are kept: the user's cache directory. */
export function modelsDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const cache = environment.XDG_CACHE_HOME
  const base =
    cache && isAbsolute(cache)
      ? cache
      : (environment.LOCALAPPDATA ?? join(environment.HOME || homedir(), '.cache'))
  return join(base, 'brain', 'models')
}
