/**
 * Loads the command's files with bytecode from earlier runs, for Node 20, which has no such cache. Knows the files and
 * the user's cache. To be deleted with the support for Node 20.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writevSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { makeDirectories } from './make-directories.ts'

declare const require: (name: string) => unknown

interface Kept {
  /** Commands that had run when this was written; others need functions that are not in it. */
  readonly words: readonly string[]
  readonly code: Buffer
}

interface Loaded {
  readonly script: Script
  readonly file: string
  readonly words: readonly string[]
}

const { argv, env, execArgv } = process
const maxWords = 64
/** More than a heading of `maxWords` names takes. */
const part = Buffer.allocUnsafeSlow(65_536)

const isName = (argument = ''): boolean => /^[a-z][a-z-]{1,29}$/i.test(argument)
const given = argv.slice(2, 8)
const command = given.find((argument) => isName(argument) && argument === argument.toLowerCase()) ?? '-'
const event = given[given.indexOf(command) + 2]

/** What to call this run by: the command's name, wherever options leave it. Each event of a hook needs code of its own. */
const word = command === 'hook' && isName(event) ? `${command}:${event}` : command

/** Only complete files that this user wrote are used. */
function readKept(file: string, isOwn: Cache['isOwn']): Kept | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const status = fstatSync(descriptor)
    if (!isOwn(status)) return undefined
    const { size } = status
    const heading = part.toString('latin1', 0, readSync(descriptor, part, 0, part.length, 0))
    const start = heading.indexOf('\n') + 1
    const half = (size - start) / 2
    // V8 copies code that begins at an odd address, and new memory is dear: one piece of the second half after the other.
    const code = Buffer.allocUnsafeSlow(half)
    if (half === 0 || readSync(descriptor, code, 0, half, start) < half) return undefined
    // Kept twice: to compare is quicker than to load Node's checksums, or to wait for the disk when it is kept.
    for (let at = 0; at < half; at += part.length) {
      const length = readSync(descriptor, part, 0, part.length, start + half + at)
      if (!code.subarray(at, at + part.length).equals(part.subarray(0, length))) return undefined
    }
    return { words: heading.slice(0, start - 1).split(' '), code }
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function keep({ script, file, words }: Loaded): void {
  const code = withUsualFlags(() => script.createCachedData())
  const draft = `${file}.${process.pid}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    const heading = Buffer.from(`${[...words, word].join(' ')}\n`)
    // What a full disk cut short is not whole, and not taken.
    writevSync(descriptor, [heading, code, code])
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Does `work` under V8's usual flags, whatever the process has set for itself: `heap.ts` says how. */
function withUsualFlags<T>(work: () => T): T {
  const { [Symbol.for('brain.usualFlags')]: within } = globalThis as {
    [name: symbol]: ((work: () => T) => T) | undefined
  }
  return within === undefined ? work() : within(work)
}

/** The cache's directory, and this build's part of it. */
export interface Cache {
  readonly directory: string
  readonly build: string
  /** Whether only this user can have written what has this status. */
  readonly isOwn: (status: { uid: number; mode: number }) => boolean
  /** Deletes bytecode of builds that have not been run for long; called after something was written. */
  readonly sweep: (own: string) => void
}

/** Runs the file at `main`, and what it requires. */
export function runWithCompileCache(main: string, { directory, build, isOwn, sweep }: Cache): void {
  const prefix = `${build}-${process.version}-${process.arch}-`
  const caching = env.NODE_DISABLE_COMPILE_CACHE === undefined
  const loaded: Loaded[] = []
  const modules = new Map<string, { exports: unknown }>()

  /** The exports of one of the command's files; anything else is resolved by Node. */
  function load(path: string): unknown {
    const known = modules.get(path)
    if (known !== undefined) return known.exports
    const module: { exports: unknown } = { exports: {} }
    modules.set(path, module)
    const file = join(directory, prefix + basename(path))
    const kept = caching ? readKept(file, isOwn) : undefined
    // The build writes functions in ASCII: any other string would be twice as long, and one put together a copy.
    const source = readFileSync(path, 'latin1')
    const script = withUsualFlags(() => new Script(source, { filename: path, cachedData: kept?.code }))
    const words = script.cachedDataRejected === false && kept !== undefined ? kept.words : []
    if (!words.includes(word) && words.length < maxWords) loaded.push({ script, file, words })
    const here = dirname(path)
    // By name: resolved for each chunk that asks, Node's function becomes hot, and V8 optimises it for milliseconds.
    const paths = new Map<string, string>()
    const pathOf = (name: string): string => {
      const found = paths.get(name) ?? resolve(here, name)
      paths.set(name, found)
      return found
    }
    script.runInThisContext()(
      module.exports,
      (name: string) => (name.startsWith('.') ? load(pathOf(name)) : require(name)),
      module,
      path,
      here,
    )
    return module.exports
  }

  // Flags change what V8 makes, so that runs with and without them would drive each other's out.
  if (caching && execArgv.length === 0 && !env.NODE_OPTIONS) {
    process.on('exit', () => {
      if (loaded.length === 0) return
      try {
        makeDirectories(directory)
        for (const one of loaded) keep(one)
        sweep(prefix)
      } catch {
        // A cache that cannot be written is none.
      }
    })
  }

  load(main)
}
