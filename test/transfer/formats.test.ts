import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foreignFormats, recogniseFormat } from '../../src/transfer/formats/index.ts'
import { markdown } from '../../src/transfer/formats/markdown.ts'
import { foreignFormatNames } from '../../src/transfer/formats/names.ts'
import { createBrainPlace, type Place } from '../cli/command-line.ts'

const textsOf = (path: string, text: string): string[] =>
  markdown.read({ path, text, changedAt: undefined }).map((note) => note.text)

const put = (place: Place, name: string, text: string): void => {
  const path = join(place.directory, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const exported = async (place: Place): Promise<{ text: string; caution: number; created_at: string }[]> =>
  (await place.run(['export'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'memory')

test('help names every format there is', () => {
  expect(foreignFormats.map(({ name }) => name)).toEqual([...foreignFormatNames])
})

describe('Markdown', () => {
  test('becomes a note a section, each with the headings it stands under', () => {
    const text =
      '# Shop\n\nWe sell tea.\n\n## Deploys\n\nBlue first.\n\n---\n\nThen green.\n\n### Rollback\n\nBy tag.\n'
    expect(textsOf('CLAUDE.md', text)).toEqual([
      'Shop\n\nWe sell tea.',
      'Shop > Deploys\n\nBlue first.\n\nThen green.',
      'Shop > Deploys > Rollback\n\nBy tag.',
    ])
  })

  test('keeps tables and code whole, and takes no heading or rule from inside code', () => {
    const code = '```sh\n# not a heading\n---\nmake deploy\n```'
    const table = '| host | port |\n| --- | --- |\n| a | 1 |'
    expect(textsOf('notes.md', `# Run\n\n${code}\n\n${table}\n`)).toEqual([`Run\n\n${code}\n\n${table}`])
  })

  test('cuts a long section between its paragraphs, never within one', () => {
    const paragraphs = Array.from({ length: 8 }, (_, at) =>
      `Paragraph ${at} ${'says a thing or two. '.repeat(20)}`.trim(),
    )
    const notes = textsOf('long.md', `# Long\n\n${paragraphs.join('\n\n')}\n`)
    expect(notes.length).toBeGreaterThan(1)
    expect(notes.every((note) => note.startsWith('long\n\n'))).toBe(true)
    for (const paragraph of paragraphs) expect(notes.some((note) => note.includes(paragraph))).toBe(true)
  })

  test('takes title, tags, date and links from a vault', () => {
    const text =
      '---\ntitle: Redis\ntags: [infra, queue]\ncreated: 2025-03-04\n---\nMoved from [[RabbitMQ|Rabbit]], see [[Ops#Load]].\n'
    expect(markdown.read({ path: 'vault/x.md', text, changedAt: 5 })).toEqual([
      {
        text: 'Redis\n\nMoved from Rabbit, see Ops.\n\nTags: infra, queue',
        createdAt: Date.UTC(2025, 2, 4),
        origin: 'vault/x.md: Redis',
      },
    ])
  })

  test('reads observations and relations of basic-memory', () => {
    const text =
      '---\ntitle: Coffee\n---\n\n# Coffee\n\n## Observations\n- [method] Pour over brings out more flavour #brewing\n- [ ] buy beans\n\n## Relations\n- pairs_with [[Chocolate]]\n'
    expect(textsOf('coffee.md', text)).toEqual([
      'Coffee (method): Pour over brings out more flavour #brewing',
      'Coffee > Observations\n\n- [ ] buy beans',
      'Coffee pairs_with Chocolate',
    ])
  })
})

describe('stores of other tools are recognised by their content', () => {
  const read = (path: string, value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const file = { path, text, changedAt: undefined }
    const format = recogniseFormat(file)
    return [format?.name, format?.read(file).map((note) => [note.text, note.createdAt])]
  }

  test('memory.json in lines, and as one object', () => {
    const entity = { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea', ' '] }
    const relation = { type: 'relation', from: 'Ada', to: 'Shop', relationType: 'works_at' }
    const notes = [
      ['Ada (person): likes tea', undefined],
      ['Ada works at Shop', undefined],
    ]
    expect(read('memory.json', [entity, relation].map((one) => JSON.stringify(one)).join('\n'))).toEqual([
      'memory-json',
      notes,
    ])
    expect(read('memory.json', { entities: [entity], relations: [relation] })).toEqual(['memory-json', notes])
  })

  test('mem0, as an array and as its API answers', () => {
    const memory = { id: 'm1', memory: 'Likes tea', created_at: '2025-01-02T03:04:05-08:00' }
    const notes = [['Likes tea', Date.UTC(2025, 0, 2, 11, 4, 5)]]
    expect(read('mem0.json', [memory])).toEqual(['mem0', notes])
    expect(read('mem0.json', { results: [memory] })).toEqual(['mem0', notes])
  })

  test('mcp-memory-service and beads', () => {
    const kept = { content: 'Likes tea', content_hash: 'ab', tags: ['x'], created_at: 1_700_000_000 }
    expect(read('export.json', { memories: [kept] })).toEqual([
      'mcp-memory-service',
      [['Likes tea\n\nTags: x', 1_700_000_000_000]],
    ])
    const issue = {
      id: 'b-1',
      title: 'Slow login',
      description: 'Takes 4 s',
      status: 'closed',
      issue_type: 'bug',
      close_reason: 'Index added',
    }
    expect(read('issues.jsonl', JSON.stringify(issue))).toEqual([
      'beads',
      [['Issue b-1 (bug, closed): Slow login\n\nTakes 4 s\n\nIndex added', undefined]],
    ])
  })

  test('a transcript gives what capture would have kept, and nothing of what tools said', () => {
    const entry = (type: string, content: unknown, more: object = {}) =>
      JSON.stringify({
        type,
        sessionId: 's',
        uuid: 'u',
        timestamp: '2025-01-02T00:00:00Z',
        message: { content },
        ...more,
      })
    const text = [
      entry('user', 'Never deploy the shop on a Friday.'),
      entry('assistant', [{ type: 'text', text: 'Decision: the queue moves to Redis Streams' }]),
      entry('user', [{ type: 'text', text: 'Remember: this is what a tool printed' }], { toolUseResult: {} }),
      '{"half',
    ].join('\n')
    expect(read('s.jsonl', text)).toEqual([
      'claude-code-transcript',
      [
        ['Never deploy the shop on a Friday.', Date.UTC(2025, 0, 2)],
        ['Decision: the queue moves to Redis Streams', Date.UTC(2025, 0, 2)],
      ],
    ])
  })

  test('an export of ours, and JSON of nobody, are of no other tool', () => {
    expect(
      read('brain.jsonl', '{"type":"brain","version":1}\n{"type":"memory","id":1,"text":"a"}')[0],
    ).toBeUndefined()
    expect(read('package.json', { name: 'x', version: '1' })[0]).toBeUndefined()
  })
})

describe('brain import of a folder', () => {
  test('says first what it would take, takes it with its times, and a second time nothing twice', async () => {
    const place = await createBrainPlace()
    put(place, 'notes/2024-05-06.md', '# Standup\n\nThe replica lags.\n')
    put(place, 'notes/sub/keys.md', `The token is ghp_${'a1B2c3D4e5F6'.repeat(3)} for now.\n`)
    put(place, 'notes/.obsidian/app.md', 'hidden\n')
    put(place, 'notes/data.json', '{"a":1}')
    const preview = await place.run(['import', 'notes', '--dry-run', '--json'])
    expect(JSON.parse(preview.stdout)).toMatchObject({
      would_import: 2,
      known: 0,
      formats: { markdown: 2 },
      unrecognised: ['data.json'],
    })
    expect(await exported(place)).toEqual([])
    const done = await place.run(['import', 'notes'])
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('taken out: GitHub token')])
    const kept = await exported(place)
    expect(kept.map(({ text }) => text)).toEqual([
      '2024-05-06 > Standup\n\nThe replica lags.',
      'keys\n\nThe token is [redacted: GitHub token] for now.',
    ])
    expect(kept[0]?.created_at).toBe('2024-05-06T00:00:00.000+00:00')
    const again = await place.run(['import', 'notes', '--json'])
    expect(JSON.parse(again.stdout).imported.memory).toBe(0)
    expect(await exported(place)).toHaveLength(2)
  })

  test('refuses what is no UTF-8 by name, and takes nothing then', async () => {
    const place = await createBrainPlace()
    put(place, 'notes/a.md', 'fine\n')
    writeFileSync(join(place.directory, 'notes', 'b.md'), Buffer.from([0x23, 0x20, 0xff, 0xfe]))
    const { code, stderr } = await place.run(['import', 'notes'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('b.md is not UTF-8 text')])
    expect(await exported(place)).toEqual([])
  })
})

test('brain import --git takes commits with their times, and what was reverted as flags', async () => {
  const place = await createBrainPlace()
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
      cwd: place.directory,
      stdio: 'ignore',
    })
  }
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'Cache the price list', '-m', 'It was read on every page.')
  git(
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'Revert "Cache the price list"',
    '-m',
    'Prices were an hour old.',
  )
  git('commit', '-q', '--allow-empty', '-m', 'Bump version to 1.2.3')
  expect((await place.run(['import', '--git', '.'])).code).toBe(0)
  const kept = (await exported(place)).map(({ text, caution }) => [
    text.replace(/[0-9a-f]{10}/, 'HASH'),
    caution,
  ])
  expect(kept).toEqual([
    ['Reverted (commit HASH): Cache the price list\nPrices were an hour old.', 0.5],
    ['Commit HASH: Cache the price list\nIt was read on every page.', 0],
  ])
})
