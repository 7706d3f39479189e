/** Which path is which endpoint. Paths match exactly, segment by segment; a `:member` takes one segment. */
import { BrainError } from '../core/errors.ts'
import { decodePart } from './query.ts'

export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

/** The target of a request line, taken apart without being changed. */
export interface Target {
  /** Host of a target in absolute form (`GET http://host/path`). */
  readonly authority: string | undefined
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

export function parseTarget(url: string): Target {
  const [, authority, rest = url] = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)(.*)$/is.exec(url) ?? []
  const at = rest.indexOf('?')
  const path = at === -1 ? rest : rest.slice(0, at)
  return {
    authority: authority?.replace(/^[^@]*@/, ''),
    path: path === '' && authority !== undefined ? '/' : path,
    query: at === -1 ? '' : rest.slice(at + 1),
  }
}

/** A path of a caller for a message: no control characters, no end of it when it is long. */
const shown = (path: string): string => {
  const clean = path.replace(/[^\u0021-\u007e]/g, '\ufffd')
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean
}

interface Match<E extends Endpoint> {
  /** Every endpoint of the path, whatever its method. */
  readonly endpoints: readonly E[]
  readonly parameters: Record<string, string>
}

export interface Router<E extends Endpoint> {
  /** @throws BrainError `no-endpoint` when the path is none of ours. */
  match(method: string, path: string): Match<E>
}

export function createRouter<E extends Endpoint>(endpoints: readonly E[]): Router<E> {
  const fixed = new Map<string, E[]>()
  const open: { segments: string[]; endpoint: E }[] = []
  for (const endpoint of endpoints) {
    if (endpoint.path.includes('/:')) open.push({ segments: endpoint.path.split('/'), endpoint })
    else fixed.set(endpoint.path, [...(fixed.get(endpoint.path) ?? []), endpoint])
  }

  function matchOpen(path: string): Match<E> | undefined {
    const given = path.split('/')
    for (const { segments, endpoint } of open) {
      if (segments.length !== given.length) continue
      const parameters: Record<string, string> = Object.create(null)
      const fits = segments.every((segment, at) => {
        const value = given[at] ?? ''
        if (!segment.startsWith(':')) return segment === value
        parameters[segment.slice(1)] = decodePart(value)
        return value !== ''
      })
      if (fits) return { endpoints: [endpoint], parameters }
    }
    return undefined
  }

  return {
    match(method, path) {
      const exact = fixed.get(path)
      const found = exact ? { endpoints: exact, parameters: {} } : matchOpen(path)
      if (found === undefined)
        throw new BrainError('no-endpoint', `no such endpoint: ${method} ${shown(path)}`)
      return found
    },
  }
}
