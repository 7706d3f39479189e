/** Markdown of agents, vaults and basic-memory: notes that stand for themselves. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { put, readFile, readPath, textsOf } from './foreign.ts'

describe('Markdown', () => {
  test('becomes a note a section, each with the headings it stands under', async () => {
    const text =
      '# Shop\n\nWe sell tea.\n\n## Deploys\n\nBlue first.\n\n---\n\nThen green.\n\n### Rollback\n\nBy tag.\n'
    expect(await textsOf('CLAUDE.md', text)).toEqual([
      'Shop\n\nWe sell tea.',
      'Shop > Deploys\n\nBlue first.\n\nThen green.',
      'Shop > Deploys > Rollback\n\nBy tag.',
    ])
  })

  test('may have as many empty lines above it as it likes', async () => {
    const text = `---\n${'\n'.repeat(300_000)}type: user\n---\n# Shop\n\nWe sell tea.\n`
    expect(await textsOf('notes.md', text)).toEqual(['Shop\n\nWe sell tea.'])
  })

  test('knows headings that are underlined, and no rule of a table for one', async () => {
    const text =
      'Shop\n====\n\nWe sell tea.\n\nDeploys\n-------\n\nBlue first.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    expect(await textsOf('notes.md', text)).toEqual([
      'Shop\n\nWe sell tea.',
      'Shop > Deploys\n\nBlue first.\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ])
  })

  test('keeps tables and code whole and as they are', async () => {
    const code =
      '```sh\n# not a heading\n---\nif [[ -f "$x" ]]; then make; fi <!-- not a comment -->\n\nmake deploy\n```'
    const table = '| host | port |\n| --- | --- |\n| a | 1 |'
    const item = '- Run it:\n    ```sh\n    # here\n\n    make\n    ```'
    expect(
      await textsOf('notes.md', `# Run\n\n${code}\n\n${table}\n\n${item}\n\nUse \`[[x]]\` and [[Ops]].\n`),
    ).toEqual([`Run\n\n${code}\n\n${table}\n\n${item}\n\nUse \`[[x]]\` and Ops.`])
  })

  test('cuts a long section between its paragraphs, never within one', async () => {
    const paragraphs = Array.from({ length: 8 }, (_, at) =>
      `Paragraph ${at} ${'says a thing or two. '.repeat(20)}`.trim(),
    )
    const notes = await textsOf('long.md', `# Long\n\n${paragraphs.join('\n\n')}\n`)
    expect(notes.length).toBeGreaterThan(1)
    expect(notes.every((note) => note.startsWith('Long\n\n'))).toBe(true)
    for (const paragraph of paragraphs) expect(notes.some((note) => note.includes(paragraph))).toBe(true)
  })

  const numbers = (count: number, text: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => text(at)).join('')
  test.each([
    ['a paragraph', `${numbers(7_000, (at) => `filler${at} text `)}THE DECISION IS X43`],
    ['a line without an end', `${numbers(40_000, (at) => `x${at}`)}X43`],
    ['code', `\`\`\`\n${numbers(9_000, (at) => `make deploy${at} # ü\n`)}X43\n\`\`\``],
    ['characters of four bytes', `${numbers(40_000, (at) => (at % 7 === at % 11 ? '😀' : '🚀'))}X43`],
  ])('cuts %s that no memory has room for, and loses nothing', async (_, block) => {
    const notes = await textsOf('long.md', `# Long\n\n${block}\n`)
    expect(notes.every((note) => note.startsWith('Long\n\n') && Buffer.byteLength(note) <= 65_536)).toBe(true)
    const parts = notes.map((note) => note.slice('Long\n\n'.length))
    const plain = (text: string): string => text.replace(/\s/g, '')
    expect(plain(parts.join('')) === plain(block)).toBe(true)
    // Between words, where there are any.
    if (block.includes(' ')) expect(parts.every((part) => /(?:text|\d|ü|X43|```)$/.test(part))).toBe(true)
  })

  test('takes title, tags, date and links from a vault, and leaves comments out', async () => {
    const text =
      '---\ntitle: Redis\ntags:\n  - infra\n  - queue\nkeywords: [cache]\ncreated: 2025-03-04\n---\nMoved from [[RabbitMQ|Rabbit]],\n<!-- a\nnote to self -->\nsee [[Ops#Load]].\n'
    expect((await readFile('x.md', text)).notes).toMatchObject([
      {
        text: 'Redis\n\nMoved from Rabbit,\nsee Ops.',
        tags: ['infra', 'queue', 'cache'],
        createdAt: Date.UTC(2025, 2, 4),
        origin: 'x.md: Redis',
      },
    ])
  })

  test('takes the date of a daily note from its name, and of any other from its file', async () => {
    const directory = temporaryDirectory()
    put(directory, { '2024-05-06.md': 'Standup\n', 'other.md': 'Tea\n' })
    utimesSync(join(directory, 'other.md'), 1_700_000_000, 1_700_000_000)
    const { notes } = await readPath(directory)
    expect(notes.map(({ createdAt }) => createdAt)).toEqual([Date.UTC(2024, 4, 6), 1_700_000_000_000])
  })

  test.each([
    ['brackets', '['.repeat(400_000)],
    ['comments', '<!--'.repeat(100_000)],
    ['a heading of spaces', `# a${' '.repeat(200_000)}b${' '.repeat(200_000)}#`],
    ['fences', '```\n'.repeat(100_001)],
    ['quotes', '`'.repeat(400_000)],
    ['marks of tasks', `# Task Group: x\n${' [Task 1'.repeat(50_000)}`],
  ])('of endless %s is read all the same', async (_, text) => {
    await readFile('MEMORY.md', text)
  })
})

describe('basic-memory', () => {
  const text =
    '---\ntitle: Coffee\ntype: note\npermalink: coffee\n---\n\n# Coffee\n\n## Observations\n- [method] Pour over brings out more flavour #brewing (tried twice)\n- [ ] buy beans\n\n## Relations\n- pairs_with [[Chocolate]]\n'

  test('gives its observations and relations as notes that name what they are about', async () => {
    expect(await textsOf('coffee.md', text)).toEqual([
      'Coffee (method): Pour over brings out more flavour #brewing (tried twice)',
      'Coffee > Observations\n\n- [ ] buy beans',
      'Coffee pairs with Chocolate',
    ])
    expect((await readFile('coffee.md', text)).notes[0]?.tags).toEqual(['brewing'])
  })

  test('is not seen in a list of anybody else, whose items stay under their heading', async () => {
    expect(await textsOf('queues.md', '# Queues\n\n## Decisions\n\n- chose [[Redis]] over Rabbit\n')).toEqual(
      ['Queues > Decisions\n\n- chose Redis over Rabbit'],
    )
  })
})

describe('memories of agents', () => {
  test("Claude Code's topic files are notes with what they are about, and their index is none", async () => {
    const directory = temporaryDirectory()
    put(directory, {
      'MEMORY.md': '- [Deploys](deploys.md) — blue before green\n- [Tests](tests.md) — run them one by one\n',
      'deploys.md':
        '---\nname: deploy-order\ndescription: Blue is deployed before green\nmetadata:\n  type: feedback\n---\n\nGreen has the migrations.\n',
    })
    expect((await readPath(directory)).notes).toMatchObject([
      {
        text: 'deploy-order\n\nBlue is deployed before green\n\nGreen has the migrations.',
        tags: ['feedback'],
      },
    ])
  })

  test('what Gemini was told to remember is a note an item', async () => {
    const text =
      '# Shop\n\nTea.\n\n## Gemini Added Memories\n- The staging host is tin.example.com\n- Ada reviews SQL\n'
    expect(await textsOf('GEMINI.md', text)).toEqual([
      'Shop\n\nTea.',
      'The staging host is tin.example.com',
      'Ada reviews SQL',
    ])
  })

  test("Cursor's rules begin with what they are for", async () => {
    const rule =
      '---\ndescription: How handlers answer\nglobs: src/api/**\nalwaysApply: false\n---\n- Every error is JSON\n'
    expect(await readFile('api.mdc', rule)).toMatchObject({
      formats: ['cursor'],
      notes: [{ text: 'api\n\nFor src/api/**:\n\nHow handlers answer\n\n- Every error is JSON' }],
    })
    expect(await textsOf('.cursorrules', 'Use tabs.\n')).toEqual(['Use tabs.'])
  })

  test.each([
    ['globs: *.py', '*.py'],
    ['globs: "src/**/*.{ts,tsx}",*.js', 'src/**/*.{ts,tsx}, *.js'],
    ['globs: *.ts, *.tsx', '*.ts, *.tsx'],
    ['globs: ["**/*.rs", "build.rs"]', '**/*.rs, build.rs'],
    ['globs: [ab]*.c', '[ab]*.c'],
    ['globs:\n  - "*.go"\n  - go.mod', '*.go, go.mod'],
  ])('what a rule of Cursor applies to stands above each of its sections: %s', async (globs, shown) => {
    const rule = `---\ndescription:\n${globs}\nalwaysApply: false\n---\n\nUse black.\n\n## Tests\n\nUse pytest.\n`
    expect(await textsOf('py.mdc', rule)).toEqual([
      `py\n\nFor ${shown}:\n\nUse black.`,
      `py > Tests\n\nFor ${shown}:\n\nUse pytest.`,
    ])
    const always = rule.replace('alwaysApply: false', 'alwaysApply: true')
    expect(await textsOf('py.mdc', always)).toEqual(['py\n\nUse black.', 'py > Tests\n\nUse pytest.'])
  })

  test("Codex's handbook is read, what it was made from is not, and a later version is refused", async () => {
    const directory = temporaryDirectory()
    const handbook = `# Task Group: shop / deploys

scope: how the shop is deployed
applies_to: cwd=/srv/shop; reuse_rule=only there

## Task 1: roll back a release, done

### rollout_summary_files

- rollout_summaries/a.md (cwd=/srv/shop, updated_at=2026-05-01T00:00:00Z)

### keywords

- rollback, tags

## Reusable knowledge

- The tag before last is the one that runs [Task 1]
`
    put(directory, {
      'MEMORY.md': handbook,
      'memory_summary.md': 'v1\n\n## User Profile\nabridged\n',
      'raw_memories.md': '# Raw Memories\n\nthe same at length\n',
      'rollout_summaries/a.md':
        'thread_id: 1\nupdated_at: 2026-05-01T00:00:00+00:00\nrollout_path: /x\ncwd: /srv/shop\n\n# Rolled back\n\nBy tag.\n',
    })
    const { formats, notes } = await readPath(directory)
    expect(formats).toEqual(['codex-memories'])
    expect(notes.map(({ text }) => text)).toEqual([
      'shop / deploys\n\nhow the shop is deployed',
      'shop / deploys > Task 1: roll back a release, done\n\nKeywords: rollback, tags',
      'shop / deploys > Reusable knowledge\n\n- The tag before last is the one that runs',
      'Rolled back\n\nBy tag.',
    ])
    expect(notes[3]?.createdAt).toBe(Date.UTC(2026, 4, 1))
    put(directory, { 'memory_summary.md': 'v2\n' })
    await expect(readPath(directory)).rejects.toThrow(/memory_summary\.md is memories of Codex of version v2/)
  })
})

describe('plain text', () => {
  test('that is wrapped is a note a paragraph', async () => {
    const text = 'The replica lags\nby a minute.\n\nWe pin reads\nto the primary.\n'
    expect(await readFile('notes.txt', text)).toMatchObject({
      formats: ['paragraphs'],
      notes: [{ text: 'The replica lags\nby a minute.' }, { text: 'We pin reads\nto the primary.' }],
    })
    await expect(readFile('notes.txt', `# Replicas\n\n${text}`)).rejects.toThrow(/of no tool that is known/)
  })
})
