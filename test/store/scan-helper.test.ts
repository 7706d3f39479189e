/** A second thread that scans beside the first: whatever it does or leaves undone, the answer is one thread's. */
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSharedMemory } from '../../src/simd/kernels.ts'
import { LiveVectors } from '../../src/store/sqlite/live-vectors.ts'
import { ScanHelper } from '../../src/store/sqlite/scan-helper.ts'

/** Whole numbers below 2^32, the same in every run (xorshift). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** Holds this thread, and with it everything but the helper. */
const stand = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

const started: { readonly thread: Worker; readonly online: Promise<unknown> }[] = []
const threads = channel('worker_threads')
const onStart = (message: unknown) => {
  // Node's own announcement of a thread.
  const { worker } = message as { worker: Worker }
  started.push({ thread: worker, online: once(worker, 'online') })
}
beforeEach(() => {
  started.length = 0
  threads.subscribe(onStart)
})
afterEach(() => void threads.unsubscribe(onStart))

describe('a helper', () => {
  const [blockRows, stride, chunkRows] = [4, 256, 256]
  const rows = 30 * chunkRows + 7
  const layout = { blockRows, blockBytes: 1056, blocksAt: 1024, headBytes: 32, stride, matchesAt: 512 }
  /** Every row's product with the query is its block's number. */
  const scene = () => {
    const memory = createSharedMemory(64)
    const bytes = new Int8Array(memory.buffer)
    const floats = new Float32Array(memory.buffer)
    new Int16Array(memory.buffer)[0] = 1
    // Every third block belongs to another partition.
    const blocks = Array.from({ length: Math.ceil(rows / blockRows) }, (_, at) => at + Math.floor(at / 2))
    for (const block of blocks) {
      const start = layout.blocksAt + block * layout.blockBytes
      for (let row = 0; row < blockRows; row += 1) {
        bytes[start + layout.headBytes + row * stride] = 1
        floats[start / 4 + row] = block
      }
    }
    const helper = new ScanHelper(memory, { ...layout, chunkRows, maxBlocks: blocks.length })
    const slots = Array.from(
      { length: rows },
      (_, row) => (blocks[Math.floor(row / blockRows)] ?? 0) * blockRows + (row % blockRows),
    )
    return { helper, blocks, slots }
  }

  test('and its caller come to every row once, however far each gets', async () => {
    const { helper, blocks, slots: all } = scene()
    const seen = { unfinished: 0, full: 0, below: 0 }
    const next = numbers(5)
    for (let round = 0; round < 300 || Object.values(seen).includes(0); round += 1) {
      const threshold = round % 2 === 0 ? -1 : next() % (2 * blocks.length)
      if (!helper.invite(blocks, rows)) {
        await pause(1)
        continue
      }
      const own: number[] = []
      const scan = (first: number) => own.push(...all.slice(first, first + chunkRows))
      let first = helper.claim(threshold)
      stand((next() % 100) / (round % 10 === 0 ? 10 : 1000))
      for (; first !== undefined; first = helper.claim(threshold)) scan(first)
      const { slots, scores, unfinished } = helper.dismiss()
      if (unfinished !== undefined) scan(unfinished)
      const theirs = [...slots]
      expect(theirs).toEqual(theirs.toSorted((a, b) => a - b))
      expect([...scores]).toEqual(theirs.map((slot) => Math.floor(slot / blockRows)))
      // Equals of the threshold count: they may come before those that set it.
      const wanted = (slot: number) => slot >= threshold * blockRows
      expect([...own, ...theirs].filter(wanted).sort((a, b) => a - b)).toEqual(all.filter(wanted))
      if (unfinished !== undefined) seen.unfinished += 1
      if (own.length + theirs.length < rows) seen.below += 1
      // With no room for more it leaves the rest to its caller.
      if (theirs.length === 8 * chunkRows) seen.full += 1
      expect(theirs.length).toBeLessThanOrEqual(8 * chunkRows)
    }
    await helper.close()
  })

  test('that is killed at any moment leaves no row out', async () => {
    const next = numbers(6)
    for (let round = 0; round < 20; round += 1) {
      const { helper, blocks, slots: all } = scene()
      await expect.poll(() => helper.invite(blocks, rows), { interval: 5 }).toBe(true)
      const own: number[] = []
      const scan = (first: number) => own.push(...all.slice(first, first + chunkRows))
      stand((next() % 100) / 1000)
      const gone = helper.close()
      for (let first = helper.claim(-1); first !== undefined; first = helper.claim(-1)) scan(first)
      const { slots, unfinished } = helper.dismiss()
      if (unfinished !== undefined) scan(unfinished)
      expect([...own, ...slots].sort((a, b) => a - b)).toEqual(all)
      await gone
    }
  })
})

describe('a large partition', () => {
  const dimension = 1024
  const large = 50_000
  const next = numbers(7)
  /** So few that the hundred nearest have equals on both sides of the last. */
  const distinct = Array.from({ length: 700 }, () => ({
    row: Int8Array.from({ length: dimension }, () => next()),
    factor: (1 + (next() % 5)) / 1000,
  }))
  const fill = (live: LiveVectors, from: number, to: number) => {
    const pick = numbers(from + 1)
    for (let id = from + 1; id <= to; id += 1) {
      const vector = distinct[pick() % distinct.length]
      if (vector === undefined) throw new Error('there is no such vector')
      live.add(2, { passageId: id, memoryId: id, vector, tokens: Uint16Array.of(id) })
      if (id % 1000 === 0) live.add(4, { passageId: id, memoryId: id, vector, tokens: Uint16Array.of(id) })
    }
  }
  const pairOf = async () => {
    const [two, one] = [new LiveVectors(dimension), new LiveVectors(dimension)]
    // Closed, it scans alone.
    await one.close()
    for (const live of [two, one]) fill(live, 0, large)
    return { two, one }
  }
  const query = () => Float32Array.from({ length: dimension }, () => (next() % 2001) / 1000 - 1)
  const compare = ({ two, one }: { two: LiveVectors; one: LiveVectors }, limit = 100) => {
    const vector = query()
    expect(two.nearest(2, { vector, limit })).toEqual(one.nearest(2, { vector, limit }))
  }

  test('gets a second thread, and the same answers: before it, with it, with more rows, with fewer, after it', async () => {
    const pair = await pairOf()
    compare(pair)
    await expect.poll(() => started.length).toBe(1)
    for (let turn = 0; turn < 40; turn += 1) {
      compare(pair)
      compare(pair, 1)
      await pause(2)
    }
    compare(pair, 3000)
    for (const live of [pair.two, pair.one]) {
      // More than there was room for: the memory grows below the thread.
      fill(live, large, large + 20_000)
      for (let id = 1; id <= large; id += 3) live.remove(id)
    }
    for (let turn = 0; turn < 20; turn += 1) {
      compare(pair)
      await pause(2)
    }
    expect(
      pair.two.nearest(2, { vector: query(), limit: 100 }).some(({ passageId }) => passageId > large),
    ).toBe(true)
    await pair.two.close()
    compare(pair)
    expect(started.map(({ thread }) => thread.threadId)).toEqual([-1])
  })

  test('has the same answers when its thread is killed at any moment, and gets no other', async () => {
    const pair = await pairOf()
    pair.two.nearest(2, { vector: query(), limit: 1 })
    await expect.poll(() => started.length).toBe(1)
    const [helper] = started
    await helper?.online
    await pause(50)
    const gone = helper?.thread.terminate()
    for (let turn = 0; turn < 5; turn += 1) compare(pair)
    await gone
    for (let turn = 0; turn < 5; turn += 1) {
      compare(pair)
      await pause(1)
    }
    expect(started).toHaveLength(1)
    await pair.two.close()
  })

  test('closed at once, it starts no thread; a small one never does', async () => {
    const live = new LiveVectors(dimension)
    fill(live, 0, large)
    live.nearest(4, { vector: query(), limit: 10 })
    await pause(50)
    expect(started).toHaveLength(0)
    live.nearest(2, { vector: query(), limit: 10 })
    await live.close()
    await pause(50)
    expect(started).toHaveLength(0)
  })
})
