/** How a row of the catalogue is sent: bytes, with the headers an honest request would carry. */
import { request } from '../http/daemon.ts'

/** Stands in the rows for the key of the daemon that is attacked. */
export const keyPlaceholder = '{{key}}'

export interface Row {
  readonly what: string
  readonly bytes: Buffer
  readonly status: number
  /** The whole sentence; null for an answer without a body (HEAD). */
  readonly error: string | null
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Exactly these bytes. */
export const raw = (what: string, bytes: string, [status, error]: readonly [number, string]): Row => ({
  what,
  bytes: latin1(bytes),
  status,
  error,
})

export const honest = ['Host: localhost', `x-svc-key: ${keyPlaceholder}`]

/** Any method without a body. */
export const ask = (
  line: string,
  status: number,
  error: string | null,
  headers: readonly string[] = [],
): Row => ({
  what: `${line} ${headers.join(', ')}`.trim(),
  bytes: latin1(request(line, [...honest, ...headers])),
  status,
  error,
})

/** A POST with its length and, unless `headers` say otherwise, its type. */
export function post(
  path: string,
  body: string | Buffer,
  expected: readonly [number, string],
  options: { what?: string; headers?: readonly string[] } = {},
): Row {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  const headers = [...honest, ...(options.headers ?? ['Content-Type: application/json'])]
  const head = request(`POST ${path}`, [...headers, `Content-Length: ${bytes.length}`])
  const [status, error] = expected
  const shown = bytes
    .toString('latin1')
    .replace(/[^ -~]/g, '·')
    .slice(0, 60)
  return {
    what: options.what ?? `POST ${path} ${shown}`,
    bytes: Buffer.concat([latin1(head), bytes]),
    status,
    error,
  }
}

/** A POST of this text as `text` to remember, spelt in bytes. */
export const remember = (bytes: Buffer | string, error: string, what?: string): Row =>
  post(
    '/v1/remember',
    Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes), Buffer.from('"}')]),
    [400, error],
    what === undefined ? {} : { what },
  )
