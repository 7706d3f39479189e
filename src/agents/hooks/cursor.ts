/**
 * Cursor's hooks: context only at the start of a session, a permission before a shell command. After a command it takes
 * no answer, and it does not say whether the command failed.
 */
import type { Dialect } from './dialect.ts'

export const cursor: Dialect = {
  name: 'cursor',
  events: {
    sessionStart: 'start',
    beforeShellExecution: 'before-tool',
    afterShellExecution: 'after-tool',
    beforeSubmitPrompt: 'prompt',
    afterAgentResponse: 'turn-end',
    stop: 'end',
  },
  read(event, payload) {
    const moment = cursor.events[event] ?? 'end'
    const [root] = payload.list('workspace_roots')
    const directory = payload.text('cwd') ?? (typeof root === 'string' ? root : undefined)
    const call = { moment, session: payload.text('conversation_id', 'session_id') ?? '', directory }
    if (moment === 'before-tool' || moment === 'after-tool') {
      const command = payload.text('command') ?? ''
      const output = payload.text('output')
      return { ...call, tool: { name: 'Shell', action: command, command, output } }
    }
    return { ...call, prompt: payload.text('prompt'), lastMessage: payload.text('text') }
  },
  write(event, { context, gate }) {
    const moment = cursor.events[event]
    if (moment === 'start') return context === undefined ? undefined : { additional_context: context }
    // It takes a message for the model only with a permission, and to allow could skip the person's own approval.
    if (moment !== 'before-tool' || gate === undefined || gate.decision === 'tell') return undefined
    return { permission: gate.decision, user_message: gate.reason, agent_message: gate.reason }
  },
}
