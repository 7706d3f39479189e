/**
 * One session in each agent's own words, from start to end: what it sends to hooks at each event, with all the members that
 * it documents (docs/agents.md says where). The work is the same in all: an export is mended, a test fails and passes.
 */

/** What is sent at an event, and what happens in the directory before it. */
export interface Recorded {
  readonly event: string
  readonly sent: object
  readonly before?: 'commit'
}

export const session = '8e6f6c0a-3a55-4b7e-9c1d-0f6f2d1c7a11'
/** Put together here so that no scanner of repositories takes it for a lost one. */
export const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const prompt =
  'The invoice export writes amounts as floats. Please make it integer cents and add a test. Never change the public signature of exportInvoices.'
const testCommand = 'npm test -- export'
const failure =
  'Exit code 1\n> shop@1.4.0 test\n> vitest run export\n\nError: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect'
const lastMessage = `The export writes integer cents now, and the test passes.

**Decision:** amounts are rounded half to even, as the bank does it.

Remember: the staging token is ${token} until Friday.

Shall I push the branch?`
const push = 'git push --force origin main'

const summary = `<analysis>
The user wants integer cents. I should keep the signature.
</analysis>
<summary>
1. Primary Request and Intent:
   The invoice export has to write amounts as integer cents, with a test, and exportInvoices keeps its signature.

2. Key Technical Concepts:
   - TypeScript, vitest, Postgres in docker compose

3. Errors and fixes:
   - ECONNREFUSED 5432 in the tests: the compose database was not up, \`docker compose up -d db\` starts it.

4. All user messages:
   - ${prompt}

5. Current Work:
   Writing the test of csv.ts.

6. Optional Next Step:
   Push the branch.
</summary>`

/** Claude Code. */
export function claudeCode(directory: string): Recorded[] {
  const base = {
    session_id: session,
    transcript_path: `/home/ada/.claude/projects/shop/${session}.jsonl`,
    cwd: directory,
    permission_mode: 'default',
  }
  const bash = (command: string) => ({
    tool_name: 'Bash',
    tool_input: { command, description: 'Run it', timeout: 120_000 },
    tool_use_id: 'toolu_01ABC',
  })
  const event = (name: string, sent: object, before?: 'commit'): Recorded => ({
    event: name,
    sent: { ...base, hook_event_name: name, ...sent },
    ...(before && { before }),
  })
  const passed = { stdout: 'ok', stderr: '', interrupted: false, isImage: false }
  return [
    event('SessionStart', { source: 'startup', model: 'claude-sonnet-4-5' }),
    event('UserPromptSubmit', { prompt }),
    event('PreToolUse', { ...bash('git status --short') }),
    event('PostToolUse', { ...bash('git status --short'), tool_response: passed, duration_ms: 40 }),
    event('PreToolUse', {
      tool_name: 'mcp__brain__recall',
      tool_input: { query: 'how are amounts in the invoice export written' },
      tool_use_id: 'toolu_01ABD',
    }),
    event('PreToolUse', bash(testCommand)),
    event('PostToolUseFailure', { ...bash(testCommand), error: failure, is_interrupt: false }),
    event('PreToolUse', bash('docker compose up -d db')),
    event('PostToolUse', { ...bash('docker compose up -d db'), tool_response: passed }),
    event('PreToolUse', {
      tool_name: 'Edit',
      tool_input: {
        file_path: `${directory}/src/csv.ts`,
        old_string: 'amount.toFixed(2)',
        new_string: 'Math.round(amount * 100)',
        replace_all: false,
      },
      tool_use_id: 'toolu_01ABE',
    }),
    event('PreToolUse', bash(testCommand)),
    event('PostToolUse', { ...bash(testCommand), tool_response: passed }),
    event('PreToolUse', bash(push)),
    event('PreToolUse', bash(push)),
    event('Stop', { stop_hook_active: false, last_assistant_message: lastMessage }, 'commit'),
    event('PostCompact', { trigger: 'auto', compact_summary: summary }),
    event('SessionStart', { source: 'compact', model: 'claude-sonnet-4-5' }),
    event('UserPromptSubmit', { prompt: 'go on' }),
    event('UserPromptSubmit', { prompt: 'since which audit are invoice amounts integer cents?' }),
    event('Stop', { stop_hook_active: true, last_assistant_message: 'Decision: this was kept before.' }),
    event('SessionEnd', { reason: 'prompt_input_exit' }),
  ]
}

/** Codex: no event of its own for failures, a patch in the place of an edit, no summary after a compaction. */
export function codex(directory: string): Recorded[] {
  const base = {
    session_id: session,
    transcript_path: `/home/ada/.codex/sessions/2026/11/22/rollout-${session}.jsonl`,
    cwd: directory,
    model: 'gpt-5.2-codex',
  }
  const event = (name: string, sent: object, before?: 'commit'): Recorded => ({
    event: name,
    sent: {
      ...base,
      hook_event_name: name,
      ...(name !== 'SessionStart' && { turn_id: 'turn-1' }),
      ...(name !== 'PostCompact' && { permission_mode: 'default' }),
      ...sent,
    },
    ...(before && { before }),
  })
  const bash = (command: string) => ({
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'call_1',
  })
  const patch = `*** Begin Patch
*** Update File: src/csv.ts
@@
-  amount.toFixed(2)
+  Math.round(amount * 100)
*** Add File: test/csv.test.ts
+// never force-push the main branch
*** End Patch`
  return [
    event('SessionStart', { source: 'startup' }),
    event('UserPromptSubmit', { prompt }),
    event('PreToolUse', bash(testCommand)),
    event('PostToolUse', { ...bash(testCommand), tool_response: failure.replace('Exit code 1\n', '') }),
    event('PreToolUse', {
      tool_name: 'apply_patch',
      tool_input: { command: patch },
      tool_use_id: 'call_2',
    }),
    event('PreToolUse', bash(push)),
    event('Stop', { stop_hook_active: false, last_assistant_message: lastMessage }, 'commit'),
    event('PostCompact', { trigger: 'auto' }),
    event('UserPromptSubmit', { prompt: 'go on' }),
    event('Stop', { stop_hook_active: false, last_assistant_message: null }),
  ]
}

/** Gemini CLI: the code of a failed command in its output, and a compression that tells nothing afterwards. */
export function gemini(directory: string): Recorded[] {
  const base = {
    session_id: session,
    transcript_path: `/home/ada/.gemini/tmp/shop/chats/${session}.json`,
    cwd: directory,
    timestamp: '2026-11-22T10:00:00.000Z',
  }
  const event = (name: string, sent: object, before?: 'commit'): Recorded => ({
    event: name,
    sent: { ...base, hook_event_name: name, ...sent },
    ...(before && { before }),
  })
  const shell = (command: string) => ({
    tool_name: 'run_shell_command',
    tool_input: { command, description: 'Run it' },
  })
  const answered = (output: string, code = 0) => ({
    tool_response: {
      llmContent: `Command: ${testCommand}\nDirectory: (root)\nOutput: ${output}${code === 0 ? '' : `\nExit Code: ${code}`}`,
      returnDisplay: output,
    },
  })
  return [
    event('SessionStart', { source: 'startup' }),
    event('BeforeAgent', { prompt }),
    event('BeforeTool', shell(testCommand)),
    event('AfterTool', { ...shell(testCommand), ...answered(failure.replace('Exit code 1\n', ''), 1) }),
    event('AfterTool', { ...shell('docker compose up -d db'), ...answered('Started') }),
    event('AfterTool', { ...shell(testCommand), ...answered('12 passed') }),
    event('BeforeTool', shell(push)),
    event('AfterAgent', { prompt, prompt_response: lastMessage, stop_hook_active: false }, 'commit'),
    event('AfterAgent', { prompt, prompt_response: 'Decision: said again.', stop_hook_active: true }),
    event('PreCompress', { trigger: 'auto' }),
    event('SessionEnd', { reason: 'exit' }),
  ]
}

/** Cursor: another name for the session and the directory, and few events that take an answer. */
export function cursor(directory: string): Recorded[] {
  const base = {
    conversation_id: session,
    generation_id: 'f2a9c0d4-1b7e-4c55-a0e2-6d3b8e71c4aa',
    model: 'composer-2.5',
    session_id: session,
    cursor_version: '2026.09.18-9a7762b',
    workspace_roots: [directory],
    user_email: null,
    transcript_path: null,
  }
  const event = (name: string, sent: object, before?: 'commit'): Recorded => ({
    event: name,
    sent: { ...base, hook_event_name: name, ...sent },
    ...(before && { before }),
  })
  const shell = (command: string) => ({
    tool_name: 'Shell',
    tool_input: { command, cwd: directory },
    tool_use_id: 'call_9',
    cwd: directory,
    duration: 4_821,
  })
  const ok = { tool_output: '{"output":"ok","exitCode":0}' }
  return [
    event('sessionStart', { is_background_agent: false, composer_mode: 'agent' }),
    event('beforeSubmitPrompt', { prompt, attachments: [] }),
    event('beforeShellExecution', { command: testCommand, cwd: directory, sandbox: false }),
    event('postToolUseFailure', {
      ...shell(testCommand),
      error_message: failure,
      failure_type: 'error',
      is_interrupt: false,
    }),
    event('postToolUse', { ...shell('docker compose up -d db'), ...ok }),
    event('postToolUse', { ...shell(testCommand), ...ok }),
    event('beforeShellExecution', { command: push, cwd: directory, sandbox: false }),
    event('afterAgentResponse', { text: lastMessage }, 'commit'),
    event('stop', { status: 'completed', loop_count: 0 }),
  ]
}
