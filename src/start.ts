/**
 * Starts the command with bytecode from earlier runs: compiling its files takes a cold command as long as an empty
 * node takes. On Node 22 and newer Node caches it, before that `compile-cache.ts`. Knows the user's cache; nothing about
 * brains. Whatever is wrong with the cache, the command runs without it.
 */
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Cache, runWithCompileCache } from './compile-cache.ts'
import { cacheDirectory } from './config/user-directories.ts'
import { msPerDay } from './core/durations.ts'
import { makeDirectories } from './make-directories.ts'

/** Hash of all files of the command: bytecode of other builds is never used. */
declare const BRAIN_BUILD: string
declare const require: (name: string) => unknown

/** What Node 22 has and the types of Node 20 do not. */
interface NodeModule {
  readonly enableCompileCache?: (directory: string) => unknown
}

const longestLife = 30 * msPerDay
const directory = join(cacheDirectory(process.env), 'code')
const main = join(__dirname, 'main.cjs')

function sweep(own: string): void {
  const oldest = Date.now() - longestLife
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (!name.startsWith(own) && statSync(path).mtimeMs < oldest)
      rmSync(path, { recursive: true, force: true })
  }
}

/** V8 trusts its input, so the cache must be writable only by this user. */
const isOwn: Cache['isOwn'] = ({ uid, mode }) =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)

/** Each build has its own directory, since Node never deletes its cache. */
function enable(enableCompileCache: (directory: string) => unknown): void {
  const own = join(directory, BRAIN_BUILD)
  try {
    if (!existsSync(own)) {
      makeDirectories(own)
      sweep(BRAIN_BUILD)
    }
    if (isOwn(lstatSync(directory)) && isOwn(lstatSync(own))) enableCompileCache(own)
  } catch {
    // A cache that cannot be written is none.
  }
}

/** Asked of later versions alone: to load Node's module of modules takes Node 20 a millisecond. */
const { enableCompileCache } = (
  Number.parseInt(process.versions.node, 10) < 22 ? {} : process.getBuiltinModule('node:module')
) as NodeModule
if (enableCompileCache === undefined)
  runWithCompileCache(main, { directory, build: BRAIN_BUILD, isOwn, sweep })
else {
  // Node looks at this by itself, but only once the directory is made.
  if (process.env.NODE_DISABLE_COMPILE_CACHE === undefined) enable(enableCompileCache)
  require(main)
}
