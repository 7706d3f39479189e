/**
 * Strict JSON from bytes: bounded before it is parsed, and never with a character that the caller did not send. Knows
 * bytes and their limits; which members an operation accepts is checked elsewhere.
 */
import { BrainError } from '../core/errors.ts'

/** Maximum nesting of objects and arrays. No operation needs more than two levels; protocols around them a few more. */
const maxDepth = 32
/** Maximum number of members and elements in one body, at all levels. */
const maxParts = 10_000

const quote = 0x22
const backslash = 0x5c

const invalid = (cause?: unknown): BrainError =>
  new BrainError('invalid', 'body is not valid JSON', { cause })

/** Position of the closing quote of the string that starts at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(quote, start)
  while (end !== -1) {
    let slashes = 0
    while (end - slashes > start && bytes[end - slashes - 1] === backslash) slashes += 1
    if (slashes % 2 === 0) return end
    end = bytes.indexOf(quote, end + 1)
  }
  return bytes.length
}

/** Rejects what would cost more to parse than anything an honest caller sends. */
function requireModest(bytes: Uint8Array): void {
  let depth = 0
  let parts = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) depth -= 1
    else if (byte === 0x2c || byte === 0x3a) parts += 1
    if (depth > maxDepth)
      throw new BrainError('invalid', `body must be nested at most ${maxDepth} levels deep`)
    if (parts > maxParts)
      throw new BrainError('invalid', `body must have at most ${maxParts} members and elements`)
  }
}

// A byte order mark is a character like any other, and no JSON begins with it.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of U+FFFD as its JSON escape, so that after decoding every U+FFFD stands for an invalid byte. */
const replacement = /\u00ef\u00bf\u00bd/g

/**
 * A body that is not UTF-8, with a lone surrogate in place of every invalid byte: validation then refuses the
 * member that holds it by name, as it refuses a surrogate that was sent as an escape.
 */
function parseIllFormed(bytes: Uint8Array): unknown {
  const escaped = Buffer.from(bytes).toString('latin1').replace(replacement, '\\ufffd')
  const text = lenient.decode(Buffer.from(escaped, 'latin1')).replaceAll('\ufffd', '\ud800')
  let seen = false
  const value: unknown = JSON.parse(text, (member, inner: unknown) => {
    seen ||= !member.isWellFormed() || (typeof inner === 'string' && !inner.isWellFormed())
    return inner
  })
  // The invalid bytes stood in a member that another of the same name replaced: nobody would refuse them.
  if (!seen) throw invalid()
  return value
}

/**
 * The value that `bytes` spell. Bytes that are not UTF-8 become lone surrogates inside their strings.
 * @throws BrainError `invalid` when they are no JSON or exceed the bounds of depth and number.
 */
export function parseJson(bytes: Uint8Array): unknown {
  requireModest(bytes)
  let text: string | undefined
  try {
    text = strict.decode(bytes)
  } catch {
    // Not UTF-8: looked at below.
  }
  try {
    return text === undefined ? parseIllFormed(bytes) : JSON.parse(text)
  } catch (error) {
    throw error instanceof BrainError ? error : invalid(error)
  }
}
