/** Stores of other memory tools, recognised by their content. Fixtures follow each tool's documentation or source. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foreignFormats } from '../../src/transfer/formats/index.ts'
import { foreignFormatNames } from '../../src/transfer/formats/names.ts'
import { createBrainPlace, type Place, runBuilt } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { lines, put, putDatabase, readFile, readPath } from './foreign.ts'

const exported = async (place: Place): Promise<{ text: string; caution: number; created_at: string }[]> =>
  (await place.run(['export'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'memory')

test('help names every format there is', () => {
  expect(foreignFormats.map(({ name }) => name)).toEqual([...foreignFormatNames])
})

describe('JSON', () => {
  const read = async (name: string, content: unknown) => {
    const { formats, notes } = await readFile(name, content)
    return [formats[0], notes.map(({ text, createdAt, tags }) => [text, createdAt, ...(tags ?? [])])]
  }

  test('memory.json in lines, and as one object', async () => {
    const entity = { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea', ' '] }
    const relation = { type: 'relation', from: 'Ada', to: 'Shop', relationType: 'works_at' }
    const notes = [
      ['Ada (person): likes tea', undefined],
      ['Ada works at Shop', undefined],
    ]
    expect(await read('memory.json', lines(entity, relation))).toEqual(['memory-json', notes])
    expect(await read('memory.json', lines(relation, entity))).toEqual(['memory-json', notes.toReversed()])
    expect(await read('memory.json', { entities: [entity], relations: [relation] })).toEqual([
      'memory-json',
      notes,
    ])
  })

  test('mem0, as an array and as its API answers', async () => {
    const memory = {
      id: 'm1',
      memory: 'Likes tea',
      categories: ['food'],
      created_at: '2025-01-02T03:04:05-08:00',
    }
    const notes = [['Likes tea', Date.UTC(2025, 0, 2, 11, 4, 5), 'food']]
    expect(await read('mem0.json', [memory])).toEqual(['mem0', notes])
    expect(await read('mem0.json', { results: [memory] })).toEqual(['mem0', notes])
  })

  test('mcp-memory-service', async () => {
    const kept = { content: 'Likes tea', content_hash: 'ab', tags: ['x'], created_at: 1_700_000_000 }
    expect(await read('export.json', { export_metadata: {}, memories: [kept] })).toEqual([
      'mcp-memory-service',
      [['Likes tea', 1_700_000_000_000, 'x']],
    ])
  })

  test('claude-mem and engram, by what they export', async () => {
    const observation = {
      type: 'bugfix',
      title: 'Login waits',
      narrative: 'An index was missing.',
      facts: '["4 s"]',
    }
    expect(
      await read('export.json', {
        exportedAtEpoch: 1,
        observations: [observation],
        summaries: [
          { request: 'Mend login', learned: 'Indexes matter', created_at_epoch: 1_700_000_000_000 },
        ],
      }),
    ).toEqual([
      'claude-mem',
      [
        ['Login waits (bugfix)\n\nAn index was missing.\n\n- 4 s', undefined],
        ['Session: Mend login\n\nLearned: Indexes matter', 1_700_000_000_000],
      ],
    ])
    const engram = {
      version: '0.1.0',
      exported_at: '2026-01-01 00:00:00',
      sessions: [],
      observations: [
        { title: 'Queue', content: '**What**: Redis', type: 'decision', created_at: '2026-01-01 10:00:00' },
        {
          title: 'Gone',
          content: 'old',
          type: 'decision',
          created_at: '2026-01-01',
          deleted_at: '2026-01-02',
        },
      ],
      prompts: [],
    }
    expect(await read('export.json', engram)).toEqual([
      'engram',
      [['Queue\n\n**What**: Redis', Date.UTC(2026, 0, 1, 10), 'decision']],
    ])
    await expect(read('export.json', { ...engram, version: '2.0.0' })).rejects.toThrow(
      /export\.json is an export of engram of version 2\.0\.0, which is not known here \(read: export 0\.1\.0/,
    )
  })

  test('beads: issues with how they ended, memories, and no deleted issue', async () => {
    const issue = {
      _type: 'issue',
      id: 'b-1',
      title: 'Slow login',
      description: 'Takes 4 s',
      status: 'closed',
      issue_type: 'bug',
      labels: ['auth'],
      comments: [{ text: 'Seen on tin' }],
      close_reason: 'Index added',
    }
    const content = lines(
      issue,
      { ...issue, id: 'b-2', status: 'tombstone' },
      {
        _type: 'memory',
        key: 'deploy-order',
        value: 'Blue before green',
      },
    )
    expect(await read('issues.jsonl', content)).toEqual([
      'beads',
      [
        [
          'Issue b-1 (bug, closed): Slow login\n\nTakes 4 s\n\nComment: Seen on tin\n\nClosed: Index added',
          undefined,
          'auth',
        ],
        ['deploy order: Blue before green', undefined],
      ],
    ])
    await expect(read('issues.jsonl', `${content}\n${lines({ _type: 'molecule' })}`)).rejects.toThrow(
      /beads with records of type molecule, which is not known here/,
    )
  })

  test('of nobody, and an export of ours, are of no tool', async () => {
    const directory = temporaryDirectory()
    put(directory, {
      'package.json': '{"name":"x","version":"1"}',
      'brain.jsonl': lines({ type: 'brain', format: 1 }, { type: 'memory', id: 1, text: 'a' }),
    })
    expect(await readPath(directory)).toMatchObject({
      notes: [],
      exports: ['brain.jsonl'],
      unrecognised: ['package.json'],
    })
  })
})

describe('a transcript of Claude Code', () => {
  const entry = (type: string, content: unknown, more: object = {}): object => ({
    type,
    sessionId: 's',
    uuid: 'u',
    timestamp: '2025-01-02T00:00:00Z',
    message: { content },
    ...more,
  })
  const textsIn = async (...entries: readonly object[]): Promise<string[]> =>
    (await readFile('s.jsonl', `${lines(...entries)}\n{"half`)).notes.map(({ text }) => text)

  test('gives what capture would have kept, and nothing of what tools or agents said to each other', async () => {
    expect(
      await textsIn(
        { type: 'file-history-snapshot', messageId: 'x' },
        entry('user', 'Never deploy the shop on a Friday.'),
        entry('assistant', [{ type: 'text', text: 'Decision: the queue moves to Redis Streams' }]),
        entry('user', [{ type: 'text', text: 'Remember: this is what a tool printed' }], {
          toolUseResult: {},
        }),
        entry('user', 'Remember: an agent asked another one for this', { isSidechain: true }),
      ),
    ).toEqual(['Never deploy the shop on a Friday.', 'Decision: the queue moves to Redis Streams'])
  })

  const use = (id: string, name: string, input: object) =>
    entry('assistant', [{ type: 'tool_use', id, name, input }])
  const result = (id: string, content: string, failed: boolean) =>
    entry('user', [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }], {
      toolUseResult: {},
    })

  test('gives what made a failing command pass, once however often it failed', async () => {
    expect(
      await textsIn(
        use('1', 'Bash', { command: 'npm test' }),
        result('1', 'Exit code 1\nError: no such file: tea.ts', true),
        use('2', 'Edit', { file_path: 'src/tea.ts' }),
        use('3', 'Bash', { command: 'npm test' }),
        result('3', 'Exit code 1\nError: no such table: tea', true),
        use('4', 'Bash', { command: 'npm test' }),
        result('4', 'ok', false),
      ),
    ).toEqual([
      '`npm test` failed with "Error: no such table: tea" and then passed after changes to src/tea.ts.',
    ])
  })
})

describe('a database', () => {
  test('of mcp-memory-service gives its memories but the deleted', async () => {
    const path = putDatabase(
      temporaryDirectory(),
      'sqlite_vec.db',
      `CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL,
         tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT,
         updated_at_iso TEXT, deleted_at REAL);
       INSERT INTO memories (content_hash, content, tags, created_at, deleted_at) VALUES
         ('a', 'Likes tea', 'food, x', 1700000000.5, NULL), ('b', 'Gone', '', 1700000000, 1700000001);`,
    )
    expect(await readPath(path)).toMatchObject({
      formats: ['mcp-memory-service'],
      notes: [{ text: 'Likes tea', tags: ['food', 'x'], createdAt: 1_700_000_000_500 }],
    })
  })

  const claudeMem = (schema: number): string => `
    CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
    INSERT INTO schema_versions (version, applied_at) VALUES (4, ''), (${schema}, '');
    CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL,
      title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_modified TEXT, created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, project TEXT NOT NULL, request TEXT, learned TEXT, created_at_epoch INTEGER);
    INSERT INTO observations (project, type, title, facts, narrative, concepts, created_at_epoch)
      VALUES ('shop', 'decision', 'Queue on Redis', '["Streams, not lists"]', 'Rabbit was given up.', '["queue"]', 1700000000000);
    INSERT INTO session_summaries (project, request, learned, created_at_epoch) VALUES ('shop', 'Move', 'It works', 1700000000000);`

  test('of claude-mem gives observations and summaries, and a later schema is refused by its number', async () => {
    const directory = temporaryDirectory()
    expect(await readPath(putDatabase(directory, 'claude-mem.db', claudeMem(35)))).toMatchObject({
      formats: ['claude-mem'],
      notes: [
        {
          text: 'Queue on Redis (decision)\n\nRabbit was given up.\n\n- Streams, not lists',
          tags: ['shop', 'queue'],
          createdAt: 1_700_000_000_000,
        },
        { text: 'Session: Move\n\nLearned: It works', tags: ['shop'] },
      ],
    })
    await expect(readPath(putDatabase(directory, 'later.db', claudeMem(90)))).rejects.toThrow(
      /later\.db is a database of claude-mem of schema 90, which is not known here \(read: schema 4 to 35/,
    )
  })

  test('of engram gives its observations', async () => {
    const path = putDatabase(
      temporaryDirectory(),
      'engram.db',
      `CREATE TABLE sessions (id TEXT PRIMARY KEY);
       CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content TEXT);
       CREATE TABLE observations (id INTEGER PRIMARY KEY, session_id TEXT, type TEXT, title TEXT, content TEXT, project TEXT,
         topic_key TEXT, created_at TEXT, deleted_at TEXT);
       INSERT INTO observations VALUES (1, 's', 'decision', 'Queue', '**What**: Redis', 'shop', 'arch/queue', '2026-01-01 10:00:00', NULL);`,
    )
    expect(await readPath(path)).toMatchObject({
      formats: ['engram'],
      notes: [{ text: 'Queue\n\n**What**: Redis', tags: ['shop', 'decision', 'arch/queue'] }],
    })
  })

  test('of qmd gives the documents of its collections by section', async () => {
    const path = putDatabase(
      temporaryDirectory(),
      'index.sqlite',
      `CREATE TABLE content (hash TEXT PRIMARY KEY, doc TEXT NOT NULL, created_at TEXT NOT NULL);
       CREATE TABLE documents (id INTEGER PRIMARY KEY, collection TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL,
         hash TEXT NOT NULL, created_at TEXT NOT NULL, modified_at TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1);
       INSERT INTO content VALUES ('h1', '# Ops

## Load

It is high.', ''), ('h2', 'gone', '');
       INSERT INTO documents (collection, path, title, hash, created_at, modified_at, active) VALUES
         ('work', 'ops.md', 'Ops', 'h1', '', '2025-05-06T07:08:09.000Z', 1), ('work', 'old.md', 'Old', 'h2', '', '', 0);`,
    )
    expect(await readPath(path)).toMatchObject({
      formats: ['qmd'],
      notes: [
        {
          text: 'Ops > Load\n\nIt is high.',
          origin: 'work/ops.md: Load',
          createdAt: Date.UTC(2025, 4, 6, 7, 8, 9),
        },
      ],
    })
  })

  test("of Cursor or Codex is refused by name, and one of nobody's with what is known", async () => {
    const directory = temporaryDirectory()
    const cursor = putDatabase(
      directory,
      'state.vscdb',
      'CREATE TABLE ItemTable (key TEXT, value BLOB); CREATE TABLE cursorDiskKV (key TEXT, value BLOB);',
    )
    await expect(readPath(cursor)).rejects.toThrow(/state\.vscdb is Cursor's own database/)
    const codex = putDatabase(directory, 'memories_1.sqlite', 'CREATE TABLE stage1_outputs (x)')
    await expect(readPath(codex)).rejects.toThrow(/memories_1\.sqlite is Codex's own database/)
    await expect(readPath(putDatabase(directory, 'x.db', 'CREATE TABLE x (y)'))).rejects.toThrow(
      /x\.db is of no tool that is known here/,
    )
  })
})

describe('a database that may be hostile', () => {
  const memories =
    "CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT, content TEXT, tags TEXT, created_at REAL); INSERT INTO memories VALUES (1, 'a', 'Likes tea', '', 1);"

  test('is read beside the program that writes it, with what its log holds, and stays byte for byte as it was', async () => {
    const directory = temporaryDirectory()
    const path = putDatabase(directory, 'live.db', `PRAGMA journal_mode = WAL; ${memories}`)
    const { loadDatabase } = await import('../../src/store/sqlite/binding.ts')
    const writer = loadDatabase(path)
    writer.exec("INSERT INTO memories VALUES (2, 'b', 'In the log', '', 1)")
    const before = readdirSync(directory).map((name) => [
      name,
      readFileSync(join(directory, name)).toString('base64'),
    ])
    expect((await readPath(path)).notes.map(({ text }) => text)).toEqual(['Likes tea', 'In the log'])
    expect(
      readdirSync(directory).map((name) => [name, readFileSync(join(directory, name)).toString('base64')]),
    ).toEqual(before)
    writer.close()
  })

  test('runs no view, trigger or computed column', async () => {
    const directory = temporaryDirectory()
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT'
    const view = putDatabase(
      directory,
      'view.db',
      `CREATE VIEW memories AS ${endless} i AS content, i AS content_hash, i AS tags, i AS created_at FROM n;`,
    )
    await expect(readPath(view)).rejects.toThrow(/of no tool that is known/)
    const computed = putDatabase(
      directory,
      'computed.db',
      `CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT, tags TEXT, created_at REAL,
         content TEXT GENERATED ALWAYS AS (hex(zeroblob(100))));
       INSERT INTO memories (content_hash) VALUES ('a');`,
    )
    await expect(readPath(computed)).rejects.toThrow(/of no tool that is known/)
  })

  test('gives no more of a value than a text may have', async () => {
    const path = putDatabase(
      temporaryDirectory(),
      'long.db',
      `${memories} INSERT INTO memories VALUES (2, 'b', replace(hex(zeroblob(1000000)), '0', 'x'), '', 1);`,
    )
    expect((await readPath(path)).notes.map(({ text }) => text)).toEqual(['Likes tea'])
  })

  test('is refused in a sentence when it is damaged, cut short or in the middle of a change', async () => {
    const directory = temporaryDirectory()
    const many = `${memories} WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      INSERT INTO memories SELECT i, i, hex(randomblob(100)), '', 1 FROM n;`
    const path = putDatabase(directory, 'x.db', many)
    const whole = readFileSync(path)
    const spoilt = Buffer.from(whole)
    spoilt.fill(0xa5, 4096 * 3, 4096 * 9)
    writeFileSync(join(directory, 'spoilt.db'), spoilt)
    writeFileSync(join(directory, 'cut.db'), whole.subarray(0, 4096 * 4))
    writeFileSync(join(directory, 'garbled.db'), `SQLite format 3\0${'x'.repeat(5_000)}`)
    for (const name of ['spoilt.db', 'cut.db', 'garbled.db'])
      await expect(readPath(join(directory, name))).rejects.toThrow(`${name} is damaged, or no database`)
    appendFileSync(join(directory, 'x.db-journal'), 'half a change')
    await expect(readPath(path)).rejects.toThrow(/x\.db was left in the middle of a change: open it once/)
  })
})

describe('brain import of a folder', () => {
  test('names what is taken by itself, with the command that does', async () => {
    const place = await createBrainPlace()
    await place.run(['backup', 'saved.db'])
    await place.run(['backup', 'saved'])
    put(place.directory, {
      'notes/lines.jsonl': lines({ text: 'The replica lags' }),
      'notes/lines.txt': 'The replica lags\nThe queue is full\n',
      'notes/list.json': '[{"title":"x"}]',
    })
    copyFileSync(join(place.directory, 'saved.db'), join(place.directory, 'notes', 'saved.db'))
    const { stdout, stderr } = await place.run(['import', 'notes', '--dry-run', '--json'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      note_files: ['lines.jsonl', 'lines.txt'],
      backups: ['saved.db'],
      unrecognised: ['list.json'],
    })
    const { stderr: told } = await place.run(['import', 'notes'])
    expect(told).toContain(
      'lines.jsonl has a note a line, and is imported by itself: brain import notes/lines.jsonl',
    )
    expect(told).toContain('brain restore notes/saved.db')
    for (const backup of ['saved.db', 'saved'])
      expect(await place.run(['import', backup])).toMatchObject({
        code: 2,
        stderr: `brain: ${backup} is a brain: \`brain restore FILE\` puts a backup in the place of the brain that is here\n`,
      })
  })

  test('says first what it would take, takes it with its times, and a second time nothing twice', async () => {
    const place = await createBrainPlace()
    put(place.directory, {
      'notes/2024-05-06.md': '# Standup\n\nThe replica lags.\n',
      'notes/sub/keys.md': `The token is ghp_${'a1B2c3D4e5F6'.repeat(3)} for now.\n`,
      'notes/.obsidian/app.md': 'hidden\n',
      'notes/data.json': '{"a":1}',
      'notes/my brain.jsonl': '{"type":"brain","format":1}\n{"type":"end","records":0}\n',
    })
    const preview = await place.run(['import', 'notes', '--dry-run', '--json'])
    expect(JSON.parse(preview.stdout)).toMatchObject({
      would_import: 2,
      known: 0,
      formats: { markdown: 2 },
      exports: ['my brain.jsonl'],
      unrecognised: ['data.json'],
    })
    expect(await exported(place)).toEqual([])
    const done = await place.run(['import', 'notes'])
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('taken out: GitHub token')])
    expect(done.stderr).toContain(
      "my brain.jsonl is an export of brain, which is imported by itself: brain import 'notes/my brain.jsonl'",
    )
    const kept = await exported(place)
    expect(kept.map(({ text }) => text)).toEqual([
      '2024-05-06 > Standup\n\nThe replica lags.',
      'keys\n\nThe token is [redacted: GitHub token] for now.',
    ])
    expect(kept[0]?.created_at).toBe('2024-05-06T00:00:00.000+00:00')
    const again = await place.run(['import', 'notes', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: { memory: 0 }, known: 2 })
    expect(await exported(place)).toHaveLength(2)
  })

  test('refuses what is no UTF-8 by name, and takes nothing then', async () => {
    const place = await createBrainPlace()
    put(place.directory, { 'notes/a.md': 'fine\n', 'notes/b.md': Buffer.from([0x23, 0x20, 0xff, 0xfe]) })
    const { code, stderr } = await place.run(['import', 'notes'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('b.md is not UTF-8 text')])
    expect(await exported(place)).toEqual([])
  })

  test('leaves no copy of a database behind', async () => {
    const place = await createBrainPlace()
    putDatabase(
      place.directory,
      'x.db',
      "CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT, content TEXT, tags TEXT, created_at REAL); INSERT INTO memories VALUES (1, 'a', 'Likes tea', '', 1);",
    )
    expect((await place.run(['import', 'x.db'])).code).toBe(0)
    expect((await exported(place)).map(({ text }) => text)).toEqual(['Likes tea'])
    expect(readdirSync(join(place.directory, '.brain')).filter((name) => name.includes('foreign'))).toEqual(
      [],
    )
  })
})

test('brain import --git takes commits and versions with their times, and what was reverted as flags', async () => {
  const place = await createBrainPlace()
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
      cwd: place.directory,
      stdio: 'ignore',
    })
  }
  const commit = (...parts: string[]): void =>
    git('commit', '-q', '--allow-empty', ...parts.flatMap((part) => ['-m', part]))
  git('init', '-q')
  commit('Cache the price list', 'It was read on every page.')
  commit('feat!: prices are in cents', 'BREAKING CHANGE: divide by a hundred.')
  git('tag', '-a', 'v1.0.0', '-m', 'First that is sold')
  git('tag', 'nightly')
  commit('Revert "Cache the price list"', 'Prices were an hour old.')
  commit('Bump version to 1.2.3')
  git('tag', 'v1.2.3')
  expect((await place.run(['import', '--git', '.'])).code).toBe(0)
  const kept = (await exported(place)).map(({ text, caution }) => [
    text.replace(/[0-9a-f]{10}/, 'HASH'),
    caution,
  ])
  expect(kept).toEqual([
    ['Reverted (commit HASH): Cache the price list\nPrices were an hour old.', 0.5],
    ['Breaking change, commit HASH: feat!: prices are in cents\nBREAKING CHANGE: divide by a hundred.', 0],
    ['Commit HASH: Cache the price list\nIt was read on every page.', 0],
    [expect.stringMatching(/^Version v1\.\S+ \(commit HASH\): (?:Bump version|First that is sold)/), 0],
    [expect.stringMatching(/^Version v1\.\S+ \(commit HASH\): (?:Bump version|First that is sold)/), 0],
  ])
})

test('what has a longer name than a record may bear is told apart by all of it', async () => {
  const place = await createBrainPlace()
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
      cwd: place.directory,
      stdio: 'ignore',
    })
  }
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'Cut the timber')
  for (const at of [1, 2]) git('tag', '-a', `release-${'x'.repeat(130)}-${at}`, '-m', 'Sold')
  for (let times = 0; times < 2; times += 1) {
    expect((await place.run(['import', '--git', '.'])).code).toBe(0)
    expect(await exported(place)).toHaveLength(3)
  }
  const versions = ['2025-01-01', '2025-02-01'].map((updated_at) => ({
    id: 'm'.repeat(140),
    memory: `Said in ${updated_at}`,
    updated_at,
  }))
  for (const [at, version] of versions.entries()) {
    put(place.directory, { 'mem0.json': JSON.stringify([version]) })
    expect((await place.run(['import', 'mem0.json'])).code).toBe(0)
    expect(await exported(place)).toHaveLength(4 + at)
  }
})

test('a history that breaks off in the middle is said, and nothing of it is kept', async () => {
  const place = await createBrainPlace()
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
      cwd: place.directory,
      encoding: 'utf8',
    }).trim()
  git('init', '-q')
  for (const subject of ['Cut the timber', 'Lay the keel', 'Launch the ship'])
    git('commit', '-q', '--allow-empty', '-m', subject)
  const lost = git('rev-parse', 'HEAD~2')
  rmSync(join(place.directory, '.git', 'objects', lost.slice(0, 2), lost.slice(2)))
  const { code, stderr } = await place.run(['import', '--git', '.'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('git broke off in the middle')])
  expect(await exported(place)).toEqual([])
})

test('a directory without a history says so, and so does a machine without git', async () => {
  const place = await createBrainPlace()
  const refused = [2, expect.stringContaining('has no history that git could read')]
  const { code, stderr } = await place.run(['import', '--git', '.'])
  expect([code, stderr]).toEqual(refused)
  const without = await runBuilt(place.directory, ['import', '--git', '.'], { env: { PATH: '/nonexistent' } })
  expect([without.code, without.stderr]).toEqual(refused)
})

test('a note that no memory has room for is cut into parts, which is told, and is known when it comes again', async () => {
  const place = await createBrainPlace()
  const memory = {
    id: 'a1',
    memory: `${Array.from({ length: 4_000 }, (_, at) => `It was said ${at} times. `).join('')}X43`,
    updated_at: '2025-01-01',
  }
  put(place.directory, { 'mem0.json': JSON.stringify([memory]) })
  const dry = await place.run(['--json', 'import', 'mem0.json', '--dry-run'])
  expect(JSON.parse(dry.stdout)).toMatchObject({ would_import: 2, cut: 1 })
  const { stdout, stderr } = await place.run(['import', 'mem0.json'])
  expect(stdout).toContain('imported 2 memories into default')
  expect(stderr).toContain('1 note is too long for one memory, and cut into 2 parts')
  const exported = (await place.run(['export'])).stdout
  expect(exported).toContain('X43')
  expect(exported).toContain('"origin":"mem0:a1 2025-01-01 part 2"')
  expect((await place.run(['import', 'mem0.json'])).stdout).toContain('imported nothing; 2 were here already')
})
