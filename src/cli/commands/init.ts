/** `brain init`: makes the brain of a directory, with its settings, a key and what MCP clients need to know. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, Option } from 'commander'
import { changeProjectSettings } from '../../config/change.ts'
import { checkSetting } from '../../config/config.ts'
import { brainDirectoryIn, checkBrainDirectory, makeBrainDirectory } from '../../config/locate.ts'
import { defaultProject } from '../../core/agent-names.ts'
import { embedderForms } from '../../core/embedders.ts'
import { mcpClients } from '../mcp-clients.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import type { Answers } from '../setup.ts'

interface Options {
  readonly yes?: boolean
  readonly embedder?: string
  readonly withKey?: boolean
  readonly client?: string[]
}

const fromOptions = (session: Session, options: Options): Answers => ({
  directory: session.namedDirectory ?? session.terminal.workingDirectory,
  settings: {
    ...(session.options.project !== undefined && {
      project: checkSetting('project', session.options.project),
    }),
    ...(options.embedder !== undefined && { embedder: checkSetting('embedder', options.embedder) }),
  },
  withKey: options.withKey ?? false,
  clients: options.client ?? [],
})

async function answer(session: Session, options: Options): Promise<Answers> {
  const { terminal } = session
  const given = fromOptions(session, options)
  if (!session.mayAsk || options.yes || Object.keys(options).length > 0) return given
  const { ask } = await import('../setup.ts')
  const answers = await ask({
    terminal,
    directory: given.directory,
    project: session.options.project ?? defaultProject,
  })
  return { ...answers, settings: { ...given.settings, ...answers.settings } }
}

/** Makes the brain and, if asked, a key of its project. Returns the key, which is shown once. */
async function make(session: Session, directory: string, withKey: boolean): Promise<string | null> {
  const { openBrain } = await import('../../brain.ts')
  const config = await session.config(directory)
  const brain = await openBrain({
    directory,
    config,
    as: 'command',
    create: true,
    label: 'brain init',
    warn: session.warn,
    environment: session.terminal.environment,
  })
  try {
    if (!withKey) return null
    const { createKey } = await import('../../config/keys.ts')
    const { project } = config
    const issued = await createKey(brain.store.keys, {
      project,
      label: null,
      lifetime: null,
      now: Date.now(),
    })
    return issued.text
  } finally {
    await brain.close()
  }
}

interface Made {
  readonly directory: string
  readonly created: boolean
  readonly key: string | null
  /** Configurations for the requested MCP clients, by their names. */
  readonly clients: Readonly<Record<string, string>>
}

/** Which coding agents are used here and not connected, and the command that connects them. */
async function describeAgents(session: Session): Promise<string[]> {
  const { agentsHere } = await import('./setup.ts')
  const found = (await agentsHere(session)).filter(({ found, project, user }) => found && !project && !user)
  if (found.length === 0) return []
  const titles = found.map(({ title }) => title).join(', ')
  const [only] = found.length === 1 ? found : []
  return [
    '',
    only === undefined
      ? `Found ${titles}: \`brain setup\` says how to connect them.`
      : `Found ${titles}: \`brain setup ${only.agent}\` connects it.`,
  ]
}

/** What others shared here through git, and the command that takes it in. */
async function describeShared(session: Session, directory: string): Promise<string[]> {
  const [{ sharedDirectoryName }, { findCitedDirectory }] = await Promise.all([
    import('../../transfer/share/folder.ts'),
    import('../../config/cited-directory.ts'),
  ])
  const place = findCitedDirectory(directory, session.terminal.workingDirectory)
  if (session.isPersonal || !existsSync(join(place, sharedDirectoryName))) return []
  return ['', `${sharedDirectoryName} holds what others shared: \`brain share --pull\` takes it in.`]
}

async function renderMade({ directory, created, key, clients }: Made, session: Session): Promise<string> {
  const { style } = session
  const head = created ? style.green('made a brain') : 'there is a brain already'
  const keyed = key === null ? [] : ['', `Key for the HTTP API, shown this once:\n\n  ${key}`]
  const told = Object.entries(clients).flatMap(([name, snippet]) => {
    const client = mcpClients[name]
    return ['', `${style.bold(client?.title ?? name)}, ${client?.place}:`, '', visible(snippet)]
  })
  const shared = created ? await describeShared(session, directory) : []
  const agents = await describeAgents(session)
  return [`${head} in ${visible(directory)}`, ...keyed, ...told, ...shared, ...agents].join('\n')
}

async function init(session: Session, options: Options): Promise<void> {
  const answers = await answer(session, options)
  const { requireKnownModel, warnOfEmbedder } = await import('../embedder-probe.ts')
  await requireKnownModel(answers.settings)
  const directory = brainDirectoryIn(answers.directory)
  checkBrainDirectory(directory)
  const created = !existsSync(session.isStored ? directory : join(directory, 'brain.db'))
  if (Object.keys(answers.settings).length > 0) {
    makeBrainDirectory(directory)
    changeProjectSettings(directory, session.terminal.environment, answers.settings)
  }
  const key = await make(session, directory, answers.withKey)
  const clients = Object.fromEntries(
    answers.clients.flatMap((name) =>
      mcpClients[name] ? [[name, mcpClients[name].snippet(dirname(directory))]] : [],
    ),
  )
  const made = { directory, created, key, clients }
  await session.print(made, () => renderMade(made, session))
  await warnOfEmbedder(session, answers.settings, directory)
}

export function configureInit(command: Command, open: () => Session): void {
  command
    .option('--yes', 'do not ask, use the defaults')
    .option('--embedder <name>', `${embedderForms} (default: builtin)`)
    .option('--with-key', 'create a key for the HTTP API and show it once')
    .addOption(
      new Option('--client <name...>', 'show how to connect these MCP clients').choices(
        Object.keys(mcpClients),
      ),
    )
    .action((options: Options) => init(open(), options))
}
