/** Where the commands that tests start keep what Node has compiled of them: each with a home of its own would compile it anew. */
import { resolve } from 'node:path'

export const compiledCode = { XDG_CACHE_HOME: resolve('.cache', 'compiled') }
