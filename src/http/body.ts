/** The body of a request: its type, size and JSON, bounded before any of it is processed. */
import type { IncomingMessage } from 'node:http'
import { BrainError } from '../core/errors.ts'
import { maxRequestBytes } from '../core/limits.ts'
import { parseJson } from '../operations/json.ts'
import { headerValues } from './headers.ts'

/** Total bytes of bodies being received at one time, over all requests. */
const maxBytesUnderway = 64 * maxRequestBytes

const tooLarge = (): BrainError =>
  new BrainError('too-large', `body must be at most ${maxRequestBytes} bytes`)

const jsonType = /^application\/json[ \t]*(?:;|$)/i
const otherCharset = /;[ \t]*charset[ \t]*=[ \t]*(?!"?utf-8"?[ \t]*(?:;|$))/i

function requireJson(rawHeaders: readonly string[]): void {
  const types = headerValues(rawHeaders, 'content-type')
  const [type = ''] = types
  if (types.length !== 1 || !jsonType.test(type) || otherCharset.test(type))
    throw new BrainError('media-type', 'content type must be application/json')
  const encodings = [
    ...headerValues(rawHeaders, 'content-encoding'),
    // Node takes off chunks, and nothing else that was done for the way.
    ...headerValues(rawHeaders, 'transfer-encoding').map((coding) => coding.replace(/,?\s*chunked\s*$/i, '')),
  ]
  if (encodings.some((encoding) => !/^\s*(?:identity)?\s*$/i.test(encoding)))
    throw new BrainError('media-type', 'content encoding is not supported: send the body as it is')
}

let bytesUnderway = 0

async function gather(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk
      length += bytes.length
      bytesUnderway += bytes.length
      if (length > maxRequestBytes) throw tooLarge()
      if (bytesUnderway > maxBytesUnderway)
        throw new BrainError('overloaded', 'too many large requests at once, try again')
      chunks.push(bytes)
    }
  } finally {
    bytesUnderway -= length
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

async function readBytes(incoming: IncomingMessage): Promise<Uint8Array> {
  const { readableLength } = incoming
  // A small body came with its headers.
  if (readableLength > 0 && readableLength === Number(incoming.headers['content-length'])) {
    const whole: Buffer | null = incoming.read()
    // Nothing is to come but the end, which is read, too.
    incoming.resume()
    if (whole !== null) return whole
  }
  return gather(incoming)
}

/**
 * The JSON value of a POST body. `proceed` is called once the headers promise an acceptable body, for clients
 * that wait to be told to send it.
 * @throws BrainError `media-type`, `too-large`, `overloaded` or `invalid`.
 */
export async function readJson(incoming: IncomingMessage, proceed: () => void): Promise<unknown> {
  requireJson(incoming.rawHeaders)
  if (Number(incoming.headers['content-length'] ?? 0) > maxRequestBytes) throw tooLarge()
  proceed()
  return parseJson(await readBytes(incoming))
}

/** Rejects a body where none is expected: it would be ignored silently. @throws BrainError `invalid`. */
export function requireNoBody(incoming: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (encoding !== undefined || Number(length ?? 0) > 0)
    throw new BrainError('invalid', `a ${incoming.method} request must not have a body`)
}
