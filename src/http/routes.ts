/** Request paths as they were sent, and the members that endpoints take from them. */
import { decodePart } from './query.ts'

export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

/** The parts of a request target, unchanged. */
export interface Target {
  /** Host of a target in absolute form (`GET http://host/path`). */
  readonly authority: string | undefined
  /** Scheme of an absolute target, in lower case. */
  readonly scheme: string | undefined
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

export function parseTarget(url: string): Target {
  const [, scheme, authority, rest = url] = /^([a-z][a-z0-9+.-]*):\/\/([^/?]*)(.*)$/is.exec(url) ?? []
  const at = rest.indexOf('?')
  const path = at === -1 ? rest : rest.slice(0, at)
  return {
    authority: authority?.replace(/^[^@]*@/, ''),
    scheme: scheme?.toLowerCase(),
    path: path === '' && authority !== undefined ? '/' : path,
    query: at === -1 ? '' : rest.slice(at + 1),
  }
}

/** A caller's path for an error message: without control characters, truncated if long. */
export const shown = (path: string): string => {
  const clean = path.replace(/[^\u0021-\u007e]/g, '\ufffd')
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean
}

/** The members a path gives to an endpoint, decoded: bytes that are no UTF-8 come out as what validation refuses. */
export function parametersOf(pattern: string, path: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null)
  const given = path.split('/')
  for (const [at, segment] of pattern.split('/').entries()) {
    if (segment.startsWith(':')) parameters[segment.slice(1)] = decodePart(given[at] ?? '')
  }
  return parameters
}
