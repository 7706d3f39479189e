/**
 * `brain open`: shows this brain in a browser. Finds its daemon or starts one, asks it for a code that signs in once, and
 * hands the address to the browser. Knows processes and addresses; who may sign in is the daemon's affair.
 */
import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { type BrainPlace, findDaemon, isHere } from '../../config/daemon-note.ts'
import { createKey } from '../../config/keys.ts'
import { BrainError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { sessionLifetime } from '../../http/sessions.ts'
import type { Session } from '../session.ts'

/** What keys of the page are called in `brain key list`. */
const label = 'brain open'

/** Milliseconds a daemon has to answer. */
const timeToAnswer = 5_000

interface Options {
  readonly print?: boolean
}

/** Where a browser reaches a daemon that listens on every address. */
function reachable(url: string): string {
  const address = new URL(url)
  if (/^(0\.0\.0\.0|\[::\])$/.test(address.hostname)) address.hostname = '127.0.0.1'
  return address.origin
}

/** A code that signs in once. @throws BrainError `failed`. */
async function askForCode(url: string, { key, agent }: { key: string; agent: string }): Promise<string> {
  const response = await fetch(`${url}/session/code`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-key': key,
      // Headers are bytes, which are written as Latin-1.
      'x-svc-agent': Buffer.from(agent).toString('latin1'),
    },
    body: '{}',
    redirect: 'error',
    signal: AbortSignal.timeout(timeToAnswer),
  }).catch((error: unknown) => {
    throw new BrainError('failed', `the daemon on ${url} does not answer: stop it with \`brain stop\``, {
      cause: error,
    })
  })
  const told: unknown = await response.json().catch(() => undefined)
  if (response.ok && isObject(told) && 'code' in told) return String(told.code)
  throw new BrainError(
    'failed',
    `the daemon on ${url} serves no page: restart it without --no-page (\`brain stop\`, then \`brain open\`)`,
  )
}

/** The program that opens an address in the browser that is the user's own. */
function openerOf(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment.BROWSER) return environment.BROWSER
  if (process.platform === 'darwin') return 'open'
  return process.platform === 'win32' ? 'explorer.exe' : 'xdg-open'
}

/** Milliseconds in which a program that finds no browser, or no display, has said so. */
const timeToFail = 2_000

/** Whether a program was started that opens the address, and did not fail at once; one that goes on may be the browser. */
function openInBrowser({ terminal }: Session, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(openerOf(terminal.environment), [address], { detached: true, stdio: 'ignore' })
    const timer = setTimeout(() => {
      child.unref()
      resolve(true)
    }, timeToFail)
    const end = (opened: boolean): void => {
      clearTimeout(timer)
      resolve(opened)
    }
    child.once('error', () => end(false))
    // That of Windows ends with 1 where all went well.
    child.once('exit', (code) => end(code === 0 || process.platform === 'win32'))
  })
}

/**
 * The address of this brain's daemon, which is started where there is none. @throws BrainError, `failed` where it is
 * elsewhere.
 */
async function serving(session: Session, place: BrainPlace): Promise<string> {
  const found = findDaemon(place)
  if (found !== undefined && !isHere(found)) {
    throw new BrainError(
      'failed',
      `${found.url} is no address of this machine, and is sent no key: if it is your daemon's, serve with --host and an address`,
    )
  }
  if (found !== undefined) return reachable(found.url)
  const { startDetached } = await import('./serve-detached.ts')
  const { url } = await startDetached(session, place.directory, []).catch((error: unknown) => {
    // One that somebody else started at the same time was faster.
    const other = findDaemon(place)
    if (other === undefined || !isHere(other)) throw error
    return other
  })
  session.say(`serving this brain on ${url}; \`brain stop\` ends it`)
  return reachable(url)
}

async function runOpen(session: Session, { print = false }: Options): Promise<void> {
  const { place } = session
  const { project, agent } = await session.config(place.directory)
  const url = await serving(session, place)
  const now = Date.now()
  const { key, text } = await session.withBrain('open', async ({ store }) => {
    await store.keys.sweep(label, now)
    return createKey(store.keys, { project, label, lifetime: sessionLifetime, now })
  })
  const code = await askForCode(url, { key: text, agent }).catch(async (error: unknown) => {
    // A key that nobody took opens nothing.
    await session.withBrain('open', ({ store }) => store.keys.revoke(key.id, Date.now()))
    throw error
  })
  const address = `${url}/#code=${code}`
  if (!print && session.options.json !== true) {
    if (await openInBrowser(session, address)) {
      session.say(`opened ${url} in your browser; \`brain key revoke ${key.id}\` signs it out`)
      return
    }
    session.say('no browser was opened: open this address within a minute, it works once')
  }
  await session.print({ url: address, key: key.id }, () => address)
}

export function configureOpen(command: Command, open: () => Session): void {
  command
    .option('--print', 'print the address, which works once and for a minute, and open nothing')
    .action((options: Options) => runOpen(open(), options))
}
