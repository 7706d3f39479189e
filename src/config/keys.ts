/**
 * API keys: their format, creation and verification. Knows the secret only for the duration of a call; the store keeps
 * its hash, and which interface is used is not known here.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { msPerDay } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import { spanOf } from '../core/moments.ts'
import type { Key } from '../core/records.ts'
import type { KeyStore } from '../store/store.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 8
const secretLength = 32
const checksumLength = 6

const pattern = new RegExp(
  `^brain_([${alphabet}]{${idLength}})_([${alphabet}]{${secretLength}})([${alphabet}]{${checksumLength}})$`,
)

/** The parts of a key. */
interface ParsedKey {
  readonly id: string
  readonly secret: string
}

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** CRC-32 of the key up to here as six base62 digits: a mistyped key is detected without asking the store. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let at = 0; at < checksumLength; at += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

const hashOf = (secret: string): Uint8Array => new Uint8Array(hash('sha256', secret, 'buffer'))

/** The parts of a key with a valid format and checksum; undefined otherwise. */
export function parseKey(text: string): ParsedKey | undefined {
  const [, id, secret, checksum] = pattern.exec(text) ?? []
  if (id === undefined || secret === undefined || checksum === undefined) return undefined
  return checksumOf(`brain_${id}_${secret}`) === checksum ? { id, secret } : undefined
}

/** A new key, with its secret for the only time. */
export interface IssuedKey {
  readonly key: Key
  /** The complete key, to be shown once and never stored. */
  readonly text: string
}

function generate(): { id: string; text: string; secretHash: Uint8Array } {
  const id = randomText(idLength)
  const secret = randomText(secretLength)
  const body = `brain_${id}_${secret}`
  return { id, text: body + checksumOf(body), secretHash: hashOf(secret) }
}

export interface KeyRequest {
  readonly project: string
  readonly label: string | null
  /** Milliseconds from now, or null for a key without end. */
  readonly lifetime: number | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Prefix of a label that names the holder of a key. */
const holderMark = '@'

/** The label of a key that a person or an agent of this name holds. */
export const labelOfHolder = (name: string): string => `${holderMark}${name}`

/** The holder of a key, if its label names one: records are attributed to the holder unless the caller names somebody else. */
export const holderOf = ({ label }: Pick<Key, 'label'>): string | null =>
  label?.startsWith(holderMark) ? label.slice(holderMark.length).trim() || null : null

/** Creates a key for a project and stores its hash. */
export async function createKey(keys: KeyStore, request: KeyRequest): Promise<IssuedKey> {
  const { project, label, lifetime, now } = request
  const { id, text, secretHash } = generate()
  const expiresAt = lifetime === null ? null : now + lifetime
  return { key: await keys.add({ id, project, label, createdAt: now, expiresAt, secretHash }), text }
}

/**
 * Replaces a key by a new one with the same project, label and lifetime, counted from now; the old one stays valid for
 * `grace` milliseconds. `show` receives the new one before the old one ends, so that an interruption leaves both
 * valid, not none.
 * @throws BrainError `refused` if there is no such key, or it is revoked or has expired.
 */
export async function rotateKey(
  keys: KeyStore,
  old: { readonly id: string; readonly grace: number; readonly now: number } & {
    readonly show?: (issued: IssuedKey) => Promise<void>
  },
): Promise<IssuedKey> {
  const { id, text, secretHash } = generate()
  const key = await keys.succeed(old.id, (replaced) => {
    // One that was replaced without grace ended then: what followed it would end at once, too.
    if (!isLive(replaced, old.now))
      throw new BrainError('refused', `key ${old.id} has expired: create a new one`)
    const { project, label, createdAt, expiresAt } = replaced
    const lifetime = expiresAt === null ? null : expiresAt - createdAt
    return {
      id,
      project,
      label,
      createdAt: old.now,
      expiresAt: lifetime === null ? null : old.now + lifetime,
      secretHash,
    }
  })
  const issued = { key, text }
  await old.show?.(issued)
  await keys.end(old.id, old.now + old.grace)
  return issued
}

/** Whether a key is valid at `now`. */
export const isLive = (key: Key, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now)

/**
 * The caller's key, or undefined: mistyped, unknown, wrong, revoked and expired keys are indistinguishable to the
 * caller. Asks the store every time, so that revoking takes effect from the next request on in every process.
 */
export async function findLiveKey(keys: KeyStore, text: string, now: number): Promise<Key | undefined> {
  const parsed = parseKey(text)
  if (parsed === undefined) return undefined
  const known = await keys.find(parsed.id)
  const hash = hashOf(parsed.secret)
  // Compared with itself when the id is unknown: the time taken must not tell which ids exist.
  const same = timingSafeEqual(hash, known?.secretHash ?? hash)
  return known !== undefined && same && isLive(known, now) ? known : undefined
}

/** Longest duration: a hundred years, so that the expiry of every key is a valid date. */
const longest = 36_500 * msPerDay

/** Milliseconds of a duration such as `30m`, `24h`, `90d` or `2w`. @throws BrainError `invalid` with `name`. */
export function parseDuration(name: string, text: string): number {
  const milliseconds = spanOf(text) ?? 0
  if (milliseconds > 0 && milliseconds <= longest) return milliseconds
  throw new BrainError('invalid', `${name} must be a duration such as 30m, 24h, 90d or 2w`)
}
