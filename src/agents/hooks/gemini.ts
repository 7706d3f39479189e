/**
 * Gemini CLI's hooks: the shared envelope for context, a decision at the top level, and nothing but JSON. Before a
 * compression it calls, after it it does not: the next prompt brings the start again.
 */
import { inEnvelope, readShared } from './claude-code.ts'
import { type Dialect, hears } from './dialect.ts'

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
  read: (event, payload) => readShared(payload, gemini.events[event] ?? 'end', 'prompt_response'),
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
