/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The typed library: one async method per operation, with the inputs and outputs of the HTTP API, and the work on whole
 * projects.
 */
import { resolve } from 'node:path'
import { openBrain as open } from './brain.ts'
import { readCheckout } from './config/checkout.ts'
import { checkSetting } from './config/config.ts'
import { loadConfig } from './config/load.ts'
import { brainDirectoryIn } from './config/locate.ts'
import { requireOutsideBrains } from './config/output-files.ts'
import { toName } from './core/circumstances.ts'
import { BrainError } from './core/errors.ts'
import type { Methods } from './library-methods.ts'
import { definitions } from './operations/index.ts'

export { BrainError, type Kind } from './core/errors.ts'
export type { Methods } from './library-methods.ts'

/** Number of records of each kind that an import added, and the projects they went to. */
export interface ImportedCounts {
  readonly imported: Readonly<
    Record<'memory' | 'version' | 'dream' | 'belief' | 'evidence' | 'prediction' | 'observation', number>
  >
  /** Records that existed already, and were left as they are. */
  readonly known: number
  readonly projects: readonly string[]
}

/**
 * An open brain. Close it to release the file, or let the block do that.
 * @example await using brain = await openBrain({ dir: '.' })
 */
export interface OpenBrain extends Methods, AsyncDisposable {
  /**
   * Writes the project's records to a file as JSON Lines; the file appears under its name once it is complete.
   * @throws BrainError `failed` naming the file.
   * @example await brain.exportTo('brain.jsonl')
   */
  exportTo(
    file: string,
    options?: {
      /** Every project, not only the current one. */
      all?: boolean
      signal?: AbortSignal
    },
  ): Promise<{ records: number }>
  /**
   * Imports an export, or notes one per line (JSON with a `text`, or plain text), all or nothing.
   * @throws BrainError `invalid` naming the line that is wrong.
   * @example await brain.importFrom('brain.jsonl')
   */
  importFrom(
    file: string,
    options?: {
      /** Format of notes; `auto` decides by the first line. */
      format?: 'auto' | 'jsonl' | 'text'
      signal?: AbortSignal
    },
  ): Promise<ImportedCounts>
  /**
   * Dreams one night now, and keeps the thoughts unread; `recallDreams` reads them.
   * @example const { dreams } = await brain.dream()
   */
  dream(options?: {
    /** Maximum number (1 to 50; the setting `dream.max` when absent). */
    max?: number
    /** Whole number that varies the wording; the same brain and seed dream the same. */
    seed?: number
    signal?: AbortSignal
  }): ReturnType<Methods['recallDreams']>
  /** Releases the file. Calls in progress are finished first. */
  close(): Promise<void>
}

/** Where the brain is, and who uses it. */
export interface OpenOptions {
  /** The directory that holds `.brain/`. */
  readonly dir: string
  /**
   * The database that holds the brain, `postgres://user@host/database` without a password (PGPASSWORD, ~/.pgpass); the setting
   * `store.url` when absent.
   */
  readonly store?: string
  /** The project whose records to use; the setting `project` when absent. */
  readonly project?: string
  /** The caller's name; the setting `agent` when absent. */
  readonly agent?: string
  /** The caller's name for its session, kept with what it records. */
  readonly session?: string
  /** Creates the brain if there is none. */
  readonly create?: boolean
  /** Called with warnings; `process.emitWarning` when absent. */
  readonly warn?: (message: string) => void
}

/** What `typeof` says of an option, or its only values. */
type OptionType = 'string' | 'boolean' | 'number' | 'function' | 'object' | readonly string[]

/** @throws BrainError `invalid` for an option that is not known, or not of its type. */
function requireOptions(given: unknown, types: Readonly<Record<string, OptionType>>): void {
  if (typeof given !== 'object' || given === null)
    throw new BrainError('invalid', 'options must be an object')
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (type === undefined)
      throw new BrainError('invalid', `unknown option: ${name}; known: ${Object.keys(types).join(', ')}`)
    if (value === undefined) continue
    if (typeof type === 'string' ? typeof value !== type : !type.includes(String(value)))
      throw new BrainError(
        'invalid',
        `${name} must be ${typeof type === 'string' ? `a ${type}` : `one of: ${type.join(', ')}`}`,
      )
  }
}

/** @throws BrainError `invalid` for what is no path. */
function pathOf(file: unknown): string {
  if (typeof file !== 'string' || file === '') throw new BrainError('invalid', 'file must be a path')
  return resolve(file)
}

/** Calls under way, which the end of a brain waits for. */
class Calls {
  readonly #running = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined

  /** A method that is refused once the brain was closed. */
  track<Given extends unknown[], Told>(method: (...given: Given) => Promise<Told>) {
    return async (...given: Given): Promise<Told> => {
      if (this.#closed !== undefined) throw new BrainError('storage', 'the brain was closed')
      const call = method(...given)
      this.#running.add(call)
      try {
        return await call
      } finally {
        this.#running.delete(call)
      }
    }
  }

  close(end: () => Promise<void>): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(end)
    return this.#closed
  }
}

/**
 * Opens the brain of a directory. Close it to release the file.
 * @throws BrainError `no-brain` where there is none, `storage` or `busy` where it cannot be opened.
 * @example const brain = await openBrain({ dir: '.', create: true })
 */
export async function openBrain(options: OpenOptions): Promise<OpenBrain> {
  requireOptions(options, {
    ...{ dir: 'string', store: 'string', project: 'string', agent: 'string', session: 'string' },
    ...{ create: 'boolean', warn: 'function' },
  })
  const { dir, project, agent, create, store } = options
  if (dir === undefined) throw new BrainError('invalid', 'dir is required: the directory that holds .brain/')
  const directory = brainDirectoryIn(dir)
  const warn = options.warn ?? ((message) => process.emitWarning(message))
  const config = await loadConfig({
    directory,
    environment: process.env,
    asked: { name: 'options', values: { project, agent, 'store.url': store } },
    warn,
  })
  const brain = await open({
    directory,
    config,
    as: 'program',
    label: 'a program',
    warn,
    ...(create !== undefined && { create }),
  })
  const caller = {
    project: config.project,
    agent: config.agent,
    session: toName(options.session),
    checkout: () => readCheckout(dir),
  }
  const calls = new Calls()
  const called: Record<string, (input?: unknown) => Promise<unknown>> = {}
  for (const operation of Object.values(definitions)) {
    const method = operation.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    called[method] = calls.track((input) => brain.call<unknown>(operation, caller, input ?? {}))
  }
  // Built from the very list the type is computed from.
  const methods = called as unknown as Methods
  const never = new AbortController().signal
  const close = () => calls.close(() => brain.close())
  return {
    ...methods,
    exportTo: calls.track(async (file, options = {}) => {
      requireOptions(options, { all: 'boolean', signal: 'object' })
      const { all = false, signal = never } = options
      const path = pathOf(file)
      requireOutsideBrains(path)
      const [{ exportLines }, { fillFile }] = await Promise.all([
        import('./transfer/export.ts'),
        import('./transfer/files.ts'),
      ])
      let records = 0
      await fillFile(path, async (put) => {
        const progress = (done: number) => {
          records = done
        }
        const lines = exportLines({
          store: brain.store,
          ...(!all && { project: caller.project }),
          signal,
          progress,
        })
        for await (const piece of lines) await put(piece)
      })
      return { records }
    }),
    importFrom: calls.track(async (file, options = {}) => {
      requireOptions(options, { format: ['auto', 'jsonl', 'text'], signal: 'object' })
      const { format = 'auto', signal = never } = options
      const path = pathOf(file)
      const [{ importRecords }, { openSource }] = await Promise.all([
        import('./transfer/import.ts'),
        import('./transfer/files.ts'),
      ])
      const { source } = await openSource(path)
      const { counts, known, projects } = await importRecords({
        context: brain.context(caller),
        source,
        format,
        projectNamed: project !== undefined,
        signal,
        progress: () => {},
      })
      return { imported: counts, known, projects }
    }),
    dream: calls.track(async (options = {}) => {
      requireOptions(options, { max: 'number', seed: 'number', signal: 'object' })
      const { max, seed, signal = never } = options
      if (seed !== undefined && !Number.isSafeInteger(seed))
        throw new BrainError('invalid', 'seed must be a whole number')
      const [{ dreamNight }, { hostTimeZone, seedOf }, { createReword }, { toWireDream }] = await Promise.all(
        [
          import('./dreams/night.ts'),
          import('./dreams/nightly.ts'),
          import('./dreams/reword.ts'),
          import('./operations/dreams.ts'),
        ],
      )
      const now = Date.now()
      const kept = await dreamNight(brain.context(caller), {
        now,
        seed: seed ?? seedOf(now),
        timeZone: hostTimeZone(),
        limit: max === undefined ? config['dream.max'] : Number(checkSetting('dream.max', String(max))),
        reword: createReword({ config, environment: process.env, warn }),
        signal,
      })
      return { dreams: kept.map(toWireDream) }
    }),
    close,
    [Symbol.asyncDispose]: close,
  }
}
