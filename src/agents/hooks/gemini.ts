/**
 * Gemini CLI's hooks: the shared envelope for context, a decision at the top level, and nothing but JSON. Before a compression it calls, after it it
 * does not: the next prompt brings the start again.
 */
import { inEnvelope } from './claude-code.ts'
import { type Dialect, hears, isFresh } from './dialect.ts'
import { readToolUse } from './tool-use.ts'

export const gemini: Dialect = {
  name: 'gemini',
  events: {
    SessionStart: 'start',
    BeforeAgent: 'prompt',
    BeforeTool: 'before-tool',
    AfterTool: 'after-tool',
    AfterAgent: 'turn-end',
    PreCompress: 'compacted',
    SessionEnd: 'end',
  },
  listens: ['start', 'prompt', 'before-tool', 'after-tool'],
  read(event, payload) {
    const moment = gemini.events[event] ?? 'end'
    const call = { moment, session: payload.text('session_id') ?? '', directory: payload.text('cwd') }
    if (moment === 'start') return { ...call, fresh: isFresh(payload.text('source')) }
    if (moment === 'prompt') return { ...call, prompt: payload.text('prompt') }
    if (moment === 'before-tool' || moment === 'after-tool') return { ...call, tool: readToolUse(payload) }
    // A turn that goes on because of a hook was kept when it first ended.
    if (payload.flag('stop_hook_active') === true) return call
    return { ...call, lastMessage: payload.text('prompt_response') }
  },
  write(event, { context, gate }) {
    const moment = gemini.events[event]
    if (moment === 'before-tool') {
      if (gate === undefined) return undefined
      // It has no ear for the model before a tool: the person is told.
      return gate.decision === 'tell'
        ? { systemMessage: gate.reason }
        : { decision: 'deny', reason: gate.reason }
    }
    return context === undefined || !hears(gemini, event)
      ? undefined
      : inEnvelope(event, { additionalContext: context })
  },
}
