/**
 * Limits sockets, and how much of their responses may stay unread. Callers that have presented a key have a reserve
 * that others cannot take, and among the unauthenticated those that have been idle longest make room for new ones. Knows
 * sockets and addresses; nothing about requests.
 */
import type { Socket } from 'node:net'
import { isLoopbackAddress } from './guard.ts'

/** Maximum sockets: in total, without a key, and of these from one address of another machine. */
export const maxSockets = 2_048
const maxUnauthenticated = 1_024
const maxOfAddress = 256

/** Maximum pipelined requests on one socket; of all unauthenticated ones together, and of those of one such address. */
const maxAtOnce = 64
const maxUnauthenticatedRequests = 512
const maxRequestsOfAddress = 256

/** Maximum bytes of unread responses on one socket. */
const maxUnread = 4 * 2 ** 20

/** What the unauthenticated sockets of one address have together. */
interface Address {
  sockets: number
  requests: number
}

interface Connection {
  /** Empty where the other end is on this machine, which has no limit of its own. */
  readonly address: string
  /** Requests in progress. */
  requests: number
  authenticated: boolean
}

export class ConnectionLimiter {
  readonly #connections = new Map<Socket, Connection>()
  readonly #addresses = new Map<string, Address>()
  /** Idle and unauthenticated, longest idle first. */
  readonly #waiting = new Set<Socket>()
  #unauthenticated = 0
  #unauthenticatedRequests = 0

  /** Accepts a socket, in place of an idle one (of its address, if that has too many); closes it if none is idle. */
  enter(socket: Socket): void {
    const from = socket.remoteAddress ?? ''
    const address = isLoopbackAddress(from) ? '' : from
    const ofAddress = this.#addresses.get(address)?.sockets ?? 0
    const crowded = address !== '' && ofAddress >= maxOfAddress
    const full = crowded || this.#unauthenticated >= maxUnauthenticated
    if (full && !this.#makeRoom(crowded ? address : undefined)) return void socket.destroy()
    this.#connections.set(socket, { address, requests: 0, authenticated: false })
    this.#waiting.add(socket)
    this.#count(address, 1, 0)
    socket.once('close', () => this.#leave(socket))
  }

  /** Counts unauthenticated sockets and requests that come or, below 0, go. */
  #count(address: string, sockets: number, requests: number): void {
    this.#unauthenticated += sockets
    this.#unauthenticatedRequests += requests
    if (address === '') return
    const { sockets: had, requests: asked } = this.#addresses.get(address) ?? { sockets: 0, requests: 0 }
    if (had + sockets === 0) this.#addresses.delete(address)
    else this.#addresses.set(address, { sockets: had + sockets, requests: asked + requests })
  }

  /** Closes the socket that has been idle longest; false if none is. */
  #makeRoom(address?: string): boolean {
    for (const socket of this.#waiting) {
      if (address !== undefined && this.#connections.get(socket)?.address !== address) continue
      this.#leave(socket)
      socket.destroy()
      return true
    }
    return false
  }

  #leave(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    this.#connections.delete(socket)
    this.#waiting.delete(socket)
    if (!connection.authenticated) this.#count(connection.address, -1, -connection.requests)
  }

  /** Counts a request; false, with the socket closed, if it requests more than it reads. */
  begin(socket: Socket): boolean {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return !socket.destroyed
    const ofAddress = this.#addresses.get(connection.address)?.requests ?? 0
    const tooMany =
      connection.requests >= maxAtOnce ||
      (!connection.authenticated &&
        (this.#unauthenticatedRequests >= maxUnauthenticatedRequests || ofAddress >= maxRequestsOfAddress))
    if (tooMany || socket.writableLength > maxUnread) {
      socket.destroy()
      return false
    }
    connection.requests += 1
    if (!connection.authenticated) this.#count(connection.address, 0, 1)
    this.#waiting.delete(socket)
    return true
  }

  /** Counts it as answered. */
  end(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    connection.requests -= 1
    if (connection.authenticated) return
    this.#count(connection.address, 0, -1)
    if (connection.requests === 0) this.#waiting.add(socket)
  }

  /** The sender of the current request has presented a key. */
  authenticate(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined || connection.authenticated) return
    connection.authenticated = true
    this.#count(connection.address, -1, -connection.requests)
    this.#waiting.delete(socket)
  }
}
