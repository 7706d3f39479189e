/**
 * The commands that are no operations: what each does in a line, and where the rest of it is loaded from when it
 * is the one asked for.
 */
import type { Command } from 'commander'
import type { HelpGroup } from './manual.ts'
import type { Session } from './session.ts'

/** Gives a command its arguments, options and action. */
export type Configure = (command: Command, open: () => Session) => void

export interface OwnCommand {
  readonly summary: string
  readonly group: HelpGroup
  /** Command lines that show it at work. */
  readonly examples: readonly string[]
  readonly load: () => Promise<Configure>
  /** Own options that have the name of a global option: after the command's name they mean its own. */
  readonly shadows?: readonly string[]
}

/** What a command's own option is called where one of all commands has its name: no person writes that. */
export const shadowed = (option: string): string => option.replace('--', '--own-')

export const ownCommands: Readonly<Record<string, OwnCommand>> = {
  init: {
    summary: 'Create a brain in this directory',
    group: 'Start',
    examples: ['brain init', 'brain init --yes --dir ~/notes', 'brain init --yes --embedder none'],
    load: async () => (await import('./commands/init.ts')).configureInit,
  },
  status: {
    summary: 'Show what the brain holds, what is due and what to do next (also: brain alone)',
    group: 'Start',
    examples: ['brain', 'brain status --json'],
    load: async () => (await import('./commands/status.ts')).configureStatus,
  },
  projects: {
    summary: 'List the projects of this brain with their contents and size',
    group: 'Start',
    examples: ['brain projects', 'brain projects --json'],
    load: async () => (await import('./commands/projects.ts')).configureProjects,
  },
  demo: {
    summary: 'Fill a throw-away brain with three weeks of notes and tour it',
    group: 'Start',
    examples: ['brain demo'],
    load: async () => (await import('./commands/demo.ts')).configureDemo,
  },
  check: {
    summary: 'Run the checks of due predictions that you wrote on this machine',
    group: 'Predictions',
    examples: ['brain check', 'brain check --dry-run', 'brain check 7 --trust'],
    load: async () => (await import('./commands/check.ts')).configureCheck,
  },
  dream: {
    summary: 'Dream now: think over the memories and keep what is worth reading',
    group: 'Dreams',
    examples: ['brain dream', 'brain dream feedback 12 keep'],
    load: async () => (await import('./commands/dream.ts')).configureDream,
  },
  serve: {
    summary: 'Serve the HTTP API and MCP, by default to this machine only',
    group: 'Serve',
    examples: ['brain serve', 'brain serve --detach', 'brain serve --port 0 --json'],
    load: async () => (await import('./commands/serve.ts')).configureServe,
  },
  stop: {
    summary: 'Stop the daemon that serves this brain',
    group: 'Serve',
    examples: ['brain stop'],
    load: async () => (await import('./commands/stop.ts')).configureStop,
  },
  service: {
    summary: 'Serve this brain whenever you are logged in, through systemd or launchd',
    group: 'Serve',
    examples: ['brain service install --print', 'brain service install', 'brain service remove'],
    load: async () => (await import('./commands/service.ts')).configureService,
  },
  open: {
    summary: 'Open this brain in a browser, starting its daemon if needed',
    group: 'Serve',
    examples: ['brain open', 'brain open --print'],
    load: async () => (await import('./commands/open.ts')).configureOpen,
  },
  mcp: {
    summary: 'Serve the MCP tools to one client over standard input and output',
    group: 'Serve',
    examples: ['brain mcp', 'brain mcp --project web --agent reviewer'],
    load: async () => (await import('./commands/mcp.ts')).configureMcp,
  },
  hook: {
    summary: "Answer a coding agent's hook: JSON in, that agent's JSON out; never blocks it",
    group: 'Agents',
    examples: ['brain hook claude-code SessionStart <event.json'],
    load: async () => (await import('./commands/hook.ts')).configureHook,
  },
  setup: {
    summary: 'Connect a coding agent: its hooks, the MCP server and a block of instructions',
    group: 'Agents',
    examples: [
      'brain setup',
      'brain setup claude-code',
      'brain setup codex --user --print',
      'brain setup claude-code --check --live',
    ],
    shadows: ['--project'],
    load: async () => (await import('./commands/setup.ts')).configureSetup,
  },
  key: {
    summary: 'Create, list, revoke and rotate keys of the HTTP API',
    group: 'Serve',
    examples: [
      'brain key create --label laptop --expires-in 90d',
      'brain key list',
      'brain key revoke 4f7Kq2Zx',
    ],
    load: async () => (await import('./commands/key.ts')).configureKey,
  },
  config: {
    summary: 'List, read and change settings, of the project or your own',
    group: 'Set up',
    examples: [
      'brain config list',
      'brain config get embedder',
      'brain config set sprt.alpha 0.01',
      'brain config set agent laptop --user',
    ],
    load: async () => (await import('./commands/config.ts')).configureConfig,
  },
  trust: {
    summary:
      "Let a project's own settings name endpoints and addresses, and another user's brain be used where it is found",
    group: 'Set up',
    examples: ['brain trust', 'brain trust ~/src/some-clone'],
    load: async () => (await import('./commands/trust.ts')).configureTrust,
  },
  export: {
    summary: 'Write the records of a project, or of all, as JSON Lines',
    group: 'Move and keep',
    examples: [
      'brain export --output brain.jsonl',
      'brain export --all | gzip > brain.jsonl.gz',
      'brain export --format fatebook --output fatebook.csv',
    ],
    load: async () => (await import('./commands/export.ts')).configureExport,
  },
  import: {
    summary: "Import an export, notes one per line, or another tool's memory, all or nothing",
    group: 'Move and keep',
    examples: [
      'brain import brain.jsonl',
      'brain import ~/notes --dry-run',
      'brain import CLAUDE.md',
      'brain import --git .',
      'brain import fatebook.csv --dry-run',
    ],
    load: async () => (await import('./commands/import.ts')).configureImport,
  },
  share: {
    summary: 'Share what this project knows through git, in a folder beside the brain; --pull imports it',
    group: 'Move and keep',
    examples: [
      'brain share --dry-run',
      'brain share && git add .brain-shared',
      'brain share --pull',
      'brain share belief 3',
    ],
    load: async () => (await import('./commands/share.ts')).configureShare,
  },
  store: {
    summary: "Keep a team's brain in PostgreSQL: prepare a database, copy a brain into it and back",
    group: 'Move and keep',
    examples: [
      'brain store init postgres://postgres@db.example.org/brain',
      'brain store copy . postgres://brain@db.example.org/brain',
      'brain store copy postgres://brain@db.example.org/brain ~/copy',
    ],
    load: async () => (await import('./commands/store.ts')).configureStore,
  },
  backup: {
    summary: 'Copy the whole brain into a file while others go on writing',
    group: 'Move and keep',
    examples: ['brain backup ~/backups/brain-2026-01-31.db'],
    load: async () => (await import('./commands/backup.ts')).configureBackup,
  },
  restore: {
    summary: 'Replace the brain by a backup, keeping the previous one',
    group: 'Move and keep',
    examples: ['brain restore ~/backups/brain-2026-01-31.db'],
    load: async () => (await import('./commands/restore.ts')).configureRestore,
  },
  doctor: {
    summary: 'Check the brain; with --fix repair what can be repaired without loss',
    group: 'Move and keep',
    examples: ['brain doctor', 'brain doctor --fix', 'brain doctor --security'],
    load: async () => (await import('./commands/doctor.ts')).configureDoctor,
  },
  reindex: {
    summary: 'Embed every memory with the configured model',
    group: 'Move and keep',
    examples: ['brain reindex'],
    load: async () => (await import('./commands/reindex.ts')).configureReindex,
  },
  model: {
    summary: 'List models, choose one, see which is in use',
    group: 'Set up',
    examples: ['brain model list', 'brain model use fastembed:bge-small-en-v1.5', 'brain model use builtin'],
    load: async () => (await import('./commands/model.ts')).configureModel,
  },
  completion: {
    summary: 'Print the completion script for a shell',
    group: 'Set up',
    examples: [
      'source <(brain completion bash)',
      'brain completion zsh > ~/.zfunc/_brain',
      'brain completion fish > ~/.config/fish/completions/brain.fish',
    ],
    load: async () => (await import('./commands/completion.ts')).configureCompletion,
  },
}
