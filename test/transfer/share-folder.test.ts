import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SharedFolder } from '../../src/transfer/share/folder.ts'
import { requireFew } from '../../src/transfer/share/forgotten.ts'
import { nameOf } from '../../src/transfer/share/items.ts'
import { KnownFiles } from '../../src/transfer/share/known-files.ts'
import { execute, runBuilt } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { contentOf, contentOfFile, everything, type Member, sharedFiles, texts, two } from './team.ts'

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
    const large = `${' '.repeat(2_000_000)}\n`
    write(one, large)
    write(one, memory({ text: 'right' }))
    expect(await one.brain('share', '--pull')).toMatchObject({
      taken: { memory: 1 },
      refused: wrong.length + 2,
    })
    expect(await texts(one)).toEqual(['right'])
    const folder = SharedFolder.open(join(one.directory, '.brain-shared'))
    await expect(folder.read(nameOf(large))).rejects.toThrow('is larger than 1048576 bytes')
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

  test('tells git nothing of what a killed process was writing, and loses it when nobody can be writing it', async () => {
    const [one] = await two()
    await one.brain('remember', 'the host is A')
    await one.brain('share')
    const [name = ''] = sharedFiles(one)
    const [part = '', file = ''] = name.split('/')
    const draft = join(one.directory, '.brain-shared', 'records', part, `.${file}.0123abcd.draft`)
    writeFileSync(draft, 'half a no')
    await one.brain('share')
    await one.git('add', '--all')
    expect((await one.git('ls-files')).split('\n').filter((path) => path.endsWith('.draft'))).toEqual([])
    expect(existsSync(draft)).toBe(true)
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(draft, longAgo, longAgo)
    await one.brain('share', '--dry-run')
    expect(existsSync(draft)).toBe(true)
    await one.brain('share')
    expect(existsSync(draft)).toBe(false)
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

test.each([
  [10, 10, false],
  [11, 11, true],
  [11, 21, true],
  [11, 22, false],
  [1_000, 2_000, false],
])('that %i of %i records go at once is refused: %s', (going, all, refused) => {
  const ask = () => requireFew(going, all, (counts) => counts)
  if (refused) expect(ask).toThrow(`${going} of ${all} shared records`)
  else expect(ask).not.toThrow()
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

  test.each([
    ['was restored', 'pulls'],
    ['was restored', 'shares'],
    ['lost what it knew of files', 'pulls'],
    ['lost what it knew of files', 'shares'],
  ])('or %s, and %s first, takes no newer tags, ends or places back', async (what, first) => {
    const [one, other] = await two()
    writeFileSync(join(one.directory, 'queue.md'), 'drain it\n')
    await one.brain('remember', 'Queue runbook', '--tag', 'draft', '--expires', '2096-01-31T12:00Z')
    await one.brain('remember', 'Drain first', '--cite', 'queue.md')
    await one.give()
    await one.brain('backup', 'copy.db')
    await other.take()
    await other.brain('untag', '1', 'draft')
    await other.brain('tag', '1', 'reviewed')
    await other.brain('expire', '1', 'never')
    writeFileSync(join(other.directory, 'queue.md'), 'drain it first\n')
    await other.brain('verify', '2', '--yes')
    await other.give()
    await one.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
    if (what === 'was restored') await one.brain('restore', 'copy.db')
    else rmSync(join(one.directory, '.brain', 'shared'))
    if (first === 'shares') expect(await one.brain('share')).toMatchObject({ shared: {} })
    expect(await one.brain('share', '--pull')).toMatchObject({
      taken: { marks: 2 },
      untagged: [{ id: 1, tags: ['draft'] }],
    })
    expect(await one.brain('show', '1')).toMatchObject({ record: { tags: ['reviewed'], expires_at: null } })
    expect(await everything(one)).toEqual(await everything(other))
    expect(await one.brain('share')).toMatchObject({ shared: {} })
    // What was said here since, and nobody was told, is new.
    await one.brain('tag', '1', 'queues')
    await one.give()
    await other.take()
    expect(await other.brain('show', '1')).toMatchObject({ record: { tags: ['queues', 'reviewed'] } })
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

/** What lets a process run some lines before its own, in which `files` are the functions of `node:fs/promises`. */
const after = (lines: string): { env: NodeJS.ProcessEnv } => {
  const module = `import files from 'node:fs/promises'\n${lines}`
  return { env: { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(module)}"` } }
}

test('flags that others forgot are told of also where the rest of a pull fails', async () => {
  const [one, other] = await two()
  await one.brain('flag', 'Never push to main', '--caution', '0.8')
  await one.give()
  await other.take()
  await one.brain('forget', '1', '--yes')
  await one.give()
  await other.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
  const full = after(`
    const { open } = files
    files.open = async (path, ...rest) => {
      if (String(path).endsWith('.brain/shared'))
        throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'open' })
      return open(path, ...rest)
    }`)
  const { code, stderr } = await runBuilt(other.directory, ['share', '--pull'], full)
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(
      /others forgot flag 1, of caution 0\.8 .*: Never push to main\n[\s\S]*the disk is full/,
    ),
  ])
})

describe('a share that is killed', () => {
  /** When it would give its n-th file a name. */
  const killedAt = (n: number) =>
    after(`
      const { rename } = files
      let left = ${n}
      files.rename = async (from, to) => {
        if (String(to).includes('.brain-shared/records') && --left === 0) process.kill(process.pid, 'SIGKILL')
        return rename(from, to)
      }`)

  test.each([1, 2, 3])('at its file %i lets what it gave be forgotten all the same', async (n) => {
    const [one, other] = await two()
    await one.brain('remember', 'A customer is called Zebediah', '--tag', 'customers')
    await one.brain('remember', 'kept')
    const { signal } = await runBuilt(one.directory, ['share'], killedAt(n))
    expect(signal).toBe('SIGKILL')
    await one.brain('forget', '1', '--yes')
    await one.brain('share', '--pull')
    expect(await texts(one)).toEqual(['kept'])
    await one.give()
    const left = await execute('grep', ['-rl', 'Zebediah', '.brain-shared'], { cwd: one.directory })
    expect(left.stdout).toBe('')
    await other.take()
    expect(await texts(other)).toEqual(['kept'])
    await one.brain('share', '--pull')
    expect(await texts(one)).toEqual(['kept'])
  })
})

describe('what a brain knows of shared files', () => {
  const holder = { identity: '7:11', project: 'default' }
  const named = (letter: string): string => letter.repeat(64)
  const place = (): string => join(temporaryDirectory(), 'shared')

  test('holds what two noted at once, and what was given stays so', async () => {
    const file = place()
    const [one, other] = [KnownFiles.read(file, holder), KnownFiles.read(file, holder)]
    one.set(named('a'), { type: 'memory', given: true })
    one.set(named('b'), { type: 'memory' })
    other.set(named('c'), { type: 'marks', of: named('a') })
    other.set(named('a'), { type: 'memory' })
    await one.keep()
    await other.keep()
    one.delete(named('b'))
    await one.keep()
    expect([...KnownFiles.read(file, holder)]).toEqual([
      [named('a'), { type: 'memory', given: true }],
      [named('c'), { type: 'marks', of: named('a') }],
    ])
  })

  test('takes no line that was cut short for another, and loses none behind it', async () => {
    const whole = `${named('a')} evidence ${named('b')} given`
    for (let length = 0; length < whole.length; length += 1) {
      const file = place()
      writeFileSync(file, `\n["7:11","default"]\n${whole.slice(0, length)}`)
      const known = KnownFiles.read(file, holder)
      known.set(named('c'), { type: 'memory' })
      await known.keep()
      const left = KnownFiles.read(file, holder)
      expect(left.has(named('c'))).toBe(true)
      expect(left.get(named('a'))?.of).toBe(left.has(named('a')) ? named('b') : undefined)
    }
  })

  test('is read from files of earlier versions, and is nothing to another brain', async () => {
    const file = place()
    writeFileSync(file, `7:11\ndefault\n${named('a')} memory given\n`)
    const known = KnownFiles.read(file, holder)
    known.set(named('b'), { type: 'memory' })
    await known.keep()
    expect([...KnownFiles.read(file, holder)].map(([name]) => name)).toEqual([named('a'), named('b')])
    const later = { ...holder, identity: '7:12' }
    const another = KnownFiles.read(file, later)
    expect([...another]).toEqual([])
    another.set(named('c'), { type: 'memory' })
    await another.keep()
    expect([...KnownFiles.read(file, later)].map(([name]) => name)).toEqual([named('c')])
    expect(() => KnownFiles.read(file, { ...later, project: 'second' })).toThrow(
      'project default of this brain is shared here: name it with --project default',
    )
  })
})
