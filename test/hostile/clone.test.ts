/**
 * A repository can bring a whole `.brain/`. Whatever is in it, no command may carry it further: nothing outside is
 * touched, nothing in it runs, and each command ends.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace, createPlace, type Place } from '../cli/command-line.ts'
import { superJournal } from './clones.ts'

/** A place with a brain that another user's machine made: nothing of it is noted here. */
async function clone(spoil: (directory: string) => unknown = () => {}): Promise<Place & { brain: string }> {
  const elsewhere = await createBrainPlace()
  await elsewhere.run(['remember', 'the cache is warm'])
  const place = createPlace()
  const brain = join(place.directory, '.brain')
  mkdirSync(brain)
  for (const name of ['brain.db', '.gitignore'])
    copyFileSync(join(elsewhere.directory, '.brain', name), join(brain, name))
  chmodSync(brain, 0o755)
  chmodSync(join(brain, 'brain.db'), 0o644)
  await spoil(brain)
  return { ...place, brain }
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The contents of a directory, byte for byte, but for who has been there. */
const contents = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => name !== 'run')
      .map((entry) => [entry.name, entry.isFile() ? digest(join(directory, entry.name)) : 'no file']),
  )

const commands = [
  ['recall', 'cache'],
  ['remember', 'a note'],
  ['state'],
  ['forget', '1'],
  ['export'],
  ['key', 'list'],
  ['dream'],
  ['reindex'],
  ['init', '--yes'],
]

/** Whether a device can be made here: root may, unless its container keeps it from that. */
function canMakeDevices(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'brain-device-'))
  try {
    execFileSync('mknod', [join(directory, 'zero'), 'c', '1', '5'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Every command refuses with exit 5 (doctor with 1) in one sentence, and leaves all as it was. */
async function expectRefused(place: Place & { brain: string }, sentence: RegExp): Promise<void> {
  const before = contents(place.brain)
  for (const words of commands) {
    const { code, stderr } = await place.run([...words, '--json'])
    expect({ words, code, stderr }).toEqual({ words, code: 5, stderr: expect.stringMatching(sentence) })
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  const { code, stdout, stderr } = await place.run(['doctor', '--json'])
  expect([1, 5]).toContain(code)
  expect(stdout + stderr).toMatch(sentence)
  expect(contents(place.brain)).toEqual(before)
}

describe('a cloned brain', () => {
  it('as brain makes it is used, without its files being open to others having mattered', async () => {
    const place = await clone()
    const { code, stdout } = await place.run(['recall', 'cache'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('the cache is warm') })
  })

  it.each(['brain.db', 'import.db'])('cannot delete a file by a journal of %s', async (name) => {
    const place = await clone((brain) => {
      const precious = join(brain, '..', 'id_ed25519')
      writeFileSync(precious, 'mine')
      if (name === 'import.db') copyFileSync(join(brain, 'brain.db'), join(brain, name))
      writeFileSync(join(brain, `${name}-journal`), superJournal(precious))
    })
    await expectRefused(place, /-journal is a rollback journal.*remove it/)
    expect(readFileSync(join(place.directory, 'id_ed25519'), 'utf8')).toBe('mine')
  })

  it('brings no log with it, until its user says so', async () => {
    const place = await clone((brain) => {
      const live = loadDatabase(join(brain, 'brain.db'))
      live.exec("UPDATE memory SET text = 'the log is read'")
      copyFileSync(join(brain, 'brain.db-wal'), join(brain, 'kept'))
      live.close()
      renameSync(join(brain, 'kept'), join(brain, 'brain.db-wal'))
    })
    await expectRefused(place, /made by you on this machine.*`brain trust/)
    await expect(place.run(['trust', '--json'])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"log":true'),
    })
    await expect(place.run(['recall', 'cache'])).resolves.toMatchObject({
      stdout: expect.stringContaining('the log is read'),
    })
  })

  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON memory BEGIN DELETE FROM belief; END', /trigger t/],
    [
      'an endless view',
      'CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
      /view v/,
    ],
    [
      'a view in the place of a table',
      `ALTER TABLE activity RENAME TO a;
       CREATE VIEW activity AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
       SELECT i AS project_id, i AS minute, i AS calls, i AS last_at FROM n`,
      /(table a|view activity)/,
    ],
    [
      'an endless view in the place of what a keyword index reads',
      `DROP VIEW memory_of_1; CREATE VIEW memory_of_1 AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
       SELECT i AS id, 'a' AS terms FROM n`,
      /view memory_of_1/,
    ],
    ['a virtual table', 'CREATE VIRTUAL TABLE w USING fts5(a)', /table w/],
    ['an index with an expression', 'CREATE INDEX x ON memory(zeroblob(1000))', /index x/],
    ['a table', 'CREATE TABLE mine (a CHECK (zeroblob(1000000000) IS NULL))', /table mine/],
    [
      'a table of a keyword index that computes',
      'CREATE TABLE keyword_9_data (id INTEGER PRIMARY KEY, block AS (zeroblob(1000000000)))',
      /table keyword_9_data/,
    ],
    ['another table under a name of ours', 'DROP TABLE key; CREATE TABLE key (id TEXT)', /table key/],
  ])('with %s runs none of it', async (_, sql, what) => {
    const place = await clone((brain) => {
      const database = loadDatabase(join(brain, 'brain.db'))
      database.unsafeMode(true)
      database.exec(sql)
      database.close()
    })
    await expectRefused(place, new RegExp(`holds ${what.source}, which brain did not make`))
  })

  it.each([
    '.brain',
    'brain.db',
    'brain.db-wal',
    'brain.db-shm',
    'config.json',
    'import.db',
    'tally',
    'run',
    'sessions',
    'hooks.log',
  ])('that is a link to another project in the place of %s gives out nothing of it', async (name) => {
    const other = await createBrainPlace()
    await other.run(['remember', 'a secret of the cache'])
    const target = join(other.directory, '.brain', ...(name === '.brain' ? [] : [name]))
    if (!existsSync(target)) writeFileSync(target, '{}')
    const place = await clone((brain) => {
      const path = name === '.brain' ? brain : join(brain, name)
      rmSync(path, { recursive: true, force: true })
      symlinkSync(target, path)
    })
    const before = contents(join(other.directory, '.brain'))
    await expectRefused(place, /is a symbolic link/)
    expect(contents(join(other.directory, '.brain'))).toEqual(before)
  })

  it.each([
    'brain.db',
    'brain.db-wal',
    'brain.db-shm',
    'tally',
    'vectors-1-1',
    'readings-37a8eec1ce19.json',
    'compact-1',
    'import.db',
    'run/waiting',
    'run/1-1-1',
    'sessions/1.json',
    'hooks.log',
  ])('holds no command up by a pipe in the place of %s', async (name) => {
    const place = await clone((brain) => {
      rmSync(join(brain, name), { force: true })
      mkdirSync(join(brain, name, '..'), { recursive: true })
      execFileSync('mkfifo', [join(brain, name)])
    })
    await expectRefused(place, /is a pipe|is not a regular file/)
  })

  it
    .skipIf(!canMakeDevices())
    .each(['brain.db', 'brain.db-wal', 'import.db', 'run/waiting', 'sessions/1.json'])(
    'reads and writes no device in the place of %s',
    async (name) => {
      const place = await clone((brain) => {
        rmSync(join(brain, name), { force: true })
        mkdirSync(join(brain, name, '..'), { recursive: true })
        // As /dev/zero, which never ends.
        execFileSync('mknod', [join(brain, name), 'c', '1', '5'])
      })
      await expectRefused(place, /is a device|is not a regular file/)
    },
  )

  it('holds no command up by a socket', async () => {
    const server = createServer()
    const place = await clone(
      (brain) => new Promise((listening) => server.listen(join(brain, 'brain.db-wal'), () => listening(0))),
    )
    onTestFinished(() => void server.close())
    await expectRefused(place, /is a socket/)
  })

  it('whose files others can write is refused, until they cannot', async () => {
    const place = await clone((brain) => chmodSync(join(brain, 'brain.db'), 0o666))
    await expectRefused(place, /can be written by others: run `chmod -R go-w/)
    execFileSync('chmod', ['-R', 'go-w', place.brain])
    await expect(place.run(['recall', 'cache'])).resolves.toMatchObject({ code: 0 })
  })

  it.skipIf(process.geteuid?.() !== 0)('with a log of another user in it is refused', async () => {
    const place = await clone((brain) => {
      writeFileSync(join(brain, 'brain.db-wal'), '')
      chownSync(join(brain, 'brain.db-wal'), 65_534, 65_534)
    })
    await expectRefused(place, /belongs to user 65534.*chown/)
  })

  it.each([
    ['a note of five million letters', 'UPDATE memory SET text = hex(zeroblob(2500000))'],
    ['words of a note without an end', 'UPDATE memory SET terms = hex(zeroblob(2500000))'],
    ['a setting that fills memory', "INSERT INTO setting (key, value) VALUES ('x', hex(zeroblob(2500000)))"],
  ])('with %s is refused before it is read', async (_, sql) => {
    const place = await clone((brain) => {
      const database = loadDatabase(join(brain, 'brain.db'))
      database.exec(sql)
      database.close()
    })
    await expectRefused(place, /holds more in one row of (memory|setting) than any brain keeps/)
  })

  it('cannot have files of the user removed by an agent’s hooks', async () => {
    const place = await clone((brain) => {
      const precious = join(brain, '..', 'precious')
      mkdirSync(precious)
      writeFileSync(join(precious, 'thesis'), 'mine')
      utimesSync(join(precious, 'thesis'), 1, 1)
      symlinkSync(precious, join(brain, 'sessions'))
    })
    for (const event of ['SessionStart', 'UserPromptSubmit', 'SessionEnd']) {
      const call = { session_id: 'a', hook_event_name: event, cwd: place.directory, prompt: 'the cache' }
      await place.run(['hook', 'claude-code', event], { stdin: JSON.stringify(call) })
    }
    expect(readdirSync(join(place.directory, 'precious'))).toEqual(['thesis'])
  })

  it('leaves an import alone that runs as part of the next', async () => {
    const place = await clone((brain) => {
      const staged = loadDatabase(join(brain, 'import.db'))
      staged.exec(`CREATE TABLE source (name, token, lines, bytes, digest);
        CREATE VIEW record AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS line FROM n`)
      staged.close()
    })
    const stdin = `${JSON.stringify({ text: 'a note' })}\n`
    await expect(place.run(['import', '--format', 'jsonl', '-'], { stdin })).resolves.toMatchObject({
      code: 0,
    })
    expect(existsSync(join(place.brain, 'import.db'))).toBe(false)
  })
})

describe("a user's own brain", () => {
  it.skipIf(process.geteuid?.() !== 0)(
    'forgets and is looked over although files beside it are of other users or not to be read',
    async () => {
      const place = await createBrainPlace()
      await place.run(['remember', 'a word to forget'])
      const brain = join(place.directory, '.brain')
      for (const [name, mode] of [
        ['before-restore-1.db', 0o000],
        ['vectors-1-abc', 0o600],
        ['tally', 0o000],
        ['hooks.log', 0o000],
        ['of-another-program', 0o000],
      ] as const) {
        writeFileSync(join(brain, name), 'not ours', { mode })
        chmodSync(join(brain, name), mode)
        if (name !== 'tally') chownSync(join(brain, name), 12_345, 12_345)
      }
      // Of another user they are only to one whom permissions hold.
      execFileSync('chown', ['-R', '--from=0', '65534', place.directory])
      process.seteuid?.(65_534)
      onTestFinished(() => void process.seteuid?.(0))
      expect(await place.run(['forget', '1', '--yes'])).toMatchObject({ code: 0 })
      expect(await place.run(['doctor'])).toMatchObject({ code: 0 })
      expect(await place.run(['recall', 'word'])).toMatchObject({ code: 0 })
    },
  )

  it('takes in the log that a killed process of theirs left', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'before'])
    const brain = join(place.directory, '.brain')
    const killed = `
      const { openBrain } = await import(process.argv[1])
      const brain = await openBrain({ dir: '.' })
      await brain.remember({ text: 'the last words' })
      process.kill(process.pid, 'SIGKILL')`
    const env = { PATH: process.env.PATH, HOME: join(place.directory, 'home'), BRAIN_EMBEDDER: 'none' }
    try {
      execFileSync(
        process.execPath,
        ['--input-type=module', '-e', killed, join(process.cwd(), 'dist/library.js')],
        {
          cwd: place.directory,
          env,
        },
      )
    } catch {
      // Killed.
    }
    expect(statSync(join(brain, 'brain.db-wal')).size).toBeGreaterThan(0)
    const { code, stdout } = await place.run(['recall', 'last words'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('the last words') })
  })

  it('does not take in a log that a pull brought', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'mine'])
    const brain = join(place.directory, '.brain')
    const other = await clone((directory) => {
      const live = loadDatabase(join(directory, 'brain.db'))
      live.exec("UPDATE memory SET text = 'not mine'")
      copyFileSync(join(directory, 'brain.db-wal'), join(directory, 'kept'))
      live.close()
    })
    copyFileSync(join(other.brain, 'kept'), join(brain, 'brain.db-wal'))
    await expectRefused({ ...place, brain }, /made by you on this machine/)
    rmSync(join(brain, 'brain.db-wal'))
    await expect(place.run(['recall', 'mine'])).resolves.toMatchObject({
      stdout: expect.stringContaining('mine'),
    })
  })
})
