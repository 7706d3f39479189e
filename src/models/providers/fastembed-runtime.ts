/**
 * The libraries that models of fastembed run on: 212 MB that most people never need, so they come when such a model is
 * first asked for, by npm and without any script of theirs, into a directory of the user's. Knows where they are and how
 * they get there; what is done with them is not known here.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BrainError } from '../../core/errors.ts'
import { findFile } from '../../installed-files.ts'
import { makeDirectories } from '../../make-directories.ts'

/** In which directory of the models they are installed. */
const directoryName = 'runtime-fastembed'

const libraries = ['onnxruntime-node', '@anush008/tokenizers']

/** The module that `from` gets for fastembed; undefined where it or a part of it is missing. */
function resolveFrom(from: string): string | undefined {
  try {
    const path = createRequire(from).resolve('fastembed')
    for (const library of libraries) createRequire(path).resolve(library)
    return path
  } catch {
    return undefined
  }
}

/** The path of fastembed: installed next to brain, or by `installRuntime`. Undefined where there is none. */
const findRuntime = (models: string, beside: string = import.meta.url): string | undefined =>
  resolveFrom(beside) ?? resolveFrom(pathToFileURL(join(models, directoryName, 'index.js')).href)

/** The same. @throws BrainError `failed` with the remedy. */
export function requireRuntime(models: string, name: string, beside?: string): string {
  const found = findRuntime(models, beside)
  if (found !== undefined) return found
  throw new BrainError(
    'failed',
    `the libraries that fastembed models run on are not installed: run brain model use ${name}, or set embedder to builtin`,
  )
}

/** Npm as a program and its first arguments: the one that runs this, the one of this Node, or whichever is found. */
function findNpm(): readonly [string, ...string[]] {
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const onWindows = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const file = [process.env.npm_execpath, beside, onWindows].find(
    (path) => path?.endsWith('.js') && existsSync(path),
  )
  return file === undefined ? ['npm'] : [process.execPath, file]
}

/** Runs npm in `directory`. @throws BrainError `failed` with npm's last words. */
function runNpm(directory: string, argv: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  const [program, ...first] = findNpm()
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...argv], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-2_000)
    })
    const fail = (why: string) =>
      reject(
        signal?.aborted
          ? signal.reason
          : new BrainError(
              'failed',
              `npm could not install fastembed: ${why}; npm must be there and reach its registry`,
            ),
      )
    child.once('error', (error) => fail(error.message))
    child.once('close', (code) => {
      const reason =
        said
          .trim()
          .split('\n')
          .findLast((line) => line.startsWith('npm error')) ?? `it ended with ${code}`
      if (code === 0) resolve()
      else fail(reason)
    })
  })
}

/**
 * Installs the libraries unless they are there. Whole or not at all.
 * @throws BrainError `failed` where npm is missing or fails.
 */
export async function installRuntime(
  models: string,
  { signal, tell }: { signal?: AbortSignal | undefined; tell?: ((what: string) => void) | undefined } = {},
): Promise<string> {
  const found = findRuntime(models)
  if (found !== undefined) return found
  const manifest = findFile(join('packages', 'fastembed', 'package.json'))
  if (manifest === undefined)
    throw new BrainError('failed', 'packages/fastembed is missing: install brain again')
  tell?.('installing fastembed by npm (about 212 MB)')
  makeDirectories(models)
  const stage = await mkdtemp(join(models, `${directoryName}-`))
  try {
    await copyFile(manifest, join(stage, 'package.json'))
    await runNpm(stage, ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], signal)
    const target = join(models, directoryName)
    await rm(target, { recursive: true, force: true })
    await rename(stage, target)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  const installed = findRuntime(models)
  if (installed !== undefined) return installed
  throw new BrainError(
    'failed',
    `what npm installed in ${models} does not load on ${process.platform}-${process.arch}`,
  )
}
