/** `brain serve`: the daemon's command line, and the life of its process. */
import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { Brain } from '../../brain.ts'
import { type Config, checkSetting } from '../../config/config.ts'
import { type BrainPlace, findDaemon, noteDaemon } from '../../config/daemon-note.ts'
import { cannotWrite } from '../../config/file-faults.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { BrainError } from '../../core/errors.ts'
import { type Log, type LogFormat, logFormats, usualLogFormat } from '../../http/log.ts'
import { version } from '../../version.ts'
import { signalExitCodes } from '../interrupt.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

interface Options {
  readonly host?: string
  readonly port?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly insecureHttp?: boolean
  readonly allowHost?: string[]
  readonly allowOrigin?: string[]
  readonly log?: LogFormat
  readonly dreamAt?: string
  readonly keyFile?: string
  readonly detach?: boolean
  /** False with --no-dreams. */
  readonly dreams: boolean
  /** False with --no-page. */
  readonly page: boolean
}

/** Ports after that of the setting that are tried where it is taken, by another brain's daemon as a rule. */
const furtherPorts = 99

/** How long the process may take to stop after the first signal, in milliseconds. */
const timeToStop = 5_000

/** How long a check may take here, in milliseconds. */
const checkLimit = 60_000

/** Longer files are no certificates, not even complete chains. */
const maxPemBytes = 1_048_576

function readPem(option: string, file: string): string {
  try {
    return readNamedFile(file, maxPemBytes).toString('utf8')
  } catch (error) {
    throw error instanceof BrainError
      ? new BrainError('invalid', `${option}: ${error.message}`, { cause: error })
      : error
  }
}

function readTls(
  { tlsCert, tlsKey }: Options,
  path: (name: string) => string,
): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new BrainError('invalid', '--tls-cert and --tls-key belong together: give both')
  return { cert: readPem('--tls-cert', path(tlsCert)), key: readPem('--tls-key', path(tlsKey)) }
}

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP. A second one ends the process at once, and so does an error nobody
 * caught: after it no write may be acknowledged any more.
 */
function untilSignalled(log: Log): Promise<void> {
  process.on('uncaughtException', (error) => {
    log.fault(error)
    process.exit(1)
  })
  return new Promise((resolve) => {
    let signalled = false
    for (const [signal, exitCode] of Object.entries(signalExitCodes)) {
      process.on(signal, () => {
        if (signalled) process.exit(exitCode)
        signalled = true
        setTimeout(() => {
          log.fault(new Error(`the daemon did not stop within ${timeToStop} ms`))
          process.exit(1)
        }, timeToStop).unref()
        resolve()
      })
    }
  })
}

const keyless = 'this brain has no key, so nobody can call it: make one with `brain key create`'

/** The first key, to a person at a terminal or into the file asked for, and into no log. */
async function show(session: Session, key: string, named: string | undefined): Promise<void> {
  if (named === undefined) {
    await write(
      session.terminal.stderr,
      `This brain had no key. Here is one for project default; it is shown this once:\n\n  ${key}\n\nSend it as the header x-svc-key.\n`,
    )
    return
  }
  try {
    writeFileSync(session.path(named), `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw cannotWrite(named, error)
  }
}

interface Dreaming {
  readonly at: string
  readonly settings: () => Promise<Config>
  readonly warn: (message: string) => void
}

async function startDreaming({ directory, store }: Brain, options: Dreaming) {
  const { startNightly } = await import('../../dreams/nightly.ts')
  return startNightly({ directory, store, ...options })
}

/** @throws BrainError `failed` where a daemon serves the brain: a second one is none's who did not ask for its port. */
function requireUnserved(place: BrainPlace, { port }: Options): void {
  const serving = port === undefined ? findDaemon(place) : undefined
  if (serving === undefined) return
  throw new BrainError(
    'failed',
    `this brain is served at ${serving.url} already (process ${serving.pid}): use that daemon, or end it with \`brain stop\``,
  )
}

/** Starts a daemon of its own, and shows the key that it could show to nobody. */
async function detach(session: Session, { detach: _, keyFile, ...options }: Options): Promise<void> {
  const { place } = session
  requireUnserved(place, options)
  // Created here, where that is allowed: the daemon is given nothing but a directory.
  if (session.isPersonal) await session.withBrain('serve', async () => {})
  const { startDetached, toWords } = await import('./serve-detached.ts')
  const { url, pid } = await startDetached(session, place.directory, toWords({ ...options }))
  await session.withBrain('serve', async (brain) => {
    const { ensureKey } = await import('../../http/daemon.ts')
    const shown = session.terminal.attended === true || keyFile !== undefined
    const key = shown ? await ensureKey(brain) : undefined
    if (key !== undefined) await show(session, key, keyFile)
    else if ((await brain.store.keys.count()) === 0) session.say(`brain: ${keyless}`)
  })
  const noted = findDaemon(place)?.pid
  const end =
    noted === pid
      ? '`brain stop` ends it'
      : `end it with \`kill ${pid}\`${noted === undefined ? '' : ', since `brain stop` ends the other one'}`
  await session.print(
    { url, pid, dir: place.directory },
    () => `brain is listening on ${url} (process ${pid}); ${end}`,
  )
}

/**
 * Notes where the daemon is to be found. One that cannot be noted serves all the same. @throws BrainError `failed` where another
 * was started at the same time and was faster, as `requireUnserved` does.
 */
function leaveNote(
  place: BrainPlace,
  url: string,
  { log, options }: { log: Log; options: Options },
): () => void {
  const daemon = { url, pid: process.pid, version, startedAt: Date.now() }
  let takeBack: (() => void) | undefined
  try {
    takeBack = noteDaemon(place, daemon)
  } catch (error) {
    log.note(`commands will not find this daemon: ${cannotWrite(place.directory, error).message}`)
    return () => {}
  }
  if (takeBack !== undefined) return takeBack
  requireUnserved(place, options)
  const other = findDaemon(place)?.url
  log.note(
    `the daemon at ${other ?? 'another address'} serves this brain too: \`brain stop\` ends that one, \`kill ${daemon.pid}\` this one`,
  )
  return () => {}
}

/** Runs the checks that are due, while the user's own settings ask for it. */
async function startChecks(
  brain: Brain,
  { environment }: Session['terminal'],
  { settings, told }: { settings: () => Promise<Config>; told: (message: string) => void },
) {
  const [{ scheduleChecks }, { CheckSigner }] = await Promise.all([
    import('../../checks/schedule.ts'),
    import('../../config/check-signer.ts'),
  ])
  const { directory, store, config } = brain
  const signer = new CheckSigner(environment, directory)
  return scheduleChecks({
    wanted: async () => (await settings())['check.run'],
    projects: () => store.maintenance.projects(),
    settling: (project) => ({
      context: brain.context({ project, agent: config.agent }),
      signer,
      directory,
      environment,
      limit: checkLimit,
    }),
    told,
  })
}

/**
 * Where the daemon listens, to whom, and what it dreams by, by options first and settings second. @throws BrainError
 * `invalid`.
 */
function toPlan(session: Session, options: Options, config: Config) {
  const { port } = options
  const tls = readTls(options, (name) => session.path(name))
  return {
    dreamAt: String(checkSetting('dream.at', options.dreamAt ?? config['dream.at'])),
    listening: {
      host: options.host ?? config['serve.host'],
      port: Number(port === undefined ? config['serve.port'] : checkSetting('serve.port', port)),
      ...(port === undefined && { furtherPorts }),
      ...(tls && { tls }),
      insecure: options.insecureHttp ?? false,
      allowHosts: options.allowHost ?? [],
      allowOrigins: options.allowOrigin ?? [],
      page: options.page,
      makesKey: session.terminal.attended === true || options.keyFile !== undefined,
    },
  }
}

interface Serving extends ReturnType<typeof toPlan> {
  readonly brain: Brain
  readonly log: Log
  readonly settings: () => Promise<Config>
  /** Resolves when the process is told to stop. */
  readonly signalled: Promise<void>
}

/** Serves an open brain until the process is told to stop. */
async function serveBrain(session: Session, options: Options, serving: Serving): Promise<void> {
  const { brain, log, listening, dreamAt, settings, signalled } = serving
  const { host, port } = listening
  const [{ startDaemon }, { mcpEndpoint }] = await Promise.all([
    import('../../http/daemon.ts'),
    import('../../mcp/http.ts'),
  ])
  const running: { stop(): Promise<void> }[] = []
  let takeBack: (() => void) | undefined
  try {
    const daemon = await startDaemon({
      brain,
      log,
      endpoints: [mcpEndpoint(brain, log)],
      ...listening,
    }).catch(async (error: unknown) => {
      const { tellOfOther } = await import('../other-daemon.ts')
      throw await tellOfOther(error, host, port)
    })
    running.push(daemon)
    if (daemon.firstKey !== undefined) await show(session, daemon.firstKey, options.keyFile)
    else if ((await brain.store.keys.count()) === 0) log.note(keyless)
    const { url } = daemon
    takeBack = leaveNote(session.place, url, { log, options })
    if (port !== 0 && !url.endsWith(`:${port}`)) log.note(`port ${port} is taken, so it is another one`)
    await session.print({ url, pid: process.pid, dir: brain.directory }, () => `brain is listening on ${url}`)
    if (options.dreams) running.push(await startDreaming(brain, { at: dreamAt, settings, warn: log.note }))
    running.push(await startChecks(brain, session.terminal, { settings, told: log.note }))
    await signalled
  } finally {
    // Also after an error: they would go on without a brain.
    await Promise.all(running.map((each) => each.stop()))
    takeBack?.()
  }
}

async function runDaemon(session: Session, options: Options): Promise<void> {
  const { terminal } = session
  // A reader of the log that went away is no reason to stop serving.
  terminal.stderr.on('error', () => {})
  const [{ createLog }, { openBrain }, { createTrim }] = await Promise.all([
    import('../../http/log.ts'),
    import('../../brain.ts'),
    import('../daemon-log.ts'),
  ])
  const directory = session.locate()
  const trim = createTrim(directory)
  const log = createLog({
    format: options.log ?? usualLogFormat(terminal.interactive),
    write: (line) => {
      terminal.stderr.write(line)
      trim(line.length)
    },
    now: Date.now,
  })
  requireUnserved(session.place, options)
  const config = await session.config(directory)
  // What is ignored in a project's settings is reported at the start.
  const settings = () => session.config(directory, () => {})
  const plan = toPlan(session, options, config)
  const signalled = untilSignalled(log)
  const brain = await openBrain({
    directory,
    config,
    label: 'brain serve',
    as: 'server',
    warn: log.note,
    reread: settings,
    environment: terminal.environment,
    create: session.isPersonal,
  })
  try {
    await serveBrain(session, options, { ...plan, brain, log, settings, signalled })
  } finally {
    await brain.close()
  }
}

const repeated = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value]

export function configureServe(command: Command, open: () => Session): void {
  command
    .option('--host <address>', 'address to listen on (default: the setting serve.host, 127.0.0.1)')
    .option(
      '--port <number>',
      'port to listen on, 0 takes a free one (default: the setting serve.port, 4747, or the next free one)',
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)')
    .option('--tls-key <file>', "the certificate's key (PEM)")
    .option('--insecure-http', 'serve other machines without TLS')
    .option('--allow-host <name>', 'an additional name the daemon answers to; may be repeated', repeated)
    .option('--allow-origin <origin>', 'a web origin whose pages may call it; may be repeated', repeated)
    .option('--dream-at <time>', 'local time HH:MM at which to dream (default: the setting dream.at, 03:00)')
    .option('--key-file <file>', 'write the first key of a brain without keys to this new file')
    .option('--detach', 'run in the background, with a log in .brain/daemon.log, until `brain stop`')
    .option('--no-dreams', 'do not dream at night')
    .option('--no-page', 'serve no page for browsers')
    .addOption(new Option('--log <format>', 'one line a request on standard error').choices(logFormats))
    .action((options: Options) => (options.detach ? detach(open(), options) : runDaemon(open(), options)))
}
