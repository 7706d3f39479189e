/**
 * Which files connect which agent, and what has to stand in each: hooks, the MCP server, the block of instructions. Knows the
 * agents' formats; reading, asking and writing are for others.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { memberOf } from '../../core/json.ts'
import { findDialect } from '../hooks/index.ts'
import { type AgentName, agentNames } from '../names.ts'
import { markdownComment, putBlock, takeBlock, tomlComment } from './block.ts'
import { instructions } from './instructions.ts'
import { memberAt, putEntries, removeMember, sameJson, setMember } from './json-file.ts'

/** One file that connects an agent. Pure: both functions turn the file's text ('' where there is none) into another. */
export interface SetupFile {
  readonly path: string
  /** What it is for, in a few words. */
  readonly purpose: string
  put(text: string): string
  take(text: string): string
}

export type Scope = 'project' | 'user'

export interface SetupPlace {
  readonly scope: Scope
  /** The project's directory. */
  readonly project: string
  /** The user's home directory. */
  readonly home: string
  /** How this program is started: its interpreter and its script, or its name alone where it is on the path. */
  readonly program: readonly [first: string, ...rest: string[]]
}

export interface SetupAgent {
  readonly name: AgentName
  readonly title: string
  /** Directories in a home, or in a project, that show that the agent is used there. */
  readonly traces: readonly string[]
  files(place: SetupPlace): SetupFile[]
}

/** One word for a shell, of POSIX and of Windows. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/(["$`\\])/g, '\\$1')}"`

const commandLine = ({ program }: SetupPlace, words: readonly string[]): string =>
  [...program, ...words].map(quoted).join(' ')

const server = ({ program: [command, ...rest] }: SetupPlace) => ({ command, args: [...rest, 'mcp'] })

/** Whether a hook's command is ours: it starts a script of ours with the subcommand `hook`. */
const callsBrain = (agent: string, command: unknown): boolean =>
  typeof command === 'string' && command.includes('brain') && command.includes(` hook ${agent} `)

const jsonMember = (path: string, purpose: string, member: { at: string[]; value: unknown }): SetupFile => ({
  path,
  purpose,
  put: (text) =>
    sameJson(memberAt(text, member.at), member.value) ? text : setMember(text, member.at, member.value),
  take: (text) => (text === '' ? text : removeMember(text, member.at)),
})

const block = (path: string, purpose = 'instructions'): SetupFile => ({
  path,
  purpose,
  put: (text) => putBlock(text, instructions, markdownComment),
  take: (text) => takeBlock(text, markdownComment),
})

/** Two changes of one file as one. */
const together = (first: SetupFile, second: SetupFile): SetupFile => ({
  path: first.path,
  purpose: `${first.purpose}, ${second.purpose}`,
  put: (text) => second.put(first.put(text)),
  take: (text) => second.take(first.take(text)),
})

/** Ours among an agent's hooks, whatever form they have: an entry for each of its events. */
function hooksOf(
  agent: string,
  entryOf: (event: string) => unknown,
  isOurs: (entry: unknown) => boolean,
): Pick<SetupFile, 'put' | 'take'> {
  const events = Object.keys(findDialect(agent)?.events ?? {})
  const change = (text: string, entriesOf: (event: string) => unknown[]): string =>
    events.reduce(
      (rest, event) => putEntries(rest, ['hooks', event], { entries: entriesOf(event), isOurs }),
      text,
    )
  return {
    put: (text) => change(text, (event) => [entryOf(event)]),
    take: (text) => (text === '' ? text : change(text, () => [])),
  }
}

/** Which tools' uses a hook is called for, by event; absent: it takes no such choice. */
interface HookEntries {
  readonly matchers: Readonly<Record<string, string>>
  readonly timeout: (event: string) => number
}

/** Hooks as Claude Code, Codex and Gemini CLI write them: events with groups, groups with hooks. */
function groupedHooks(path: string, agent: string, place: SetupPlace, entries: HookEntries): SetupFile {
  const isOurs = (group: unknown): boolean => {
    const hooks = memberOf(group, 'hooks')
    return (
      Array.isArray(hooks) &&
      hooks.length > 0 &&
      hooks.every((hook) => callsBrain(agent, memberOf(hook, 'command')))
    )
  }
  const groupOf = (event: string) => ({
    ...(entries.matchers[event] !== undefined && { matcher: entries.matchers[event] }),
    hooks: [
      {
        type: 'command',
        command: commandLine(place, ['hook', agent, event]),
        timeout: entries.timeout(event),
      },
    ],
  })
  return { path, purpose: 'hooks', ...hooksOf(agent, groupOf, isOurs) }
}

const root = ({ scope, project, home }: SetupPlace): string => (scope === 'user' ? home : project)

/** Seconds that an agent waits; ends of sessions are given less by the agents themselves. */
const seconds = 5

const claudeCode: SetupAgent = {
  name: 'claude-code',
  title: 'Claude Code',
  traces: ['.claude', 'CLAUDE.md'],
  files(place) {
    const base = root(place)
    const mcp = place.scope === 'user' ? join(base, '.claude.json') : join(base, '.mcp.json')
    const tools = 'Bash|PowerShell|Write|Edit|MultiEdit|NotebookEdit|mcp__.*'
    return [
      groupedHooks(join(base, '.claude', 'settings.json'), 'claude-code', place, {
        matchers: {
          PreToolUse: tools,
          PostToolUse: 'Bash|PowerShell',
          PostToolUseFailure: 'Bash|PowerShell',
        },
        timeout: () => seconds,
      }),
      jsonMember(mcp, 'MCP server', {
        at: ['mcpServers', 'brain'],
        value: { type: 'stdio', ...server(place) },
      }),
      block(place.scope === 'user' ? join(base, '.claude', 'CLAUDE.md') : join(base, 'CLAUDE.md')),
    ]
  },
}

const codex: SetupAgent = {
  name: 'codex',
  title: 'Codex',
  traces: ['.codex', 'AGENTS.md'],
  files(place) {
    const base = root(place)
    const { command, args } = server(place)
    // A JSON string is a basic string of TOML, too.
    const table = `[mcp_servers.brain]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`
    return [
      groupedHooks(join(base, '.codex', 'hooks.json'), 'codex', place, {
        matchers: { PreToolUse: 'Bash|apply_patch|mcp__.*', PostToolUse: 'Bash' },
        timeout: () => seconds,
      }),
      {
        path: join(base, '.codex', 'config.toml'),
        purpose: 'MCP server',
        put: (text) => putBlock(text, table, tomlComment),
        take: (text) => takeBlock(text, tomlComment),
      },
      block(place.scope === 'user' ? join(base, '.codex', 'AGENTS.md') : join(base, 'AGENTS.md')),
    ]
  },
}

const gemini: SetupAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  traces: ['.gemini', 'GEMINI.md'],
  files(place) {
    const base = root(place)
    const settings = join(base, '.gemini', 'settings.json')
    return [
      together(
        groupedHooks(settings, 'gemini', place, {
          matchers: {
            BeforeTool: 'run_shell_command|write_file|replace|mcp_.*',
            AfterTool: 'run_shell_command',
          },
          timeout: (event) => 1_000 * seconds * (event === 'SessionEnd' ? 1 : 2),
        }),
        jsonMember(settings, 'MCP server', { at: ['mcpServers', 'brain'], value: server(place) }),
      ),
      block(place.scope === 'user' ? join(base, '.gemini', 'GEMINI.md') : join(base, 'GEMINI.md')),
    ]
  },
}

/** Cursor's hooks: events with commands, and a version. */
function cursorHooks(path: string, place: SetupPlace): SetupFile {
  const entryOf = (event: string) => ({
    command: commandLine(place, ['hook', 'cursor', event]),
    ...(event.startsWith('postToolUse') && { matcher: '^Shell$' }),
  })
  const isOurs = (entry: unknown): boolean => callsBrain('cursor', memberOf(entry, 'command'))
  const hooks = hooksOf('cursor', entryOf, isOurs)
  return {
    path,
    purpose: 'hooks',
    put: (text) =>
      hooks.put(memberAt(text, ['version']) === undefined ? setMember(text, ['version'], 1) : text),
    take: (text) => {
      if (text === '') return text
      const rest = hooks.take(text)
      // A file that says nothing but its version was ours.
      return memberAt(rest, ['hooks']) === undefined && rest !== text ? removeMember(rest, ['version']) : rest
    },
  }
}

const cursor: SetupAgent = {
  name: 'cursor',
  title: 'Cursor',
  traces: ['.cursor'],
  files(place) {
    const base = join(root(place), '.cursor')
    const frontMatter = '---\ndescription: The memory of this project\nalwaysApply: true\n---\n'
    const rules = block(join(base, 'rules', 'brain.mdc'), 'rules')
    return [
      cursorHooks(join(base, 'hooks.json'), place),
      jsonMember(join(base, 'mcp.json'), 'MCP server', { at: ['mcpServers', 'brain'], value: server(place) }),
      // Cursor has no rules of a user in a file.
      ...(place.scope === 'user'
        ? []
        : [
            {
              ...rules,
              put: (text: string) => rules.put(text === '' ? frontMatter : text),
              take: (text: string) => {
                const rest = rules.take(text)
                return rest === frontMatter ? '' : rest
              },
            },
          ]),
    ]
  },
}

const agents: Readonly<Record<AgentName, SetupAgent>> = { 'claude-code': claudeCode, codex, gemini, cursor }

export const setupAgents: readonly SetupAgent[] = agentNames.map((name) => agents[name])

/** The agents that left traces in any of some directories. */
export const findAgents = (directories: readonly string[]): readonly SetupAgent[] =>
  setupAgents.filter(({ traces }) =>
    traces.some((trace) => directories.some((directory) => existsSync(join(directory, trace)))),
  )
