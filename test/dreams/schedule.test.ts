import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lastNight, longestNight, startNights } from '../../src/dreams/schedule.ts'
import type { Store } from '../../src/store/store.ts'
import { openInMemory } from '../store/temporary-store.ts'
import { contextOf, march, remember } from './night-context.ts'

const at = '03:00'
const timeZone = 'Europe/Copenhagen'

interface Daemon {
  readonly dreamt: string[]
  readonly warnings: string[]
  readonly clock: { now: number }
  catchUp(): Promise<void>
  stop(): Promise<void>
}

function start(
  store: Store,
  now: number,
  dream?: (project: string, signal: AbortSignal) => Promise<void>,
): Daemon {
  const [dreamt, warnings]: [string[], string[]] = [[], []]
  const clock = { now }
  const schedule = startNights({
    store,
    at,
    timeZone,
    now: () => clock.now,
    warn: (message) => warnings.push(message),
    dream: async (project, signal) => {
      dreamt.push(project)
      await dream?.(project, signal)
    },
  })
  onTestFinished(() => schedule.stop())
  return { dreamt, warnings, clock, ...schedule }
}

describe('the last night', () => {
  it('is the last time the clock showed the hour, in the zone asked for', () => {
    expect(lastNight('03:00', Date.UTC(2026, 2, 10, 12), 'UTC')).toBe(Date.UTC(2026, 2, 10, 3))
    expect(lastNight('03:00', Date.UTC(2026, 2, 10, 2), 'UTC')).toBe(Date.UTC(2026, 2, 9, 3))
    expect(lastNight('03:00', Date.UTC(2026, 2, 10, 12), timeZone)).toBe(Date.UTC(2026, 2, 10, 2))
    expect(lastNight('23:59', Date.UTC(2026, 0, 1, 12), 'UTC')).toBe(Date.UTC(2025, 11, 31, 23, 59))
  })

  it('comes once a day also when the clocks change', () => {
    for (const day of [28, 29, 30]) {
      const nights = new Set<number>()
      for (let hour = 0; hour < 24; hour += 1) nights.add(lastNight('02:30', march(day, hour), timeZone))
      expect(nights.size).toBeLessThanOrEqual(2)
    }
  })
})

describe('nights of a daemon', () => {
  it('a missed night is dreamt at the next start, and only once', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[2, 'something old']])
    const daemon = start(store, march(3, 15))
    await daemon.catchUp()
    await daemon.catchUp()
    expect(daemon.dreamt).toEqual(['mine'])
    const restarted = start(store, march(3, 16))
    await restarted.catchUp()
    expect(restarted.dreamt).toEqual([])
  })

  it('every new night is due again', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[2, 'something old']])
    const daemon = start(store, march(3, 15))
    await daemon.catchUp()
    daemon.clock.now = march(4, 1)
    await daemon.catchUp()
    expect(daemon.dreamt).toHaveLength(1)
    daemon.clock.now = march(4, 2)
    await daemon.catchUp()
    expect(daemon.dreamt).toHaveLength(2)
  })

  it('a night that hangs is ended, and the next one comes', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[2, 'something old']])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hangs = (_: string, signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
    const daemon = start(store, march(3, 15), hangs)
    const night = daemon.catchUp()
    await vi.waitFor(() => expect(daemon.dreamt).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(longestNight)
    await night
    expect(daemon.warnings).toEqual(['the night was cut short: ended'])
    daemon.clock.now = march(4, 15)
    void daemon.catchUp()
    await vi.waitFor(() => expect(daemon.dreamt).toHaveLength(2))
  })

  it('nights of a clock that ran ahead are none, once it is set back', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[2, 'something old']])
    const daemon = start(store, march(30, 15))
    await daemon.catchUp()
    daemon.clock.now = march(5, 15)
    await daemon.catchUp()
    expect(daemon.dreamt).toEqual(['mine', 'mine'])
    await daemon.catchUp()
    expect(daemon.dreamt).toHaveLength(2)
  })

  it('two daemons on one brain share one night', async () => {
    const store = await openInMemory()
    await remember(contextOf(store, 'one'), [[2, 'something old']])
    await remember(contextOf(store, 'two'), [[2, 'something old']])
    const daemons = [start(store, march(3, 15)), start(store, march(3, 15))]
    await Promise.all(daemons.map((daemon) => daemon.catchUp()))
    expect(daemons.flatMap(({ dreamt }) => dreamt).sort()).toEqual(['one', 'two'])
  })

  it('a project whose first memory is younger than the hour missed nothing', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[3, 'made at nine']])
    const daemon = start(store, march(3, 15))
    await daemon.catchUp()
    expect(daemon.dreamt).toEqual([])
    daemon.clock.now = march(4, 15)
    await daemon.catchUp()
    expect(daemon.dreamt).toEqual(['mine'])
  })

  it('a night that failed is told and tried again when its hold is over', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[2, 'something old']])
    const daemon = start(store, march(3, 15), async () => {
      throw new Error('the disk is full')
    })
    await daemon.catchUp()
    expect(daemon.warnings).toEqual(['the night was cut short: the disk is full'])
    await daemon.catchUp()
    expect(daemon.dreamt).toHaveLength(1)
    daemon.clock.now += longestNight
    await daemon.catchUp()
    expect(daemon.dreamt).toHaveLength(2)
  })

  it('stopping waits for the night at work and starts no other', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [[2, 'something old']])
    let finished = false
    const daemon = start(store, march(3, 15), async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      finished = true
    })
    const caught = daemon.catchUp()
    await daemon.stop()
    await caught
    daemon.clock.now = march(9)
    await daemon.catchUp()
    expect(finished || daemon.dreamt.length === 0).toBe(true)
    expect(daemon.dreamt.length).toBeLessThanOrEqual(1)
  })
})
