/** Whole sessions, as each agent sends them: what the model reads of them, and what is kept. */
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBrainPlace, type Place } from '../cli/command-line.ts'
import { inputs, outputs } from './published.ts'
import { claudeCode, codex, cursor, gemini, type Recorded, session, token } from './recorded.ts'

const git = (directory: string, ...words: string[]): void => {
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
    cwd: directory,
    stdio: 'ignore',
  })
}

/** A repository with a brain that knows a few things. */
async function createShop(environment?: Record<string, string>): Promise<Place> {
  const place = await createBrainPlace(environment)
  git(place.directory, 'init', '-q', '-b', 'main')
  git(place.directory, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  git(place.directory, 'checkout', '-q', '-b', 'feature/invoice-export')
  mkdirSync(join(place.directory, 'src'))
  await place.run(['remember', 'Invoice amounts are integer cents everywhere since the audit of March'])
  await place.run(['remember', 'ECONNREFUSED on 5432 means that the compose database is not up'])
  await place.run(['remember', 'Lunch is at noon'])
  await place.run([
    'flag',
    'Never force-push the main branch: in May it erased two days of work',
    '--caution',
    '0.9',
  ])
  return place
}

interface Told {
  readonly event: string
  readonly said: string
}

/** Replays a session; what was said at each event, as JSON, '' for nothing. */
async function replay(place: Place, agent: string, events: readonly Recorded[]): Promise<Told[]> {
  const told: Told[] = []
  for (const { event, sent, before } of events) {
    if (before === 'commit') {
      writeFileSync(join(place.directory, 'src', 'csv.ts'), 'export const cents = 1\n')
      git(place.directory, 'add', 'src')
      const why = 'Floats lost a cent on every third invoice.'
      git(place.directory, 'commit', '-q', '-m', 'Write amounts as integer cents', '-m', why)
    }
    const { code, stdout, stderr } = await place.run(['hook', agent, event], { stdin: JSON.stringify(sent) })
    expect({ event, code, stderr }).toEqual({ event, code: 0, stderr: '' })
    if (stdout !== '') outputs[agent]?.[event]?.parse(JSON.parse(stdout))
    told.push({ event, said: stdout.trim() })
  }
  return told
}

/** The lines of records that the model read. */
const linesOf = (told: readonly Told[]): string[] =>
  told.flatMap(({ said }) => said.match(/- (?:memory|flag) \d+, [^\\]+/g) ?? [])

async function listKept(place: Place): Promise<{ text: string; caution: number; tags?: string[] }[]> {
  const { stdout } = await place.run(['export'])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ agent }) => agent !== undefined && agent !== 'default')
}

const warning = /erased two days of work/g

describe('a session of Claude Code', () => {
  test('is told what it lacks, each once, and nothing that only looks or is our own is judged', async () => {
    const place = await createShop()
    const told = await replay(place, 'claude-code', claudeCode(place.directory))
    const before = told.slice(
      0,
      told.findIndex(({ event }) => event === 'PostCompact'),
    )
    const saidAt = (event: string) => before.filter((one) => one.event === event).map(({ said }) => said)
    // The branch is about invoices.
    expect(saidAt('SessionStart').join('')).toMatch(/integer cents everywhere[\s\S]*Lunch is at noon/)
    // All that it knows was told at the start: neither the prompt nor the failure brings it again.
    expect([...saidAt('UserPromptSubmit'), ...saidAt('PostToolUseFailure')].join('')).toBe('')
    const lines = linesOf(before)
    expect(new Set(lines).size).toBe(lines.length)
    // Before each push, and before nothing else: what its own prompt forbade needs no telling.
    expect(saidAt('PreToolUse').filter((said) => said !== '')).toHaveLength(2)
    expect(saidAt('PreToolUse').join('').match(warning)).toHaveLength(2)
    for (const event of ['Stop', 'PostToolUse']) expect(saidAt(event).join('')).toBe('')
  })

  test('is told again after a compaction what it has lost, and not what its own summary says', async () => {
    const place = await createShop()
    const told = await replay(place, 'claude-code', claudeCode(place.directory))
    const after = told.slice(told.findIndex(({ event }) => event === 'PostCompact'))
    const [, start, again, asked] = after.map(({ said }) => said)
    expect(start).toContain('amounts are rounded half to even')
    expect(start).toContain('integer cents everywhere')
    // The start told all of it.
    expect([again, asked]).toEqual(['', ''])
    expect([start, asked].join('')).not.toMatch(/Primary Request|Errors and fixes/)
    const lines = linesOf(after)
    expect(new Set(lines).size).toBe(lines.length)
    expect(after.at(-1)?.said).toBe('')
  })

  test('keeps what was said to be kept, once, with where it came from, and no secret', async () => {
    const place = await createShop()
    await replay(place, 'claude-code', claudeCode(place.directory))
    await replay(place, 'claude-code', claudeCode(place.directory).slice(-2))
    const kept = await listKept(place)
    expect(kept.map(({ text }) => text.replace(/[0-9a-f]{10}(?=:)/, 'HASH'))).toEqual([
      'Never change the public signature of exportInvoices.',
      '`npm test -- export` failed with "Error: connect ECONNREFUSED 127.0.0.1:5432" and then passed after `docker compose up -d db` and changes to src/csv.ts.',
      'Decision: amounts are rounded half to even, as the bank does it.',
      'the staging token is [redacted: GitHub token] until Friday.',
      'Commit HASH: Write amounts as integer cents\nFloats lost a cent on every third invoice.\nFiles: src/csv.ts',
      'Primary Request and Intent:\n   The invoice export has to write amounts as integer cents, with a test, and exportInvoices keeps its signature.',
      'Errors and fixes:\n   - ECONNREFUSED 5432 in the tests: the compose database was not up, `docker compose up -d db` starts it.',
    ])
    expect(kept.map(({ caution }) => caution)).toEqual([0.7, 0, 0, 0, 0, 0, 0])
    const { record } = JSON.parse((await place.run(['show', '5', '--json'])).stdout)
    expect(record.provenance).toMatchObject({ session, branch: 'feature/invoice-export' })
  })
})

test.each([
  ['codex', codex, 4],
  ['gemini', gemini, 4],
  ['cursor', cursor, 4],
] as const)('a session of %s is told each thing once, and keeps no secret', async (agent, record, least) => {
  const place = await createShop()
  const told = await replay(place, agent, record(place.directory))
  const fresh = told.findIndex(({ event }) => event === 'PostCompact')
  const lines = linesOf(fresh < 0 ? told : told.slice(0, fresh))
  expect(lines.length).toBeGreaterThanOrEqual(3)
  expect(new Set(lines).size).toBe(lines.length)
  const texts = (await listKept(place)).map(({ text }) => text)
  expect(texts.length).toBeGreaterThanOrEqual(least)
  expect(texts).toContain('Decision: amounts are rounded half to even, as the bank does it.')
  expect(texts).toContain('Never change the public signature of exportInvoices.')
  expect(texts.some((text) => text.startsWith('Commit '))).toBe(true)
  expect(texts.join('\n')).not.toMatch(/said again|force-push|ghp_/)
  // Codex does not say what failed; the others do.
  expect(texts.some((text) => text.includes('then passed after `docker compose up -d db`'))).toBe(
    agent !== 'codex',
  )
})

const sessions = { 'claude-code': claudeCode, codex, gemini, cursor }

test.each(Object.entries(sessions))(
  'what %s sends here is what it says that it sends, at every event that is answered',
  (agent, record) => {
    const met = new Set<string>()
    for (const { event, sent } of record('/project')) {
      met.add(event)
      const told = inputs[agent]?.[event]?.safeParse(sent)
      expect(
        told?.error?.issues ?? (told === undefined && 'unknown'),
        `${event} ${JSON.stringify(sent)}`,
      ).toBe(false)
    }
    expect([...met].toSorted()).toEqual(Object.keys(inputs[agent] ?? {}).toSorted())
    expect(Object.keys(inputs[agent] ?? {}).toSorted()).toEqual(Object.keys(outputs[agent] ?? {}).toSorted())
  },
)

test('nothing that a session leaves on the disk holds a secret', async () => {
  const place = await createShop()
  const failing = { tool_name: 'Bash', tool_input: { command: `curl -u ada:${token} https://example.com` } }
  const sent = { session_id: session, cwd: place.directory, ...failing, error: `Error: 401 for ${token}` }
  await replay(place, 'claude-code', [{ event: 'PostToolUseFailure', sent }])
  const directory = join(place.directory, '.brain', 'sessions')
  const left = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
  expect(left.join('')).toContain('[redacted: GitHub token]')
  expect(left.join('')).not.toContain(token)
})

test('a danger stops a push in every dialect where it is to be asked, and in none where it is told', async () => {
  for (const [danger, stops] of [
    ['tell', 0],
    ['ask', 1],
    ['deny', 1],
  ] as const) {
    for (const [agent, record] of Object.entries(sessions)) {
      const place = await createShop({ BRAIN_GATE_DANGER: danger })
      const pushes = record(place.directory).filter(({ sent }) => JSON.stringify(sent).includes('git push'))
      const told = await replay(place, agent, pushes)
      const stopped = told.filter(({ said }) =>
        /"(?:permissionDecision|permission|decision)":"(?:ask|deny)"/.test(said),
      )
      expect({ danger, agent, stopped: stopped.length }).toEqual({
        danger,
        agent,
        stopped: agent === 'claude-code' ? 2 * stops : stops,
      })
      for (const { said } of stopped) expect(said).toContain('erased two days of work')
    }
  }
})

test('what Cursor finds in Claude Code’s settings says nothing there a second time', async () => {
  const place = await createShop()
  const events = claudeCode(place.directory).map(({ event, sent }) => ({
    event,
    sent: { ...sent, cursor_version: '2026.09.18-9a7762b' },
  }))
  const told = await replay(place, 'claude-code', events)
  expect(told.filter(({ said }) => said !== '')).toEqual([])
  expect(await listKept(place)).toEqual([])
})

test('a state that a backup has by another name is replaced, and the backup keeps what it has', async () => {
  const place = await createShop()
  const prompt = claudeCode(place.directory).filter(({ event }) => event === 'UserPromptSubmit')
  await replay(place, 'claude-code', prompt.slice(0, 1))
  const directory = join(place.directory, '.brain', 'sessions')
  const [name = ''] = readdirSync(directory)
  const backup = join(place.directory, 'backup.json')
  writeFileSync(join(directory, name), '{"shown":[7]}')
  linkSync(join(directory, name), backup)
  const told = await replay(place, 'claude-code', [
    {
      event: 'UserPromptSubmit',
      sent: { ...prompt[0]?.sent, prompt: 'What about floats and lost cents in an invoice?' },
    },
  ])
  expect(told[0]?.said).toContain('integer cents')
  expect(readFileSync(backup, 'utf8')).toBe('{"shown":[7]}')
  expect(readFileSync(join(directory, name), 'utf8')).not.toBe('{"shown":[7]}')
})
