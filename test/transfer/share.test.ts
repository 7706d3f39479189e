import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nameOf, toFile } from '../../src/transfer/share/items.ts'
import { createPlace, execute } from '../cli/command-line.ts'

interface Member {
  readonly directory: string
  /** Runs brain as this person; fails where it does. */
  brain(...argv: string[]): Promise<Record<string, never>>
  /** The same as nobody in particular. */
  ask(...argv: string[]): Promise<Record<string, never>>
  /** What brain tells this person and ends with, fail or not. */
  tells(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  git(...argv: string[]): Promise<string>
  /** Shares, commits and pushes. */
  give(): Promise<void>
  /** Merges what others pushed, and takes it in. */
  take(...argv: string[]): Promise<Record<string, unknown>>
}

/** A repository on a server and so many clones of it, each with a brain. */
async function createTeam(count: number): Promise<Member[]> {
  const { directory: root, run } = createPlace()
  const env = {
    ...process.env,
    HOME: join(root, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.org',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.org',
  }
  const gitIn = async (cwd: string, argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await execute('git', argv, { cwd, env })
    if (code !== 0) throw new Error(`git ${argv.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  await gitIn(root, ['init', '--quiet', '--bare', '--initial-branch=main', 'server.git'])
  const members: Member[] = []
  for (let at = 0; at < count; at += 1) {
    const directory = join(root, `clone${at}`)
    await gitIn(root, ['clone', '--quiet', 'server.git', directory])
    const inside = { workingDirectory: directory }
    const ask = async (...argv: string[]) => {
      const { code, stdout, stderr } = await run(['--json', ...argv], inside)
      if (code !== 0) throw new Error(`brain ${argv.join(' ')}: ${stderr}`)
      return stdout.trim() === '' ? {} : JSON.parse(stdout)
    }
    const brain = (...argv: string[]) => ask('--agent', `person${at}`, ...argv)
    const git = (...argv: string[]) => gitIn(directory, argv)
    const member: Member = {
      directory,
      brain,
      ask,
      tells: async (...argv) => run(argv, inside),
      git,
      give: async () => {
        await brain('share')
        await git('add', '--all')
        await git('commit', '--quiet', '--allow-empty', '--message', 'what we know')
        if (at > 0 || members.length > 1)
          await git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
        await git('push', '--quiet', 'origin', 'HEAD:main')
      },
      take: async (...argv) => {
        await git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
        return brain('share', '--pull', ...argv)
      },
    }
    await run(['init', '--yes'], inside)
    if (at === 0) {
      await git('checkout', '--quiet', '-b', 'main')
      await git('commit', '--quiet', '--allow-empty', '--message', 'begin')
      await git('push', '--quiet', 'origin', 'main')
    } else await git('checkout', '--quiet', '-B', 'main', 'origin/main')
    members.push(member)
  }
  return members
}

const two = async (): Promise<[Member, Member]> => {
  const [one, other] = await createTeam(2)
  if (one === undefined || other === undefined) throw new Error('no team')
  return [one, other]
}

const three = async (): Promise<[Member, Member, Member]> => {
  const [one, other, third] = await createTeam(3)
  if (one === undefined || other === undefined || third === undefined) throw new Error('no team')
  return [one, other, third]
}

const texts = async (member: Member): Promise<string[]> => {
  // Who is named with --agent is whose records are listed.
  const { records } = (await member.ask('list')) as unknown as { records: { text: string }[] }
  return records.map(({ text }) => text).sort()
}

const sharedFiles = ({ directory }: Member): string[] =>
  existsSync(join(directory, '.brain-shared', 'records'))
    ? readdirSync(join(directory, '.brain-shared', 'records'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.json'))
    : []

const contentOfFile = (member: Member, name: string): string =>
  readFileSync(join(member.directory, '.brain-shared', 'records', name), 'utf8')

const contentOf = (member: Member): string =>
  sharedFiles(member)
    .map((name) => contentOfFile(member, name))
    .join('')

/** Everything that is known, without what each brain numbers by itself and when it heard of it. */
const everything = async (member: Member): Promise<string[]> => {
  const out: string[] = []
  const { stdout } = await member.tells('export')
  for (const line of stdout.trim().split('\n')) {
    const { id: _, memory_id: __, belief_id: ___, ...said } = JSON.parse(line)
    const { origin: ____, replaced_at: _____, superseded_by, ...record } = said
    out.push(JSON.stringify({ ...record, ...(superseded_by != null && { superseded: true }) }))
  }
  return out.sort()
}

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
    expect(await other.take()).toMatchObject({ forgotten: 1 })
    expect(await texts(other)).toEqual(['kept'])
    expect(await one.take()).toMatchObject({ taken: {}, forgotten: 0, untold: 0 })
    await other.give()
    await one.take()
    expect(await texts(one)).toEqual(['kept'])
    expect(contentOf(one)).not.toContain('Zebediah')
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
    expect(await one.brain('share', '--dry-run')).toMatchObject({
      would_share: { memory: 1 },
      records: [{ kind: 'memory', id: 1, text: 'plain' }],
      kept_back: { private: 2, secret: 1, redacted: 1, captured: 1 },
    })
    expect(sharedFiles(one)).toEqual([])
    await one.brain('share')
    expect(contentOf(one)).not.toMatch(/salary|ghp_|redacted|Commit|diary/)
    expect(await one.brain('share', '--tag', 'commit')).toMatchObject({ records: [{ id: 5 }] })
    expect(await one.brain('share', '--all')).toMatchObject({
      records: [{ id: 4 }],
      kept_back: { private: 2, secret: 1 },
    })
    expect(await one.brain('share', '2', '6')).toMatchObject({ records: [{ id: 2 }, { id: 6 }] })
    expect(contentOf(one)).not.toContain('ghp_')
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

describe('a folder of strangers', () => {
  const write = ({ directory }: Member, text: string, name = nameOf(text)): void => {
    const part = join(directory, '.brain-shared', 'records', name.slice(0, 2))
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, `${name.slice(2)}.json`), text)
  }
  const memory = (member: object): string =>
    `${JSON.stringify({ type: 'memory', text: 'x', caution: 0, agent: 'a', created_at: '2026-01-31T12:00:00.000+00:00', ...member })}\n`

  test('brings nothing in whose hash, form or kind is wrong, and the rest comes', async () => {
    const [one] = await two()
    const wrong = [
      memory({ id: 7 }),
      memory({ extra: true }),
      memory({ exemptions: [{ topic: 'y', created_at: '2026-01-31T12:00:00.000+00:00' }] }),
      memory({ text: '' }),
      memory({ created_at: '2026-01-31T13:00:00+01:00' }),
      memory({ origin: `share:${'0'.repeat(64)}` }),
      '{"type":"memory"',
      '[]\n',
      '{"type":"dream","thought":"x"}\n',
      `${'['.repeat(200_000)}\n`,
      `{"__proto__":{"type":"memory"}}\n`,
    ]
    for (const text of wrong) write(one, text)
    write(one, memory({ text: 'changed' }), '0'.repeat(64))
    write(one, `${' '.repeat(2_000_000)}\n`)
    write(one, memory({ text: 'right' }))
    expect(await one.brain('share', '--pull')).toMatchObject({
      taken: { memory: 1 },
      refused: wrong.length + 2,
    })
    expect(await texts(one)).toEqual(['right'])
  })

  test('leads nowhere by its links', async () => {
    const [one] = await two()
    const outside = join(one.directory, '..', 'outside')
    mkdirSync(outside)
    const text = memory({ text: 'linked' })
    const name = nameOf(text)
    writeFileSync(join(outside, `${name.slice(2)}.json`), text)
    mkdirSync(join(one.directory, '.brain-shared', 'records'), { recursive: true })
    symlinkSync(outside, join(one.directory, '.brain-shared', 'records', name.slice(0, 2)))
    const { code, stderr } = await one.tells('share', '--pull')
    expect([code, stderr]).toEqual([0, expect.stringContaining('left alone')])
    expect(await texts(one)).toEqual([])
    rmSync(join(one.directory, '.brain-shared'), { recursive: true })
    symlinkSync(outside, join(one.directory, '.brain-shared'))
    await one.brain('remember', 'stays here')
    for (const argv of [['share'], ['share', '--pull']])
      expect(await one.tells(...argv)).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('is no directory, or a link'),
      })
    expect(readdirSync(outside)).toEqual([`${name.slice(2)}.json`])
  })

  test('with marks that somebody damaged, or dated at the end of all times, is shared and taken all the same', async () => {
    const [one] = await two()
    await one.brain('remember', 'the host is A', '--tag', 'x')
    await one.brain('share')
    const marks = sharedFiles(one).find((name) => contentOfFile(one, name).includes('"marks"')) ?? ''
    const path = join(one.directory, '.brain-shared', 'records', marks)
    writeFileSync(path, `${readFileSync(path, 'utf8')}garbage\n`)
    await one.brain('remember', 'the port is 5432')
    expect(await one.brain('share')).toMatchObject({ shared: { memory: 1 } })
    const { of } = JSON.parse(contentOfFile(one, marks).split('\n')[0] ?? '')
    const at = '9999-12-31T23:59:59.999+00:00'
    write(one, `${JSON.stringify({ type: 'marks', of, at, tags: ['y'] })}\n`)
    await one.brain('share', '--pull')
    await one.brain('tag', '1', 'mine')
    for (let time = 0; time < 2; time += 1) await one.brain('share')
    expect(contentOf(one)).not.toContain('+010000')
  })

  test('is not written into through what is no plain file', async () => {
    const [one] = await two()
    await one.brain('remember', 'the host is A')
    await one.brain('share')
    const name = (sharedFiles(one)[0] ?? '').replace('.json', '')
    const outside = join(one.directory, '..', 'outside')
    mkdirSync(outside)
    mkdirSync(join(one.directory, '.brain-shared', 'forgotten', name.slice(0, 2)), { recursive: true })
    symlinkSync(outside, join(one.directory, '.brain-shared', 'forgotten', name))
    await one.brain('forget', '1')
    expect(await one.tells('share')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('is no plain file'),
    })
    rmSync(join(one.directory, '.brain-shared', 'forgotten', name))
    expect(await one.brain('share')).toMatchObject({ forgotten: 1 })
  })

  test('shares nothing where a record is named that is not there', async () => {
    const [one] = await two()
    await one.brain('remember', 'stays here')
    for (const [words, kind] of [
      [['999'], 'memory'],
      [['belief', '999'], 'belief'],
    ] as const)
      expect(await one.tells('share', ...words)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`${kind} 999 not found`),
      })
    expect(existsSync(join(one.directory, '.brain-shared', 'records'))).toBe(false)
  })

  test('never makes a check run that it brings', async () => {
    const [one] = await two()
    const prediction = {
      type: 'prediction',
      prediction: 'it builds',
      domain: 'build',
      confidence: 0.9,
      basis: null,
      created_at: '2026-01-01T12:00:00.000+00:00',
      due_at: '2026-01-02T12:00:00.000+00:00',
      check: 'touch ran',
    }
    write(one, `${JSON.stringify(prediction)}\n`)
    expect(await one.brain('share', '--pull')).toMatchObject({ taken: { prediction: 1 }, refused: 0 })
    await one.tells('check')
    expect(existsSync(join(one.directory, 'ran'))).toBe(false)
  })

  test('cannot make a brain forget most of what is shared by itself', async () => {
    const [one, other] = await two()
    for (let at = 0; at < 12; at += 1) await one.brain('remember', `note ${at}`)
    await one.give()
    await other.take()
    for (const name of sharedFiles(one)) {
      const [part = '', file = ''] = name.split('/')
      mkdirSync(join(other.directory, '.brain-shared', 'forgotten', part), { recursive: true })
      writeFileSync(join(other.directory, '.brain-shared', 'forgotten', part, file.replace('.json', '')), '')
    }
    expect(await other.tells('share', '--pull')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('12 of 12 shared records were forgotten by others: say --forget-many'),
    })
    expect(await texts(other)).toHaveLength(12)
    expect(await other.brain('share', '--pull', '--forget-many')).toMatchObject({ forgotten: 12 })
    expect(await texts(other)).toEqual([])
  })
})

describe('a brain that was replaced', () => {
  test('by another makes nobody forget', async () => {
    const [one, other] = await two()
    await one.brain('remember', 'early')
    await one.brain('backup', 'copy.db')
    await one.brain('remember', 'late')
    await one.give()
    await other.take()
    await one.brain('restore', 'copy.db')
    expect(await texts(one)).toEqual(['early'])
    expect(await one.brain('share')).toMatchObject({ forgotten: 0 })
    expect(await one.take()).toMatchObject({ taken: { memory: 1 } })
    expect(await texts(one)).toEqual(['early', 'late'])
  })

  test('or emptied is asked for its word', async () => {
    const [one] = await two()
    for (let at = 0; at < 12; at += 1) await one.brain('remember', `note ${at}`)
    await one.brain('share')
    await one.brain('forget', ...Array.from({ length: 12 }, (_, at) => String(at + 1)), '--yes')
    expect(await one.tells('share')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('12 of 12 shared records are not in this brain any more'),
    })
    expect(await one.brain('share', '--forget-many')).toMatchObject({ forgotten: 12 })
    expect(sharedFiles(one)).toEqual([])
  })
})

test('what was given before a share failed, and is forgotten since, is forgotten by the others, too', async () => {
  const [one, other] = await two()
  for (let at = 0; at < 12; at += 1) await one.brain('remember', `note ${at}`)
  await one.brain('share')
  await one.brain('forget', ...Array.from({ length: 12 }, (_, at) => String(at + 1)), '--yes')
  await one.brain('remember', 'A customer is called Zebediah')
  expect(await one.tells('share')).toMatchObject({ code: 3 })
  expect(contentOf(one)).toContain('Zebediah')
  await one.brain('forget', '13', '--yes')
  expect(await one.brain('share', '--forget-many')).toMatchObject({ forgotten: 13 })
  await one.give()
  expect(await other.take()).toMatchObject({ taken: {} })
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
