/** What `brain init` asks a person at a terminal. Knows questions; making the brain is the command's. */
import { resolve } from 'node:path'
import type { Key } from 'node:readline'
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

/** The same for an answer that may be left out. */
const optionalRule = (setting: string) => (value: string | undefined) =>
  value === undefined || value === '' ? undefined : rule(setting)(value)

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
      validate: optionalRule('embedder.key_env'),
    }),
  )
  return {
    embedder,
    'embedder.url': url,
    'embedder.model': model,
    ...(keyEnv !== '' && { 'embedder.key_env': checkSetting('embedder.key_env', keyEnv) }),
  }
}

/** Asks on standard error, so that standard output stays data. @throws Interrupted on Ctrl-C, and when input ends. */
export async function ask(questions: Questions): Promise<Answers> {
  const { stdin } = questions.terminal
  const ended = new AbortController()
  // Ctrl-D closes a prompt without an answer, and the process would end as if all were done.
  const listen = (_: string | undefined, key: Key | undefined): void => {
    if (key?.ctrl === true && key.name === 'd') ended.abort()
  }
  const end = (): void => ended.abort()
  stdin.on('keypress', listen)
  stdin.on('end', end)
  try {
    return await askAll(questions, ended.signal)
  } finally {
    stdin.off('keypress', listen)
    stdin.off('end', end)
  }
}

async function askAll({ terminal, directory, project }: Questions, signal: AbortSignal): Promise<Answers> {
  const streams = { input: terminal.stdin, output: terminal.stderr, signal }
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
      validate: optionalRule('project'),
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
