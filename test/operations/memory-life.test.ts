/** Edit, tag, pin and expire: what becomes of a memory after it was kept, and who is told of it then. */
import { describe, expect, it } from 'vitest'
import { openSmallBrain } from './small-brain.ts'

const day = 86_400_000

describe('edit', () => {
  it('puts a new text in the place of the old, which recall finds no more', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'the queue runs on Redis' })
    expect(await brain.call('amend', { memory_id: id, text: 'jobs wait in Postgres' })).toEqual({
      id,
      text: 'jobs wait in Postgres',
      caution: 0,
      previous_caution: 0,
      semantic: false,
      versions: 1,
    })
    expect((await brain.call('recall', { query: 'Redis queue' })).results).toEqual([])
    expect((await brain.call('recall', { query: 'jobs Postgres' })).results).toMatchObject([{ id }])
  })

  it('makes the text that of whoever edits it; what it replaces stays another’s', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'the queue runs on Redis' }, { agent: 'ana' })
    await brain.call('amend', { memory_id: id, text: 'jobs wait in Postgres' }, { agent: 'ben' })
    expect((await brain.call('show', { id })).record).toMatchObject({
      agent: 'ben',
      versions: [{ agent: 'ana' }],
    })
  })

  it('makes a warning graver without another text', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('flag', { text: 'never drop the users table', caution: 0.1 })
    expect((await brain.call('assess', { topic: 'drop the users table' })).verdict).toBe('clear')
    await brain.call('amend', { memory_id: id, caution: 0.9 })
    expect((await brain.call('assess', { topic: 'drop the users table' })).verdict).toBe('danger')
  })

  it('of the caution alone keeps what finds a memory by meaning, though nothing can be embedded', async () => {
    const brain = await openSmallBrain({ semantic: true })
    const { id } = await brain.call('remember', { text: 'never drop the users table' })
    brain.embedder.reachable = false
    expect(await brain.call('amend', { memory_id: id, caution: 0.9 })).toMatchObject({ semantic: true })
    expect(await brain.store.index.backlog('mine')).toBe(0)
  })

  it('of the caution alone embeds no text but one that has no vector', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'never drop the users table' })
    brain.embedder.reachable = true
    expect(await brain.call('amend', { memory_id: id, caution: 0.9 })).toMatchObject({ semantic: true })
    brain.embedder.embedded = 0
    expect(await brain.call('amend', { memory_id: id, caution: 0.8 })).toMatchObject({ semantic: true })
    expect(brain.embedder.embedded).toBe(0)
  })

  it('tells each of those who edit at once which version is theirs', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'text 0' })
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1)
    const edits = numbers.map((number) => brain.call('amend', { memory_id: id, text: `text ${number}` }))
    const told = (await Promise.all(edits)).map(({ versions }) => versions)
    expect(told.toSorted((one, other) => Number(one) - Number(other))).toEqual(numbers)
  })

  it('of what somebody has read is refused where another has edited it since', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'one' })
    const edit = (text: string, agent: string) =>
      brain.call('amend', { memory_id: 1, text, if_text: 'one' }, { agent })
    // The later of two that were sent at once, too.
    const [first, second] = await Promise.allSettled([edit('two', 'ana'), edit('three', 'bo')])
    expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const { text, agent } = (await brain.call('show', { id: 1 })).record as { text: string; agent: string }
    const refused =
      `memory 1 says something else by now, written by ${agent}: ` +
      'read it again (`brain show 1`), and edit what it says then'
    await expect(edit('four', 'ana')).rejects.toThrow(refused)
    await expect(brain.call('amend', { memory_id: 1, caution: 1, if_text: 'one' })).rejects.toThrow(refused)
    await brain.call('amend', { memory_id: 1, text: 'five', if_text: text })
  })

  it('is refused where nothing changes, and of what is not there or not the caller’s', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'one' })
    const refusal = (input: object, caller = {}) => expect(brain.call('amend', input, caller)).rejects
    await refusal({ memory_id: 1, text: 'one' }).toThrow('memory 1 says so already: nothing changes')
    await refusal({ memory_id: 1 }).toThrow('text is required, or caution')
    await refusal({ memory_id: 2, text: 'x' }).toThrow('memory 2 not found')
    await refusal({ memory_id: 1, text: 'x' }, { project: 'theirs' }).toThrow('belongs to another project')
  })
})

describe('a memory', () => {
  it('is not born with an end that has passed', async () => {
    const brain = await openSmallBrain()
    for (const operation of ['remember', 'flag'] as const)
      await expect(brain.call(operation, { text: 'x', expires: '1969-01-01' })).rejects.toThrow(
        'expires must be a moment to come',
      )
    expect((await brain.call('list')).total).toBe(0)
  })

  it('is not forgotten as the flag that it is not', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'one' })
    await brain.call('flag', { text: 'two' })
    await expect(brain.call('forget', { kind: 'flag', memory_id: 2, more: [1] })).rejects.toThrow(
      'memory 1 is no flag: `brain forget 1` forgets it',
    )
    expect((await brain.call('list')).total).toBe(2)
    await brain.call('forget', { kind: 'flag', memory_id: 2 })
    expect((await brain.call('list')).total).toBe(1)
  })
})

describe('forget', () => {
  it('names the dreams of what is gone, which may quote it', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'one' })
    await brain.call('remember', { text: 'two' })
    const dream = { kind: 'bridge', thought: '“one”', sourceMemoryIds: [id], novelty: 1 } as const
    await brain.store.dreams.addMany('mine', [{ ...dream, createdAt: brain.clock.now }])
    expect(await brain.call('forget', { memory_id: 2 })).toEqual({ id: 2 })
    expect(await brain.call('forget', { memory_id: 1 })).toEqual({ id: 1, told_in_dreams: [1] })
  })

  it('names them in the order of their ids, and takes an id that is given twice once', async () => {
    const brain = await openSmallBrain()
    for (const text of ['one', 'two']) await brain.call('remember', { text })
    const dreamOf = (id: number) =>
      ({ kind: 'echo', thought: `${id}`, sourceMemoryIds: [id], novelty: 1, createdAt: 1 }) as const
    await brain.store.dreams.addMany('mine', [dreamOf(1), dreamOf(2)])
    expect(await brain.call('forget', { memory_id: 2, more: [1, 2] })).toEqual({
      id: 2,
      more: [1, 2],
      told_in_dreams: [1, 2],
    })
  })

  it('is refused for records of any kind that are not there or not the caller’s, and forgets none of them', async () => {
    const brain = await openSmallBrain()
    const theirs = { project: 'theirs' }
    await brain.call('believe', { text: 'the cache is warm' }, theirs)
    await brain.call('predict', { prediction: 'it ships', domain: 'd' }, theirs)
    await brain.call('note_about', { subject_agent: 'ana', observation: 'asks first' }, theirs)
    await brain.call('believe', { text: 'mine' })
    for (const kind of ['belief', 'prediction', 'observation'] as const) {
      const forget = (memory_id: number, more?: number[]) =>
        expect(brain.call('forget', { kind, memory_id, ...(more && { more }) })).rejects
      await forget(1).toThrow(`${kind} 1 belongs to another project`)
      await forget(9).toThrow(`${kind} 9 not found`)
    }
    await expect(brain.call('forget', { kind: 'belief', memory_id: 2, more: [1] })).rejects.toThrow(
      'belief 1 belongs to another project',
    )
    expect((await brain.call('list', {}, theirs)).total).toBe(3)
    expect((await brain.call('list')).total).toBe(1)
  })

  it('of a belief in the middle of a line makes none current again that a later one replaced', async () => {
    const brain = await openSmallBrain()
    await brain.call('believe', { text: 'one' })
    await brain.call('revise', { belief_id: 1, new_text: 'two' })
    await brain.call('revise', { belief_id: 2, new_text: 'three' })
    expect(await brain.call('forget', { kind: 'belief', memory_id: 2 })).toEqual({ id: 2 })
    expect(await brain.call('forget', { kind: 'belief', memory_id: 3 })).toEqual({
      id: 3,
      current_again: [1],
    })
  })

  it('of what somebody has read is refused where it says something else by now', async () => {
    const brain = await openSmallBrain()
    for (const text of ['one', 'other']) await brain.call('remember', { text })
    await brain.call('amend', { memory_id: 1, text: 'two' })
    await brain.call('believe', { text: 'the cache is warm' })
    const forget = (memory_id: number, if_text: string, others = {}) =>
      brain.call('forget', { memory_id, if_text, ...others })
    await expect(forget(1, 'one')).rejects.toThrow(
      'memory 1 says something else by now: read it again (`brain show memory 1`) before it is forgotten',
    )
    await expect(forget(1, 'it is cold', { kind: 'belief' })).rejects.toThrow('belief 1 says something else')
    await expect(forget(1, 'two', { more: [2] })).rejects.toThrow('if_text is of one record')
    await forget(1, 'two')
    await forget(1, 'the cache is warm', { kind: 'belief' })
    expect((await brain.call('list')).records).toMatchObject([{ kind: 'memory', id: 2 }])
  })

  it('takes at most a hundred at once', async () => {
    const brain = await openSmallBrain()
    const more = Array.from({ length: 100 }, (_, at) => at + 2)
    await expect(brain.call('forget', { memory_id: 1, more })).rejects.toThrow(
      'more must be at most 99 of them',
    )
  })
})

describe('tags', () => {
  it('are kept trimmed and once, in order', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'one', tags: ['b ', 'b'] })
    expect((await brain.call('tag', { memory_id: 1, tags: [' a', 'c'] })).tags).toEqual(['a', 'b', 'c'])
    expect((await brain.call('untag', { memory_id: 1, tags: ['b', 'a'] })).tags).toEqual(['c'])
  })

  it('are at most 20 a memory, of names without commas or control characters', async () => {
    const brain = await openSmallBrain()
    const names = Array.from({ length: 20 }, (_, at) => `t${at}`)
    await brain.call('remember', { text: 'one', tags: names })
    const refusal = (tags: unknown) => expect(brain.call('tag', { memory_id: 1, tags })).rejects
    await refusal(['one more']).toThrow('memory 1 would have more than 20 tags')
    await refusal(['a,b']).toThrow('tags must not contain a comma')
    await refusal(['a\u0000']).toThrow('tags must not contain control characters')
    await refusal(['\ud800']).toThrow('tags must be well-formed Unicode')
    await refusal([]).toThrow('tags must not be empty')
    await refusal('a').toThrow('tags must be a list')
    await expect(brain.call('untag', { memory_id: 1, tags: ['x'] })).rejects.toThrow(
      'memory 1 is not tagged x',
    )
  })
})

describe('what a session is told first', () => {
  it('begins with what is pinned, the last pinned first', async () => {
    const brain = await openSmallBrain()
    for (const text of ['first note', 'second note', 'third note']) await brain.call('remember', { text })
    const ids = async () =>
      [...(await brain.call('prime')).text.matchAll(/memory (\d)/g)].map(([, id]) => Number(id))
    await brain.call('pin', { memory_id: 1 })
    brain.clock.now += 1
    await brain.call('pin', { memory_id: 2 })
    await brain.call('pin', { memory_id: 1 })
    expect((await ids()).slice(0, 2)).toEqual([2, 1])
    await brain.call('unpin', { memory_id: 2 })
    expect((await ids())[0]).toBe(1)
  })

  it('leaves out what has expired', async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'staging is frozen', expires: '2d' })
    await brain.call('pin', { memory_id: 1 })
    // To the end of the day after the next.
    brain.clock.now += 2 * day
    expect((await brain.call('prime')).text).toContain('staging is frozen')
    brain.clock.now += day
    expect((await brain.call('prime')).text).toBe('')
  })
})

describe('expire', () => {
  it('refuses what no timestamp can name, where it had meant never', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'one' })
    await expect(brain.call('expire', { memory_id: id, when: '417000w' })).rejects.toThrow('when must be')
    expect(await brain.call('expire', { memory_id: id, when: 'never' })).toMatchObject({ expires_at: null })
  })

  it('takes a date to its last moment, a span from now, and never for no end', async () => {
    const brain = await openSmallBrain()
    await brain.call('flag', { text: 'mind the freeze' })
    const ends = async (when: string) => (await brain.call('expire', { memory_id: 1, when })).expires_at
    expect(await ends('2026-06-01')).toBe('2026-06-01T23:59:59.999+00:00')
    expect(await ends('tomorrow')).toBe('2026-05-21T23:59:59.999+00:00')
    expect(await ends('12h')).toBe('2026-05-21T00:00:00.000+00:00')
    // It hides at once, and gives an expired memory its old end back.
    expect(await ends('2026-01-31')).toBe('2026-01-31T23:59:59.999+00:00')
    expect(await ends('never')).toBeNull()
  })
})
