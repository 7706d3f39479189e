/** Duplicates: memories that say the same, listed, and made versions of the newest. */
import { describe, expect, it } from 'vitest'
import { fromPlace } from '../../src/core/citations.ts'
import { createBrainPlace } from '../cli/command-line.ts'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const hour = 3_600_000

async function filled(texts: readonly string[]): Promise<SmallBrain> {
  const brain = await openSmallBrain({ semantic: true })
  for (const text of texts) {
    await brain.call('remember', { text })
    brain.clock.now += hour
  }
  return brain
}

describe('duplicates', () => {
  it('finds what is in the same words beside a newest that says something else', async () => {
    const first = 'alder birch cedar dogwood elder fir gorse hazel ivy juniper'
    const second = first.replace('juniper', 'larch')
    const brain = await filled([first, first, second, `${second} lilac`])
    const groups = [
      { newest: { id: 4 }, older: [{ id: 3 }] },
      { newest: { id: 2 }, older: [{ id: 1 }] },
    ]
    expect(await brain.call('duplicates')).toMatchObject({ groups })
    expect(await brain.call('duplicates', { of: 1 })).toMatchObject({ groups: [groups[1]] })
    expect(await brain.call('duplicates', { merge: true })).toMatchObject({ merged: 2 })
  })

  it('are no texts whose signs or order say the opposite', async () => {
    const brain = await filled([
      'billed from a balance >= 5 on',
      'billed from a balance <= 5 on',
      'the gateway is written in C++',
      'the gateway is written in C#',
      'the queue moved from Kafka to Redis',
      'the queue moved from Redis to Kafka',
    ])
    expect(await brain.call('duplicates', { merge: true })).toMatchObject({ groups: [], merged: 0 })
  })

  it('lists each group with its newest first, and changes nothing', async () => {
    const brain = await filled(['Lunch at noon', 'the sky is blue', 'lunch at noon!', 'LUNCH AT NOON'])
    expect(await brain.call('duplicates')).toMatchObject({
      groups: [{ kind: 'memory', newest: { id: 4 }, older: [{ id: 3 }, { id: 1 }], older_count: 2 }],
      more: false,
      merged: 0,
    })
    expect((await brain.call('list')).total).toBe(4)
  })

  it('merged, are one memory with the others’ texts, tags, pin and dreams, which answers for their ids', async () => {
    const brain = await filled(['Lunch at noon', 'lunch at noon!'])
    await brain.store.dreams.addMany('mine', [
      { kind: 'echo', thought: 'lunch', sourceMemoryIds: [1], novelty: 1, createdAt: 1 },
      { kind: 'bridge', thought: 'both', sourceMemoryIds: [1, 2], novelty: 1, createdAt: 2 },
    ])
    await brain.call('tag', { memory_id: 1, tags: ['food'] })
    await brain.call('pin', { memory_id: 1 })
    await brain.call('amend', { memory_id: 1, text: 'Lunch, at noon' })
    await brain.call('amend', { memory_id: 2, text: 'lunch at noon!!' })
    expect(await brain.call('duplicates', { merge: true })).toMatchObject({ merged: 1 })
    expect((await brain.call('show', { id: 2 })).record).toMatchObject({
      text: 'lunch at noon!!',
      tags: ['food'],
      pinned_at: expect.any(String),
      versions: [
        { text: 'Lunch at noon', former_id: null },
        { text: 'lunch at noon!', former_id: null },
        { text: 'Lunch, at noon', former_id: 1 },
      ],
      cited_by_dreams: [1, 2],
    })
    const merged = 'memory 1 was merged into memory 2'
    await expect(brain.call('show', { id: 1 })).rejects.toThrow(merged)
    await expect(brain.call('amend', { memory_id: 1, text: 'x' })).rejects.toThrow(merged)
    await expect(brain.call('forget', { memory_id: 1 })).rejects.toThrow(merged)
    await expect(brain.call('duplicates', { of: 1 })).rejects.toThrow(merged)
    await expect(brain.call('assess_feedback', { memory_id: 1, topic: 'x' })).rejects.toThrow(merged)
    const said = { id: 1, verdict: 'right', score: 1 } as const
    await expect(brain.call('recall_feedback', said)).rejects.toThrow(merged)
    expect((await brain.call('list')).records.filter(({ kind }) => kind === 'memory')).toHaveLength(1)
    expect((await brain.call('recall', { query: 'lunch' })).results.map(({ id }) => id)).toEqual([2])
    expect(await brain.call('duplicates')).toMatchObject({ groups: [] })
    expect((await brain.store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
    await brain.call('forget', { memory_id: 2 })
    await expect(brain.call('show', { id: 1 })).rejects.toThrow('memory 1 not found')
  })

  it('merged, cite each place of theirs once, as it was stamped last, and no more than a record may', async () => {
    const brain = await openSmallBrain()
    const places = (from: number) => Array.from({ length: 14 }, (_, at) => `src/${from + at}.ts:1-9`)
    await brain.call('remember', { text: 'Lunch at noon', cites: places(0) })
    brain.clock.now += hour
    await brain.call('remember', { text: 'lunch at noon!', cites: places(10) })
    await brain.call('duplicates', { merge: true })
    const cited = await brain.store.citations.find('mine', 'memory', [1, 2])
    expect([...cited.keys()]).toEqual([2])
    expect((cited.get(2) ?? []).map((one) => [fromPlace(one), one.stampedAt])).toEqual([
      ...places(4)
        .slice(0, 6)
        .map((place) => [place, brain.clock.now - hour]),
      ...places(10).map((place) => [place, brain.clock.now]),
    ])
  })

  it('never makes a warning milder, and never takes one for a note', async () => {
    const brain = await openSmallBrain()
    await brain.call('flag', { text: 'mind the gap', caution: 0.9 })
    await brain.call('flag', { text: 'Mind the gap', caution: 0.2 })
    await brain.call('remember', { text: 'mind the gap' })
    await brain.call('duplicates', { merge: true })
    expect((await brain.call('list')).records.map(({ kind, id }) => [kind, id]).sort()).toEqual([
      ['flag', 2],
      ['memory', 3],
    ])
    expect((await brain.call('show', { id: 2 })).record).toMatchObject({ caution: 0.9 })
  })

  it('say when what they are merged into ends, or would', async () => {
    const brain = await filled(['the code is 7', 'The code is 7', 'lunch at noon', 'Lunch at noon'])
    const ends = async (merge: boolean) =>
      (await brain.call('duplicates', { merge })).groups.map(({ expires_at }) => expires_at)
    expect(await ends(false)).toEqual([undefined, undefined])
    await brain.call('expire', { memory_id: 1, when: '2099-01-01' })
    expect(await ends(false)).toEqual([undefined, undefined])
    const { expires_at: end } = await brain.call('expire', { memory_id: 2, when: '2098-01-01' })
    expect(await ends(false)).toEqual([undefined, end])
    expect(await ends(true)).toEqual([undefined, end])
    expect((await brain.call('show', { id: 2 })).record).toMatchObject({ expires_at: end })
  })

  it('tell people, too, when the merged memory ends', async () => {
    const { run } = await createBrainPlace()
    for (const text of ['the code is 7', 'The code is 7']) await run(['remember', text])
    await run(['expire', '2', '2098-01-01'])
    expect((await run(['duplicates'])).stdout).toContain('\n   merged, it ends 2098-01-01 23:59 UTC\n')
    expect((await run(['duplicates', '--merge'])).stdout).toContain('\n   ends 2098-01-01 23:59 UTC\n')
  })

  it('are merged into the one that was said last, not into the one with the greatest id', async () => {
    const brain = await filled(['lunch is late', 'lunch at noon!'])
    await brain.call('amend', { memory_id: 1, text: 'Lunch at noon' })
    expect(await brain.call('duplicates')).toMatchObject({
      groups: [{ newest: { id: 1 }, older: [{ id: 2 }] }],
    })
  })

  it('merged, have no more tags than a memory may', async () => {
    const brain = await filled(['Lunch at noon', 'lunch at noon!'])
    const names = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => prefix + at)
    await brain.call('tag', { memory_id: 1, tags: names(20, 'old') })
    await brain.call('tag', { memory_id: 2, tags: names(5, 'new') })
    await brain.call('duplicates', { merge: true })
    const { record } = await brain.call('show', { id: 2 })
    const tags = 'tags' in record ? (record.tags ?? []) : []
    expect(tags).toHaveLength(20)
    expect(tags).toEqual(expect.arrayContaining(names(5, 'new')))
  })

  it('are left as they are where one was edited between the reading and the merging', async () => {
    const brain = await filled(['Lunch at noon', 'lunch at noon!'])
    const { merge } = brain.store.memories
    Object.assign(brain.store.memories, {
      merge: async (...given: Parameters<typeof merge>) => {
        await brain.call('amend', { memory_id: 1, text: 'dinner at six' })
        return merge(...given)
      },
    })
    expect(await brain.call('duplicates', { merge: true })).toMatchObject({ groups: [], merged: 0 })
    expect((await brain.call('list')).total).toBe(2)
  })

  it('are of one project, and not of what has expired', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'the same' })
    await brain.call('remember', { text: 'the same' }, { project: 'theirs' })
    await brain.call('remember', { text: 'The same', expires: '1h' })
    expect((await brain.call('duplicates')).groups).toHaveLength(1)
    brain.clock.now += hour
    expect((await brain.call('duplicates')).groups).toEqual([])
  })

  it('end when the one made last ends, or never as that one; flags with the last of them', async () => {
    const brain = await openSmallBrain()
    const end = async (
      texts: readonly (readonly [string, string?])[],
      kind: 'remember' | 'flag' = 'remember',
    ) => {
      const ids: number[] = []
      for (const [text, expires] of texts)
        ids.push((await brain.call(kind, { text, ...(expires !== undefined && { expires }) })).id)
      const of = ids.at(-1)
      expect(await brain.call('duplicates', { of, merge: true })).toMatchObject({ merged: texts.length - 1 })
      const { record } = await brain.call('show', { id: of })
      return 'expires_at' in record ? record.expires_at : undefined
    }
    const gap = [['mind the gap'], ['Mind the gap', '1h']] as const
    const door = [
      ['the door sticks', '3h'],
      ['The door sticks', '1h'],
    ] as const
    const inHours = (hours: number) => new Date(brain.clock.now + hours * hour).toISOString()
    const at = async (...asked: Parameters<typeof end>) => new Date((await end(...asked)) ?? '').toISOString()
    expect([await at(gap), await at(door)]).toEqual([inHours(1), inHours(1)])
    expect(await end([['the kettle hums', '1h'], ['The kettle hums']])).toBeNull()
    expect(await end(gap, 'flag')).toBeNull()
    expect(await at(door, 'flag')).toBe(inHours(3))
  })

  it('of one memory are its group alone, told of or merged', async () => {
    const brain = await filled(['a b', 'a, b', 'c d', 'c, d', 'alone'])
    expect(await brain.call('duplicates', { of: 1 })).toMatchObject({
      groups: [{ newest: { id: 2 }, older: [{ id: 1 }] }],
      more: false,
    })
    expect(await brain.call('duplicates', { of: 2, merge: true })).toMatchObject({ merged: 1 })
    expect((await brain.call('duplicates')).groups).toMatchObject([{ newest: { id: 4 } }])
    await expect(brain.call('duplicates', { of: 99 })).rejects.toThrow('memory 99 not found')
    for (const of of [2, 5]) {
      expect(await brain.call('duplicates', { of, merge: true })).toEqual({
        groups: [],
        more: false,
        merged: 0,
      })
    }
  })

  it('says that there are more than it tells of', async () => {
    const brain = await filled(['a b', 'a, b', 'c d', 'c, d'])
    expect(await brain.call('duplicates', { limit: 1 })).toMatchObject({ groups: [{}], more: true })
    expect(await brain.call('duplicates', { limit: 1, merge: true })).toMatchObject({
      groups: [{}],
      merged: 2,
      more: true,
    })
    expect(await brain.call('duplicates', { merge: true })).toMatchObject({ merged: 0, more: false })
  })

  it('says so of two groups that were found as one, too', async () => {
    const first = 'alder birch cedar dogwood elder fir gorse hazel ivy juniper'
    const second = first.replace('juniper', 'larch')
    const brain = await filled([first, first, second, `${second} lilac`])
    expect(await brain.call('duplicates', { limit: 1 })).toMatchObject({ groups: [{}], more: true })
    expect(await brain.call('duplicates', { limit: 2 })).toMatchObject({ groups: [{}, {}], more: false })
  })
})

describe('remember', () => {
  it('tells of a note that says the same, and changes neither', async () => {
    const brain = await filled(['lunch is at noon'])
    expect(await brain.call('remember', { text: 'Lunch is at noon!' })).toMatchObject({
      id: 2,
      related: [{ id: 1, relation: 'same', text: 'lunch is at noon' }],
    })
    expect(await brain.call('remember', { text: 'rockets fly high' })).not.toHaveProperty('related')
    expect((await brain.call('list')).total).toBe(3)
  })

  it.each([
    ['The staging database moved to port 5433', 'the staging database moved to port 5433.', 'same'],
    [
      'Decided to move the sessions from memory to Redis',
      'We decided to move sessions from memory to Redis',
      'same',
    ],
    ['The default branch is now main, not master', 'The default branch is main now, not master', 'same'],
    ['We moved the office from Berlin to Hamburg', 'We moved the office from Hamburg to Berlin', 'replaces'],
    [
      'The on-call engineer for billing this week is Ana',
      'The on-call engineer for billing this week is Bob',
      'replaces',
    ],
    ['CI runs on Jenkins, the box is in the cellar.', 'Moved CI from Jenkins to GitHub Actions.', 'replaces'],
    ['The upload limit is 20 MB.', 'Upload limit raised to 50 MB for everyone.', 'replaces'],
    // In a log most of a note is about something else.
    [
      'Host allows two gigabytes a file, so we have room for about one more region. Asked Harrow to share his textures.',
      'The host raised its limit: from today files may have four gigabytes, no longer two. Harrow talks of a salt mine.',
      'replaces',
    ],
  ])('of "%s" and "%s" takes the second for what it is: %s', async (older, newer, relation) => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: 'builtin' })
    await place.run(['remember', older])
    const { stdout } = await place.run(['remember', newer, '--json'])
    expect(JSON.parse(stdout).related).toEqual([{ id: 1, relation, text: older }])
  })

  it('takes no change for one of a note that is only near it', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: 'builtin' })
    await place.run([
      'remember',
      'Valve for the jaws mounted, closes in 90 ms at six bar. Grip force measured with the kitchen scale: 140 N at the tips. Too much for thin walls, restrictor ordered.',
    ])
    const { stdout } = await place.run([
      'remember',
      '--json',
      'Teach-in of the hand: current limit of its motor at 0.8 A, spindle greased, stroke 40 mm in 0.4 s, and the jaws now stop at any width in between, which the program uses for the two housing sizes. Air hose rolled up and hung by the wall.',
    ])
    expect(JSON.parse(stdout)).not.toHaveProperty('related')
  })

  it('takes a value for a replacement until there are three others of its form', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: 'builtin' })
    const related = async (text: string) => {
      const { stdout } = await place.run(['remember', '--json', text])
      return (JSON.parse(stdout).related ?? []).map(({ relation }: { relation: string }) => relation)
    }
    expect(await related('Week 31: the build takes 14 minutes now')).toEqual([])
    expect(await related('Week 32: the build takes 16 minutes now')).toEqual(['replaces'])
    await related('Week 33: the build takes 13 minutes now')
    expect(await related('Week 35: the build takes 13.5 minutes now')).toEqual([])
    expect(await related('Week 37: the build takes 41 minutes now')).toEqual([])
    expect(await related('Week 32: the build takes 16 minutes now!')).toContain('same')
  })
})
