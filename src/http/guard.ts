/**
 * Keeps web pages out: checks the host a request is addressed to and the page it comes from before anything else.
 * Knows names and origins; nothing about keys, routes or bodies.
 */
import { isIPv4 } from 'node:net'
import { BrainError } from '../core/errors.ts'
import { headerValues } from './headers.ts'

export interface GuardOptions {
  /** The address the daemon was told to listen on. */
  readonly host: string
  /** Additional names it answers to, with or without a port, from `--allow-host`. */
  readonly allowHosts: readonly string[]
  /** Pages that may call it, as given by `--allow-origin`. */
  readonly allowOrigins: readonly string[]
  /** Whether the daemon serves its own page, which may call it as well. */
  readonly page?: boolean
}

/** The parts of a request that the guard checks. */
interface RequestHead {
  readonly rawHeaders: readonly string[]
  /** The host of a request target in absolute form. */
  readonly authority: string | undefined
  /** The address of this end of the socket. */
  readonly localAddress: string | undefined
  /** Whether the socket is TLS. */
  readonly encrypted?: boolean
}

/** The caller, as far as the browser says. */
export interface Admission {
  /** The origin of the allowed page that calls and may read the response, if any. */
  readonly origin: string | undefined
  /**
   * Whether the daemon's own page asks; `verified` when its browser named its origin, `asserted` when an origin of the daemon's
   * own is named, and no browser vouches for it: a key has to.
   */
  readonly pageOrigin: false | 'absent' | 'verified' | 'asserted'
}

export interface Guard {
  /** @throws BrainError `forbidden`, or `invalid` when there is no Host at all. */
  check(head: RequestHead): Admission
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** A literal IPv6 address as it stands in a Host header. */
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** Whether it is an IP address of this machine's loopback: 127.0.0.0/8, the same mapped into IPv6, or ::1. No name is one. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}

const authorityPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/

interface Authority {
  readonly name: string
  readonly port: number | undefined
}

function parseAuthority(text: string): Authority | undefined {
  const [, name, port] = authorityPattern.exec(text.toLowerCase()) ?? []
  if (name === undefined || Number(port ?? 0) > 65_535) return undefined
  return { name, port: port === undefined ? undefined : Number(port) }
}

/** @throws BrainError `invalid` when a name or origin given on the command line is none. */
export function createGuard(options: GuardOptions): Guard {
  const names = new Set([...loopbackNames, bracketed(options.host.toLowerCase())])
  const allowed = options.allowHosts.map((host) => {
    const authority = parseAuthority(host)
    if (authority === undefined) {
      throw new BrainError('invalid', `allow-host must be a host name, with or without a port: ${host}`)
    }
    return authority
  })
  for (const origin of options.allowOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new BrainError(
        'invalid',
        `allow-origin must be an origin such as https://app.example, not ${origin}`,
      )
    }
  }
  const origins = new Set(options.allowOrigins)

  function isOurs(text: string, localAddress: string | undefined): boolean {
    const authority = parseAuthority(text)
    if (authority === undefined) return false
    if (names.has(authority.name)) return true
    // An address cannot be rebound: whoever names the one the socket really has means this daemon.
    const local = localAddress?.replace(/^::ffff:/, '')
    if (local !== undefined && authority.name === bracketed(local)) return true
    return allowed.some(
      ({ name, port }) => name === authority.name && (port === undefined || port === authority.port),
    )
  }

  const namesLoopback = (host = ''): boolean => loopbackNames.includes(parseAuthority(host)?.name ?? '')

  return {
    check({ rawHeaders, authority, localAddress, encrypted = false }) {
      const hosts = headerValues(rawHeaders, 'host')
      if (hosts.length === 0) throw new BrainError('invalid', 'host is required')
      const addressed = authority === undefined ? hosts : [authority, ...hosts]
      if (hosts.length > 1 || !addressed.every((host) => isOurs(host, localAddress)))
        throw new BrainError('forbidden', 'host not allowed')

      const site = headerValues(rawHeaders, 'sec-fetch-site')
      const ownSite = options.page === true && site.length === 1 && site[0] === 'same-origin'
      const [origin, ...more] = headerValues(rawHeaders, 'origin')
      if (origin !== undefined) {
        if (more.length > 0) throw new BrainError('forbidden', 'origin not allowed')
        if (origins.has(origin)) return { origin, pageOrigin: false }
        const own = `${encrypted ? 'https' : 'http'}://${hosts[0]?.toLowerCase()}`
        if (origin === own && ownSite) return { origin: undefined, pageOrigin: 'verified' }
        // As clients of the protocol name it that are no browsers; no page elsewhere can.
        if (origin === own && site.length === 0 && namesLoopback(hosts[0]))
          return { origin: undefined, pageOrigin: 'asserted' }
        throw new BrainError('forbidden', 'origin not allowed')
      }
      // Browsers leave Origin out of plain GETs, but say where those come from; "none" is the address bar.
      if (site.some((value) => value !== 'none' && value !== 'same-origin'))
        throw new BrainError('forbidden', 'origin not allowed')
      return { origin: undefined, pageOrigin: ownSite ? 'absent' : false }
    },
  }
}
