import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace, createPlace, type Place } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/** Calls a hook with what the agent sends; the reply is undefined where nothing was said. */
async function callHook(place: Place, [agent, event]: readonly [string, string], sent: object | string) {
  const input = typeof sent === 'string' ? sent : { session_id: 's1', cwd: place.directory, ...sent }
  const { code, stdout, stderr } = await place.run(['hook', agent, event], {
    stdin: typeof input === 'string' ? input : JSON.stringify(input),
  })
  expect(code).toBe(0)
  return { reply: stdout === '' ? undefined : JSON.parse(stdout), stderr }
}

const remember = (place: Place, ...words: string[]) => place.run(['remember', ...words])

async function withWarning(environment?: Record<string, string>): Promise<Place> {
  const place = await createBrainPlace(environment)
  await place.run([
    'flag',
    'Never force-push the main branch: in May it erased two days of work',
    '--caution',
    '0.9',
  ])
  return place
}

const git = (place: Place, ...words: string[]): void => {
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
    cwd: place.directory,
    stdio: 'ignore',
  })
}

const listTexts = async (place: Place): Promise<string[]> => {
  const { stdout } = await place.run(['export'])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap((record) => (typeof record.text === 'string' ? [record.text] : []))
}

const push = 'git push --force origin main branch'

test('what a hook keeps says by which agent, in which session, on which branch and commit', async () => {
  const place = await createBrainPlace()
  git(place, 'init', '-q', '-b', 'feature/queue')
  git(place, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  await callHook(place, ['claude-code', 'Stop'], {
    last_assistant_message: 'Decision: the queue is on Redis Streams.',
  })
  const { stdout } = await place.run(['--json', 'show', '1'])
  expect(JSON.parse(stdout).record).toMatchObject({
    agent: 'claude-code',
    provenance: { session: 's1', branch: 'feature/queue', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  })
})

describe('the start of a session', () => {
  test.each([
    ['claude-code', 'SessionStart', { source: 'startup' }],
    ['codex', 'SessionStart', { source: 'startup' }],
    ['gemini', 'SessionStart', { source: 'startup' }],
  ])('tells %s what is known, in the envelope that it reads', async (agent, event, sent) => {
    const place = await createBrainPlace()
    await remember(place, 'The queue is on Redis Streams')
    const { reply } = await callHook(place, [agent, event], sent)
    expect(Object.keys(reply)).toEqual(['hookSpecificOutput'])
    expect(Object.keys(reply.hookSpecificOutput)).toEqual(['hookEventName', 'additionalContext'])
    expect(reply.hookSpecificOutput.hookEventName).toBe(event)
    expect(reply.hookSpecificOutput.additionalContext).toContain('The queue is on Redis Streams')
  })

  test('tells Cursor in its own form', async () => {
    const place = await createBrainPlace()
    await remember(place, 'The queue is on Redis Streams')
    const { reply } = await callHook(place, ['cursor', 'sessionStart'], { conversation_id: 'c1' })
    expect(Object.keys(reply)).toEqual(['additional_context'])
    expect(reply.additional_context).toContain('Redis Streams')
  })

  test('that is resumed says what it has not been shown', async () => {
    const place = await createBrainPlace()
    await remember(place, 'The queue is on Redis Streams')
    const begin = async (source: string) =>
      (await callHook(place, ['claude-code', 'SessionStart'], { source })).reply
    expect(JSON.stringify(await begin('startup'))).toContain('Redis Streams')
    expect(await begin('resume')).toBeUndefined()
    await remember(place, 'The replica is in Oslo')
    const resumed = JSON.stringify(await begin('resume'))
    expect(resumed).toContain('in Oslo')
    expect(resumed).not.toContain('Redis Streams')
    expect(JSON.stringify(await begin('clear'))).toContain('Redis Streams')
  })

  test('that is resumed is told neither pins nor warnings again, nor that these are not shown', async () => {
    const place = await withWarning()
    await remember(place, 'The queue is on Redis Streams')
    await place.run(['pin', '2'])
    git(place, 'init', '-q', '-b', 'force-push-main')
    const begin = async (source: string) =>
      (await callHook(place, ['claude-code', 'SessionStart'], { source })).reply
    expect(JSON.stringify(await begin('startup'))).toMatch(/memory 2[\s\S]*erased two days/)
    expect(await begin('resume')).toBeUndefined()
    await remember(place, 'The replica is in Oslo')
    const resumed = JSON.stringify(await begin('resume'))
    expect(resumed).toContain('in Oslo')
    expect(resumed).not.toMatch(/Redis Streams|erased two days|Not shown/)
  })

  test('says nothing of an empty brain, nor where there is none', async () => {
    expect(
      (await callHook(await createBrainPlace(), ['claude-code', 'SessionStart'], {})).reply,
    ).toBeUndefined()
    const { reply, stderr } = await callHook(createPlace(), ['claude-code', 'SessionStart'], {})
    expect([reply, stderr]).toEqual([undefined, ''])
  })
})

describe('a prompt', () => {
  test('brings what is known of it, once a session', async () => {
    const place = await createBrainPlace()
    await remember(place, 'The replica in Oslo lags ten minutes after a vacuum')
    const sent = { prompt: 'why does the replica lag behind after the vacuum?' }
    const first = await callHook(place, ['claude-code', 'UserPromptSubmit'], sent)
    expect(first.reply.hookSpecificOutput.additionalContext).toContain('The replica in Oslo')
    expect((await callHook(place, ['claude-code', 'UserPromptSubmit'], sent)).reply).toBeUndefined()
    const other = await callHook(place, ['claude-code', 'UserPromptSubmit'], { ...sent, session_id: 's2' })
    expect(other.reply).toBeDefined()
  })

  test('brings three memories at most, in 400 tokens', async () => {
    const place = await createBrainPlace()
    const lag = 'The replica lags behind after the vacuum. '.repeat(9)
    for (let at = 0; at < 6; at += 1) await remember(place, `On day ${at}: ${lag}`)
    const { reply } = await callHook(place, ['claude-code', 'UserPromptSubmit'], {
      prompt: 'why does the replica lag behind after the vacuum?',
    })
    const told = reply.hookSpecificOutput.additionalContext
    expect(told.match(/^- memory/gm).length).toBeGreaterThan(1)
    expect(told.match(/^- memory/gm).length).toBeLessThanOrEqual(3)
    expect(Buffer.byteLength(told)).toBeLessThanOrEqual(3 * 400)
  })

  test('does not bring what the start of the session told', async () => {
    const place = await createBrainPlace()
    await remember(place, 'The replica in Oslo lags ten minutes after a vacuum')
    await callHook(place, ['claude-code', 'SessionStart'], { source: 'startup' })
    const sent = { prompt: 'why does the replica lag behind after the vacuum?' }
    expect((await callHook(place, ['claude-code', 'UserPromptSubmit'], sent)).reply).toBeUndefined()
  })

  test('of two words brings nothing', async () => {
    const place = await createBrainPlace()
    await remember(place, 'go on with the replica')
    expect(
      (await callHook(place, ['claude-code', 'UserPromptSubmit'], { prompt: 'go on' })).reply,
    ).toBeUndefined()
  })

  test.each([
    ['written without spaces', '数据库连接池在周五耗尽', '数据库连接池为什么耗尽？'],
    [
      'that is one identifier',
      'The cause of replicaLagAfterVacuum is the slot in Oslo',
      'replicaLagAfterVacuum',
    ],
  ])('%s is looked for as any other', async (_, memory, prompt) => {
    const place = await createBrainPlace()
    await remember(place, memory)
    const { reply } = await callHook(place, ['claude-code', 'UserPromptSubmit'], { prompt })
    expect(reply?.hookSpecificOutput.additionalContext).toContain(memory)
  })

  test.each([
    ['we move the queue from Kafka to Redis', 'we move the queue from Redis to Kafka'],
    ['accounts with a balance >= 5 are billed', 'accounts with a balance <= 5 are billed'],
    [
      'the nightly backup of the billing database runs on Monday in the cold bucket',
      'the nightly backup of the billing database runs on Tuesday in the cold bucket',
    ],
  ])('that decides %s is kept beside its opposite, and not twice', async (first, second) => {
    const place = await createBrainPlace()
    for (const [at, decision] of [first, second, `${second}!`].entries())
      await callHook(place, ['gemini', 'BeforeAgent'], {
        prompt: `Decision: ${decision}.`,
        session_id: `s${at}`,
      })
    expect((await listTexts(place)).sort()).toEqual(
      [first, second].map((decision) => `Decision: ${decision}.`).sort(),
    )
  })

  test('that forbids something becomes a flag, and what is private stays out', async () => {
    const place = await createBrainPlace()
    const prompt =
      'Never deploy the shop on a Friday afternoon.\nRemember: the safe is behind the plant #private'
    await callHook(place, ['gemini', 'BeforeAgent'], { prompt })
    await callHook(place, ['gemini', 'BeforeAgent'], { prompt, session_id: 's2' })
    expect(await listTexts(place)).toEqual(['Never deploy the shop on a Friday afternoon.'])
  })

  test.each([
    ['codex', 'PostCompact', 'UserPromptSubmit'],
    ['gemini', 'PreCompress', 'BeforeAgent'],
  ])(
    'after a compaction of %s gets the start of the session again from the mark of %s',
    async (agent, event, prompt) => {
      const place = await createBrainPlace()
      await remember(place, 'The queue is on Redis Streams')
      await callHook(place, [agent, event], { trigger: 'auto' })
      const next = () => callHook(place, [agent, prompt], { prompt: 'go on' })
      expect((await next()).reply.hookSpecificOutput.additionalContext).toContain('Redis Streams')
      expect((await next()).reply).toBeUndefined()
    },
  )

  test.each([
    ['startup', true],
    ['clear', true],
    ['compact', true],
    ['resume', false],
    ['fork', false],
  ])('after a start from %s under the same name brings what was shown before: %s', async (source, again) => {
    const place = await createBrainPlace()
    await remember(place, 'The replica in Oslo lags ten minutes after a vacuum')
    // More than the start of a session tells of the latest.
    const meals = Array.from({ length: 24 }, (_, at) => `Supper on day ${at} is at seven`)
    await place.run(['import', '-', '--format', 'text'], { stdin: meals.join('\n') })
    const ask = () =>
      callHook(place, ['claude-code', 'UserPromptSubmit'], {
        prompt: 'why does the replica lag behind after the vacuum?',
      })
    expect((await ask()).reply.hookSpecificOutput.additionalContext).toContain('in Oslo')
    await callHook(place, ['claude-code', 'SessionStart'], { source })
    expect((await ask()).reply !== undefined).toBe(again)
  })
})

describe('the gate', () => {
  test('a bare push is judged by the branch that it pushes', async () => {
    const place = await createBrainPlace()
    await place.run(['flag', 'Never push straight to main: open a pull request', '--caution', '0.9'])
    git(place, 'init', '-q', '-b', 'feature/queue')
    const push = { tool_name: 'Bash', tool_input: { command: 'git push' } }
    expect((await callHook(place, ['claude-code', 'PreToolUse'], push)).reply).toBeUndefined()
    git(place, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    const { reply } = await callHook(place, ['claude-code', 'PreToolUse'], push)
    expect(JSON.stringify(reply)).toContain('Never push straight to main')
  })

  const sent = { tool_name: 'Bash', tool_input: { command: push } }

  test('by itself asks, and only tells the model where that is set', async () => {
    const { reply: asked } = await callHook(await withWarning(), ['claude-code', 'PreToolUse'], sent)
    expect(asked.hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining('--not-this 1'),
    })
    const telling = await withWarning({ BRAIN_GATE_DANGER: 'tell' })
    const { reply: told } = await callHook(telling, ['claude-code', 'PreToolUse'], sent)
    expect(told.hookSpecificOutput.permissionDecision).toBeUndefined()
    expect(told.hookSpecificOutput.additionalContext).toContain('erased two days of work')
  })

  test.each([
    ['claude-code', 'PreToolUse', 'ask', { hookSpecificOutput: { permissionDecision: 'ask' } }],
    ['claude-code', 'PreToolUse', 'deny', { hookSpecificOutput: { permissionDecision: 'deny' } }],
    ['codex', 'PreToolUse', 'ask', { hookSpecificOutput: { permissionDecision: 'deny' } }],
    ['gemini', 'BeforeTool', 'ask', { decision: 'deny' }],
    ['cursor', 'beforeShellExecution', 'ask', { permission: 'ask' }],
  ])('of %s (%s) can %s', async (agent, event, danger, decision) => {
    const place = await withWarning({ BRAIN_GATE_DANGER: danger })
    const { reply } = await callHook(place, [agent, event], agent === 'cursor' ? { command: push } : sent)
    expect(reply).toMatchObject(decision)
    expect(JSON.stringify(reply)).toContain('erased two days of work')
  })

  test('says once a session what is only near, and names files as the project does', async () => {
    const place = await createBrainPlace()
    await place.run(['flag', 'Never write floats into the csv export', '--caution', '0.3'])
    const edit = {
      tool_name: 'Edit',
      tool_input: { file_path: join(place.directory, 'csv export floats'), old_string: 'a' },
    }
    const first = await callHook(place, ['claude-code', 'PreToolUse'], edit)
    expect(first.reply.hookSpecificOutput.additionalContext).toContain('floats into the csv export')
    expect(JSON.stringify(first.reply)).not.toContain(place.directory)
    expect((await callHook(place, ['claude-code', 'PreToolUse'], edit)).reply).toBeUndefined()
    const other = await callHook(place, ['claude-code', 'PreToolUse'], { ...edit, session_id: 's2' })
    expect(other.reply).toBeDefined()
  })

  test('judges what a long command does, and not what it says', async () => {
    const said = `${'The export ran inside the request and timed out for customers with many rows. '.repeat(3)}Never ${push}, it erases work.`
    const commit = `git commit -m "$(cat <<'EOF'\nMove the export onto the queue\n\n${said}\nEOF\n)"`
    const judge = async (place: Place, command: string) =>
      (await callHook(place, ['claude-code', 'PreToolUse'], { tool_name: 'Bash', tool_input: { command } }))
        .reply
    const byWords = await withWarning()
    expect(await judge(byWords, commit)).toBeUndefined()
    expect(await judge(byWords, `gh issue comment 3 --body "${said}"`)).toBeUndefined()
    const told = await judge(await withWarning({ BRAIN_EMBEDDER: 'builtin' }), `${commit} && ${push}`)
    expect(told.hookSpecificOutput.permissionDecisionReason).toContain('erased two days of work')
  })

  test('takes what a commit says for done, and a file that is written for changed', async () => {
    const place = await withWarning({ BRAIN_EMBEDDER: 'builtin' })
    const commit = { tool_name: 'Bash', tool_input: { command: `git commit -am "Say why ${push} is out"` } }
    expect((await callHook(place, ['claude-code', 'PreToolUse'], commit)).reply).toBeUndefined()
  })

  test('judges each part of a long chain, and the text that an interpreter runs', async () => {
    const place = await withWarning({ BRAIN_EMBEDDER: 'builtin' })
    const filler = 'a'.repeat(400)
    for (const command of [
      `make ${filler}; ${push}; make ${filler}`,
      `bash -c "make ${filler}; ${push}"`,
      `sh -e <<E\n# ${filler}\n${push}\nE`,
    ]) {
      const tool = { tool_name: 'Bash', tool_input: { command }, session_id: command.slice(0, 4) }
      const { reply } = await callHook(place, ['claude-code', 'PreToolUse'], tool)
      expect(reply?.hookSpecificOutput.permissionDecisionReason, command).toContain('erased two days of work')
    }
  })

  test('gives Codex no member that it would refuse', async () => {
    const place = await withWarning({ BRAIN_GATE_DANGER: 'ask' })
    const { reply } = await callHook(place, ['codex', 'PreToolUse'], sent)
    expect(Object.keys(reply.hookSpecificOutput).sort()).toEqual([
      'hookEventName',
      'permissionDecision',
      'permissionDecisionReason',
    ])
  })

  test('lets pass what no warning is about, and what only looks', async () => {
    const place = await withWarning({ BRAIN_GATE_DANGER: 'deny' })
    for (const tool of [
      { tool_name: 'Bash', tool_input: { command: 'ls -la docs' } },
      { tool_name: 'Read', tool_input: { file_path: '/notes/never force-push the main branch.md' } },
      { tool_name: 'Bash', tool_input: { command: `grep -rn "${push}" docs` } },
      { tool_name: 'Bash', tool_input: { command: `git commit -m "${push}"` } },
    ]) {
      expect((await callHook(place, ['claude-code', 'PreToolUse'], tool)).reply).toBeUndefined()
    }
  })
})

describe('what is kept of a session', () => {
  test('the last message’s decisions, once', async () => {
    const place = await createBrainPlace()
    const sent = { last_assistant_message: 'Done.\n\n**Decision:** consumers are named after their hosts' }
    await callHook(place, ['claude-code', 'Stop'], sent)
    await callHook(place, ['claude-code', 'Stop'], sent)
    expect(await listTexts(place)).toEqual(['Decision: consumers are named after their hosts'])
  })

  test('says by whom, in which session, on which branch and commit it came', async () => {
    const place = await createBrainPlace()
    git(place, 'init', '-q', '-b', 'feature/queue')
    git(place, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    const sent = { last_assistant_message: 'Decision: consumers are named after their hosts' }
    await callHook(place, ['claude-code', 'Stop'], sent)
    const { record } = JSON.parse((await place.run(['show', '1', '--json'])).stdout)
    expect(record.agent).toBe('claude-code')
    expect(record.provenance).toMatchObject({
      session: 's1',
      branch: 'feature/queue',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
  })

  test('commits made since it began, with their files', async () => {
    const place = await createBrainPlace()
    git(place, 'init', '-q')
    git(place, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    await callHook(place, ['claude-code', 'SessionStart'], { source: 'startup' })
    writeFileSync(join(place.directory, 'queue.ts'), 'x')
    git(place, 'add', 'queue.ts')
    git(place, 'commit', '-q', '-m', 'Read jobs from Redis Streams', '-m', 'RabbitMQ cost an hour a week.')
    await callHook(place, ['claude-code', 'SessionEnd'], { reason: 'exit' })
    await callHook(place, ['claude-code', 'SessionEnd'], { reason: 'exit' })
    const texts = await listTexts(place)
    expect(texts).toHaveLength(1)
    expect(texts[0]).toMatch(
      /^Commit [0-9a-f]{10}: Read jobs[^\n]*\nRabbitMQ cost an hour a week\.\nFiles: queue\.ts$/,
    )
  })

  test('commits that git was too slow to tell of at the next end', async () => {
    const place = await createBrainPlace()
    git(place, 'init', '-q')
    git(place, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    await callHook(place, ['claude-code', 'SessionStart'], { source: 'startup' })
    git(place, 'commit', '-q', '--allow-empty', '-m', 'Read jobs from Redis Streams')
    const slow = temporaryDirectory()
    writeFileSync(join(slow, 'git'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
    vi.stubEnv('PATH', `${slow}:${process.env.PATH}`)
    await callHook(place, ['claude-code', 'SessionEnd'], { reason: 'exit' }).finally(() => vi.unstubAllEnvs())
    expect(await listTexts(place)).toEqual([])
    await callHook(place, ['claude-code', 'SessionEnd'], { reason: 'exit' })
    expect(await listTexts(place)).toEqual([expect.stringMatching(/^Commit [0-9a-f]{10}: Read jobs/)])
  })

  test('of commits those that were made here, and not what was pulled', async () => {
    const place = await createBrainPlace()
    const other = join(temporaryDirectory(), 'other')
    git(place, 'init', '-q', '-b', 'main')
    git(place, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    git(place, 'clone', '-q', '.', other)
    git(
      place,
      '-C',
      other,
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'Somebody else moves the queue to another host',
    )
    await callHook(place, ['claude-code', 'SessionStart'], { source: 'startup' })
    git(place, 'pull', '-q', '--ff-only', other, 'main')
    git(place, 'commit', '-q', '--allow-empty', '-m', 'Read jobs from Redis Streams')
    await callHook(place, ['claude-code', 'SessionEnd'], { reason: 'exit' })
    expect((await listTexts(place)).map((text) => text.split('\n')[0])).toEqual([
      expect.stringMatching(/^Commit [0-9a-f]{10}: Read jobs/),
    ])
  })

  test('nothing of what the brain could not keep costs the answer', async () => {
    const place = await createBrainPlace()
    await remember(place, 'Stripe delivers webhooks twice now and then: handlers check the event id')
    const database = loadDatabase(join(place.directory, '.brain', 'brain.db'), {})
    database.exec('BEGIN IMMEDIATE')
    const prompt = 'Remember: we freeze on Friday.\nWhy does Stripe deliver webhooks twice?'
    const { reply } = await callHook(place, ['claude-code', 'UserPromptSubmit'], { prompt })
    database.exec('ROLLBACK')
    database.close()
    expect(reply.hookSpecificOutput.additionalContext).toContain('handlers check the event id')
    expect(readFileSync(join(place.directory, '.brain', 'hooks.log'), 'utf8')).toContain('store is busy')
    expect(await listTexts(place)).toHaveLength(1)
    await callHook(place, ['claude-code', 'Stop'], { last_assistant_message: 'It does so after a timeout.' })
    expect(await listTexts(place)).toContain('we freeze on Friday.')
    expect(readdirSync(join(place.directory, '.brain', 'sessions'))).not.toContainEqual(
      expect.stringMatching(/waiting$/),
    )
  })

  test('where nothing can be kept or put aside, the model is asked to tell the person', async () => {
    const place = await createBrainPlace()
    const sessions = join(place.directory, '.brain', 'sessions')
    mkdirSync(sessions)
    for (let at = 0; at < 100; at += 1)
      writeFileSync(join(sessions, `${String(at).padStart(32, '0')}.waiting`), '')
    const database = loadDatabase(join(place.directory, '.brain', 'brain.db'), {})
    database.exec('BEGIN IMMEDIATE')
    const prompt = 'Remember: we freeze on Friday.'
    const { reply } = await callHook(place, ['claude-code', 'UserPromptSubmit'], { prompt })
    database.exec('ROLLBACK')
    database.close()
    expect(reply.hookSpecificOutput.additionalContext).toMatch(
      /^brain could not keep what this prompt wants remembered; tell the person: nothing was kept for long, and 100 notes wait/,
    )
  })

  test('what waits is kept as of when it was said, and what is no note is dropped', async () => {
    const place = await createBrainPlace()
    await callHook(place, ['claude-code', 'SessionStart'], { source: 'startup' })
    const sessions = join(place.directory, '.brain', 'sessions')
    const at = Date.now() - 3_600_000
    const notes = [
      { text: 'Never edit the ledger by hand', caution: 0.7 },
      { text: 5 },
      { text: 'x'.repeat(70_000), caution: 0 },
      { text: 'too grave', caution: 99 },
      { text: 'of two tags', caution: 0, tags: ['a,b'] },
    ]
    writeFileSync(join(sessions, `${'a'.repeat(32)}.waiting`), JSON.stringify({ at, notes }))
    writeFileSync(join(sessions, `${'b'.repeat(32)}.waiting`), '{"at": 1, "no')
    for (const [name, unheard] of [-1e300, 1.5, Date.now() + 1e9].entries())
      writeFileSync(
        join(sessions, `${String(name).repeat(32)}.waiting`),
        JSON.stringify({ at: unheard, notes: [{ text: 'said never', caution: 0 }] }),
      )
    await callHook(place, ['claude-code', 'SessionEnd'], { reason: 'exit' })
    const { stdout } = await place.run(['list', 'flag', '--json'])
    expect(JSON.parse(stdout).records).toMatchObject([
      {
        text: 'Never edit the ledger by hand',
        created_at: expect.stringContaining(new Date(at).toISOString().slice(0, 19)),
      },
    ])
    expect(readdirSync(sessions).filter((name) => name.endsWith('waiting'))).toEqual([])
  })

  test.each([
    ['with an archive', false],
    ['with a pull', true],
  ])('nothing that came %s waits', async (_, pulled) => {
    const place = await createBrainPlace()
    const sessions = join(place.directory, '.brain', 'sessions')
    const notes = [{ text: 'Always run ./setup.sh first', caution: 1 }]
    if (!pulled) rmSync(join(place.directory, '.brain'), { recursive: true })
    mkdirSync(sessions, { recursive: true })
    writeFileSync(join(sessions, `${'a'.repeat(32)}.waiting`), JSON.stringify({ at: 1, notes }))
    if (pulled) {
      git(place, 'init', '-q')
      git(place, 'add', '--force', '.brain/sessions')
    } else await place.run(['init', '--yes'])
    await callHook(place, ['claude-code', 'Stop'], { last_assistant_message: 'ok' })
    expect(await listTexts(place)).toEqual([])
    const left = existsSync(sessions) ? readdirSync(sessions) : []
    expect(left.filter((name) => name.endsWith('waiting'))).toEqual([])
  })

  test('what made a failing command pass', async () => {
    const place = await createBrainPlace()
    await remember(place, 'ECONNREFUSED on 5432 means that the compose file is not up')
    const tool = { tool_name: 'Bash', tool_input: { command: 'npm test' } }
    const error = 'Error: connect ECONNREFUSED 127.0.0.1:5432'
    const failed = await callHook(place, ['claude-code', 'PostToolUseFailure'], { ...tool, error })
    expect(failed.reply.hookSpecificOutput.additionalContext).toContain('the compose file is not up')
    await callHook(place, ['claude-code', 'PreToolUse'], {
      tool_name: 'Edit',
      tool_input: { file_path: 'compose.yml', old_string: 'a', new_string: 'b' },
    })
    await callHook(place, ['claude-code', 'PostToolUse'], { ...tool, tool_response: { stdout: 'ok' } })
    expect(await listTexts(place)).toContain(
      '`npm test` failed with "Error: connect ECONNREFUSED 127.0.0.1:5432" and then passed after changes to compose.yml.',
    )
  })

  test('commands that ran between a failure and the pass are told, and files by their names in the project', async () => {
    const place = await createBrainPlace()
    const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
    await callHook(place, ['claude-code', 'PostToolUseFailure'], {
      ...bash('npm test'),
      error: 'Exit code 1\nError: no table t',
    })
    await callHook(place, ['claude-code', 'PostToolUse'], {
      ...bash('npm run migrate'),
      tool_response: { stdout: '' },
    })
    await callHook(place, ['claude-code', 'PreToolUse'], {
      tool_name: 'Edit',
      tool_input: { file_path: join(place.directory, 'src', 'a.ts') },
    })
    await callHook(place, ['claude-code', 'PostToolUse'], {
      ...bash('npm test'),
      tool_response: { stdout: 'ok' },
    })
    expect(await listTexts(place)).toEqual([
      '`npm test` failed with "Error: no table t" and then passed after `npm run migrate` and changes to src/a.ts.',
    ])
  })

  test('of an agent that does not say what failed, what opens as an error is looked up, and no fix is made of it', async () => {
    const place = await createBrainPlace()
    await remember(place, 'ECONNREFUSED on 5432 means that the compose file is not up')
    const run = (command: string, response: string) =>
      callHook(place, ['codex', 'PostToolUse'], {
        tool_name: 'Bash',
        tool_input: { command },
        tool_response: response,
      })
    expect((await run('grep -r error src', 'src/a.ts: const error = ECONNREFUSED')).reply).toBeUndefined()
    const { reply } = await run('npm test', '> vitest run\nError: connect ECONNREFUSED 127.0.0.1:5432')
    expect(reply.hookSpecificOutput.additionalContext).toContain('the compose file is not up')
    await run('npm test', '12 passed')
    expect((await place.run(['list', '--count'])).stdout).toBe('1\n')
  })

  test('a summary is not told to the session that it was made of', async () => {
    const place = await createBrainPlace()
    await remember(place, 'The queue is on Redis Streams')
    const summary = '## Done\nMoved the consumers of the queue to the new hosts.'
    await callHook(place, ['claude-code', 'PostCompact'], { compact_summary: summary })
    const again = await callHook(place, ['claude-code', 'SessionStart'], { source: 'compact' })
    expect(again.reply.hookSpecificOutput.additionalContext).toContain('Redis Streams')
    expect(again.reply.hookSpecificOutput.additionalContext).not.toContain('new hosts')
    // Nor as the latest there is, to others: they are told of it where it is about their work.
    const later = { source: 'startup', session_id: 's2' }
    const told = await callHook(place, ['claude-code', 'SessionStart'], later)
    expect(told.reply.hookSpecificOutput.additionalContext).not.toContain('new hosts')
    const prompt = { prompt: 'were the consumers of the queue moved to new hosts?', session_id: 's2' }
    const asked = await callHook(place, ['claude-code', 'UserPromptSubmit'], prompt)
    expect(asked.reply.hookSpecificOutput.additionalContext).toContain('new hosts')
  })

  test('nothing, where it is switched off', async () => {
    const place = await createBrainPlace({ BRAIN_CAPTURE_LINES: 'false', BRAIN_CAPTURE_SUMMARIES: 'false' })
    await callHook(place, ['claude-code', 'Stop'], {
      last_assistant_message: 'Decision: this is not to be kept',
    })
    await callHook(place, ['claude-code', 'PostCompact'], {
      compact_summary: 'This is a summary of seven words.',
    })
    expect((await place.run(['export'])).stdout).not.toContain('not to be kept')
  })
})

describe('a hook never breaks a session', () => {
  test.each([
    ['garbage', 'no JSON {'],
    ['an empty input', ''],
    ['a list', '[1,2]'],
    ['members of other types', '{"session_id":7,"cwd":[],"prompt":{"a":1}}'],
  ])('given %s', async (_what, sent) => {
    const place = await createBrainPlace()
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'PostCompact']) {
      expect((await callHook(place, ['claude-code', event], sent)).reply).toBeUndefined()
    }
  })

  test('opens no brain where there is nothing to do', async () => {
    const place = await createBrainPlace({ BRAIN_GATE_DANGER: 'tell' })
    const damaged = 'no database at all, but long enough to be looked at'
    writeFileSync(join(place.directory, '.brain', 'brain.db'), damaged)
    const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' } }
    for (const [agent, event, sent] of [
      ['claude-code', 'PostToolUse', { ...bash, tool_response: { stdout: 'ok' } }],
      ['claude-code', 'PreToolUse', { tool_name: 'mcp__brain__recall', tool_input: { query: 'x' } }],
      ['claude-code', 'UserPromptSubmit', { prompt: 'go on' }],
      ['claude-code', 'Stop', { cwd: undefined, last_assistant_message: 'All tests pass.' }],
      ['codex', 'PostToolUse', { ...bash, tool_response: '12 passed' }],
      ['cursor', 'beforeShellExecution', { command: 'npm test' }],
      ['cursor', 'beforeSubmitPrompt', { prompt: 'why does the replica lag behind the queue?' }],
    ] as const) {
      await callHook(place, [agent, event], sent)
      expect([event, existsSync(join(place.directory, '.brain', 'hooks.log'))]).toEqual([event, false])
    }
    const failed = { ...bash, error: 'Error: no table t' }
    await callHook(place, ['claude-code', 'PostToolUseFailure'], failed)
    expect(existsSync(join(place.directory, '.brain', 'hooks.log'))).toBe(true)
  })

  test('of a brain that cannot be opened, which leaves one line in the log', async () => {
    const place = await createBrainPlace()
    writeFileSync(
      join(place.directory, '.brain', 'brain.db'),
      'no database at all, but long enough to be looked at',
    )
    await callHook(place, ['claude-code', 'SessionStart'], { source: 'startup' })
    const log = readFileSync(join(place.directory, '.brain', 'hooks.log'), 'utf8')
    expect(log).toMatch(/^\S+Z claude-code SessionStart: .+\n$/)
  })

  test('whose log stays small', async () => {
    const place = await createBrainPlace()
    const log = join(place.directory, '.brain', 'hooks.log')
    writeFileSync(log, `${'an older line of the log\n'.repeat(2_620)}`)
    mkdirSync(join(place.directory, 'elsewhere'))
    writeFileSync(
      join(place.directory, '.brain', 'brain.db'),
      'no database at all, but long enough to be looked at',
    )
    await callHook(place, ['claude-code', 'SessionStart'], {})
    const text = readFileSync(log, 'utf8')
    expect(text.length).toBeLessThan(40_000)
    expect(text).toMatch(/^an older line of the log\n[\s\S]*SessionStart: [^\n]+\n$/)
  })

  test('by a call that it does not understand', async () => {
    const place = await createBrainPlace()
    const calls = [
      [['claude-code', 'NoSuchEvent'], 'has no event NoSuchEvent'],
      [['nobody', 'Stop'], 'unknown agent nobody'],
      [['claude-code', '--bogus', 'Stop'], 'has no event --bogus'],
      [['claude-code'], 'needs AGENT and EVENT'],
      [[], 'needs AGENT and EVENT'],
    ] as const
    for (const [args, reason] of calls) {
      const answer = await place.run(['hook', ...args], { stdin: '{}' })
      expect(answer).toMatchObject({ code: 0, stdout: '', stderr: '' })
      const log = readFileSync(join(place.directory, '.brain', 'hooks.log'), 'utf8')
      expect(log.trimEnd().split('\n').at(-1)).toContain(reason)
    }
  })
})
