/**
 * Claude Code's hooks: context goes into `hookSpecificOutput`, a decision before a tool beside it. A bare top-level
 * `additionalContext` would be dropped without a word.
 */
import {
  type Dialect,
  type HookCall,
  type HookReply,
  hears,
  isFresh,
  type Moment,
  type Payload,
} from './dialect.ts'
import { readToolUse } from './tool-use.ts'

/** Context above this is shown to the model as a preview alone. */
const maxContext = 10_000

/** The envelope that Claude Code, Codex and Gemini CLI share. */
export const inEnvelope = (event: string, members: object): object => ({
  hookSpecificOutput: { hookEventName: event, ...members },
})

/** What Claude Code, Codex and Gemini CLI tell of a moment; `last` is the member with the last thing the agent said. */
export function readShared(payload: Payload, moment: Moment, last: string): HookCall {
  const call = { moment, session: payload.text('session_id') ?? '', directory: payload.text('cwd') }
  if (moment === 'start') return { ...call, fresh: isFresh(payload.text('source')) }
  if (moment === 'prompt') return { ...call, prompt: payload.text('prompt') }
  if (moment === 'before-tool' || moment === 'after-tool') return { ...call, tool: readToolUse(payload) }
  // A turn that goes on because of a hook was kept when it first ended.
  if (payload.flag('stop_hook_active') === true) return call
  return { ...call, lastMessage: payload.text(last) }
}

function write(event: string, { context, gate }: HookReply): object | undefined {
  if (!hears(claudeCode, event)) return undefined
  if (gate !== undefined && gate.decision !== 'tell') {
    return inEnvelope(event, {
      permissionDecision: gate.decision,
      permissionDecisionReason: gate.reason,
      ...(context !== undefined && { additionalContext: context.slice(0, maxContext) }),
    })
  }
  const told = [gate?.reason, context].filter((text) => text !== undefined).join('\n')
  return told === '' ? undefined : inEnvelope(event, { additionalContext: told.slice(0, maxContext) })
}

export const claudeCode: Dialect = {
  name: 'claude-code',
  events: {
    SessionStart: 'start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before-tool',
    PostToolUse: 'after-tool',
    PostToolUseFailure: 'after-tool',
    Stop: 'turn-end',
    PostCompact: 'compacted',
    SessionEnd: 'end',
  },
  listens: ['start', 'prompt', 'before-tool', 'after-tool'],
  read(event, payload) {
    const moment = claudeCode.events[event] ?? 'turn-end'
    const call = readShared(payload, moment, 'last_assistant_message')
    const { session, directory } = call
    // Cursor runs the hooks that it finds in Claude Code's settings beside its own, and would be told everything twice.
    if (payload.text('cursor_version') !== undefined) return { moment: 'nothing', session, directory }
    // An event of its own says that a tool failed; the other one says that it did not.
    if (moment === 'after-tool' && call.tool !== undefined)
      return { ...call, tool: { ...call.tool, failed: event === 'PostToolUseFailure' } }
    if (moment === 'compacted')
      return { moment, session, directory, summary: payload.text('compact_summary') }
    return call
  },
  write,
}
