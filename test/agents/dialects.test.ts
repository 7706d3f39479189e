/** What is said to each agent, against what it publishes of its hooks. */
import { describe, expect, test } from 'vitest'
import { Payload } from '../../src/agents/hooks/dialect.ts'
import { findDialect } from '../../src/agents/hooks/index.ts'
import { agentNames } from '../../src/agents/names.ts'
import { isReadOnly } from '../../src/agents/read-only-commands.ts'
import { operations } from '../../src/operations/index.ts'
import { outputs } from './published.ts'

const reason = 'A recorded warning applies: read flag 3'
const gates = (['ask', 'deny', 'tell'] as const).map((decision) => ({ gate: { decision, reason } }))
const context = { context: "From this project's brain:\n- memory 1, 2026-01-02: x" }

test('every event that is answered is in the list of what its agent takes', () => {
  expect(agentNames.toSorted()).toEqual(Object.keys(outputs).toSorted())
  for (const agent of agentNames)
    expect(Object.keys(findDialect(agent)?.events ?? {}).toSorted()).toEqual(
      Object.keys(outputs[agent] ?? {}).toSorted(),
    )
})

const cases = Object.entries(outputs).flatMap(([agent, events]) =>
  Object.entries(events).map(([event, output]) => [agent, event, output] as const),
)

test.each(cases)('%s takes what we say at %s, whatever that is', (agent, event, output) => {
  const dialect = findDialect(agent)
  const replies =
    dialect?.events[event] === 'before-tool' ? [...gates, { ...gates[0], ...context }] : [context]
  for (const reply of [...replies, {}]) {
    const said = dialect?.write(event, reply)
    if (said === undefined) continue
    expect(output.safeParse(said), `${JSON.stringify(reply)} as ${JSON.stringify(said)}`).toMatchObject({
      success: true,
    })
    // One line of JSON, nothing else.
    expect(JSON.parse(JSON.stringify(said))).toEqual(said)
  }
})

test('context is said wherever an agent takes it', () => {
  const heard = cases.flatMap(([agent, event]) =>
    findDialect(agent)?.write(event, context) === undefined ? [] : [`${agent} ${event}`],
  )
  expect(heard).toEqual([
    'claude-code SessionStart',
    'claude-code UserPromptSubmit',
    'claude-code PreToolUse',
    'claude-code PostToolUse',
    'claude-code PostToolUseFailure',
    'codex SessionStart',
    'codex UserPromptSubmit',
    'codex PreToolUse',
    'codex PostToolUse',
    'gemini SessionStart',
    'gemini BeforeAgent',
    'gemini AfterTool',
    'cursor sessionStart',
  ])
})

test('no context is longer than its agent takes', () => {
  const long = { context: 'word '.repeat(4_000) }
  const lengthOf = (agent: string, event: string) =>
    JSON.stringify(findDialect(agent)?.write(event, long)).length
  expect(lengthOf('claude-code', 'SessionStart')).toBeLessThan(10_200)
  expect(lengthOf('codex', 'SessionStart')).toBeLessThan(7_700)
  const beside = { ...long, gate: { decision: 'ask', reason } } as const
  expect(JSON.stringify(findDialect('claude-code')?.write('PreToolUse', beside)).length).toBeLessThan(10_400)
})

const reads = (agent: string, event: string, sent: object) =>
  findDialect(agent)?.read(event, new Payload({ session_id: 's', ...sent }))

test('a turn that goes on because of a hook is not kept again', () => {
  const sent = { last_assistant_message: 'Decision: x' }
  expect(reads('claude-code', 'Stop', sent)?.lastMessage).toBe('Decision: x')
  expect(reads('claude-code', 'Stop', { ...sent, stop_hook_active: false })?.lastMessage).toBe('Decision: x')
  expect(reads('claude-code', 'Stop', { ...sent, stop_hook_active: 'no' })?.lastMessage).toBe('Decision: x')
  expect(reads('claude-code', 'Stop', { ...sent, stop_hook_active: true })?.lastMessage).toBeUndefined()
})

test('what Cursor calls by the settings of Claude Code is left to its own hooks', () => {
  expect(reads('claude-code', 'UserPromptSubmit', { prompt: 'x', cursor_version: '2.4' })).toEqual({
    moment: 'nothing',
    session: 's',
    directory: undefined,
  })
})

test('Cursor is where it says, else in the first of its directories', () => {
  const roots = { workspace_roots: ['/work', '/other'] }
  expect(reads('cursor', 'sessionStart', { ...roots, cwd: '/work/app' })?.directory).toBe('/work/app')
  expect(reads('cursor', 'sessionStart', { ...roots, cwd: '' })?.directory).toBe('/work')
  expect(reads('cursor', 'sessionStart', { workspace_roots: [7] })?.directory).toBeUndefined()
})

test('what only is near to a warning is told by Gemini CLI and stops nothing', () => {
  const said = (decision: 'ask' | 'deny' | 'tell') =>
    findDialect('gemini')?.write('BeforeTool', { gate: { decision, reason } })
  expect(said('tell')).toEqual({ systemMessage: reason })
  for (const decision of ['ask', 'deny'] as const)
    expect(said(decision)).toEqual({ decision: 'deny', reason })
})

test('words are a command only where a shell takes them, and a path of another place keeps its name', () => {
  const tool = (tool_name: string, tool_input: object) =>
    reads('codex', 'PreToolUse', { cwd: process.cwd(), tool_name, tool_input })?.tool
  expect(tool('shell', { command: ['git', 'push'] })?.command).toBe('git push')
  expect(tool('mcp__x__run', { command: ['git', 'push'] })?.command).toBeUndefined()
  expect(tool('Write', { file_path: '../a.ts' })?.paths).toEqual(['../a.ts'])
  expect(tool('Write', { file_path: `${process.cwd()}/src/a.ts` })?.paths).toEqual(['src/a.ts'])
})

describe('whether a command failed', () => {
  const failed = (agent: string, event: string, sent: object) =>
    findDialect(agent)?.read(event, new Payload({ session_id: 's', cwd: '/work', ...sent })).tool?.failed
  const command = { tool_input: { command: 'npm test' } }

  test('is told by an event of its own, a code, or an error', () => {
    const claude = {
      tool_name: 'Bash',
      ...command,
      tool_response: { stdout: 'ok', stderr: '', interrupted: false },
    }
    expect(failed('claude-code', 'PostToolUse', claude)).toBe(false)
    expect(
      failed('claude-code', 'PostToolUseFailure', { tool_name: 'Bash', ...command, error: 'Exit code 1' }),
    ).toBe(true)
    expect(
      failed('codex', 'PostToolUse', { tool_name: 'Bash', ...command, tool_response: { exit_code: 2 } }),
    ).toBe(true)
    const gemini = (response: object) =>
      failed('gemini', 'AfterTool', { tool_name: 'run_shell_command', ...command, tool_response: response })
    expect(gemini({ llmContent: 'Command: npm test\nOutput: no table t\nExit Code: 1' })).toBe(true)
    expect(gemini({ llmContent: 'Command: npm test\nOutput: 12 passed' })).toBe(false)
    expect(gemini({ llmContent: '', error: { message: 'spawn ENOENT' } })).toBe(true)
    const shell = { tool_name: 'Shell', ...command }
    expect(failed('cursor', 'postToolUseFailure', { ...shell, error_message: 'no table t' })).toBe(true)
    expect(failed('cursor', 'postToolUse', { ...shell, tool_output: '{"output":"ok","exitCode":0}' })).toBe(
      false,
    )
  })

  test('is not guessed where the agent does not say', () => {
    // Codex hands out what a command printed, as a text.
    const sent = { tool_name: 'Bash', ...command, tool_response: 'Error: no table t' }
    expect(failed('codex', 'PostToolUse', sent)).toBeUndefined()
    const answered = { ...sent, tool_response: { output: 'x', is_error: 'no' } }
    expect(failed('codex', 'PostToolUse', answered)).toBeUndefined()
    // What a command printed at length says nothing of itself.
    const printed = `${'a line of a log\n'.repeat(30)}Exit code: 1\n`
    expect(failed('codex', 'PostToolUse', { ...sent, tool_response: printed })).toBeUndefined()
  })
})

test('of a patch the files that it changes are judged, and not what it writes into them', () => {
  const patch =
    '*** Begin Patch\n*** Update File: /work/src/a.ts\n+drop table users\n*** Delete File: b.ts\n*** End Patch'
  const sent = { session_id: 's', cwd: '/work', tool_name: 'apply_patch', tool_input: { command: patch } }
  const { tool } = findDialect('codex')?.read('PreToolUse', new Payload(sent)) ?? {}
  expect(tool).toEqual({
    name: 'apply_patch',
    action: 'apply_patch\nupdate src/a.ts\ndelete b.ts',
    paths: ['src/a.ts', 'b.ts'],
  })
})

test.each([
  ['codex', 'PostToolUse', 'Exit code: 1\nWall time: 0.2 s\nOutput:\nboom', true],
  ['codex', 'PostToolUse', 'Process exited with code 0\nok', false],
  [
    'gemini',
    'AfterTool',
    { llmContent: 'Output: go: boom\nError: (none)\nExit Code: 1\nSignal: (none)' },
    true,
  ],
])('%s tells in words whether a command failed', (agent, event, response, failed) => {
  const sent = {
    session_id: 's',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_response: response,
  }
  const { tool } = findDialect(agent)?.read(event, new Payload(sent)) ?? {}
  expect(tool?.failed).toBe(failed)
  expect(tool?.output).not.toMatch(/\(none\)|^Output:.*boom/)
})

test.each([
  ['/work/prod.yaml', 'prod.yaml'],
  ['/work/..prod.yaml', '..prod.yaml'],
  ['/worker/prod.yaml', '/worker/prod.yaml'],
])('%s, which is written whole, is judged as %s that is changed', (path, called) => {
  const sent = { session_id: 's', cwd: '/work', tool_name: 'Write', tool_input: { file_path: path } }
  const { tool } = findDialect('claude-code')?.read('PreToolUse', new Payload(sent)) ?? {}
  expect(tool).toMatchObject({ name: 'Write', action: `Edit ${called}` })
})

test.each(['mcp__brain__recall', 'mcp__plugin_brain_brain__assess', 'mcp_brain_remember', 'Read', 'Glob'])(
  'a call of %s is left alone',
  (name) => {
    expect(isReadOnly({ name })).toBe(true)
  },
)

test.each([
  'Bash',
  'Edit',
  'mcp__github__delete_branch',
  'mcp__brainstorm__post',
  'mcp__brain_evil__recall',
  'mcp_brain_evil_run',
  'write_file',
])('a call of %s is judged', (name) => {
  expect(isReadOnly({ name })).toBe(false)
})

test.each(operations.map(({ name }) => name))('a call of our own %s is left alone', (name) => {
  expect(isReadOnly({ name: `mcp__brain__${name}` })).toBe(true)
})

test.each([
  'ls -la src',
  'cd src && git status --short && git diff HEAD~1 -- a.ts | head -40',
  "sed -n '1,80p' src/a.ts",
  "sed -n '$p' src/a.ts b.ts",
  'date +%s',
  'grep -rn "drop table|truncate" src 2>/dev/null; wc -l src/*.ts',
  'git log --oneline -5 2>&1 | cat',
  'git branch -a',
  "find . -name '*.ts' -newer a.ts | sort | uniq -c",
  'docker ps',
  'grep -rno "a" --include="*.ts" "$HOME"/src',
  "find . \\( -name '*.a' -o -name '*.b' \\)",
  "grep 'a' b'; rm -rf dist; '",
])('the command %s only looks', (command) => {
  expect(isReadOnly({ name: 'Bash', command })).toBe(true)
})

test.each([
  'cat a.sql | psql prod',
  'ls > out.txt',
  'ls; rm -rf dist',
  'ls & rm -rf dist',
  'ls\nrm -rf dist',
  'echo $(rm -rf dist)',
  'echo "$(rm -rf dist)"',
  'echo `rm -rf dist`',
  'cat <(rm -rf dist)',
  "grep a\\' b; rm -rf dist; echo \\'",
  "echo $'\\''; rm -rf dist; echo '",
  "ls # it's\nrm -rf dist # it's",
  "find . -name '*.ts' -delete",
  'find . -exec rm {} +',
  'sort -o a.txt a.txt',
  'sort --output=a.txt a.txt',
  'sort -uo a.txt a.txt',
  'uniq a.txt b.txt',
  'rg --pre ./run x',
  "rg '--pre' ./run x",
  "find . -'delete'",
  'find src ""-delete',
  'find src $X-delete',
  'find src -delet$@e',
  'find . -fprint0 src/a',
  'sed -n 1p -i src/a',
  "sed -n 1p -e '1e rm -rf src' README",
  "sed -n 1p README -e 'w src/a'",
  'git log >&2"src/a"',
  'rg --hostname-bin ./run --hyperlink-format default x',
  'sort --compress-prog=./run -S1 a.txt',
  'tree -o a.txt',
  'date 010112002026',
  'find . \\-delete',
  'git branch -D main',
  'git diff --output=a.txt',
  "sed -i 's/a/b/' a.ts",
  "sed -n 's/a/b/w c' a.ts",
  'PAGER=./run git log',
  'lsof',
  'npm test',
  `ls${' '.repeat(1_000)}`,
  '',
])('the command %s is judged', (command) => {
  expect(isReadOnly({ name: 'Bash', command })).toBe(false)
})
