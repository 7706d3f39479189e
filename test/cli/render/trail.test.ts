/** The picture of a trail: every event on its line, moving between the boundaries. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderTrail } from '../../../src/cli/render/trail.ts'

const boundaries = { promote: 2.8904, demote: -2.2513 }

const event = (log_likelihood: number, note: string | null = null) => ({
  kind: log_likelihood < 0 ? 'refuting' : 'supporting',
  strength: 0.5,
  log_likelihood,
  note,
})

describe('the trail of a belief', () => {
  it('shows the ratio walking between its two boundaries', () => {
    const lines = renderTrail([event(1.1, 'seen'), event(-2.9), event(6)], boundaries)
    expect(`\n${lines.join('\n')}\n`).toBe(`
demoted -2.25  0            promoted 2.89
┼──────────────┼──────────────────┼─────────
│              ───────●           │           +1.10 = +1.10  supporting 0.5  seen
│  ●───────────────────           │           -2.90 = -1.80  refuting 0.5
│  ────────────────────────────────────────●  +6.00 = +4.20  supporting 0.5
`)
  })

  it('has its axis and nothing more before any evidence', () => {
    expect(renderTrail([], boundaries)).toHaveLength(2)
  })

  it('sums up what came before the last twenty events', () => {
    const lines = renderTrail(
      Array.from({ length: 25 }, () => event(0.5)),
      boundaries,
    )
    expect(lines).toHaveLength(2 + 1 + 20)
    expect(lines[2]).toBe('… 5 earlier, log ratio +2.50 by then')
    expect(lines.at(-1)).toContain('+0.50 = +12.50')
  })

  it('stays within its columns whatever the evidence', () => {
    const steps = fc.array(fc.double({ min: -2.95, max: 2.95, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(steps, (all) => {
        for (const line of renderTrail(
          all.map((step) => event(step)),
          boundaries,
        ).slice(2)) {
          if (line.startsWith('…')) continue
          expect(line.indexOf('  ', 44)).toBe(44)
          expect(line.slice(0, 44).split('●')).toHaveLength(2)
        }
      }),
    )
  })
})
