/** Reads a tool's name and input as agents write them into one description of what is about to happen. */
import type { Payload, ToolUse } from './dialect.ts'

/** Tools whose input is a shell command, by the names that agents give them. */
const shells = new Set(['Bash', 'shell', 'local_shell', 'exec_command', 'run_shell_command', 'Shell'])

/** Characters of a tool's arguments that are looked at. */
const maxArguments = 2_000

/** What a tool is asked to do, from the members `tool_name` and `tool_input`. */
export function readToolUse(payload: Payload): ToolUse {
  const name = payload.text('tool_name') ?? 'tool'
  const input = payload.object('tool_input')
  const path = input.text('file_path', 'path', 'notebook_path', 'absolute_path')
  const listed = input.list('command').filter((word) => typeof word === 'string')
  const command =
    input.text('command', 'cmd') ?? (shells.has(name) && listed.length > 0 ? listed.join(' ') : undefined)
  const failure = readFailure(payload)
  if (command !== undefined) return { name, action: command, command, ...failure }
  // A path says what is touched; the new content of a file is not what a warning is about.
  const rest = path ?? (payload.anything('tool_input') ?? '').slice(0, maxArguments)
  return { name, action: `${name} ${rest}`.trim(), path, ...failure }
}

/** What came of a tool, after it ran. */
function readFailure(payload: Payload): Pick<ToolUse, 'output' | 'failed'> {
  const response = payload.object('tool_response')
  const error = payload.text('error') ?? response.text('error')
  const code = response.number('exit_code') ?? response.number('exitCode')
  const output =
    error ?? response.text('stderr', 'output', 'stdout', 'llmContent') ?? payload.anything('tool_response')
  if (output === undefined && code === undefined) return {}
  const failed = error !== undefined ? true : code === undefined ? response.flag('is_error') : code !== 0
  return { output, failed }
}
