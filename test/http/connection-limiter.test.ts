/** Who is let in when many come, where addresses differ: what a daemon on this machine alone never sees. */
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ConnectionLimiter } from '../../src/http/connection-limiter.ts'

/** A connection that comes from somewhere. */
class Peer extends Socket {
  constructor(address: string) {
    super()
    Object.defineProperty(this, 'remoteAddress', { value: address })
  }
}

/** So many connections from an address, one after another. */
function come(limiter: ConnectionLimiter, count: number, address: string | ((at: number) => string)): Peer[] {
  return Array.from({ length: count }, (_, at) => {
    const peer = new Peer(typeof address === 'string' ? address : address(at))
    limiter.enter(peer)
    return peer
  })
}

const shutOut = (peers: readonly Peer[]): number => peers.filter(({ destroyed }) => destroyed).length

test('one address on the network takes a quarter of the places, and then the place of its own longest idle', () => {
  const limiter = new ConnectionLimiter()
  const [early] = come(limiter, 1, '198.51.100.1')
  const greedy = come(limiter, 2_000, '203.0.113.5')
  expect(shutOut(greedy)).toBe(2_000 - 256)
  expect(shutOut(greedy.slice(-256))).toBe(0)
  expect(early?.destroyed).toBe(false)
  expect(shutOut(come(limiter, 200, '198.51.100.2'))).toBe(0)
})

test('one address whose places are all busy gets no further one, and asks for half at once at most', () => {
  const limiter = new ConnectionLimiter()
  const busy = come(limiter, 256, '203.0.113.5')
  for (const peer of busy) expect(limiter.begin(peer)).toBe(true)
  expect(shutOut(come(limiter, 300, '203.0.113.5'))).toBe(300)
  expect(shutOut(busy)).toBe(0)
  const [first, other] = [busy[0], ...come(limiter, 1, '198.51.100.1')]
  expect(first && limiter.begin(first)).toBe(false)
  expect(other && limiter.begin(other)).toBe(true)
  // An answer makes room, and so does a key.
  for (const peer of busy.slice(1, 3)) limiter.end(peer)
  expect(shutOut(come(limiter, 3, '203.0.113.5'))).toBe(1)
})

test('all who have shown no key ask for 512 answers at once at most, wherever they are', () => {
  const limiter = new ConnectionLimiter()
  const asking = come(limiter, 513, '127.0.0.1')
  expect(asking.map((peer) => limiter.begin(peer)).lastIndexOf(true)).toBe(511)
  const [known, other] = come(limiter, 2, '127.0.0.1')
  if (known !== undefined) limiter.authenticate(known)
  expect([known && limiter.begin(known), other && limiter.begin(other)]).toEqual([true, false])
})

test('what somebody asked for without a key is not held against their address once they have shown one, or gone', () => {
  const limiter = new ConnectionLimiter()
  const address = '203.0.113.5'
  for (const leaves of [true, false, true, false, true]) {
    for (const peer of come(limiter, 256, address)) {
      expect(limiter.begin(peer)).toBe(true)
      if (leaves) peer.emit('close')
      else {
        limiter.authenticate(peer)
        limiter.authenticate(peer)
        limiter.end(peer)
        peer.emit('close')
      }
    }
  }
  const more = come(limiter, 257, address)
  expect(shutOut(more)).toBe(1)
})

test('one that waits for an answer still is not idle, and one that was closed asks for nothing', () => {
  const limiter = new ConnectionLimiter()
  const [busy] = come(limiter, 1, '203.0.113.5')
  if (busy === undefined) throw new Error('nobody came')
  for (const _ of [1, 2]) limiter.begin(busy)
  limiter.end(busy)
  come(limiter, 256, '203.0.113.5')
  expect(busy.destroyed).toBe(false)
  limiter.end(busy)
  come(limiter, 256, '203.0.113.5')
  expect([busy.destroyed, limiter.begin(busy)]).toEqual([true, false])
})

test('many addresses take no place of those who have shown a key, nor of those who wait for an answer', () => {
  const limiter = new ConnectionLimiter()
  const [known, asking] = [come(limiter, 20, '198.51.100.1'), come(limiter, 20, '198.51.100.2')]
  for (const peer of [...known, ...asking]) expect(limiter.begin(peer)).toBe(true)
  for (const peer of known) {
    limiter.authenticate(peer)
    limiter.end(peer)
  }
  const strangers = come(limiter, 4_000, (at) => `192.0.2.${at % 250}`)
  expect([shutOut(known), shutOut(asking)]).toEqual([0, 0])
  expect(strangers.length - shutOut(strangers)).toBe(1_024 - asking.length)
  // Those who have an answer, and no key, are idle again.
  for (const peer of asking) limiter.end(peer)
  come(limiter, 4_000, (at) => `192.0.2.${at % 250}`)
  expect([shutOut(known), shutOut(asking)]).toEqual([0, asking.length])
})

test('one connection asks for 64 answers at once at most, whether or not it has shown a key', () => {
  const limiter = new ConnectionLimiter()
  for (const keyed of [false, true])
    for (const peer of come(limiter, 1, '127.0.0.1')) {
      if (keyed) limiter.authenticate(peer)
      for (let asked = 0; asked < 64; asked += 1) expect(limiter.begin(peer)).toBe(true)
      expect([limiter.begin(peer), peer.destroyed]).toEqual([false, true])
    }
})

test('one connection leaves four megabytes of answers unread at most', () => {
  const limiter = new ConnectionLimiter()
  const [slow, slower] = come(limiter, 2, '127.0.0.1')
  if (slow === undefined || slower === undefined) throw new Error('nobody came')
  for (const [peer, bytes] of [[slow, 2 ** 22] as const, [slower, 2 ** 22 + 1] as const]) {
    // What is held back was written, and is not read.
    peer.cork()
    peer.write(Buffer.alloc(bytes))
  }
  expect([limiter.begin(slow), limiter.begin(slower), slower.destroyed]).toEqual([true, false, true])
})
