/**
 * The commands that are no operations: what each does in a line, and where the rest of it is loaded from when it
 * is the one asked for.
 */
import type { Command } from 'commander'
import type { Session } from './session.ts'

/** Gives a command its arguments, options and action. */
export type Shaper = (command: Command, open: () => Session) => void

export interface OwnCommand {
  readonly summary: string
  readonly load: () => Promise<Shaper>
}

export const ownCommands: Readonly<Record<string, OwnCommand>> = {
  init: {
    summary: 'Make a brain in this directory',
    load: async () => (await import('./commands/init.ts')).shapeInit,
  },
  demo: {
    summary: 'Fill a throw-away brain with three weeks of notes and walk through it',
    load: async () => (await import('./commands/demo.ts')).shapeDemo,
  },
  dream: {
    summary: 'Dream now: think over the memories and keep what is worth reading',
    load: async () => (await import('./commands/dream.ts')).shapeDream,
  },
  serve: {
    summary: 'Serve the HTTP API and MCP, by default to this machine only',
    load: async () => (await import('./commands/serve.ts')).shapeServe,
  },
  mcp: {
    summary: 'Serve the MCP tools to one client over standard input and output',
    load: async () => (await import('./commands/mcp.ts')).shapeMcp,
  },
  key: {
    summary: 'Make, list, revoke and rotate keys of the HTTP API',
    load: async () => (await import('./commands/key.ts')).shapeKey,
  },
  doctor: {
    summary: 'Look the brain over; with --fix mend what can be mended without loss',
    load: async () => (await import('./commands/doctor.ts')).shapeDoctor,
  },
  config: {
    summary: 'List, read and change settings, of the project or your own',
    load: async () => (await import('./commands/config.ts')).shapeConfig,
  },
  trust: {
    summary:
      "Let a project's own settings name endpoints and addresses, and another user's brain be used where it is found",
    load: async () => (await import('./commands/trust.ts')).shapeTrust,
  },
  export: {
    summary: 'Write the records of a project, or of all, as JSON Lines',
    load: async () => (await import('./commands/export.ts')).shapeExport,
  },
  import: {
    summary: 'Take in an export, or notes one a line, all of them or none',
    load: async () => (await import('./commands/import.ts')).shapeImport,
  },
  backup: {
    summary: 'Copy the whole brain into a file while others go on writing',
    load: async () => (await import('./commands/backup.ts')).shapeBackup,
  },
  reindex: {
    summary: 'Give every memory a vector of the configured model',
    load: async () => (await import('./commands/reindex.ts')).shapeReindex,
  },
  model: {
    summary: 'List models, choose one, see which is in use',
    load: async () => (await import('./commands/model.ts')).shapeModel,
  },
  completion: {
    summary: 'Print the completion script of a shell',
    load: async () => (await import('./commands/completion.ts')).shapeCompletion,
  },
}
