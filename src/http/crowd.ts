/**
 * Who may hold sockets, and how much of what they have asked for may wait to be read. Whoever has shown a key has a
 * reserve that strangers cannot take, and of strangers those who have waited longest without asking anything make room
 * for those who come. Knows sockets and addresses; nothing of requests.
 */
import type { Socket } from 'node:net'
import { isLoopback } from './guard.ts'

/** Sockets at one time: of all, of those who have shown no key, and of these from one address of another machine. */
export const maxSockets = 2_048
const maxStrangers = 1_024
const maxOfAddress = 256

/** Requests under way on one socket, sent one behind the other; and of all strangers together. */
const maxAtOnce = 64
const maxOfStrangers = 512

/** Bytes of answers that nobody reads, on one socket. */
const maxUnread = 4 * 2 ** 20

interface Guest {
  readonly address: string
  /** Requests under way. */
  requests: number
  known: boolean
}

const isNear = (address: string): boolean => isLoopback(address.replace(/^::ffff:/, ''))

export class Crowd {
  readonly #guests = new Map<Socket, Guest>()
  /** Strangers that have nothing under way, who has waited longest first. */
  readonly #waiting = new Set<Socket>()
  #strangers = 0
  #asked = 0

  /** Takes a socket in, in the place of one that waits when there are too many; closes it where none waits. */
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

  /** Counts a request; false, with the socket closed, when it asks for more than it reads. */
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

  /** Whoever sent the request under way has shown a key. */
  recognise(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest === undefined || guest.known) return
    guest.known = true
    this.#strangers -= 1
    this.#asked -= guest.requests
    this.#waiting.delete(socket)
  }
}
