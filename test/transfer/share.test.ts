import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toFile } from '../../src/transfer/share/items.ts'
import { contentOf, everything, sharedFiles, texts, three, two } from './team.ts'

describe('two clones of a repository', () => {
  test('share every kind of record and end up knowing the same', async () => {
    const [one, other] = await two()
    await one.brain('remember', 'Deploys go through staging', '--tag', 'ops')
    await one.brain('flag', 'Never restart the old queue by hand', '--caution', '0.8')
    await one.brain('believe', 'The cache is warm after two minutes')
    await one.brain('evidence', '1', '--supporting', '--strength', '0.6', '--note', 'seen twice')
    await one.brain('predict', 'Release 2 is out by May', '--domain', 'release', '--confidence', '0.7')
    await one.brain('note-about', 'planner', 'tends to be late')
    await other.brain('remember', 'The billing tests need a clock')
    await one.give()
    await other.give()
    expect(await other.take()).toMatchObject({
      taken: { memory: 2, belief: 1, prediction: 1, observation: 1 },
      forgotten: 0,
      refused: 0,
    })
    await one.take()
    expect(await everything(one)).toEqual(await everything(other))
    expect(await texts(one)).toContain('The billing tests need a clock')
    expect(await one.brain('share')).toMatchObject({ shared: {}, forgotten: 0 })
    expect(await other.take()).toMatchObject({ taken: {}, forgotten: 0 })
    const { results } = (await other.brain('recall', 'staging')) as unknown as { results: object[] }
    expect(results).toMatchObject([{ text: 'Deploys go through staging' }])
  })

  test('show the evidence of a belief in one order, whoever saw it', async () => {
    const [one, other] = await two()
    await one.brain('believe', 'The cache is warm after two minutes')
    await one.give()
    await other.take()
    for (const [at, member] of [one, other, one, other].entries())
      await member.brain('evidence', '1', '--supporting', '--strength', '0.3', '--note', `seen ${at}`)
    await other.give()
    await one.give()
    await one.take()
    await other.take()
    for (const member of [one, other])
      expect(await member.brain('evidence-for', '1')).toMatchObject({
        events: [{ note: 'seen 0' }, { note: 'seen 1' }, { note: 'seen 2' }, { note: 'seen 3' }],
      })
  })

  test('merge what both did with one record, without a conflict', async () => {
    const [one, other] = await two()
    await one.brain('remember', 'The port is 4000')
    await one.brain('believe', 'The cache is warm after two minutes')
    await one.brain('predict', 'Release 2 is out by May', '--domain', 'release', '--confidence', '0.7')
    await one.give()
    await other.take()
    await one.brain('edit', '1', 'The port is 4001')
    await other.brain('edit', '1', 'The port is 4002')
    await one.brain('tag', '1', 'net')
    await one.brain('evidence', '1', '--supporting', '--strength', '0.6')
    await other.brain('evidence', '1', '--refuting', '--strength', '0.3', '--source', 'load test')
    await one.brain('forecast', '1', '0.9')
    await one.brain('resolve', '1', 'correct', '--actual', 'Out on 3 May')
    await other.brain('forecast', '1', '0.2')
    await other.brain('resolve', '1', 'incorrect', '--actual', 'Not out')
    await one.give()
    await other.give()
    await one.take()
    await other.take()
    for (const member of [one, other]) {
      const shown = await member.brain('show', 'memory', '1')
      expect(shown).toMatchObject({
        record: {
          text: 'The port is 4002',
          tags: ['net'],
          agent: 'person1',
          versions: [{ text: 'The port is 4000' }, { text: 'The port is 4001' }],
        },
      })
      expect(await member.brain('show', 'belief', '1')).toMatchObject({ record: { evidence_count: 2 } })
      expect(await member.brain('show', 'prediction', '1')).toMatchObject({
        record: { outcome: 'correct', actual: 'Out on 3 May', confidence: 0.2 },
      })
    }
    // What each brain tells the other of the merge itself is the same.
    await one.give()
    await other.take()
    await other.give()
    await one.take()
    expect(await everything(one)).toEqual(await everything(other))
    expect(await one.brain('share')).toMatchObject({ shared: {} })
  })

  test.each(['shared', 'kept to herself'])('are told which edit of their own, %s, gave way', async (how) => {
    const [one, other] = await two()
    for (const text of ['The port is 4000', 'The host is A', 'The user is B'])
      await one.brain('remember', text)
    await one.give()
    await other.take()
    await one.brain('edit', '1', 'The port is 4001')
    await other.brain('edit', '1', 'The port is 4002')
    await other.brain('edit', '2', 'The host is C')
    if (how === 'shared') await one.give()
    await other.give()
    const replaced = await one.take()
    expect(replaced).toMatchObject({ taken: { version: 2 }, replaced: [1] })
    expect(await other.take()).toMatchObject({ replaced: [] })
    // What was taken from others, and gives way to another's, is nobody's own here.
    await other.brain('edit', '1', 'The port is 4003')
    await other.give()
    expect(await one.take()).toMatchObject({ taken: { version: 1 }, replaced: [] })
    await one.brain('edit', '3', 'The user is D')
    await one.give()
    await other.take()
    await other.brain('edit', '3', 'The user is E')
    await other.give()
    await one.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
    expect((await one.tells('share', '--pull')).stdout).toContain(
      '\nyour edit of 3 was replaced by a later one: `brain show 3` has both\n',
    )
  })

  test.each([
    [[], ['--strength', '0.1']],
    [['--test', 'x'], []],
    [[], []],
  ])('count a test run that both recorded once, as who did so first: %j and %j', async (first, then) => {
    const [one, other, third] = await three()
    await one.brain('believe', 'x holds', '--confidence', '0.5')
    await one.brain('evidence', '1', '--supporting', '--strength', '0.3')
    await one.give()
    await other.take()
    for (const { directory } of [one, other])
      writeFileSync(
        join(directory, 'run.xml'),
        '<testsuite name="unit"><testcase name="x"/><testcase name="y"><failure/></testcase></testsuite>',
      )
    writeFileSync(join(one.directory, '.git', 'info', 'exclude'), 'run.xml\n')
    writeFileSync(join(other.directory, '.git', 'info', 'exclude'), 'run.xml\n')
    await one.brain('evidence', '1', '--from', 'run.xml', '--strength', '0.9', '--cite', 'run.xml', ...first)
    await other.brain('evidence', '1', '--from', 'run.xml', ...then)
    await other.brain('evidence', '1', '--refuting', '--strength', '0.2')
    // Who counted it last is heard of first, by the third.
    await other.give()
    await third.take()
    await one.give()
    for (const member of [third, other, one]) expect(await member.take()).toMatchObject({ refused: 0 })
    expect(await one.brain('show', 'belief', '1')).toMatchObject({ record: { evidence_count: 3 } })
    for (const member of [other, third]) expect(await everything(member)).toEqual(await everything(one))
    for (const member of [one, other, third]) {
      expect(await member.brain('share')).toMatchObject({ shared: {} })
      rmSync(join(member.directory, '.brain', 'shared'))
      expect(await member.take()).toMatchObject({ taken: {} })
      expect((await member.tells('doctor')).code).toBe(0)
    }
  })

  test('are told which flags the other ended, made milder, reworded or forgot', async () => {
    const [one, other] = await two()
    const flags = [
      'Never push to main',
      'Never drop the users table',
      'Never mail customers',
      'Ask Dana first',
    ]
    for (const text of flags) await one.brain('flag', text, '--caution', '0.8')
    await one.brain('flag', 'Never deploy on a Friday', '--caution', '0.8')
    await one.brain('remember', 'The port is 4000')
    await one.give()
    await other.take()
    await other.brain('expire', '1', '2096-01-31T12:00Z')
    await other.brain('edit', '2', '--caution', '0.2')
    await other.brain('edit', '3', 'Mail customers', '--caution', '0')
    await other.brain('forget', '4', '--yes')
    // None of these is a flag that warns of less.
    await other.brain('edit', '5', '--caution', '0.9')
    await other.brain('tag', '5', 'ops')
    await other.brain('edit', '6', 'The port is 4001')
    await other.brain('expire', '6', '2096-01-31T12:00Z')
    await other.give()
    await one.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
    await one.brain('backup', 'before.db')
    const { stdout } = await one.tells('share', '--pull')
    for (const line of [
      'others end flag 1 at 2096-01-31 12:00 UTC (`brain expire 1 never` takes that back): Never push to main',
      'others made flag 2 milder, 0.2 in place of 0.8 (`brain edit 2 --caution 0.8` takes that back): Never drop the users table',
      'others made flag 3 an ordinary memory (`brain edit 3 --caution 0.8` takes that back): Mail customers',
      'others reworded flag 3 (`brain show 3` has both): Mail customers',
      'others forgot flag 4, of caution 0.8 (`brain flag` warns again): Ask Dana first',
    ])
      expect(stdout.split('\n')).toContain(line)
    expect(stdout.match(/^others/gm)).toHaveLength(5)
    expect(await one.brain('share', '--pull')).toMatchObject({ eased_flags: [] })
    await one.brain('restore', 'before.db')
    const end = '2096-01-31T12:00:00.000+00:00'
    expect(await one.brain('share', '--pull')).toMatchObject({
      eased_flags: [
        { id: 1, text: flags[0], caution: 0.8, expires_at: null, now: { caution: 0.8, expires_at: end } },
        { id: 2, text: flags[1], caution: 0.8, now: { text: flags[1], caution: 0.2, expires_at: null } },
        { id: 3, text: flags[2], caution: 0.8, now: { text: 'Mail customers', caution: 0 } },
        { id: 4, text: flags[3], caution: 0.8, now: null },
      ],
    })
  })

  test('forget what one of them forgot, and leave no word of it in the folder', async () => {
    const [one, other] = await two()
    await one.brain('remember', 'A customer is called Zebediah')
    await one.brain('edit', '1', 'A customer is called Zebediah Jones')
    await one.brain('remember', 'kept')
    await one.give()
    await other.take()
    expect(await texts(other)).toEqual(['A customer is called Zebediah Jones', 'kept'])
    await one.brain('forget', '1', '--yes')
    // Nothing brings it back before the others were told.
    expect(await one.take()).toMatchObject({ taken: {}, untold: 1 })
    expect((await one.tells('share', '--dry-run')).stdout).toMatch(
      /^would share 1 record to forget in .*\ngit's history keeps what was shared: revoke a secret that was pushed\n$/,
    )
    await one.give()
    expect(contentOf(one)).not.toContain('Zebediah')
    expect(await other.take()).toMatchObject({
      forgotten: 1,
      forgotten_records: [{ kind: 'memory', id: 1 }],
    })
    expect(await texts(other)).toEqual(['kept'])
    expect(await one.take()).toMatchObject({ taken: {}, forgotten: 0, untold: 0 })
    await other.give()
    await one.take()
    expect(await texts(one)).toEqual(['kept'])
    expect(contentOf(one)).not.toContain('Zebediah')
  })

  test('name what was forgotten, resolutions that gave way, and tags that were replaced', async () => {
    const [one, other] = await two()
    for (const ahead of ['It ships', 'It holds'])
      await one.brain('predict', ahead, '--domain', 'ops', '--confidence', '0.7')
    await one.brain('remember', 'Deploys go through staging')
    await one.give()
    await other.take()
    await one.brain('resolve', '1', 'correct', '--actual', 'it did')
    await one.brain('tag', '1', 'imp')
    await one.brain('forget', 'prediction', '2', '--yes')
    await other.brain('resolve', '1', 'incorrect', '--actual', 'it did not')
    await other.brain('tag', '1', 'importer')
    await one.give()
    await other.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
    const told = (await other.tells('share', '--pull')).stdout
    expect(told).toContain('\nforgot 1 record that others forgot: prediction 2\n')
    expect(told).toContain(
      '\nprediction 1, which was incorrect, is correct now by what others said: `brain show prediction 1` has both',
    )
    await other.give()
    expect(await one.take()).toMatchObject({
      resettled: [],
      untagged: [{ id: 1, tags: ['imp'] }],
      forgotten_records: [],
    })
    await other.brain('reopen', '1', '--note', 'too early')
    await other.give()
    expect(await one.take()).toMatchObject({
      resettled: [{ id: 1, was: 'correct', now: null }],
      untagged: [],
    })
    expect(await everything(one)).toEqual(await everything(other))
  })

  test('go on where one adds to what the other forgot', async () => {
    const [one, other] = await two()
    await one.brain('believe', 'It holds')
    await one.give()
    await other.take()
    await one.brain('forget', 'belief', '1', '--yes')
    await other.brain('evidence', '1', '--supporting', '--strength', '0.5', '--note', 'Zebediah saw it')
    await one.give()
    await other.give()
    await one.take()
    await other.take()
    await one.give()
    await other.take()
    expect(await everything(one)).toEqual(await everything(other))
    expect(contentOf(one)).toBe('')
    expect(contentOf(other)).toBe('')
  })

  test('tell a third at once of new tags and that their record is forgotten', async () => {
    const [one, other, third] = await three()
    await one.brain('remember', 'A customer is called Zebediah')
    await one.brain('remember', 'kept')
    await one.give()
    await other.take()
    await third.take()
    await one.brain('tag', '1', 'customers')
    await one.give()
    await other.brain('forget', '1', '--yes')
    await other.give()
    // As where one merges what both pushed before either shared again.
    await one.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
    expect(await third.take()).toMatchObject({ taken: {}, forgotten: 1 })
    expect(await texts(third)).toEqual(['kept'])
  })

  test.each([
    ['tags', ['tag', '1', 'blue'], ['tag', '1', 'red'], { tags: ['red'] }],
    ['ends', ['expire', '1', '2090-01-01'], ['expire', '1', '2080-02-02'], { expires_at: /^2080-02-02/ }],
  ])(
    'end up with the same first %s of a record, those that were shared last',
    async (_, first, last, end) => {
      const [one, other] = await two()
      await one.brain('remember', 'The port is 4000')
      await one.give()
      await other.take()
      await other.brain(...last)
      await one.brain(...first)
      await one.give()
      await other.give()
      for (const member of [other, one, other, one]) {
        await member.take()
        await member.give()
      }
      const expected = 'tags' in end ? end : { expires_at: expect.stringMatching(end.expires_at) }
      for (const member of [one, other])
        expect(await member.ask('show', '1')).toMatchObject({ record: expected })
    },
  )

  test('keep a belief and the one that replaced it apart', async () => {
    const [one, other] = await two()
    await one.brain('believe', 'The limit is 10')
    await one.give()
    await other.take()
    await one.brain('revise', '1', 'The limit is 20')
    await one.give()
    expect(await other.take()).toMatchObject({ taken: { belief: 1, succession: 1 } })
    const { beliefs } = (await other.brain('beliefs')) as unknown as { beliefs: { text: string }[] }
    expect(beliefs.map(({ text }) => text)).toEqual(['The limit is 20'])
  })

  test('do all of it by hooks of git', async () => {
    const [one, other] = await two()
    const program = join(process.cwd(), 'bin/brain.js')
    const lines = { 'pre-commit': 'share && git add .brain-shared', 'post-merge': 'share --pull' }
    if (!existsSync(join(process.cwd(), 'dist'))) return
    for (const { directory } of [one, other])
      for (const [hook, line] of Object.entries(lines))
        writeFileSync(
          join(directory, '.git', 'hooks', hook),
          `#!/bin/sh\nexport BRAIN_EMBEDDER=none\n"${process.execPath}" "${program}" ${line}\n`,
          { mode: 0o755 },
        )
    await one.brain('remember', 'by a hook')
    await one.git('commit', '--quiet', '--allow-empty', '--message', 'work')
    await one.git('push', '--quiet', 'origin', 'HEAD:main')
    await other.git('pull', '--quiet', '--no-rebase', 'origin', 'main')
    expect(await texts(other)).toEqual(['by a hook'])
  })
})

describe('what is kept back', () => {
  test('is private, secret, redacted and captured, unless it is named', async () => {
    const [one] = await two()
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    await one.brain('remember', 'plain')
    await one.brain('remember', 'my salary #private')
    await one.brain('remember', `the key is ${key}`)
    await one.brain('remember', 'the key was [redacted: GitHub token]')
    await one.brain('remember', 'Commit 0123456789: fix', '--tag', 'commit')
    await one.brain('remember', 'diary', '--tag', 'private')
    await one.brain('remember', 'letters', '--tag', 'Private')
    expect(await one.brain('share', '--dry-run')).toMatchObject({
      would_share: { memory: 1 },
      records: [{ kind: 'memory', id: 1, text: 'plain' }],
      kept_back: { private: 3, secret: 1, redacted: 1, captured: 1 },
    })
    expect(sharedFiles(one)).toEqual([])
    await one.brain('share')
    expect(contentOf(one)).not.toMatch(/salary|ghp_|redacted|Commit|diary|letters/)
    expect(await one.brain('share', '--tag', 'commit')).toMatchObject({ records: [{ id: 5 }] })
    expect(await one.brain('share', '--all')).toMatchObject({
      records: [{ id: 4 }],
      kept_back: { private: 3, secret: 1 },
    })
    expect(await one.brain('share', '2', '6')).toMatchObject({ records: [{ id: 2 }, { id: 6 }] })
    expect(contentOf(one)).not.toContain('ghp_')
  })

  test('an edited memory is listed as it stands for the others, which is without what is kept back', async () => {
    const [one] = await two()
    await one.brain('remember', 'The port is 4000')
    await one.brain('remember', 'The host is alpha')
    await one.brain('edit', '1', 'The port is 4001')
    await one.brain('edit', '1', 'The port is 4002')
    await one.brain('edit', '2', 'The host is beta #private')
    expect(await one.brain('share', '--dry-run')).toMatchObject({
      would_share: { memory: 2, version: 2 },
      records: [
        { kind: 'memory', id: 1, text: 'The port is 4002' },
        { kind: 'memory', id: 2, text: 'The host is alpha' },
      ],
      kept_back: { private: 1 },
    })
    expect((await one.tells('share', '--dry-run')).stdout).toContain('memory 1  The port is 4002\n')
  })

  test('is what has a secret in a tag, a branch, an agent or a cited place', async () => {
    const [one] = await two()
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    mkdirSync(join(one.directory, 'keys'))
    writeFileSync(join(one.directory, 'keys', key), 'x')
    await one.brain('remember', 'plain', '--tag', 'ops')
    await one.brain('remember', 'by its tag', '--tag', `x-${key}`)
    await one.brain('remember', 'by its place', '--cite', `keys/${key}`)
    await one.ask('--agent', key, 'remember', 'by its agent')
    await one.brain('believe', 'It holds')
    await one.ask('--agent', key, 'evidence', '1', '--supporting', '--strength', '0.5')
    await one.brain('evidence', '1', '--supporting', '--strength', '0.5', '--cite', `keys/${key}`)
    await one.git('checkout', '--quiet', '-b', `x-${key}`)
    await one.brain('remember', 'by its branch')
    await one.brain('predict', 'It is out by May', '--domain', 'release', '--confidence', '0.7')
    expect(await one.brain('share')).toMatchObject({
      shared: { memory: 1, marks: 1, belief: 1, evidence: 1 },
      records: [{ text: 'plain' }, { text: 'It holds' }],
      kept_back: { secret: 7 },
    })
    // Of what is shared already what is said since is judged by itself.
    await one.brain('tag', '1', key)
    expect(await one.brain('share')).toMatchObject({ shared: {}, kept_back: { secret: 8 } })
    expect(contentOf(one)).not.toContain(key)
    await one.brain('untag', '1', key)
    await one.brain('tag', '1', 'net')
    expect(await one.brain('share')).toMatchObject({ shared: { marks: 1 }, kept_back: { secret: 7 } })
    expect(await one.brain('share', '2')).toMatchObject({ records: [{ id: 2 }], shared: { marks: 1 } })
  })

  test('is what was said of flags and of results of recall', async () => {
    const [one] = await two()
    await one.brain('flag', 'Never restart the old queue by hand')
    await one.brain('share')
    const before = contentOf(one)
    await one.brain('assess-feedback', '1', 'restart the queue of the scratch host')
    await one.brain('recall-feedback', '1', '--wrong', '--score', '0.5')
    expect(await one.brain('share', '--all')).toMatchObject({ shared: {} })
    expect(contentOf(one)).toBe(before)
  })

  test('is a later text that nobody would have shared by itself', async () => {
    const [one, other] = await two()
    await one.brain('remember', 'The host is A')
    await one.give()
    await one.brain('edit', '1', 'The host is B #private')
    expect(await one.brain('share')).toMatchObject({ shared: {}, kept_back: { private: 1 } })
    await one.give()
    await other.take()
    expect(await texts(other)).toEqual(['The host is A'])
  })
})

test('a record has the same name from every version of brain', async () => {
  const file = toFile({
    type: 'memory',
    id: 7,
    text: 'fixed',
    caution: 0.5,
    agent: 'a',
    createdAt: Date.UTC(2026, 0, 31, 12),
    tags: ['left out'],
    circumstances: { branch: 'main', session: 'left out' },
    exemptions: [{ topic: 'left out', createdAt: 1 }],
    recallVerdicts: [{ score: 1, right: true, createdAt: 1 }],
  })
  expect(file).toEqual({
    name: 'a48e006d5aede2fd65185b5b2f8af9fdf608547dc174d1fb857823e5bd02e10b',
    text: '{"type":"memory","text":"fixed","caution":0.5,"agent":"a","created_at":"2026-01-31T12:00:00.000+00:00","branch":"main"}\n',
  })
})
