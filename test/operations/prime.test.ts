import { describe, expect, test } from 'vitest'
import { isWorthTelling } from '../../src/operations/prime.ts'
import { openSmallBrain } from './small-brain.ts'

const day = 24 * 3_600_000

describe('prime', () => {
  test('of an empty brain is empty', async () => {
    const brain = await openSmallBrain()
    expect(await brain.call('prime')).toEqual({ text: '', shown: 0, omitted: 0 })
  })

  test('lists open ends before memories, and the newest last', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await brain.call('predict', {
      prediction: 'The migration is done by May',
      domain: 'work',
      confidence: 0.8,
    })
    brain.clock.now += 31 * day
    await brain.call('flag', { text: 'Never drop the orders table without a backup', caution: 0.9 })
    const { id } = await brain.call('believe', { text: 'The replica is fast enough' })
    for (const kind of ['supporting', 'refuting'] as const) {
      await brain.call('evidence', { belief_id: id, kind, strength: 0.5 })
    }
    await brain.call('remember', { text: 'Lunch is at noon' })
    const { text, shown, omitted } = await brain.call('prime', { for: 'drop the orders table' })
    const lines = text.split('\n')
    expect(lines[0]).toBe("From this project's brain:")
    expect(lines[1]).toMatch(/^- flag 1, \d{4}-\d\d-\d\d: \[caution 0\.9\] Never drop/)
    expect(lines[2]).toMatch(/^- prediction 1, .*\[open, confidence 0\.8\]/)
    expect(lines[3]).toMatch(/^- belief 1, .*\[contested, confidence 0\.70\]/)
    expect(lines.at(-2)).toContain('Lunch is at noon')
    expect([shown, omitted]).toEqual([lines.length - 2, 0])
  })

  test('tells of a belief that moved, however many were asserted since', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('believe', { text: 'The replica is fast enough' })
    for (let at = 0; at < 120; at += 1) {
      brain.clock.now += 1
      await brain.call('believe', { text: `Belief ${at}` })
    }
    for (const kind of ['supporting', 'refuting'] as const)
      await brain.call('evidence', { belief_id: id, kind, strength: 0.5 })
    brain.clock.now += 1
    for (let at = 0; at < 120; at += 1) await brain.call('believe', { text: `Later belief ${at}` })
    expect((await brain.call('prime')).text.match(/belief \d+(?=,)/g)).toEqual([`belief ${id}`])
  })

  test('names the flags on the matter of the work, which itself falls under none', async () => {
    const brain = await openSmallBrain()
    await brain.call('flag', { text: 'Deploys on Fridays need approval' })
    await brain.call('flag', { text: 'Never heat the sample above 60 degrees' })
    await brain.call('remember', { text: 'Deploys get approval from Ana' })
    const { text } = await brain.call('prime', { for: 'deploys need approval' })
    expect(text.match(/flag \d(?=,)/g)).toEqual(['flag 1', 'flag 2'])
    expect(text.indexOf('flag 1,')).toBeLessThan(text.indexOf('memory 3,'))
    expect(text.indexOf('flag 2,')).toBeGreaterThan(text.indexOf('memory 3,'))
  })

  test('tells of predictions that are late or due within three days, and of no other', async () => {
    const brain = await openSmallBrain()
    const inDays = (days: number): string => new Date(brain.clock.now + days * day).toISOString().slice(0, 10)
    const [late, soon, far] = [inDays(1), inDays(12), inDays(40)]
    for (const [prediction, due] of [
      ['late', late],
      ['soon', soon],
      ['far', far],
    ])
      await brain.call('predict', { prediction, domain: 'work', confidence: 0.8, due })
    await brain.call('predict', { prediction: 'without an end', domain: 'work' })
    brain.clock.now += 10 * day
    const { text } = await brain.call('prime')
    expect(text).toContain(`[was due ${late}, confidence 0.8] late`)
    expect(text).toContain(`[due ${soon}, confidence 0.8] soon`)
    expect(text).not.toMatch(/far|without an end/)
  })

  test('tells of every warning near the work, the nearest first', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await brain.call('flag', { text: 'Never drop the orders table without a backup', caution: 0.9 })
    await brain.call('flag', { text: 'Do not erase a table without a snapshot', caution: 0.6 })
    await brain.call('flag', { text: 'Never ship on a Friday', caution: 0.9 })
    for (let at = 0; at < 6; at += 1) await brain.call('remember', { text: `Lunch is at noon on day ${at}` })
    const { text } = await brain.call('prime', { for: 'drop the orders table without a backup' })
    expect(text.match(/flag \d/g)).toEqual(['flag 1', 'flag 2', 'flag 3'])
  })

  test('without a task tells of the gravest of the newest warnings, five at most', async () => {
    const brain = await openSmallBrain()
    const cautions = [1, ...Array.from({ length: 50 }, (_, at) => (at % 5 === 0 ? 0.9 : 0.5))]
    for (const [at, caution] of cautions.entries()) {
      await brain.call('flag', { text: `Mind step ${at}`, caution })
      brain.clock.now += 1
    }
    for (let at = 0; at < 6; at += 1) {
      brain.clock.now += 1
      await brain.call('remember', { text: `Lunch is at noon on day ${at}` })
    }
    const { text } = await brain.call('prime')
    expect(text.match(/flag \d+/g)).toEqual(['flag 47', 'flag 42', 'flag 37', 'flag 32', 'flag 27'])
    expect(text.indexOf('flag')).toBeLessThan(text.indexOf('memory'))
    // What is known of the work may be the name of a file.
    expect((await brain.call('prime', { for: 'bake bread' })).text.match(/flag \d+/g)).toEqual(
      text.match(/flag \d+/g),
    )
    expect((await brain.call('prime', { tokens: 100 })).text).toContain('flag 47')
  })

  test('is the same for the same brain, work and clock, and reads no dream', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'a note to dream of' })
    await brain.store.dreams.addMany('mine', [
      {
        kind: 'bridge',
        thought: 'a thought',
        sourceMemoryIds: [id],
        novelty: 1,
        createdAt: brain.clock.now,
      },
    ])
    const first = await brain.call('prime', { for: 'a note' })
    expect(await brain.call('prime', { for: 'a note' })).toEqual(first)
    expect(first.text).toContain('dream 1')
    expect((await brain.call('recall_dreams')).dreams).toHaveLength(1)
  })

  test('tells of the latest memories besides flags as many as there is room for, and how many more there are', async () => {
    const brain = await openSmallBrain()
    const remember = (text: string) => brain.call('remember', { text })
    for (let at = 1; at <= 24; at += 1) await remember(`note ${at}`)
    for (let at = 1; at <= 60; at += 1) await brain.call('flag', { text: `Mind step ${at}` })
    const { text } = await brain.call('prime')
    const told = text.match(/note \d+/g)
    expect(told).toEqual(Array.from({ length: 20 }, (_, at) => `note ${24 - at}`))
    expect(text.split('\n').at(-1)).toBe(
      'Not shown: 55 more warnings (`brain list flag`); 4 more memories (`brain recall`).',
    )
  })

  test('of what it tells whole it names no rest', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'Lunch is at noon' })
    const { text } = await brain.call('prime')
    expect(text.split('\n').at(-1)).toBe('`brain list` shows the records of every kind.')
  })

  test('never takes more than its tokens, whatever the script, and says what it leaves out', async () => {
    const brain = await openSmallBrain()
    for (let at = 0; at < 12; at += 1) {
      await brain.call('remember', { text: `${'記憶は消えない。'.repeat(40)} ${at}` })
    }
    for (const tokens of [100, 400, 2_000]) {
      const { text, omitted } = await brain.call('prime', { tokens })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3 * tokens)
      const command = tokens < 2_000 ? 'brain prime --tokens 2000' : 'brain list'
      const lines = omitted === 1 ? '1 line' : `${omitted} lines`
      if (omitted > 0)
        expect(text.split('\n').at(-1)).toBe(
          `Not shown: ${lines} for which there is no room (\`${command}\`).`,
        )
    }
  })

  test('says how many of what it leaves out are warnings', async () => {
    const brain = await openSmallBrain()
    for (let at = 0; at < 8; at += 1)
      await brain.call('flag', {
        text: `Never restart gate ${at} at high water. ${'It holds the level. '.repeat(9)}`,
      })
    await brain.call('remember', { text: 'Lunch is at noon' })
    const closing = async (tokens: number) => (await brain.call('prime', { tokens })).text.split('\n').at(-1)
    expect(await closing(2_000)).toBe('Not shown: 3 more warnings (`brain list flag`).')
    expect(await closing(200)).toMatch(
      /^Not shown: \d lines, of them \d warnings, for which there is no room \(.*\); 3 more warnings/,
    )
  })

  test('tells a commit near the work without its files, and none as what was remembered last', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await brain.call('remember', { text: 'Lunch is at noon' })
    const commit =
      'Commit 0123456789: Write amounts as integer cents\nFloats lost a cent.\nFiles: src/csv.ts, src/a.ts'
    for (let at = 0; at < 6; at += 1) await brain.call('remember', { text: commit.replace('9', String(at)) })
    const { text } = await brain.call('prime', { for: 'write amounts as integer cents' })
    expect(text).toContain('Write amounts as integer cents Floats lost a cent.')
    expect(text).not.toContain('src/csv.ts')
    const { text: last } = await brain.call('prime')
    expect(last).toContain('Lunch is at noon')
    expect(last).not.toContain('Commit')
  })

  test('pinned memories come first, and a text is cut at a word within 240 characters, with its labels before it', async () => {
    const brain = await openSmallBrain()
    const long = 'The export of invoices is slow because of the tax table '.repeat(10)
    const { id } = await brain.call('remember', { text: long })
    await brain.call('pin', { memory_id: id })
    await brain.call('remember', { text: 'Lunch is at noon' })
    const [, first = '', second] = (await brain.call('prime')).text.split('\n')
    const [, shown = ''] = /^- memory 1, \d{4}-\d\d-\d\d: (.*)$/.exec(first) ?? []
    expect(shown.length).toBeLessThanOrEqual(240)
    expect(shown).toMatch(/ (?:The|export|of|invoices|is|slow|because|the|tax|table)…$/)
    expect(second).toContain('Lunch is at noon')
  })

  test('a belief is told for 14 days after its last evidence', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('believe', { text: 'The replica is fast enough' })
    for (const kind of ['supporting', 'refuting'] as const)
      await brain.call('evidence', { belief_id: id, kind, strength: 0.5 })
    brain.clock.now += 14 * day
    expect((await brain.call('prime')).text).toContain('belief 1')
    brain.clock.now += 1
    expect((await brain.call('prime')).text).toBe('')
  })

  test('of unread dreams two are told, and how many more there are', async () => {
    const brain = await openSmallBrain()
    const notes = [1, 2, 3, 4, 5].map((at) => brain.call('remember', { text: `note ${at}` }))
    const ids = (await Promise.all(notes)).map(({ id }) => id)
    const dream = { kind: 'bridge' as const, novelty: 1, createdAt: brain.clock.now }
    await brain.store.dreams.addMany(
      'mine',
      ids.map((id) => ({ ...dream, thought: `thought ${id}`, sourceMemoryIds: [id] })),
    )
    const { text } = await brain.call('prime')
    expect(text.match(/^- dream \d/gm)).toHaveLength(2)
    expect(text).toContain('Not shown: 3 more unread dreams (`brain dreams`).')
  })

  test('what is told unasked is likely what was asked for, a commit more so than anything else', () => {
    const told = (text: string, score: number, mode: 'semantic' | 'keyword' = 'semantic') =>
      isWorthTelling({ text, score }, mode)
    expect([told('Lunch is at noon', 0.3), told('Lunch is at noon', 0.29)]).toEqual([true, false])
    expect([told('Lunch is at noon', 0.5, 'keyword'), told('Lunch is at noon', 0.4, 'keyword')]).toEqual([
      true,
      false,
    ])
    const commit = 'Commit 0123456789: Serve lunch at noon'
    expect([told(commit, 0.6), told(commit, 0.59), told(commit, 0.5, 'keyword')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('takes 2,000 tokens at most', async () => {
    const brain = await openSmallBrain()
    await expect(brain.call('prime', { tokens: 2_001 })).rejects.toThrow('tokens must be')
  })
})
