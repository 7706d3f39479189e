import { describe, expect, it } from 'vitest'
import { fillWithDemo } from '../../src/cli/demo-fill.ts'
import type { Dream } from '../../src/core/records.ts'
import { dreamNight } from '../../src/dreams/night.ts'
import { openToDream } from './dream-over.ts'

const caller = { project: 'default', agent: 'default' }

/** The sample brain, filled as `brain demo` fills it and dreamt over with the model that ships. */
async function dreamDemo(now: number): Promise<{ dreams: Dream[]; textOf: (id: number) => string }> {
  const brain = await openToDream()
  await fillWithDemo(brain, caller, now)
  const dreams = await dreamNight(brain.context(caller), {
    now,
    seed: 1,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    limit: 40,
  })
  const memories = await brain.store.memories.list('default', { after: 0, limit: 1_000 })
  const texts = new Map(memories.map(({ id, text }) => [id, text]))
  return { dreams, textOf: (id) => texts.get(id) ?? '' }
}

const planted: [string, ...string[]][] = [
  ['reversal', 'up to 48 hours', 'up to 24 hours'],
  ['recurrence', 'timeouts this morning', 'timeouts again', 'timeouts between'],
  ['echo', 'Never run the season import', 'Marketing asks'],
  ['settled', 'latency dropped to 210'],
  ['drift', 'Exit survey', 'Removed the account step'],
  ['bridge', 'temporary files to db-07', 'disk of db-07'],
  ['collision', 'certificate of api.harbour.example', 'flight to Lisbon'],
  ['cause', 'Upgraded libvips', 'went through libvips'],
]

describe('the sample brain, dreamt over by meaning', () => {
  // Two days, one with a change of the clocks and of the month behind it.
  const days = [Date.UTC(2026, 4, 20, 12), Date.UTC(2026, 3, 5, 12)]
  it.each(days)('gives up what was planted and claims nothing false (%d)', async (now) => {
    const { dreams, textOf } = await dreamDemo(now)
    for (const [kind, ...parts] of planted) {
      const found = dreams.find(
        (dream) =>
          dream.kind === kind &&
          dream.sourceMemoryIds.length === parts.length &&
          parts.every((part) => dream.sourceMemoryIds.some((id) => textOf(id).includes(part))),
      )
      expect(found, `${kind}: ${parts.join(' + ')}`).toBeDefined()
    }
    expect(dreams.map(({ kind }) => kind).sort(), dreams.map(({ thought }) => thought).join('\n')).toEqual([
      'bridge',
      'cause',
      'collision',
      'drift',
      'echo',
      'recurrence',
      'reversal',
      'settled',
    ])
    for (const { novelty } of dreams) expect(novelty).toBeGreaterThan(0.15)
  })
})
