/** What is opened as a brain, what is refused, and that the refused is left byte for byte as it was. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Provenance } from '../../src/config/provenance.ts'
import { loadDatabase, requireSqlite } from '../../src/store/sqlite/binding.ts'
import { takeIn } from '../../src/store/sqlite/directory-check.ts'
import { migrations } from '../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import {
  crashed,
  deadProcess,
  makeBrain,
  options,
  remember,
  temporaryDirectory,
  textsOf,
  withStore,
} from './brain-file.ts'

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

const fingerprint = (file: string) =>
  lstatSync(file).isFile()
    ? { bytes: digest(file), modified: statSync(file).mtimeMs }
    : { mode: lstatSync(file).mode }

function makeForeign(file: string, journal: 'wal' | 'delete'): void {
  const database = loadDatabase(file)
  database.pragma(`journal_mode = ${journal}`)
  database.exec('CREATE TABLE bookmark (url TEXT)')
  database.close()
}

/** Each puts something odd where the brain should be. */
const oddities: readonly (readonly [string, (file: string) => unknown, RegExp])[] = [
  ['a file cut to nothing', (file) => truncateSync(file, 0), /is empty: restore a backup/],
  ['a file cut to one byte', (file) => truncateSync(file, 1), /its beginning is damaged/],
  ['a file cut inside its first words', (file) => truncateSync(file, 15), /its beginning is damaged/],
  ['a file cut after its header', (file) => truncateSync(file, 100), /is cut short/],
  ['a file cut to one page', (file) => truncateSync(file, 4096), /is cut short/],
  ['a file cut in half', (file) => truncateSync(file, statSync(file).size >> 1), /is cut short/],
  ['a file cut by one byte', (file) => truncateSync(file, statSync(file).size - 1), /is cut short/],
  ['a file of noise', (file) => writeFileSync(file, Buffer.alloc(8192, 0xa5)), /its beginning is damaged/],
  ['a text', (file) => writeFileSync(file, 'to do: '.repeat(100)), /its beginning is damaged/],
  [
    'a brain with garbled first words',
    (file) => {
      const bytes = readFileSync(file)
      bytes.write('SQLite format 2', 0)
      writeFileSync(file, bytes)
    },
    /its beginning is damaged/,
  ],
  [
    'a brain with an impossible page size',
    (file) => {
      const bytes = readFileSync(file)
      bytes.writeUInt16BE(4095, 16)
      writeFileSync(file, bytes)
    },
    /is damaged/,
  ],
  [
    "another program's database",
    (file) => {
      rmSync(file)
      makeForeign(file, 'delete')
    },
    /a database of another program/,
  ],
  [
    "another program's database with a log",
    (file) => {
      rmSync(file)
      makeForeign(file, 'wal')
    },
    /a database of another program/,
  ],
  [
    'a brain of a newer version',
    (file) => {
      const database = loadDatabase(file)
      database.pragma(`user_version = ${migrations.length + 1}`)
      database.close()
    },
    /written by a newer brain .*: upgrade brain/,
  ],
  [
    'a directory',
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    /is not a regular file/,
  ],
  [
    'a pipe',
    (file) => {
      rmSync(file)
      execFileSync('mkfifo', [file])
    },
    /is not a regular file/,
  ],
  [
    'a link to nothing',
    (file) => {
      rmSync(file)
      symlinkSync('nowhere', file)
    },
    /is a symbolic link to nothing/,
  ],
  ['a file with two names', (file) => linkSync(file, `${file}.second`), /has 2 names \(hard links\)/],
]

describe('opening', () => {
  // A repository can bring a whole brain with links in it; where they lead nobody looks before the first command.
  it.each(['tally', 'import.db', 'run', 'run/waiting'])(
    'refuses a link in the place of %s, and leaves alone what it leads to',
    async (name) => {
      const file = await makeBrain()
      const target = join(temporaryDirectory(), 'target')
      if (name === 'run') mkdirSync(target)
      else writeFileSync(target, 'mine')
      const link = join(file, '..', name)
      mkdirSync(join(link, '..'), { recursive: true })
      rmSync(link, { recursive: true, force: true })
      symlinkSync(target, link)
      await expect(openSqliteStore(file, options)).rejects.toMatchObject({
        kind: 'storage',
        message: `${link} is a symbolic link, which no brain makes: look where it leads, and remove it`,
      })
      expect(name === 'run' ? readdirSync(target) : readFileSync(target, 'utf8')).toEqual(
        name === 'run' ? [] : 'mine',
      )
    },
  )

  it.each(oddities)('refuses %s in one sentence and leaves it as it was', async (_, spoil, sentence) => {
    const file = await makeBrain()
    spoil(file)
    const before = fingerprint(file)
    const beside = readdirSync(join(file, '..')).sort()
    await expect(openSqliteStore(file, { ...options, create: true })).rejects.toMatchObject({
      name: 'BrainError',
      kind: 'storage',
      message: expect.stringMatching(sentence),
    })
    expect(fingerprint(file)).toEqual(before)
    expect(readdirSync(join(file, '..')).sort()).toEqual(beside)
  })

  it('refuses a newer schema that stands in the log alone, and leaves file and log as they were', async () => {
    const file = await crashed((database) => database.pragma(`user_version = ${migrations.length + 1}`))
    const before = [digest(file), digest(`${file}-wal`)]
    await expect(openSqliteStore(file, options)).rejects.toThrow(/written by a newer brain/)
    expect([digest(file), digest(`${file}-wal`)]).toEqual(before)
  })

  it('reads what stands in the log alone after a crash', async () => {
    const file = await crashed((database) => database.exec("UPDATE memory SET text = 'the log is read'"))
    expect(await withStore(file, textsOf)).toEqual(['the log is read'])
  })

  it('refuses a brain cut short under a log that does not hold the rest', async () => {
    const file = await crashed((database) => database.exec("UPDATE memory SET text = 'changed'"))
    truncateSync(file, 8192)
    const before = digest(file)
    await expect(openSqliteStore(file, options)).rejects.toThrow(/is damaged/)
    expect(digest(file)).toBe(before)
  })

  it('finds damage inside the file after an unclean stop, and leaves it as it was', async () => {
    const file = await makeBrain()
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 4096 * 3, 4096 * 9)
    writeFileSync(file, bytes)
    const pid = deadProcess()
    mkdirSync(join(file, '..', 'run'))
    writeFileSync(join(file, '..', 'run', `${pid}-1`), 'brain serve')
    await expect(openSqliteStore(file, options)).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('brain doctor'),
    })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('says how to make a brain where there is none', async () => {
    const file = join(temporaryDirectory(), 'brain.db')
    await expect(openSqliteStore(file, options)).rejects.toMatchObject({
      kind: 'no-brain',
      message: expect.stringContaining('brain init'),
    })
    expect(existsSync(file)).toBe(false)
  })

  it('refuses a link to a brain, which a cloned repository may have brought', async () => {
    const file = await makeBrain()
    const link = join(temporaryDirectory(), 'brain.db')
    symlinkSync(file, link)
    await expect(withStore(link, textsOf)).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining(`${link} is a symbolic link, which no brain makes`),
    })
  })

  it.each<[string, (file: string, other: string) => void]>([
    ['a link to another brain', (file, other) => symlinkSync(other, file)],
    ['another brain', (file, other) => copyFileSync(other, file)],
  ])('refuses %s that takes the place of the file between the look and the opening', async (_, put) => {
    const [file, other] = [await makeBrain(), await makeBrain()]
    const before = digest(other)
    // Asked for once the directory was looked over, and before SQLite opens anything.
    const swapping = {
      ...options,
      get label() {
        rmSync(file, { force: true })
        put(file, other)
        return 'test'
      },
    }
    await expect(openSqliteStore(file, swapping)).rejects.toMatchObject({
      kind: 'storage',
      message: `${file} was replaced while it was opened: try again`,
    })
    expect(digest(other)).toBe(before)
    expect(readdirSync(join(other, '..'))).toEqual(['brain.db'])
  })

  it('makes a brain whole, for its owner only, whatever the umask', async () => {
    const directory = join(temporaryDirectory(), 'deep', '.brain')
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    const store = await openSqliteStore(join(directory, 'brain.db'), { ...options, create: true })
    await remember(store, 'the cache is warm')
    const backup = join(directory, 'copy.db')
    await store.maintenance.backup(backup)
    const modes = Object.fromEntries(
      readdirSync(directory).map((name) => [
        name,
        (statSync(join(directory, name)).mode & 0o777).toString(8),
      ]),
    )
    expect(modes).toEqual({
      '.gitignore': '600',
      'brain.db': '600',
      'brain.db-shm': '600',
      'brain.db-wal': '600',
      'copy.db': '600',
      run: '700',
    })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    await store.close()
  })

  it('leaves no draft and sweeps those of processes that are gone', async () => {
    const directory = temporaryDirectory()
    const pid = deadProcess()
    writeFileSync(join(directory, `.brain.db.${pid}-1.draft`), 'half a brain')
    await (await openSqliteStore(join(directory, 'brain.db'), { ...options, create: true })).close()
    expect(readdirSync(directory).filter((name) => name.includes('draft'))).toEqual([])
  })

  it('mends a brain whose maker was killed before it dropped the second name', async () => {
    const file = await makeBrain()
    const pid = deadProcess()
    linkSync(file, join(file, '..', `.brain.db.${pid}-1.draft`))
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm'])
  })

  it('waits for who holds the whole file for a moment, as the last one to close it does', async () => {
    const file = await makeBrain()
    const last = loadDatabase(file)
    last.pragma('locking_mode = EXCLUSIVE')
    last.exec('BEGIN EXCLUSIVE')
    let closed = false
    setTimeout(() => {
      closed = true
      last.close()
    }, 200)
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm'])
    expect(closed).toBe(true)
  })

  it('keeps the locks of a brain that this process has open already', async () => {
    const file = await makeBrain()
    const first = await openSqliteStore(file, options)
    await remember(first, 'held open')
    const second = await openSqliteStore(file, options)
    await second.close()
    // Without its lock an older SQLite elsewhere would take itself for the last, and remove the log under `first`.
    if (process.platform === 'linux') {
      expect(readFileSync('/proc/locks', 'utf8')).toContain(`:${statSync(file).ino} `)
    }
    await remember(first, 'still written')
    await first.close()
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm', 'held open', 'still written'])
  })

  it.each<[string, (file: string) => ReturnType<typeof loadDatabase>]>([
    ['a brain', (file) => loadDatabase(file)],
    ['a brain that is only read', (file) => loadDatabase(file, { readonly: true })],
    ['one in memory', (file) => loadDatabase(readFileSync(file))],
    ['none yet', () => loadDatabase(':memory:')],
  ])('distrusts the schema and the pages of %s, and writes no table of its own by hand', async (_, load) => {
    const file = await makeBrain()
    const plain = loadDatabase(file)
    plain.pragma('journal_mode = DELETE')
    plain.close()
    const database = load(file)
    onTestFinished(() => void database.close())
    const value = (name: string) => database.pragma(name, { simple: true })
    expect([value('trusted_schema'), value('cell_size_check')]).toEqual([0, 1])
    database.exec('CREATE VIRTUAL TABLE temp.words USING fts5(text)')
    expect(() => database.exec("UPDATE temp.words_data SET block = x'00'")).toThrow(/may not be modified/)
    database.pragma('writable_schema = ON')
    expect(() => database.exec("UPDATE sqlite_schema SET sql = ''")).toThrow(/may not be modified|readonly/)
  })

  it.each(['3.51.2', '3.50.9', '2.99.9', '3.9'])('refuses SQLite %s, which can corrupt a log', (version) => {
    expect(() => requireSqlite(version)).toThrow(/at least 3\.51\.3 is needed/)
  })

  it.each(['3.51.3', '3.52.0', '4.0.0'])('accepts SQLite %s', (version) => {
    expect(() => requireSqlite(version)).not.toThrow()
  })
})

describe('a log that another process has', () => {
  it('and removes while it is looked at is no stranger’s', async () => {
    const file = await makeBrain()
    const { ino, birthtimeNs } = statSync(file, { bigint: true })
    const database = `${ino}:${birthtimeNs}`
    let other: BetterSqlite3.Database | undefined
    const provenance = {
      find: () => {
        // As of before the other opened the brain, which writes just now.
        other ??= loadDatabase(file)
        if (other.open) other.exec("UPDATE memory SET agent = 'another'")
        return { database, log: 'an earlier one', trusted: false, earlier: true }
      },
      precedesRun: () => {
        // It closes the brain, and was the last to have it open.
        other?.close()
        return false
      },
      note: () => {},
    }
    const store = await openSqliteStore(file, { ...options, provenance })
    expect(other?.open).toBe(false)
    expect(await textsOf(store)).toEqual(['the cache is warm'])
    await store.close()
  })
})

describe('where no note can be kept of what is written', () => {
  const unwritable = () => {
    const file = join(temporaryDirectory(), 'state')
    writeFileSync(file, '')
    return new Provenance({ XDG_STATE_HOME: file })
  }

  it('a daemon says what follows from it, and a command nothing', async () => {
    const file = await makeBrain()
    const told: string[] = []
    const open = async (mode: 'service' | 'oneshot') => {
      const store = await openSqliteStore(file, {
        ...options,
        mode,
        provenance: unwritable(),
        warn: (message) => told.push(message),
      })
      await store.close()
    }
    await open('oneshot')
    expect(told).toEqual([])
    await open('service')
    expect(told).toEqual([
      expect.stringMatching(/cannot write .* let XDG_STATE_HOME name .*`brain trust` alone$/),
    ])
  })

  it('to trust what is there names the remedy', async () => {
    const file = await makeBrain()
    expect(() => takeIn(file, unwritable())).toThrow(
      /cannot write .*, or let XDG_STATE_HOME name a directory/,
    )
  })
})
