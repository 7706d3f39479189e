/**
 * Opens databases with the compiled SQLite this process can load: the one that came with the package for this
 * platform and this Node's binary interface, else the one better-sqlite3's own installation made. Knows nothing
 * of what is in them.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'

const require = createRequire(import.meta.url)

/** The nearest `native/` upwards that has a file for this platform and Node. */
function findShipped(): string | undefined {
  const name = join('native', `better-sqlite3-${platform()}-${arch()}-${versions.modules}.node`)
  let directory = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    if (existsSync(join(directory, name))) return join(directory, name)
    const parent = dirname(directory)
    if (parent === directory) return undefined
    directory = parent
  }
}

function findInstalled(): string | undefined {
  try {
    return require.resolve('better-sqlite3/build/Release/better_sqlite3.node')
  } catch {
    return undefined
  }
}

/** Why `file` cannot be loaded here: another C library, another Node. Undefined when it can. */
function refusal(file: string): string | undefined {
  try {
    require(file)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
  }
}

let found: string | undefined

/** Absolute path of a compiled SQLite that loads. @throws BrainError `storage` with the way to get one. */
function sqliteBinding(): string {
  if (found !== undefined) return found
  const reasons: string[] = []
  for (const file of [findShipped(), findInstalled()]) {
    if (file === undefined) continue
    const reason = refusal(file)
    if (reason === undefined) {
      found = file
      return file
    }
    reasons.push(reason)
  }
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  throw new BrainError(
    'storage',
    `no compiled SQLite loads on ${platform()}-${arch()} with Node ${versions.node}${why}: install brain again where npm can reach github.com or compile C++ (docs/installing.md)`,
  )
}

/** As better-sqlite3's own constructor. @throws BrainError `storage` when no compiled SQLite loads here. */
export const loadDatabase = (
  file: string | Buffer,
  options: BetterSqlite3.Options = {},
): BetterSqlite3.Database => new BetterSqlite3(file, { ...options, nativeBinding: sqliteBinding() })
