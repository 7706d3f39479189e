/**
 * Codex's hooks: Claude Code's envelope, but an unknown member is an error, and before a tool only a denial with its
 * reason is taken. Its event after a compaction tells no summary and takes nothing for the model: a new start does, or
 * the next prompt.
 */
import { inEnvelope, readShared } from './claude-code.ts'
import { type Dialect, hears } from './dialect.ts'

/** Codex cuts context at 2,500 tokens; at three bytes a token nothing of ours is cut. */
const maxContext = 7_500

const moments = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'before-tool',
  PostToolUse: 'after-tool',
  PostCompact: 'compacted',
  Stop: 'turn-end',
} as const

export const codex: Dialect = {
  name: 'codex',
  events: moments,
  listens: ['start', 'prompt', 'before-tool', 'after-tool'],
  read: (event, payload) => readShared(payload, codex.events[event] ?? 'turn-end', 'last_assistant_message'),
  write(event, { context, gate }) {
    if (gate !== undefined && gate.decision !== 'tell') {
      return inEnvelope(event, { permissionDecision: 'deny', permissionDecisionReason: gate.reason })
    }
    const told = [gate?.reason, context].filter((text) => text !== undefined).join('\n')
    // Its events at the end of a turn and after a compaction take no context.
    if (told === '' || !hears(codex, event)) return undefined
    return inEnvelope(event, { additionalContext: told.slice(0, maxContext) })
  },
}
