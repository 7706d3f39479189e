import { describe, expect, test } from 'vitest'
import { contentOf, everything, type Member, sharedFiles, texts, three, two } from './team.ts'

const older = 'Deploys go through staging'
const newer = 'deploys go through staging.'
const edited = "Deploys go through staging, except hotfixes: they need Ana's approval first"

/** What a memory says and said, in whatever order, each once. */
const wordsOf = async (member: Member, id: string): Promise<{ now: string; all: string[] }> => {
  const { record } = (await member.ask('show', id)) as unknown as {
    record: { text: string; versions?: { text: string }[] }
  }
  const all = [record.text, ...(record.versions ?? []).map(({ text }) => text)]
  return { now: record.text, all: [...new Set(all)].sort() }
}

/** Two who share two memories that say the same. */
async function twoOfOne(): Promise<[Member, Member]> {
  const [one, other] = await two()
  await one.brain('remember', older)
  await one.brain('remember', newer)
  await one.give()
  await other.take()
  return [one, other]
}

describe('a merge', () => {
  test('keeps what another did to the merged memory and told nobody yet', async () => {
    const [one, other] = await twoOfOne()
    expect(await one.brain('duplicates', '--merge')).toMatchObject({ merged: 1 })
    expect(await one.brain('share', '--dry-run')).toMatchObject({ would_share: { merge: 1 }, forgotten: 0 })
    await one.give()
    await other.brain('edit', '1', edited)
    await other.brain('pin', '1')
    await other.brain('tag', '1', 'ops')
    expect(await other.take()).toMatchObject({
      forgotten: 0,
      merged: [{ id: 1, into: 2 }],
      taken: { merge: 1 },
    })
    expect(await texts(other)).toEqual([edited])
    expect(await wordsOf(other, '2')).toEqual({ now: edited, all: [edited, older, newer].sort() })
    expect(await other.ask('show', '2')).toMatchObject({
      record: { tags: ['ops'], pinned_at: expect.any(String) },
    })
    await other.give()
    expect(await one.take()).toMatchObject({ taken: { version: 1, marks: 1 }, forgotten: 0 })
    expect(await wordsOf(one, '2')).toEqual({ now: edited, all: [edited, older, newer].sort() })
    expect(await one.ask('show', '2')).toMatchObject({ record: { tags: ['ops'] } })
    for (const member of [one, other]) {
      expect(await member.brain('share')).toMatchObject({ shared: {}, forgotten: 0 })
      expect(await member.brain('share', '--pull')).toMatchObject({ taken: {}, forgotten: 0, merged: [] })
    }
    expect((await other.tells('show', '1')).stderr).toContain('2')
  })

  test('keeps what another had told before the one who merged heard of it', async () => {
    const [one, other] = await twoOfOne()
    await other.brain('edit', '1', edited)
    await other.brain('tag', '1', 'ops')
    await other.give()
    await one.brain('duplicates', '--merge')
    // Not told to anybody yet: what was merged does not come back by itself.
    await one.take()
    expect(await texts(one)).toEqual([edited])
    await one.give()
    expect(await other.take()).toMatchObject({ forgotten: 0, taken: { merge: 1 } })
    await other.give()
    await one.take()
    for (const member of [one, other]) {
      expect(await wordsOf(member, '2')).toEqual({ now: edited, all: [edited, older, newer].sort() })
      expect(await member.ask('show', '2')).toMatchObject({ record: { tags: ['ops'] } })
    }
  })

  test('leaves an older edit of another among the versions, and says where it is', async () => {
    const [one, other] = await twoOfOne()
    await other.brain('edit', '1', edited)
    await one.brain('edit', '2', `${newer} `.trimEnd().toUpperCase())
    await one.brain('duplicates', '--merge')
    await one.give()
    await other.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
    expect((await other.tells('share', '--pull')).stdout).toContain(
      '\n1 is an earlier text of 2 now, as others merged them: `brain show 2` has all\n',
    )
    expect(await texts(other)).toEqual([newer.toUpperCase()])
    expect((await wordsOf(other, '2')).all).toContain(edited)
    await other.give()
    await one.take()
    expect(await wordsOf(one, '2')).toEqual(await wordsOf(other, '2'))
  })

  test('reaches one who begins afterwards, and one who begins in between', async () => {
    const [one, other, third] = await three()
    await one.brain('remember', older)
    await one.give()
    await third.take()
    await one.brain('edit', '1', 'Deploys go through staging!')
    await one.brain('remember', newer)
    await one.brain('duplicates', '--merge')
    await one.give()
    expect(await other.take()).toMatchObject({ taken: { memory: 1 }, refused: 0 })
    expect(await third.take()).toMatchObject({ taken: { memory: 1, merge: 1 }, refused: 0 })
    const words = { now: newer, all: ['Deploys go through staging!', older, newer].sort() }
    for (const member of [one, other, third]) {
      expect(await texts(member)).toEqual([newer])
      expect(await member.brain('share')).toMatchObject({ shared: {}, forgotten: 0 })
      expect(await member.brain('share', '--pull')).toMatchObject({ taken: {}, untold: 0, refused: 0 })
    }
    expect(await wordsOf(one, '2')).toEqual(words)
    expect(await wordsOf(other, '1')).toEqual(words)
    expect(await wordsOf(third, '2')).toEqual(words)
    await third.brain('edit', '2', edited)
    await third.give()
    await other.take()
    await one.take()
    for (const member of [one, other]) expect(await texts(member)).toEqual([edited])
  })

  test('of a milder warning into a graver one, or the other way round, leaves the graver', async () => {
    const [one, other] = await two()
    await one.brain('flag', 'Never restart the old queue by hand', '--caution', '0.9')
    await one.brain('flag', 'never restart the old queue by hand!', '--caution', '0.4')
    await one.give()
    await other.take()
    expect(await one.brain('duplicates', '--merge')).toMatchObject({ merged: 1 })
    await one.give()
    expect(await other.take()).toMatchObject({ forgotten: 0, taken: { merge: 1 } })
    for (const member of [one, other])
      expect(await member.ask('show', '2')).toMatchObject({ record: { caution: 0.9 } })
  })

  test('by both, each in another direction, ends in one text', async () => {
    const [one, other] = await twoOfOne()
    await one.brain('duplicates', '--merge')
    await other.brain('edit', '1', `${older}!`)
    await other.brain('duplicates', '--merge')
    await one.give()
    await other.give()
    await one.take()
    await other.take()
    await one.give()
    await other.take()
    for (const member of [one, other]) {
      expect(await texts(member)).toEqual([`${older}!`])
      expect(await member.brain('share')).toMatchObject({ shared: {}, forgotten: 0 })
    }
  })

  test('ends when what was kept ends, for all alike', async () => {
    const [one, other] = await two()
    await one.brain('remember', older)
    await one.brain('remember', newer, '--expires', '2d')
    await one.give()
    await other.take()
    await one.brain('duplicates', '--merge')
    await other.brain('expire', '1', '9d')
    await one.give()
    await other.take()
    await other.give()
    await one.take()
    const ends: unknown[] = []
    for (const member of [one, other]) {
      const { record } = (await member.ask('show', '2')) as unknown as { record: { expires_at: string } }
      ends.push(record.expires_at)
      expect(await member.brain('share')).toMatchObject({ shared: {}, forgotten: 0 })
    }
    expect(ends).toEqual([expect.any(String), ends[0]])
  })

  test('by both, each in another direction, ends at one time', async () => {
    const [one, other] = await two()
    await one.brain('remember', older)
    await one.brain('remember', newer, '--expires', '2d')
    await one.give()
    await other.take()
    await one.brain('duplicates', '--merge')
    await other.brain('edit', '1', `${older}!`)
    await other.brain('duplicates', '--merge')
    for (const member of [one, other, one, other]) {
      await member.take()
      await member.give()
    }
    const ends: unknown[] = []
    for (const member of [one, other]) {
      const { records } = (await member.ask('list', 'memory')) as unknown as {
        records: { expires_at: string }[]
      }
      ends.push(records.map(({ expires_at }) => expires_at))
      expect(await member.brain('share')).toMatchObject({ shared: {}, forgotten: 0 })
    }
    expect(ends[0]).toEqual(ends[1])
  })

  test('is forgotten with the memory that was kept', async () => {
    const [one, other] = await twoOfOne()
    await one.brain('duplicates', '--merge')
    await one.give()
    await other.take()
    await one.brain('forget', '2', '--yes')
    await one.give()
    expect(contentOf(one)).toBe('')
    expect(await other.take()).toMatchObject({ forgotten: 1 })
    expect(await everything(other)).toEqual(await everything(one))
    await other.give()
    expect(sharedFiles(other)).toEqual([])
  })

  test('into what is kept back leaves the merged one to the others', async () => {
    const [one, other] = await two()
    await one.brain('remember', older)
    await one.give()
    await one.brain('remember', newer, '--tag', 'private')
    await one.brain('duplicates', '--merge')
    await one.give()
    expect(await other.take()).toMatchObject({ taken: { memory: 1 }, forgotten: 0 })
    expect(await texts(other)).toEqual([older])
  })
})
