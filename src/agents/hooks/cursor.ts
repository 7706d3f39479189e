/**
 * Cursor's hooks: context only at the start of a session, a permission before a shell command. What it takes of a prompt and
 * after a command that failed is nothing for the model, so there it is only listened to.
 */
import type { Dialect } from './dialect.ts'
import { readToolUse } from './tool-use.ts'

export const cursor: Dialect = {
  name: 'cursor',
  events: {
    sessionStart: 'start',
    beforeShellExecution: 'before-tool',
    postToolUse: 'after-tool',
    postToolUseFailure: 'after-tool',
    beforeSubmitPrompt: 'prompt',
    afterAgentResponse: 'turn-end',
    stop: 'end',
  },
  listens: ['start'],
  read(event, payload) {
    const moment = cursor.events[event] ?? 'end'
    const [root] = payload.list('workspace_roots')
    const directory = payload.text('cwd') ?? (typeof root === 'string' ? root : undefined)
    const call = { moment, session: payload.text('conversation_id', 'session_id') ?? '', directory }
    if (moment === 'before-tool') {
      const command = payload.text('command') ?? ''
      return { ...call, tool: { name: 'Shell', action: command, command } }
    }
    if (moment === 'after-tool') {
      // An event of its own says that a tool failed, with what a command printed; the other one says that it did not.
      const failed = event === 'postToolUseFailure'
      return { ...call, tool: { ...readToolUse(payload), output: payload.text('error_message'), failed } }
    }
    return {
      ...call,
      fresh: moment === 'start',
      prompt: payload.text('prompt'),
      lastMessage: payload.text('text'),
    }
  },
  write(event, { context, gate }) {
    const moment = cursor.events[event]
    if (moment === 'start') return context === undefined ? undefined : { additional_context: context }
    // It takes a message for the model only with a permission, and to allow could skip the person's own approval.
    if (moment !== 'before-tool' || gate === undefined || gate.decision === 'tell') return undefined
    return { permission: gate.decision, user_message: gate.reason, agent_message: gate.reason }
  },
}
