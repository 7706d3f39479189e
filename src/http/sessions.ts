/**
 * Sessions of the page: one-time codes and the sessions created from them, in this process's memory only, so that none
 * outlives the daemon. A session lives no longer than its key. Of a request it knows only the headers.
 */
import { createHash, randomBytes } from 'node:crypto'
import { isLive } from '../config/keys.ts'
import { msPerHour, msPerMinute } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import type { Key } from '../core/records.ts'
import type { KeyStore } from '../store/store.ts'
import { type Authenticated, noteUse } from './auth.ts'
import { headerValues } from './headers.ts'

/** Lifetime of a code and of a session, in milliseconds. */
export const codeLifetime = msPerMinute
export const sessionLifetime = 12 * msPerHour

/** Maximum number of each; the oldest makes room. */
const maxSessions = 256

/** The header that carries what the page was told and no other origin can read. */
const csrfHeader = 'x-brain-page'

interface Ending {
  readonly caller: Authenticated
  readonly endsAt: number
}

interface Session extends Ending {
  readonly csrfToken: string
}

/** What a page receives once: the cookie goes into the browser's jar, the CSRF token into the page's own storage. */
export interface Opened {
  readonly cookie: string
  readonly csrfToken: string
  readonly caller: Authenticated
  readonly endsAt: number
}

export interface SessionsOptions {
  readonly keys: KeyStore
  readonly now: () => number
}

const secret = (): string => randomBytes(32).toString('base64url')
// Looked up by hash: how long that takes tells nothing of what is there.
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Browsers keep one jar for all ports of a host, so the cookies of two daemons need two names. */
export const cookieName = (port: number | undefined): string => `brain_session_${port ?? 0}`

function cookieOf(rawHeaders: readonly string[], name: string): string | undefined {
  const pairs = headerValues(rawHeaders, 'cookie').flatMap((header) => header.split(/; */))
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`))
  // Two of one name: one of them was put there by somebody else.
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined
}

function keep<T extends Ending>(kept: Map<string, T>, entry: readonly [hash: string, value: T]): void {
  const [oldest] = kept.keys()
  if (kept.size >= maxSessions && oldest !== undefined) kept.delete(oldest)
  kept.set(...entry)
}

export class Sessions {
  readonly #keys: KeyStore
  readonly #now: () => number
  readonly #codes = new Map<string, Ending>()
  readonly #sessions = new Map<string, Session>()

  constructor({ keys, now }: SessionsOptions) {
    this.#keys = keys
    this.#now = now
  }

  /** A code that signs in once, within a minute, on behalf of the caller. */
  issueCode(caller: Authenticated): string {
    const code = secret()
    keep(this.#codes, [hashOf(code), { caller, endsAt: this.#now() + codeLifetime }])
    return code
  }

  /** Creates a session from a code, which is used up in any case. @throws BrainError `unauthorized`. */
  async open(code: string): Promise<Opened> {
    const hash = hashOf(code)
    const known = this.#codes.get(hash)
    this.#codes.delete(hash)
    if (known === undefined || known.endsAt <= this.#now() || (await this.#keyOf(known.caller)) === undefined)
      throw new BrainError(
        'unauthorized',
        'this link was used already or is older than a minute: run `brain open` again',
      )
    const [cookie, csrfToken] = [secret(), secret()]
    const { caller } = known
    const endsAt = this.#now() + sessionLifetime
    keep(this.#sessions, [hashOf(cookie), { caller, endsAt, csrfToken: hashOf(csrfToken) }])
    return { cookie, csrfToken, caller, endsAt }
  }

  /** The caller of a request of the page. @throws BrainError `unauthorized`, in the same words whatever is wrong. */
  async find(rawHeaders: readonly string[], port: number | undefined): Promise<Authenticated> {
    const session = this.#sessionOf(rawHeaders, port)
    const now = this.#now()
    const key = session && session.endsAt > now ? await this.#keyOf(session.caller) : undefined
    if (session !== undefined && key !== undefined) {
      noteUse(this.#keys, key, now)
      return { ...session.caller, person: true }
    }
    throw new BrainError('unauthorized', 'this page is not signed in: run `brain open`')
  }

  /** Ends the session of a request, if it has one. */
  close(rawHeaders: readonly string[], port: number | undefined): void {
    const cookie = this.#sessionOf(rawHeaders, port) && cookieOf(rawHeaders, cookieName(port))
    if (cookie !== undefined) this.#sessions.delete(hashOf(cookie))
  }

  #sessionOf(rawHeaders: readonly string[], port: number | undefined): Session | undefined {
    const cookie = cookieOf(rawHeaders, cookieName(port))
    const [csrfToken, ...more] = headerValues(rawHeaders, csrfHeader)
    if (cookie === undefined || csrfToken === undefined || more.length > 0) return undefined
    const session = this.#sessions.get(hashOf(cookie))
    return session?.csrfToken === hashOf(csrfToken) ? session : undefined
  }

  /**
   * The key behind a caller while it is valid. Checked every time, so that revoking it takes effect from the next
   * request on.
   */
  async #keyOf({ keyId }: Authenticated): Promise<Key | undefined> {
    const key = await this.#keys.find(keyId)
    return key !== undefined && isLive(key, this.#now()) ? key : undefined
  }
}
