/**
 * Limits sockets, and how much of their responses may stay unread. Callers that have presented a key have a reserve
 * that strangers cannot take, and among strangers those that have been idle longest make room for new ones. Knows
 * sockets and addresses; nothing about requests.
 */
import type { Socket } from 'node:net'
import { isLoopback } from './guard.ts'

/** Maximum sockets: in total, without a key, and of these from one address of another machine. */
export const maxSockets = 2_048
const maxStrangers = 1_024
const maxOfAddress = 256

/** Maximum pipelined requests on one socket; and of all strangers together. */
const maxAtOnce = 64
const maxOfStrangers = 512

/** Maximum bytes of unread responses on one socket. */
const maxUnread = 4 * 2 ** 20

interface Guest {
  readonly address: string
  /** Requests in progress. */
  requests: number
  known: boolean
}

const isNear = (address: string): boolean => isLoopback(address.replace(/^::ffff:/, ''))

export class Crowd {
  readonly #guests = new Map<Socket, Guest>()
  /** Idle strangers, longest idle first. */
  readonly #waiting = new Set<Socket>()
  #strangers = 0
  #asked = 0

  /** Accepts a socket, in place of an idle one if there are too many; closes it if none is idle. */
  enter(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const ofAddress = isNear(address) ? 0 : this.#countOf(address)
    if (ofAddress >= maxOfAddress) this.#makeRoom(address)
    else if (this.#strangers >= maxStrangers) this.#makeRoom()
    if (this.#strangers >= maxStrangers) return void socket.destroy()
    this.#guests.set(socket, { address, requests: 0, known: false })
    this.#waiting.add(socket)
    this.#strangers += 1
    socket.once('close', () => this.#leave(socket))
  }

  #countOf(address: string): number {
    let count = 0
    for (const guest of this.#guests.values()) if (!guest.known && guest.address === address) count += 1
    return count
  }

  #makeRoom(address?: string): void {
    for (const socket of this.#waiting) {
      if (address !== undefined && this.#guests.get(socket)?.address !== address) continue
      this.#leave(socket)
      socket.destroy()
      return
    }
  }

  #leave(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest === undefined) return
    this.#guests.delete(socket)
    this.#waiting.delete(socket)
    if (guest.known) return
    this.#strangers -= 1
    this.#asked -= guest.requests
  }

  /** Counts a request; false, with the socket closed, if it requests more than it reads. */
  begin(socket: Socket): boolean {
    const guest = this.#guests.get(socket)
    if (guest === undefined) return !socket.destroyed
    const tooMany = guest.requests >= maxAtOnce || (!guest.known && this.#asked >= maxOfStrangers)
    if (tooMany || socket.writableLength > maxUnread) {
      socket.destroy()
      return false
    }
    guest.requests += 1
    if (!guest.known) this.#asked += 1
    this.#waiting.delete(socket)
    return true
  }

  /** Counts it as answered. */
  end(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest === undefined) return
    guest.requests -= 1
    if (guest.known) return
    this.#asked -= 1
    if (guest.requests === 0) this.#waiting.add(socket)
  }

  /** The sender of the current request has presented a key. */
  recognise(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest === undefined || guest.known) return
    guest.known = true
    this.#strangers -= 1
    this.#asked -= guest.requests
    this.#waiting.delete(socket)
  }
}
