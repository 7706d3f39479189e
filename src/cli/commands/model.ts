/** `brain model`: which models there are, which one is in use, and how another comes into use. */
import type { Command } from 'commander'
import { changeProjectSettings, changeUserSettings } from '../../config/change.ts'
import { checkSetting } from '../../config/config.ts'
import { BrainError } from '../../core/errors.ts'
import { interruptible } from '../interrupt.ts'
import { startProgress } from '../progress.ts'
import { alignColumns } from '../render/layout.ts'
import { createStyle } from '../render/style.ts'
import type { Session } from '../session.ts'

interface UseOptions {
  readonly from?: string
  readonly user?: boolean
}

/** Names as they are configured; models of fastembed may be given without their prefix. */
async function toEmbedder(name: string): Promise<string> {
  if (['builtin', 'http', 'none'].includes(name)) return name
  const { getModel } = await import('../../embed/installed-models.ts')
  return `fastembed:${getModel(name).name}`
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

async function list(session: Session): Promise<void> {
  const [{ catalogue }, { findInstalled }, { modelsDirectory }] = await Promise.all([
    import('../../embed/catalogue.ts'),
    import('../../embed/installed-models.ts'),
    import('../../embed/models-directory.ts'),
  ])
  const directory = modelsDirectory(session.terminal.environment)
  const current = (await session.settings()).embedder
  const models = [
    { name: 'builtin', language: 'English', bytes: 0, installed: true },
    ...catalogue.map((entry) => ({
      name: `fastembed:${entry.name}`,
      language: entry.language,
      bytes: entry.bytes,
      installed: findInstalled(entry, directory) !== undefined,
    })),
  ].map((model) => ({ ...model, current: model.name === current }))
  const style = createStyle(session.terminal.colour)
  await session.print({ models }, () =>
    alignColumns(
      models.map(({ name, language, bytes, installed, current }) => [
        current ? style.green(`* ${name}`) : `  ${name}`,
        language,
        installed ? 'here' : style.dim(`${megabytes(bytes)} to download`),
      ]),
    ).join('\n'),
  )
}

async function current(session: Session): Promise<void> {
  const told = await session.withBrain('model current', async ({ config, store }, { project }) => ({
    configured: config.embedder,
    served: (await store.index.servedModel())?.name ?? null,
    waiting: await store.index.backlog(project),
  }))
  const { configured, served, waiting } = told
  const behind = served !== null && served !== configured && configured !== 'none'
  await session.print(told, () =>
    [
      configured,
      ...(behind ? [`recall uses vectors of ${served} until \`brain reindex\` has made the new ones`] : []),
      ...(waiting > 0
        ? [`${waiting.toLocaleString('en')} memories wait for a vector: \`brain reindex\``]
        : []),
    ].join('\n'),
  )
}

/** Gets a model of fastembed onto this machine, from a directory or by download. */
async function install(session: Session, name: string, from: string | undefined): Promise<void> {
  const { terminal } = session
  const [{ useModel }, { modelsDirectory }] = await Promise.all([
    import('../../embed/fastembed.ts'),
    import('../../embed/models-directory.ts'),
  ])
  const progress = startProgress(terminal)
  try {
    await interruptible(terminal, (signal) =>
      useModel(name, {
        models: modelsDirectory(terminal.environment),
        ...(from !== undefined && { from: session.path(from) }),
        mirror: terminal.environment.BRAIN_MODEL_MIRROR || undefined,
        signal,
        progress: (done, total) =>
          progress.update({ doing: `downloading ${name}`, done, total, yield: megabytes(done) }),
      }),
    )
  } finally {
    progress.end()
  }
}

async function use(session: Session, name: string, options: UseOptions): Promise<void> {
  const embedder = await toEmbedder(name)
  checkSetting('embedder', embedder)
  const fastembed = embedder.startsWith('fastembed:')
  if (options.from !== undefined && !fastembed) {
    throw new BrainError('invalid', `--from is for models of fastembed: ${embedder} has no files to copy`)
  }
  // Found first: a download for a brain that is not there would be for nothing.
  const directory = options.user ? undefined : session.locate()
  if (fastembed) await install(session, embedder.slice('fastembed:'.length), options.from)
  const { environment } = session.terminal
  const file =
    directory === undefined
      ? changeUserSettings(environment, { embedder })
      : changeProjectSettings(directory, environment, { embedder })
  await session.print({ embedder, file }, () =>
    embedder === 'none'
      ? `recall is by keyword now (${file})`
      : `${embedder} is configured (${file}); run \`brain reindex\` to give every memory its vector`,
  )
}

export function shapeModel(model: Command, open: () => Session): void {
  model
    .command('list')
    .description('List the models there are, which are on this machine and which one is configured')
    .action(() => list(open()))

  model
    .command('current')
    .description('Show the configured model and whose vectors recall uses')
    .action(() => current(open()))

  model
    .command('use')
    .description('Configure a model; one of fastembed is downloaded first, once')
    .argument('<name>', 'builtin, a model of `brain model list`, http or none')
    .option('--from <directory>', 'take the files of a fastembed model from here, with no network')
    .option('--user', 'in your own settings instead of the project’s')
    .action((name: string, options: UseOptions) => use(open(), name, options))
}
