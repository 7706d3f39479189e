/**
 * An open brain: its settings, store and embedders, and the context of a caller's operations. The composition point of
 * all parts; every interface starts here.
 */

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CheckSigner } from './config/check-signer.ts'
import type { Checkout } from './config/checkout.ts'
import { CitedFiles } from './config/cited-files.ts'
import type { Config } from './config/config.ts'
import { makeBrainDirectory, personalBrainDirectory } from './config/locate.ts'
import { Provenance } from './config/provenance.ts'
import { readStorePassword } from './config/store-address.ts'
import { agentNameOf, defaultProject } from './core/agent-names.ts'
import { BrainError } from './core/errors.ts'
import type { ProcessMode } from './core/process-mode.ts'
import { nameOfStore } from './core/store-address.ts'
import { askForTheSame, createEmbedderPool, type EmbedderPool } from './models/pool.ts'
import { callOperation } from './operations/call.ts'
import type { Context, Operation } from './operations/operation.ts'
import type { ForeignDatabase } from './store/foreign.ts'
import { openStore } from './store/open.ts'
import type { InitOptions, Preparation } from './store/postgres/roles.ts'
import type { Finding, Store } from './store/store.ts'

/** On whose behalf an operation runs. */
export interface Caller {
  readonly project: string
  readonly agent: string
  /** The agent's name for its session; null if not given. */
  readonly session?: string | null
  /** Branch and commit of the caller's working directory, read when something is recorded. */
  readonly checkout?: () => Checkout
  /** Called with the progress of work that may take seconds. */
  readonly onProgress?: Context['onProgress']
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal
  /** The directory that the caller's citations are below; absent for the brain's own, null if it is on another machine. */
  readonly citesIn?: (() => string) | null
}

export interface Brain {
  /** The `.brain` directory. */
  readonly directory: string
  readonly config: Config
  readonly store: Store
  readonly embedders: EmbedderPool
  /** Identifies this brain, as opposed to one that replaces it. */
  identity(): string
  context(caller: Caller): Context
  /** Validates, tallies and runs one operation. @throws BrainError */
  call<O>(operation: Operation<O>, caller: Caller, input: unknown): Promise<O>
  close(): Promise<void>
}

interface Role {
  readonly mode: ProcessMode
  /** Whether the caller is the user that this process runs as, and not an agent or client: checks of that user may run here. */
  readonly byHand: boolean
  /** Milliseconds to wait for a locked store, where nobody can wait for as long as usual. */
  readonly patience?: number
}

/** What a process that opens a brain is, and what follows from that. */
const roles = {
  command: { mode: 'oneshot', byHand: true },
  /** The agent waits for it, and ends it after seconds. */
  hook: { mode: 'oneshot', byHand: false, patience: 250 },
  server: { mode: 'service', byHand: false },
  program: { mode: 'embedded', byHand: true },
  /** Works for a server, in a process of its own. */
  worker: { mode: 'embedded', byHand: false },
} as const satisfies Readonly<Record<string, Role>>

export interface BrainOptions {
  readonly directory: string
  readonly config: Config
  /** Creates the brain if there is none. */
  readonly create?: boolean
  /** Opens a brain of which only a part has arrived too, to go on with its copy. */
  readonly receives?: boolean
  readonly as: keyof typeof roles
  /** Description of this process, shown to those waiting for its lock. */
  readonly label: string
  readonly warn: (message: string) => void
  /** The personal brain beside this one, opened on first use; absent if it may not be read. */
  readonly personal?: { readonly directory: string; readonly config: () => Promise<Config> }
  /** Rereads the settings, for a long-lived process while others change them. */
  readonly reread?: () => Promise<Config>
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly now?: () => number
}

/** A file's identity, which survives a reboot, when devices may get other numbers. */
function identityOf(file: string): string {
  const { ino, birthtimeNs } = lstatSync(file, { bigint: true })
  return `${ino}:${birthtimeNs}`
}

/** A brain that is opened on first use; if it cannot be opened, that is reported once. */
function lazily(open: () => Promise<Brain>, warn: (message: string) => void) {
  let opened: Promise<Brain | undefined> | undefined
  return {
    get: (): Promise<Brain | undefined> => {
      opened ??= open().catch((error: unknown) => {
        if (!(error instanceof BrainError)) throw error
        if (error.kind !== 'no-brain') warn(`your own brain cannot be read: ${error.message}`)
        return undefined
      })
      return opened
    },
    close: async (): Promise<void> => {
      await (await opened)?.close()
    },
  }
}

/** Opens the brain in a `.brain` directory. @throws BrainError `no-brain`, `storage` or `busy`. */
export const openBrain = (options: BrainOptions): Promise<Brain> => openWith(options)

/** The same with the embedders of another brain, if given; that one closes them. */
async function openWith(options: BrainOptions, shared?: EmbedderPool): Promise<Brain> {
  const { directory, config, warn, environment = process.env, reread } = options
  const { create = false, receives = false } = options
  const { mode, byHand, patience }: Role = roles[options.as]
  // Before what it loads and reads makes the heap large.
  if (mode === 'service') (await import('./heap.ts')).holdHeap()
  const address = config['store.url']
  if (create) {
    makeBrainDirectory(directory)
    if (address === null && !existsSync(join(directory, 'brain.db'))) {
      // What lies there came with a repository or an archive: no session of this brain's wrote it.
      const { dropSessions } = await import('./agents/session-state.ts')
      dropSessions(directory)
    }
  }
  let keywordOnly = false
  const store = await openStore(address ?? join(directory, 'brain.db'), {
    durability: config.durability,
    create,
    receives,
    mode,
    label: options.label,
    patience,
    provenance: new Provenance(environment),
    warn,
    onKeywordOnly: () => {
      keywordOnly = true
    },
    ...(address !== null && { password: readStorePassword(config, environment) }),
  })
  const usable = (asked: Config): Config => (keywordOnly ? { ...asked, embedder: 'none' } : asked)
  const settings = usable(config)
  const again = reread && (() => reread().then(usable))
  const embedders = shared ?? createEmbedderPool({ config: settings, warn, environment, reread: again, mode })
  const now = options.now ?? Date.now
  const signer = byHand ? new CheckSigner(environment, directory) : undefined
  const { personal } = options
  const beside =
    personal &&
    lazily(async () => {
      const { directory, config } = personal
      const { personal: _, create: __, reread: ___, ...same } = options
      const own = await config()
      // A model takes longer to read than most questions. Where settings are read again, those of either may change.
      const alike = reread === undefined && askForTheSame(options.config, own)
      return openWith({ ...same, directory, config: own }, alike ? embedders : undefined)
    }, warn)
  const isPersonal = directory === personalBrainDirectory(environment)
  const filesOf = (citesIn: Caller['citesIn'] = () => dirname(directory)): Pick<Context, 'files'> =>
    citesIn === null ? {} : { files: () => new CitedFiles(citesIn(), directory) }
  const context = ({
    project,
    agent,
    session = null,
    checkout,
    citesIn,
    onProgress,
    signal,
  }: Caller): Context => ({
    project,
    agent: agentNameOf(agent),
    store,
    embedders,
    config: settings,
    directory,
    now,
    ...(mode === 'oneshot' && { alone: true }),
    circumstances: () => ({ session, ...checkout?.() }),
    ...(signer && { signer }),
    ...(isPersonal && { own: true }),
    ...(beside && {
      // Whatever the project is called here, the person's own brain has one for all.
      personal: async () =>
        (await beside.get())?.context({
          project: defaultProject,
          agent,
          session,
          ...(checkout && { checkout }),
        }),
    }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
    ...filesOf(citesIn),
  })
  return {
    directory,
    config,
    store,
    embedders,
    identity: () => (address === null ? identityOf(join(directory, 'brain.db')) : nameOfStore(address)),
    context,
    call: (operation, caller, input) => callOperation(operation, context(caller), input),
    close: async () => {
      try {
        await beside?.close()
        if (shared === undefined) await embedders.close()
      } finally {
        await store.close()
      }
    },
  }
}

/** Examines a database as its administrator, and reports what has to be done before it can hold brains. @throws BrainError */
export async function prepareDatabase(url: string, options: InitOptions): Promise<Preparation> {
  const { prepareDatabase: prepare } = await import('./store/postgres/roles.ts')
  return prepare(url, options)
}

/** Findings about a brain that cannot be opened. Changes nothing. */
export async function examineClosedBrain(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const { examineClosed } = await import('./store/sqlite/closed-examination.ts')
  return examineClosed(join(directory, 'brain.db'), new Provenance(environment))
}

/** Who could have written to a `.brain` directory, and who can read it. Opens no brain and changes nothing. */
export async function auditBrainPermissions(
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const { auditPermissions } = await import('./store/sqlite/permission-audit.ts')
  return auditPermissions(join(realpathSync(directory), 'brain.db'), new Provenance(environment))
}

/**
 * Opens a copy of another program's database, which lies in the `.brain` directory meanwhile.
 * @throws BrainError naming the file that is damaged or in use; what the system refuses as it comes.
 */
export async function openForeignDatabase(path: string, directory: string): Promise<ForeignDatabase> {
  const { openForeign } = await import('./store/sqlite/foreign.ts')
  return openForeign(path, directory)
}

/**
 * Accepts the files in a `.brain` directory as the user's own, or revokes that; returns what needed it.
 * @throws BrainError `storage` for what is never opened.
 */
export async function trustFiles(
  directory: string,
  {
    environment,
    revoke = false,
  }: { environment: Readonly<Record<string, string | undefined>>; revoke?: boolean },
): Promise<{ log: boolean; loose: boolean }> {
  const { takeBack, takeIn } = await import('./store/sqlite/directory-check.ts')
  const file = join(realpathSync(directory), 'brain.db')
  const provenance = new Provenance(environment)
  return revoke ? { log: false, loose: takeBack(file, provenance) } : takeIn(file, provenance)
}

/** What a backup is put in the place of. */
export interface Restoration {
  /** The `.brain` directory; made when there is none. */
  readonly directory: string
  readonly backup: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly warn: (message: string) => void
}

/** Replaces a brain by a backup; returns where the previous one is kept. @throws BrainError */
export async function restoreBrain(order: Restoration): Promise<string | undefined> {
  const { directory, backup, environment, warn } = order
  makeBrainDirectory(directory)
  const { restore } = await import('./store/sqlite/restoring.ts')
  return restore(join(realpathSync(directory), 'brain.db'), backup, {
    durability: 'full',
    create: false,
    mode: 'oneshot',
    label: 'brain restore',
    provenance: new Provenance(environment),
    warn,
  })
}
