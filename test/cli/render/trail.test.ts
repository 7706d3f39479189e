/** The picture of a trail: every event on its line, moving between the boundaries. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderTrail } from '../../../src/cli/render/trail.ts'

const boundaries = { promote: 2.8904, demote: -2.2513 }

const event = (log_likelihood: number) => ({
  kind: log_likelihood < 0 ? 'refuting' : 'supporting',
  strength: 0.5,
  log_likelihood,
  created_at: '2026-05-20T12:00:00.000+00:00',
})

describe('the trail of a belief', () => {
  it('shows the ratio walking between its two boundaries', () => {
    const { head, events } = renderTrail([event(1.1), event(-2.9), event(6)], boundaries)
    expect(`\n${[...head, ...events].join('\n')}\n`).toBe(`
demoted -2.25  0            promoted 2.89
┼──────────────┼──────────────────┼─────────
│              ───────●           │           2026-05-20  +1.10 = +1.10  supporting 0.5
│  ●───────────────────           │           2026-05-20  -2.90 = -1.80  refuting 0.5
│  ────────────────────────────────────────●  2026-05-20  +6.00 = +4.20  supporting 0.5
`)
  })

  it('gives each boundary a line where both have no room on one', () => {
    const { head } = renderTrail([event(1.1)], boundaries, 70)
    expect(`\n${head.join('\n')}\n`).toBe(`
demoted -2.25
           promoted 2.89
┼─────────┼────────────┼
`)
  })

  it('has its axis and nothing more before any evidence', () => {
    const { head, events } = renderTrail([], boundaries)
    expect([head.length, events]).toEqual([2, []])
  })

  it('sums up what came before the last twenty events', () => {
    const { head, events } = renderTrail(
      Array.from({ length: 25 }, () => event(0.5)),
      boundaries,
    )
    expect(events).toHaveLength(20)
    expect(head.at(-1)).toBe('… 5 earlier, log ratio +2.50 by then')
    expect(events.at(-1)).toContain('+0.50 = +12.50')
  })

  it('stays within its columns whatever the evidence, and within the terminal from 70 on', () => {
    const steps = fc.array(fc.double({ min: -2.95, max: 2.95, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 70, max: 100 }), (all, width) => {
        const { events } = renderTrail(all.map(event), boundaries, width)
        const plot = Math.min(44, width - 46)
        for (const line of events) {
          expect(line.indexOf('  ', plot)).toBe(plot)
          expect(line.slice(0, plot).split('●')).toHaveLength(2)
          expect(line.length).toBeLessThanOrEqual(width)
        }
      }),
    )
  })
})
