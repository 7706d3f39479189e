/**
 * Identifies the caller: the key's project, the agent's name, and its circumstances. All come from headers only; a key
 * in a URL or a body has no effect.
 */
import type { Caller } from '../brain.ts'
import { findLiveKey, holderOf } from '../config/keys.ts'
import { unnamedAgent } from '../core/agent-names.ts'
import { BrainError } from '../core/errors.ts'
import type { Key } from '../core/records.ts'
import { name } from '../operations/schemas.ts'
import type { KeyStore } from '../store/store.ts'
import type { Admission } from './guard.ts'
import { decodeHeader, headerValues } from './headers.ts'
import type { Sessions } from './sessions.ts'

/** A caller and the public part of the key that let it in. */
export interface Authenticated extends Caller {
  readonly keyId: string
  /** Whether a person calls through the page: the tally counts only agents. */
  readonly person?: true
}

export interface AuthOptions {
  readonly keys: KeyStore
  readonly now: () => number
  /** Whether the caller is on this machine, so that the files it cites are those here. */
  readonly here: boolean
}

export interface CallerOptions extends AuthOptions {
  readonly pageOrigin: Admission['pageOrigin']
  readonly sessions: Sessions
  readonly localPort: number | undefined
}

/** Precision of a key's last use, in milliseconds: a request must not cost a write. */
const useKnownTo = 600_000
const told = new WeakMap<KeyStore, Map<string, number>>()

/** Records the use of a key, without delaying the request; skipped where nothing can be written. */
export function noteUse(keys: KeyStore, { id, lastUsedAt }: Key, now: number): void {
  const times = told.get(keys) ?? new Map<string, number>()
  told.set(keys, times)
  if (now - Math.max(lastUsedAt ?? 0, times.get(id) ?? 0) < useKnownTo) return
  times.set(id, now)
  keys.touch(id, now).catch(() => {})
}

const anyName = name()

/** The name in a header; null if it is absent. */
function readName(rawHeaders: readonly string[], header: string): string | null {
  const [value, ...more] = headerValues(rawHeaders, header)
  if (value === undefined) return null
  if (more.length > 0) throw new BrainError('invalid', `${header} must be given once`)
  const checked = anyName.safeParse(decodeHeader(value) ?? '\ud800')
  if (checked.success) return checked.data.trim()
  throw new BrainError('invalid', `${header} ${checked.error.issues[0]?.message}`)
}

/**
 * Authenticates a request by its single `x-svc-key`.
 * @throws BrainError `unauthorized`, with the same message whatever is wrong with the key; `invalid` for a name.
 */
export async function authenticate(
  rawHeaders: readonly string[],
  { keys, now, here }: AuthOptions,
): Promise<Authenticated> {
  const given = headerValues(rawHeaders, 'x-svc-key')
  const [text] = given
  const key = given.length === 1 && text ? await findLiveKey(keys, text, now()) : undefined
  if (key === undefined) throw new BrainError('unauthorized', 'invalid or missing API key')
  noteUse(keys, key, now())
  const agent = readName(rawHeaders, 'x-svc-agent') ?? holderOf(key) ?? unnamedAgent
  const session = readName(rawHeaders, 'x-svc-session')
  const checkout = {
    branch: readName(rawHeaders, 'x-svc-branch'),
    commit: readName(rawHeaders, 'x-svc-commit'),
  }
  const elsewhere = !here && { citesIn: null }
  return { project: key.project, agent, session, checkout: () => checkout, ...elsewhere, keyId: key.id }
}

/**
 * Authenticates a request by its key or, if the daemon's own page makes it, by that page's session.
 * @throws BrainError `unauthorized`, or `invalid` for the agent.
 */
export async function authenticateCaller(
  rawHeaders: readonly string[],
  { pageOrigin, sessions, localPort, ...options }: CallerOptions,
): Promise<Authenticated> {
  const keyed = headerValues(rawHeaders, 'x-svc-key').length > 0
  return keyed || pageOrigin === false
    ? authenticate(rawHeaders, options)
    : sessions.find(rawHeaders, localPort)
}
