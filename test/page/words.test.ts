/** How the page writes times and numbers by hand: as Intl does, which takes a browser longer to wake than a view to draw. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { count } from '../../src/core/counts.ts'
import { agoOf, dayOf, hourOf, longDayOf } from '../../src/page/parts/words.ts'

const now = Date.parse('2026-03-15T12:34:56Z')
const moment = fc
  .integer({ min: -3 * 31_536_000, max: 3 * 31_536_000 })
  .map((seconds) => now + seconds * 1_000)
const withoutCommas = (text: string): string => text.replaceAll(',', '')

/** What `look` says of a moment, as if it were asked now. */
function atThatTime<T>(look: () => T): T {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  try {
    return look()
  } finally {
    vi.useRealTimers()
  }
}

describe('times and numbers in words', () => {
  test('a day, in short and in full, and an hour are those of this machine’s time zone', () => {
    const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const
    const long = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
    const hour = { hour: '2-digit', minute: '2-digit' } as const
    fc.assert(
      fc.property(moment, (at) => {
        const date = new Date(at)
        const told = date.toISOString()
        const year = date.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: 'numeric' } as const)
        const sept = (text: string): string => text.replace('Sept', 'Sep')
        const short = new Intl.DateTimeFormat('en-GB', { ...parts, ...year }).format(date)
        expect(atThatTime(() => dayOf(told))).toBe(sept(withoutCommas(short)))
        expect(hourOf(told)).toBe(new Intl.DateTimeFormat('en-GB', hour).format(date))
        const near = atThatTime(() => longDayOf(told))
        expect(withoutCommas(near.replace(/^(Today|Yesterday), /, ''))).toBe(
          withoutCommas(new Intl.DateTimeFormat('en-GB', long).format(date)),
        )
      }),
    )
  })

  test('today and yesterday are called so, whatever the hour', () => {
    const at = new Date(now)
    const day = (ago: number, hours: number): string =>
      new Date(at.getFullYear(), at.getMonth(), at.getDate() - ago, hours).toISOString()
    for (const hours of [0, 12, 23]) {
      expect(atThatTime(() => longDayOf(day(0, hours)))).toMatch(/^Today, /)
      expect(atThatTime(() => longDayOf(day(1, hours)))).toMatch(/^Yesterday, /)
      expect(atThatTime(() => longDayOf(day(2, hours)))).toMatch(/^Friday, 13 March 2026$/)
    }
  })

  test('how long ago or how soon is said as Intl says it', () => {
    const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
    const units = { year: 31_536_000, month: 2_592_000, week: 604_800, day: 86_400, hour: 3_600, minute: 60 }
    fc.assert(
      fc.property(
        fc.oneof(
          moment,
          fc.integer({ min: -700_000, max: 700_000 }).map((s) => now + s * 1_000),
        ),
        (at) => {
          const seconds = (at - now) / 1_000
          const [name, length] = Object.entries(units).find(([, one]) => Math.abs(seconds) >= one) ?? []
          const told = atThatTime(() => agoOf(new Date(at).toISOString()))
          if (name === undefined || length === undefined) {
            expect(told).toBe('just now')
            return
          }
          const n = Math.sign(seconds) * Math.round(Math.abs(seconds) / length)
          expect(told).toBe(relative.format(n, name as Intl.RelativeTimeFormatUnit)) // A key of the table above.
        },
      ),
      { numRuns: 500 },
    )
  })

  test('thousands are parted', () => {
    fc.assert(
      fc.property(fc.nat(), (n) => {
        expect(count(n)).toBe(n.toLocaleString('en'))
      }),
    )
  })
})
