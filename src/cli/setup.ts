/** What `brain init` asks a person at a terminal. Knows questions; making the brain is the command's. */
import { resolve } from 'node:path'
import * as clack from '@clack/prompts'
import { checkSetting } from '../config/config.ts'
import { Interrupted } from './interrupt.ts'
import { mcpClients } from './mcp-clients.ts'
import type { Terminal } from './terminal.ts'

export interface Answers {
  /** The directory that will hold `.brain/`. */
  readonly directory: string
  /** Settings to write, by name. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly withKey: boolean
  readonly clients: readonly string[]
}

/** Where to ask, and what is known already. */
export interface Questions {
  readonly terminal: Terminal
  readonly directory: string
  readonly project: string
}

/** A setting's rule as a prompt's validation. */
const rule = (setting: string) => (value: string | undefined) => {
  try {
    checkSetting(setting, value ?? '')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The answer, unless the person pressed Ctrl-C. @throws Interrupted */
async function answered<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await prompt
  if (clack.isCancel(answer)) throw new Interrupted()
  // Clack answers with a symbol only when it is cancelled.
  return answer as Exclude<T, symbol>
}

async function askEmbedder(streams: clack.CommonOptions): Promise<Record<string, unknown>> {
  const embedder = await answered(
    clack.select({
      ...streams,
      message: 'How should it find notes by meaning?',
      options: [
        { value: 'builtin', label: 'With the built-in model', hint: 'no download, no network' },
        { value: 'http', label: 'With an OpenAI-compatible endpoint', hint: 'notes are sent there' },
        { value: 'none', label: 'Not at all: by keyword only' },
      ],
    }),
  )
  if (embedder !== 'http') return embedder === 'builtin' ? {} : { embedder }
  const url = await answered(
    clack.text({
      ...streams,
      message: 'Its URL',
      placeholder: 'https://api.example.com/v1/embeddings',
      validate: rule('embedder.url'),
    }),
  )
  const model = await answered(
    clack.text({ ...streams, message: 'The model', validate: rule('embedder.model') }),
  )
  const keyEnv = await answered(
    clack.text({
      ...streams,
      message: 'The environment variable that holds its key',
      placeholder: 'none',
      defaultValue: '',
    }),
  )
  return {
    embedder,
    'embedder.url': url,
    'embedder.model': model,
    ...(keyEnv !== '' && { 'embedder.key_env': checkSetting('embedder.key_env', keyEnv) }),
  }
}

/** Asks on standard error, so that standard output stays data. @throws Interrupted on Ctrl-C. */
export async function ask({ terminal, directory, project }: Questions): Promise<Answers> {
  const streams = { input: terminal.stdin, output: terminal.stderr }
  clack.intro('A brain for your notes', streams)
  const where = await answered(
    clack.text({
      ...streams,
      message: 'Where? It goes into .brain/ of this directory',
      defaultValue: directory,
      placeholder: directory,
    }),
  )
  const name = await answered(
    clack.text({
      ...streams,
      message: 'Which project do your notes belong to?',
      defaultValue: project,
      placeholder: project,
    }),
  )
  const settings = await askEmbedder(streams)
  const withKey = await answered(
    clack.confirm({ ...streams, message: 'Make a key for the HTTP API (brain serve)?', initialValue: false }),
  )
  const clients = await answered(
    clack.multiselect({
      ...streams,
      message: 'Which MCP clients will use it? (space selects, enter goes on)',
      options: Object.entries(mcpClients).map(([value, { title }]) => ({ value, label: title })),
      required: false,
    }),
  )
  return {
    directory: resolve(directory, where),
    settings: {
      ...settings,
      ...(name !== project && { project: checkSetting('project', name) }),
    },
    withKey,
    clients,
  }
}
