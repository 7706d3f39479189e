/** Reads a tool's name and input as agents write them into one description of what is about to happen. */
import { isAbsolute } from 'node:path'
import { pathInside } from '../../inside.ts'
import type { Payload, ToolUse } from './dialect.ts'

/** Tools whose input is a shell command, by the names that agents give them. */
const shells = new Set([
  'Bash',
  'PowerShell',
  'shell',
  'local_shell',
  'exec_command',
  'run_shell_command',
  'Shell',
])

/** Tools that write a whole file: "write" alone reads as telling something. */
const writers = new Set(['Write', 'write_file', 'create_file'])

/** Characters of a tool's arguments that are looked at. */
const maxArguments = 2_000

/** The tool whose input is a patch of several files, whatever its member is called. */
const patcher = 'apply_patch'

/** What a patch does to which files, a line each. */
function readPatch(patch: string, directory: string | undefined): Pick<ToolUse, 'action' | 'paths'> {
  const steps = [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(
    ([, does, path = '']) => ({
      does,
      path: inside(directory, path.trim()),
    }),
  )
  const told = steps.map(({ does, path }) => `${does?.toLowerCase()} ${path}`).join('\n')
  return { action: `${patcher}\n${told}`.trim().slice(0, maxArguments), paths: steps.map(({ path }) => path) }
}

/** A path as it is called in a directory; as it is where it leads out of it. */
function inside(directory: string | undefined, path: string): string {
  if (directory === undefined || !isAbsolute(path)) return path
  return pathInside(directory, path) || path
}

/** What a tool is asked to do, from the members `tool_name` and `tool_input`. */
export function readToolUse(payload: Payload): ToolUse {
  const name = payload.text('tool_name') ?? 'tool'
  const input = payload.object('tool_input')
  const named = input.text('file_path', 'path', 'notebook_path', 'absolute_path')
  const path = named === undefined ? undefined : inside(payload.text('cwd'), named)
  const listed = input.list('command').filter((word) => typeof word === 'string')
  const command =
    input.text('command', 'cmd') ?? (shells.has(name) && listed.length > 0 ? listed.join(' ') : undefined)
  const failure = readFailure(payload)
  if (name === patcher)
    return {
      name,
      ...readPatch(command ?? input.text('patch', 'input') ?? '', payload.text('cwd')),
      ...failure,
    }
  if (command !== undefined) return { name, action: command, command, ...failure }
  // A path says what is touched; the new content of a file is not what a warning is about.
  const rest = path ?? (payload.anything('tool_input') ?? '').slice(0, maxArguments)
  const does = writers.has(name) ? 'Edit' : name
  return { name, action: `${does} ${rest}`.trim(), ...(path !== undefined && { paths: [path] }), ...failure }
}

/** What Gemini CLI tells of a command, without what it calls the parts of it. */
const withoutFrame = (told: string): string =>
  told.replace(/^[\w ]+: \(none\)\n?/gim, '').replace(/^(?:Output|Stdout|Stderr): /gim, '')

/** What came of a tool, after it ran. */
function readFailure(payload: Payload): Pick<ToolUse, 'output' | 'failed'> {
  const response = payload.object('tool_response')
  const error = payload.text('error') ?? response.text('error') ?? response.object('error').text('message')
  const told = response.text('llmContent')
  // Gemini CLI writes the code of a command that failed into its output, and none of one that did not.
  const written = told === undefined ? undefined : Number(/^Exit Code: (\d+)$/im.exec(told)?.[1] ?? 0)
  // Codex answers with a text that says it in its first lines.
  const spoken = payload.text('tool_response')?.slice(0, 400)
  const [, said] = /^(?:Exit code|Process exited with code):? (\d+)/im.exec(spoken ?? '') ?? []
  const code =
    response.number('exit_code') ??
    response.number('exitCode') ??
    written ??
    (said === undefined ? undefined : Number(said))
  const output =
    error ??
    response.text('stderr', 'output', 'stdout') ??
    (told === undefined ? payload.anything('tool_response') : withoutFrame(told))
  if (output === undefined && code === undefined) return {}
  const failed = error !== undefined ? true : code === undefined ? response.flag('is_error') : code !== 0
  return { output, failed }
}
