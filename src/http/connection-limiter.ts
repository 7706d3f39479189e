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

/** Maximum pipelined requests on one socket; and of all unauthenticated ones together. */
const maxAtOnce = 64
const maxUnauthenticatedRequests = 512

/** Maximum bytes of unread responses on one socket. */
const maxUnread = 4 * 2 ** 20

interface Connection {
  readonly address: string
  /** Requests in progress. */
  requests: number
  authenticated: boolean
}

export class ConnectionLimiter {
  readonly #connections = new Map<Socket, Connection>()
  /** Idle and unauthenticated, longest idle first. */
  readonly #waiting = new Set<Socket>()
  #unauthenticated = 0
  #unauthenticatedRequests = 0

  /** Accepts a socket, in place of an idle one if there are too many; closes it if none is idle. */
  enter(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const ofAddress = isLoopbackAddress(address) ? 0 : this.#countOf(address)
    if (ofAddress >= maxOfAddress) this.#makeRoom(address)
    else if (this.#unauthenticated >= maxUnauthenticated) this.#makeRoom()
    if (this.#unauthenticated >= maxUnauthenticated) return void socket.destroy()
    this.#connections.set(socket, { address, requests: 0, authenticated: false })
    this.#waiting.add(socket)
    this.#unauthenticated += 1
    socket.once('close', () => this.#leave(socket))
  }

  #countOf(address: string): number {
    let count = 0
    for (const connection of this.#connections.values())
      if (!connection.authenticated && connection.address === address) count += 1
    return count
  }

  #makeRoom(address?: string): void {
    for (const socket of this.#waiting) {
      if (address !== undefined && this.#connections.get(socket)?.address !== address) continue
      this.#leave(socket)
      socket.destroy()
      return
    }
  }

  #leave(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    this.#connections.delete(socket)
    this.#waiting.delete(socket)
    if (connection.authenticated) return
    this.#unauthenticated -= 1
    this.#unauthenticatedRequests -= connection.requests
  }

  /** Counts a request; false, with the socket closed, if it requests more than it reads. */
  begin(socket: Socket): boolean {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return !socket.destroyed
    const tooMany =
      connection.requests >= maxAtOnce ||
      (!connection.authenticated && this.#unauthenticatedRequests >= maxUnauthenticatedRequests)
    if (tooMany || socket.writableLength > maxUnread) {
      socket.destroy()
      return false
    }
    connection.requests += 1
    if (!connection.authenticated) this.#unauthenticatedRequests += 1
    this.#waiting.delete(socket)
    return true
  }

  /** Counts it as answered. */
  end(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    connection.requests -= 1
    if (connection.authenticated) return
    this.#unauthenticatedRequests -= 1
    if (connection.requests === 0) this.#waiting.add(socket)
  }

  /** The sender of the current request has presented a key. */
  authenticate(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined || connection.authenticated) return
    connection.authenticated = true
    this.#unauthenticated -= 1
    this.#unauthenticatedRequests -= connection.requests
    this.#waiting.delete(socket)
  }
}
