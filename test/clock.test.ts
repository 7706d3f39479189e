import { getEventListeners } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTurns, pause } from '../src/clock.ts'

describe('a pause', () => {
  test('ends with the reason of its signal, also of one that was aborted before', async () => {
    const stop = new AbortController()
    const waiting = pause(1_000_000, stop.signal)
    const reason = new Error('asked to stop')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(pause(1_000_000, stop.signal)).rejects.toBe(reason)
  })

  test('leaves nothing at the signal when it is over', async () => {
    const { signal } = new AbortController()
    for (let turn = 0; turn < 3; turn += 1) await pause(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('turns', () => {
  test('are given to others after each twenty milliseconds of work, and not before', async () => {
    let now = 0n
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => now)
    onTestFinished(() => void vi.restoreAllMocks())
    const turn = createTurns()
    const given: boolean[] = []
    for (let step = 0; step < 8; step += 1) {
      now += 8_000_000n
      const waiting = turn()
      given.push(waiting !== undefined)
      await waiting
    }
    expect(given).toEqual([false, false, true, false, false, true, false, false])
  })
})
