/**
 * What each agent sends to hooks and takes from them, in words of our own after what it publishes: Codex in the JSON
 * schemas of its repository (codex-rs/hooks/schema, and the parser beside them), Claude Code, Gemini CLI and Cursor in
 * their references (docs/agents.md says where).
 */
import * as z from 'zod'

const text = z.string().min(1)

const told = (event: string) =>
  z.strictObject({
    hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), additionalContext: text }),
  })

const judged = (decisions: readonly [string, ...string[]], context = false) =>
  z.strictObject({
    hookSpecificOutput: z.strictObject({
      hookEventName: z.literal('PreToolUse'),
      permissionDecision: z.enum(decisions),
      permissionDecisionReason: text,
      ...(context && { additionalContext: z.optional(text) }),
    }),
  })

const nothing = z.undefined()

/** What is taken, by agent and event: strictly, since some refuse what they do not know. */
export const outputs: Record<string, Record<string, z.ZodType>> = {
  'claude-code': {
    SessionStart: told('SessionStart'),
    UserPromptSubmit: told('UserPromptSubmit'),
    PreToolUse: z.union([told('PreToolUse'), judged(['allow', 'deny', 'ask', 'defer'], true)]),
    PostToolUse: told('PostToolUse'),
    PostToolUseFailure: told('PostToolUseFailure'),
    Stop: nothing,
    PostCompact: nothing,
    SessionEnd: nothing,
  },
  codex: {
    SessionStart: told('SessionStart'),
    UserPromptSubmit: told('UserPromptSubmit'),
    PreToolUse: z.union([told('PreToolUse'), judged(['deny'])]),
    PostToolUse: told('PostToolUse'),
    PostCompact: nothing,
    Stop: nothing,
  },
  gemini: {
    SessionStart: told('SessionStart'),
    BeforeAgent: told('BeforeAgent'),
    BeforeTool: z.union([
      z.strictObject({ decision: z.literal('deny'), reason: text }),
      z.strictObject({ systemMessage: text }),
    ]),
    AfterTool: told('AfterTool'),
    AfterAgent: nothing,
    PreCompress: nothing,
    SessionEnd: nothing,
  },
  cursor: {
    sessionStart: z.strictObject({ additional_context: text }),
    beforeShellExecution: z.strictObject({
      permission: z.enum(['allow', 'deny', 'ask']),
      user_message: text,
      agent_message: text,
    }),
    postToolUse: nothing,
    postToolUseFailure: nothing,
    beforeSubmitPrompt: nothing,
    afterAgentResponse: nothing,
    stop: nothing,
  },
}

const name = z.string().min(1)
const at = (event: string) => ({ hook_event_name: z.literal(event) })
const anything = z.unknown().refine((value) => value !== undefined, 'is missing')
const modes = z.enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'auto'])

const toClaude = (event: string, members: z.ZodRawShape = {}) =>
  z.looseObject({
    session_id: name,
    transcript_path: name,
    cwd: name,
    permission_mode: z.optional(modes),
    ...at(event),
    ...members,
  })
const claudeTool = { tool_name: name, tool_input: z.looseObject({}), tool_use_id: name }

/** Codex's schemas are closed: what it does not name it does not send. */
const fromCodex = (event: string, members: z.ZodRawShape) =>
  z.strictObject({
    session_id: name,
    transcript_path: z.nullable(name),
    cwd: name,
    model: name,
    ...at(event),
    ...members,
  })
const codexMode = { permission_mode: modes.exclude(['auto']) }
const codexTurn = { ...codexMode, turn_id: name }
const codexTool = { ...codexTurn, tool_name: name, tool_input: anything, tool_use_id: name }

const fromGemini = (event: string, members: z.ZodRawShape) =>
  z.looseObject({
    session_id: name,
    transcript_path: z.string(),
    cwd: name,
    timestamp: z.iso.datetime(),
    ...at(event),
    ...members,
  })
const geminiTool = { tool_name: name, tool_input: z.looseObject({}) }
const geminiAnswer = z.looseObject({ llmContent: anything, returnDisplay: anything })

const fromCursor = (event: string, members: z.ZodRawShape) =>
  z.looseObject({
    conversation_id: name,
    generation_id: name,
    model: z.string(),
    cursor_version: name,
    workspace_roots: z.array(name),
    user_email: z.nullable(z.string()),
    transcript_path: z.nullable(z.string()),
    ...at(event),
    ...members,
  })
const cursorTool = {
  tool_name: name,
  tool_input: z.looseObject({}),
  tool_use_id: name,
  cwd: name,
  duration: z.number(),
}

/** What is sent, by agent and event, at every event that is answered. */
export const inputs: Record<string, Record<string, z.ZodType>> = {
  'claude-code': {
    SessionStart: toClaude('SessionStart', {
      source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
      model: z.optional(z.string()),
    }),
    UserPromptSubmit: toClaude('UserPromptSubmit', { prompt: z.string() }),
    PreToolUse: toClaude('PreToolUse', claudeTool),
    PostToolUse: toClaude('PostToolUse', {
      ...claudeTool,
      tool_response: anything,
      duration_ms: z.optional(z.number()),
    }),
    PostToolUseFailure: toClaude('PostToolUseFailure', {
      ...claudeTool,
      error: z.string(),
      is_interrupt: z.optional(z.boolean()),
    }),
    Stop: toClaude('Stop', { stop_hook_active: z.boolean(), last_assistant_message: z.string() }),
    PostCompact: toClaude('PostCompact', {
      trigger: z.enum(['manual', 'auto']),
      compact_summary: z.string(),
    }),
    SessionEnd: toClaude('SessionEnd', { reason: z.string() }),
  },
  codex: {
    SessionStart: fromCodex('SessionStart', {
      ...codexMode,
      source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
    }),
    UserPromptSubmit: fromCodex('UserPromptSubmit', { ...codexTurn, prompt: z.string() }),
    PreToolUse: fromCodex('PreToolUse', codexTool),
    PostToolUse: fromCodex('PostToolUse', { ...codexTool, tool_response: anything }),
    PostCompact: fromCodex('PostCompact', { turn_id: name, trigger: z.enum(['manual', 'auto']) }),
    Stop: fromCodex('Stop', {
      ...codexTurn,
      stop_hook_active: z.boolean(),
      last_assistant_message: z.nullable(z.string()),
    }),
  },
  gemini: {
    SessionStart: fromGemini('SessionStart', { source: z.enum(['startup', 'resume', 'clear']) }),
    BeforeAgent: fromGemini('BeforeAgent', { prompt: z.string() }),
    BeforeTool: fromGemini('BeforeTool', geminiTool),
    AfterTool: fromGemini('AfterTool', { ...geminiTool, tool_response: geminiAnswer }),
    AfterAgent: fromGemini('AfterAgent', {
      prompt: z.string(),
      prompt_response: z.string(),
      stop_hook_active: z.boolean(),
    }),
    PreCompress: fromGemini('PreCompress', { trigger: z.enum(['auto', 'manual']) }),
    SessionEnd: fromGemini('SessionEnd', {
      reason: z.enum(['exit', 'clear', 'logout', 'prompt_input_exit', 'other']),
    }),
  },
  cursor: {
    sessionStart: fromCursor('sessionStart', {
      session_id: name,
      is_background_agent: z.boolean(),
      composer_mode: z.optional(z.enum(['agent', 'ask', 'edit'])),
    }),
    beforeShellExecution: fromCursor('beforeShellExecution', {
      command: z.string(),
      cwd: z.string(),
      sandbox: z.optional(z.boolean()),
    }),
    postToolUse: fromCursor('postToolUse', { ...cursorTool, tool_output: z.string() }),
    postToolUseFailure: fromCursor('postToolUseFailure', {
      ...cursorTool,
      error_message: z.string(),
      failure_type: z.enum(['error', 'timeout', 'permission_denied']),
      is_interrupt: z.boolean(),
    }),
    beforeSubmitPrompt: fromCursor('beforeSubmitPrompt', {
      prompt: z.string(),
      attachments: z.array(z.unknown()),
    }),
    afterAgentResponse: fromCursor('afterAgentResponse', { text: z.string() }),
    stop: fromCursor('stop', {
      status: z.enum(['completed', 'aborted', 'error']),
      loop_count: z.number(),
    }),
  },
}
