/** How common MCP clients are configured for a brain: what to run, or what to put in which file. */
import { quoteWord } from './completion/shell-case.ts'

export interface McpClient {
  readonly title: string
  /** Where the snippet goes. */
  readonly place: string
  /** The snippet for the brain in `directory`. */
  readonly snippet: (directory: string) => string
}

const server = (directory: string) => ({ command: 'brain', args: ['mcp', '--dir', directory] })

const toJson = (value: unknown): string => JSON.stringify(value, undefined, 2)

const inServers = (directory: string): string => toJson({ mcpServers: { brain: server(directory) } })

export const mcpClients: Readonly<Record<string, McpClient>> = {
  'claude-code': {
    title: 'Claude Code',
    place: 'run',
    snippet: (directory) => `claude mcp add brain -- brain mcp --dir ${quoteWord(directory)}`,
  },
  'claude-desktop': { title: 'Claude Desktop', place: 'claude_desktop_config.json', snippet: inServers },
  codex: {
    title: 'Codex',
    place: '~/.codex/config.toml',
    snippet: (directory) =>
      // A JSON string is a basic string of TOML, too.
      `[mcp_servers.brain]\ncommand = "brain"\nargs = ["mcp", "--dir", ${JSON.stringify(directory)}]`,
  },
  cursor: { title: 'Cursor', place: '.cursor/mcp.json', snippet: inServers },
  'gemini-cli': { title: 'Gemini CLI', place: '~/.gemini/settings.json', snippet: inServers },
  'vs-code': {
    title: 'VS Code',
    place: '.vscode/mcp.json',
    snippet: (directory) => toJson({ servers: { brain: { type: 'stdio', ...server(directory) } } }),
  },
}
