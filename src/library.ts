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
import { toName } from './core/circumstances.ts'
import type { Methods } from './library-methods.ts'
import { definitions } from './operations/index.ts'

export { BrainError, type Kind } from './core/errors.ts'
export type { Methods } from './library-methods.ts'

/** Number of records of each kind that an import added, and the projects they went to. */
export interface ImportedCounts {
  readonly imported: Readonly<
    Record<'memory' | 'dream' | 'belief' | 'evidence' | 'prediction' | 'observation', number>
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
   * Imports an export, or notes one per line (\`{"text": …}\` or plain text), all or nothing.
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

/**
 * Opens the brain of a directory. Close it to release the file.
 * @throws BrainError `no-brain` where there is none, `storage` or `busy` where it cannot be opened.
 * @example const brain = await openBrain({ dir: '.', create: true })
 */
export async function openBrain(options: OpenOptions): Promise<OpenBrain> {
  const { dir, project, agent, create, store } = options
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
    label: 'a program',
    byHand: true,
    warn,
    ...(create !== undefined && { create }),
  })
  const caller = {
    project: config.project,
    agent: config.agent,
    session: toName(options.session),
    checkout: () => readCheckout(dir),
  }
  const called: Record<string, (input?: unknown) => Promise<unknown>> = {}
  for (const operation of Object.values(definitions)) {
    const method = operation.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    called[method] = (input) => brain.call<unknown>(operation, caller, input ?? {})
  }
  // Built from the very list the type is computed from.
  const methods = called as unknown as Methods
  const never = new AbortController().signal
  const close = () => brain.close()
  return {
    ...methods,
    exportTo: async (file, { all = false, signal = never } = {}) => {
      const [{ exportLines }, { fillFile }] = await Promise.all([
        import('./transfer/export.ts'),
        import('./transfer/files.ts'),
      ])
      let records = 0
      await fillFile(resolve(file), async (put) => {
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
    },
    importFrom: async (file, { format = 'auto', signal = never } = {}) => {
      const [{ importRecords }, { openSource }] = await Promise.all([
        import('./transfer/import.ts'),
        import('./transfer/files.ts'),
      ])
      const { source } = await openSource(resolve(file))
      const { counts, known, projects } = await importRecords({
        context: brain.context(caller),
        source,
        format,
        projectNamed: project !== undefined,
        signal,
        progress: () => {},
      })
      return { imported: counts, known, projects }
    },
    dream: async ({ max, seed, signal = never } = {}) => {
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
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
