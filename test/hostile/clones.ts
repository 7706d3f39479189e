/**
 * A grammar of hostile brains: what a repository can carry under the name `.brain`, drawn from a seed. Knows what is made;
 * what has to become of it is the drill's to say.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'

export type Random = (below: number) => number

const pick = <T>(random: Random, list: readonly T[]): T => {
  const found = list[random(list.length)]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}

const bytesOf = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random(256)))

/** Names that brain knows, and some that only look so. */
const names = [
  'brain.db',
  'brain.db-wal',
  'brain.db-shm',
  'brain.db-journal',
  'brain.db-mj01234567',
  'brain.db.replaced-1-wal',
  'import.db',
  'import.db-wal',
  'import.db-journal',
  'import.db-shm',
  'config.json',
  'tally',
  'tally.1',
  'hooks.log',
  'sessions',
  'sessions/0123456789abcdef0123456789abcdef.json',
  'run',
  'run/1-1-1',
  'run/999999-1-1',
  'run/waiting',
  'vectors-1-1',
  'readings-37a8eec1ce19.json',
  'compact-1',
  'before-schema-5-from-2-1.db',
  'before-restore-1.db',
  '.brain.db.999999-1.draft',
  '.brain.db.999999-1.draft-journal',
  '.import.db.999999-1.draft',
  '.gitignore',
  '...',
  'brain.db ',
  '\u202ebd.niarb',
] as const

/** What schemas of strangers do when something touches them. */
const statements = [
  'CREATE TRIGGER t AFTER INSERT ON memory BEGIN DELETE FROM belief; END',
  'CREATE TRIGGER t AFTER UPDATE ON setting BEGIN SELECT zeroblob(1000000000); END',
  'CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  `ALTER TABLE activity RENAME TO a; CREATE VIEW activity AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
   SELECT i AS project_id, i AS minute, i AS calls, i AS last_at FROM n`,
  'CREATE VIRTUAL TABLE w USING fts5(a)',
  'CREATE VIRTUAL TABLE vector_99 USING vec0(a float[1])',
  'CREATE INDEX x ON memory(zeroblob(100000000))',
  'CREATE TABLE keyword_9_data (id INTEGER PRIMARY KEY, block AS (zeroblob(1000000000)))',
  'DROP TABLE key; CREATE TABLE key (id TEXT)',
  'DROP TABLE memory',
  'DELETE FROM project',
  'DROP TABLE keyword_1_data',
  'UPDATE keyword_1_data SET block = randomblob(length(block))',
  "UPDATE memory SET terms = ''",
  "UPDATE memory SET text = replace(hex(zeroblob(8000000)), '00', 'ab')",
  "INSERT INTO setting (key, value) VALUES ('rewriting_due', ''), ('night_1', '{')",
  "INSERT INTO setting (key, value) SELECT 'k' || value, hex(zeroblob(1000)) FROM json_each('[' || replace(hex(zeroblob(2000)), '0', '1,') || '1]')",
  'UPDATE setting SET value = \'{"__proto__":1}\'',
  'UPDATE memory SET created_at = 9e15, caution = 0.5',
  'UPDATE project SET memories = 9e15, terms = 9e15',
  'PRAGMA user_version = 999',
  'PRAGMA user_version = 1',
  'PRAGMA user_version = -1',
  'PRAGMA application_id = 1',
  'PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM',
  "PRAGMA encoding = 'UTF-16le'",
  'PRAGMA auto_vacuum = FULL; VACUUM',
  'PRAGMA max_page_count = 100',
  "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE memory (' WHERE name = 'memory'",
  'PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1',
  "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = rootpage % 7 + 2 WHERE type = 'table' AND rootpage > 0",
  "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'memory_fts', 'memory_fts', 0, 'CREATE VIRTUAL TABLE memory_fts USING csv(filename=''/etc/passwd'')')",
] as const

/** Contents of settings, sessions and other small files. */
const contents = (outside: string, endpoint: string): readonly string[] => [
  '',
  '{',
  '[]',
  'null',
  '{"__proto__":{"embedder":"http"}}',
  `{"embedder":"http","embedder.url":"${endpoint}"}`,
  '{"embedder":"fastembed","embedder.model":"../../../../etc"}',
  `{"embedder":"builtin","embedder.model":"${outside}/secret"}`,
  `{"dream.llm.url":"${endpoint}","dream.llm.key_env":"HOME"}`,
  '{"serve.host":"0.0.0.0","serve.port":1}',
  '{"durability":"normal","project":"../../x","agent":"\\u001b]0;x\\u0007"}',
  `{"agent":"${'x'.repeat(70_000)}"}`,
  '['.repeat(100_000),
  '1 1 1 default\n'.repeat(2_000),
  `99999999999999999999 ${'9'.repeat(400)} 1 x\n`,
  `brain serve\n${outside}\n`,
  '\u0000'.repeat(5_000),
]

/** A hot rollback journal that names another file to be deleted (sqlite.org/fileformat.html, section 3). */
export function superJournal(name: string): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d9d505f920a163d7', 'hex').copy(header)
  header.writeUInt32BE(1, 16)
  header.writeUInt32BE(512, 20)
  header.writeUInt32BE(4096, 24)
  const bytes = Buffer.from(name)
  const tail = Buffer.alloc(16)
  tail.writeUInt32BE(bytes.length, 0)
  tail.writeUInt32BE(
    bytes.reduce((sum, byte) => sum + byte, 0),
    4,
  )
  Buffer.from('d9d505f920a163d7', 'hex').copy(tail, 8)
  const lockPage = Buffer.alloc(4)
  lockPage.writeUInt32BE(0x40000000 / 4096 + 1)
  return Buffer.concat([header, lockPage, bytes, tail])
}

export interface Materials {
  /** The `.brain` to spoil. */
  readonly brain: string
  /** A directory that nothing may reach. */
  readonly outside: string
  /** An address that nobody may reach for. */
  readonly endpoint: string
  readonly random: Random
}

type Spoiling = (materials: Materials) => string

const fresh = (path: string): string => {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  return path
}

/** Whether a path can be made at all: a parent may be a link or a file by now. */
function attempt(what: string, work: () => unknown): string {
  try {
    work()
    return what
  } catch {
    return `(${what})`
  }
}

const spoilings: readonly Spoiling[] = [
  ({ brain, random, outside }) => {
    const name = pick(random, names)
    const target = pick(random, [
      outside,
      join(outside, 'precious'),
      join(outside, 'brain', 'brain.db'),
      join(outside, 'old'),
      '/dev/zero',
      '/dev/null',
      '/proc/self/mem',
      '/nonexistent/x',
      'brain.db',
      '.',
    ])
    return attempt(`${name} -> ${target}`, () => symlinkSync(target, fresh(join(brain, name))))
  },
  ({ brain, random }) => {
    const name = pick(random, names)
    return attempt(`pipe ${name}`, () =>
      execFileSync('mkfifo', [fresh(join(brain, name))], { stdio: 'ignore' }),
    )
  },
  ({ brain, random }) => {
    const name = pick(random, names)
    return attempt(`directory ${name}`, () => {
      mkdirSync(fresh(join(brain, name)))
      if (random(2) === 0) mkdirSync(join(brain, name, 'x'))
    })
  },
  ({ brain, random, outside }) => {
    const name = pick(random, names)
    return attempt(`hard link ${name}`, () => linkSync(join(outside, 'precious'), fresh(join(brain, name))))
  },
  ({ brain, random, outside }) => {
    const name = pick(random, names)
    return attempt(`super-journal ${name}`, () =>
      writeFileSync(fresh(join(brain, name)), superJournal(join(outside, 'precious'))),
    )
  },
  ({ brain, random, outside, endpoint }) => {
    const places = random(3) === 0 ? ['config.json'] : names
    const [name, content] = [pick(random, places), pick(random, contents(outside, endpoint))]
    return attempt(`${name} = ${content.slice(0, 40)}`, () =>
      writeFileSync(fresh(join(brain, name)), content),
    )
  },
  ({ brain, random }) => {
    const name = pick(random, names)
    return attempt(`noise ${name}`, () =>
      writeFileSync(fresh(join(brain, name)), bytesOf(random, random(9_000))),
    )
  },
  ({ brain, random }) => {
    const name = pick(random, names)
    return attempt(`${name} = brain.db`, () => {
      const file = join(brain, 'brain.db')
      if (name !== 'brain.db') copyFileSync(file, fresh(join(brain, name)))
    })
  },
  ({ brain, random }) => {
    const name = pick(random, [
      'brain.db',
      'brain.db-wal',
      'import.db',
      'config.json',
      'compact-1',
      'vectors-1-1',
      'readings-37a8eec1ce19.json',
    ])
    return attempt(`a terabyte ${name}`, () => {
      const path = join(brain, name)
      if (!existsSync(path)) writeFileSync(path, '')
      truncateSync(path, 2 ** 40)
    })
  },
  ({ brain, random }) => {
    const file = join(brain, 'brain.db')
    return attempt('bytes of brain.db', () => {
      const bytes = readFileSync(file)
      const many = 1 + random(40)
      // The header and the schema's pages as often as all others together.
      for (let at = 0; at < many; at += 1) bytes[random(random(2) === 0 ? 200 : bytes.length)] = random(256)
      writeFileSync(file, bytes)
    })
  },
  ({ brain, random }) => {
    const statement = pick(random, statements)
    return attempt(statement.slice(0, 60), () => {
      const database = loadDatabase(join(brain, 'brain.db'))
      try {
        database.unsafeMode(true)
        database.exec(statement)
      } finally {
        database.close()
      }
    })
  },
  ({ brain, random }) => {
    const statement = pick(random, statements)
    return attempt(`log of ${statement.slice(0, 40)}`, () => {
      const database = loadDatabase(join(brain, 'brain.db'))
      try {
        database.unsafeMode(true)
        database.exec(statement)
        for (const suffix of random(2) === 0 ? ['-wal'] : ['-wal', '-shm'])
          copyFileSync(join(brain, `brain.db${suffix}`), join(brain, `kept${suffix}`))
      } finally {
        database.close()
      }
      for (const suffix of ['-wal', '-shm'])
        if (existsSync(join(brain, `kept${suffix}`)))
          copyFileSync(join(brain, `kept${suffix}`), join(brain, `brain.db${suffix}`))
    })
  },
  ({ brain, random }) => {
    const name = pick(random, ['.', 'brain.db', 'config.json', 'run', 'brain.db-wal'])
    const mode = pick(random, [0o777, 0o666, 0o000, 0o444, 0o4755, 0o555])
    return attempt(`mode ${mode.toString(8)} ${name}`, () => chmodSync(join(brain, name), mode))
  },
  ({ brain, random }) =>
    attempt('times', () => {
      const seconds = pick(random, [0, 1, 4_000_000_000, 253_402_300_799])
      utimesSync(join(brain, 'brain.db'), seconds, seconds)
    }),
]

/** Replaces the whole `.brain`. */
const wholes: readonly Spoiling[] = [
  ({ brain, outside }) => attempt('.brain -> brain', () => symlinkSync(join(outside, 'brain'), fresh(brain))),
  ({ brain }) => attempt('.brain is a file', () => writeFileSync(fresh(brain), 'x')),
  ({ brain }) => attempt('.brain is a pipe', () => execFileSync('mkfifo', [fresh(brain)])),
  ({ brain }) => attempt('.brain -> itself', () => symlinkSync(brain, fresh(brain))),
]

/** Spoils a brain in some ways; returns which, in words. */
export function spoil(materials: Materials): string[] {
  const { random } = materials
  if (random(20) === 0) return [pick(random, wholes)(materials)]
  return Array.from({ length: 1 + random(3) }, () => pick(random, spoilings)(materials))
}
