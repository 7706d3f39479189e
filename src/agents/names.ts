/** The agents that can be connected, as `brain setup` and `brain hook` take their names. */
export const agentNames = ['claude-code', 'codex', 'gemini', 'cursor'] as const
export type AgentName = (typeof agentNames)[number]
