/** Exports that others read: a folder of Markdown, memory.json, rows for a spreadsheet. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBrainPlace, type Place } from '../cli/command-line.ts'
import { put } from './foreign.ts'

const fenced = '```sh\n# build\nmake'

async function fill(place: Place): Promise<void> {
  put(place.directory, {
    'in.jsonl': [
      { text: '# Tea\n\nIs green.\n---\n', created_at: '2025-01-31T23:59:00Z', agent: 'ada' },
      { text: fenced, created_at: '2025-02-01T00:00:00Z' },
      { text: '=HYPERLINK("http://evil")', created_at: '2025-02-02T00:00:00Z', caution: 0.5 },
      { text: 'says "so", twice\nand on', created_at: '2025-02-03T00:00:00Z' },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  })
  const run = async (...words: string[]): Promise<void> => {
    const { code, stderr } = await place.run(words)
    expect([code, stderr]).toEqual([0, ''])
  }
  await run('import', 'in.jsonl')
  await run('believe', '--confidence', '0.6', '--', '-1 is even')
  await run('evidence', '1', '--supporting', '--strength', '0.6', '--note', 'seen')
  await run('predict', 'rain', '--domain', 'weather', '--basis', 'clouds')
  await run('resolve', '1', 'correct', '--actual', 'it rained')
  await run('note-about', 'planner', 'is late')
}

const thisMonth = new Date().toISOString().slice(0, 7)

describe('brain export --format markdown', () => {
  test('makes a folder with a page a month that says what each record is', async () => {
    const place = await createBrainPlace()
    await fill(place)
    const told = await place.run(['export', '--format', 'markdown', '--output', 'out'])
    expect([told.code, told.stdout]).toEqual([0, expect.stringMatching(/^exported 8 records to .*out\n$/)])
    const directory = join(place.directory, 'out')
    expect(readdirSync(directory)).toEqual(['2025-01.md', '2025-02.md', `${thisMonth}.md`])
    const page = (name: string): string => readFileSync(join(directory, name), 'utf8')
    expect(page('2025-01.md')).toBe(
      '# 2025-01\n\n## Memories\n\n### 1 · 2025-01-31 23:59 · ada\n\n\\# Tea\n\nIs green.\n\\---\n',
    )
    // Code that was left open ends with its note, or all that follows would be code.
    expect(page('2025-02.md')).toContain(
      `\n\n${fenced}\n\`\`\`\n\n### 3 · 2025-02-02 00:00 · flag, caution 0.5`,
    )
    const now = page(`${thisMonth}.md`)
    expect(now.match(/^##? .*$/gm)).toEqual([
      `# ${thisMonth}`,
      '## Beliefs',
      '## Evidence',
      '## Predictions',
      '## Observations',
    ])
    expect(now).toMatch(/### 1 · \S+ \S+ · supporting belief 1 · strength 0\.6\n\nseen\n/)
    expect(now).toMatch(/rain\n\nBasis: clouds\n\nWhat happened: it rained \(surprise 0\.\d\d\)\n/)
    if (process.platform !== 'win32') {
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      expect(statSync(join(directory, '2025-01.md')).mode & 0o777).toBe(0o600)
    }
  })

  test('gives each project a folder, and leaves a folder that is not empty alone', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'here'])
    await place.run(['remember', 'there', '--project', 'a/../b'])
    expect((await place.run(['export', '--format', 'markdown', '--all', '--output', 'out'])).code).toBe(0)
    expect(readdirSync(join(place.directory, 'out'))).toEqual(['a%2F%2E%2E%2Fb', 'default'])
    expect(await place.run(['export', '--format', 'markdown', '--output', 'out'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is there already and not empty: name another folder'),
    })
    mkdirSync(join(place.directory, 'empty'))
    expect((await place.run(['export', '--format', 'markdown', '--output', 'empty'])).code).toBe(0)
    expect(readdirSync(place.directory).filter((name) => name.includes('draft'))).toEqual([])
  })

  test('comes back with its texts, times, agents, tags and caution, and says which kinds do not', async () => {
    const [old, young] = [await createBrainPlace(), await createBrainPlace()]
    await fill(old)
    const note = [
      'remember',
      'Tea is at ten',
      '--tag',
      'tea,break,release notes',
      '--agent',
      'ben · until 2020-01-01 00:00',
    ]
    expect((await old.run(note)).code).toBe(0)
    expect((await old.run(['expire', '5', '2099-01-01'])).code).toBe(0)
    // Indented by so much it is no heading; without that space it would be one.
    await old.run(['remember', '     ### 9 · 2026-01-01 00:00 · eve\n\\# Tea\n\\\\---\n\\tea'])
    await old.run(['export', '--format', 'markdown', '--output', 'out'])
    const pages = join(old.directory, 'out')
    expect(await young.run(['import', pages])).toEqual({
      code: 0,
      stdout: 'imported 6 memories into default\n',
      stderr: expect.stringContaining(
        'left out, as these pages do not say all of them: Beliefs 1, Evidence 1, Predictions 1, Observations 1; import what `brain export --output FILE` writes to keep them',
      ),
    })
    const memories = async (place: Place) =>
      (await place.run(['export'])).stdout
        .split('\n')
        .filter((line) => line.startsWith('{"type":"memory"'))
        .map((line) => JSON.parse(line))
        .map(({ created_at, expires_at, text, id, ...all }) => ({
          ...all,
          expires_at: expires_at?.slice(0, 16),
          // Code that was left open was ended.
          text: text === fenced ? `${fenced}\n\`\`\`` : text.trim(),
          created_at: created_at.slice(0, 16),
        }))
    const kept = await memories(young)
    expect(kept).toEqual(await memories(old))
    expect(kept[4]).toMatchObject({
      tags: ['break', 'release notes', 'tea'],
      expires_at: expect.stringContaining('2099'),
    })
    expect(JSON.parse((await old.run(['import', pages, '--json'])).stdout)).toMatchObject({
      imported: { memory: 1 },
      known: 5,
    })
  })

  test('needs a folder to be named', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['export', '--format', 'markdown'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name one with --output'),
    })
    writeFileSync(join(place.directory, 'file'), '')
    expect(await place.run(['export', '--format', 'markdown', '--output', 'file'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is a file: name a folder'),
    })
    expect(existsSync(join(place.directory, 'out'))).toBe(false)
  })
})

test('memory.json comes back as it was, texts, times and caution', async () => {
  const [old, young] = [await createBrainPlace(), await createBrainPlace()]
  await fill(old)
  const { stdout, stderr } = await old.run(['export', '--format', 'memory-json'])
  expect(stderr).toContain('4 records that are no memories have no place in memory.json and are left out')
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual({
    type: 'entity',
    name: '# Tea Is green. --- #1',
    entityType: 'brain memory',
    observations: ['# Tea\n\nIs green.\n---\n'],
    created_at: '2025-01-31T23:59:00.000+00:00',
  })
  put(young.directory, { 'memory.json': stdout })
  expect((await young.run(['import', 'memory.json'])).stdout).toBe('imported 4 memories into default\n')
  const memories = async (place: Place) =>
    (await place.run(['export'])).stdout
      .split('\n')
      .filter((line) => line.startsWith('{"type":"memory"'))
      .map((line) => JSON.parse(line))
      .map(({ text, caution, created_at }) => [text.trim(), caution, created_at])
  expect(await memories(young)).toEqual(await memories(old))
})

test('rows for a spreadsheet are no formulas, and quoted where a cell needs it', async () => {
  const place = await createBrainPlace()
  await fill(place)
  const { stdout } = await place.run(['export', '--format', 'csv'])
  const [head, ...rows] = stdout.split('\r\n')
  expect(head).toMatch(/^\ufeffproject,kind,id,created_at,agent,text,caution,/)
  expect(rows.slice(2, 5)).toEqual([
    'default,flag,3,2025-02-02T00:00:00.000+00:00,default,"\'=HYPERLINK(""http://evil"")",0.5,,,,,,,,,,,,,,,',
    'default,memory,4,2025-02-03T00:00:00.000+00:00,default,"says ""so"", twice\nand on",,,,,,,,,,,,,,,,',
    expect.stringMatching(/^default,belief,1,[^,]+,,'-1 is even,,0\.\d+,accumulating,/),
  ])
  expect(rows.at(-1)).toBe('')
})

test.each([
  ['as it is written', (rows: string) => rows],
  ['as a spreadsheet saves it', (rows: string) => rows.replace('\ufeff', '').replaceAll(',', ';')],
])('rows for a spreadsheet are no notes, %s', async (_, saved) => {
  const place = await createBrainPlace()
  await fill(place)
  const { stdout } = await place.run(['export', '--format', 'csv'])
  put(place.directory, { 'b.csv': saved(stdout) })
  expect(await place.run(['import', 'b.csv'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/line 1: .*spreadsheets.*cannot be read back: .*brain export.*memory-json/),
  })
})

test('memory.json under another name, or given on standard input, is told apart from notes', async () => {
  const place = await createBrainPlace()
  await fill(place)
  const { stdout } = await place.run(['export', '--format', 'memory-json'])
  put(place.directory, {
    m: stdout,
    server: '{"entities":[],"relations":[{"from":"a","to":"b","relationType":"is"}]}',
  })
  const refused = {
    code: 2,
    stderr: expect.stringContaining(
      'line 1: this is memory.json, not a note: name the format and a file, brain import --format memory-json FILE',
    ),
  }
  expect(await place.run(['import', 'm'])).toMatchObject(refused)
  expect(await place.run(['import', 'server'])).toMatchObject(refused)
  expect(await place.run(['import', '-'], { stdin: stdout })).toMatchObject(refused)
  expect(await place.run(['import', '--format', 'memory-json', 'm', '--dry-run'])).toMatchObject({ code: 0 })
})
