/**
 * `brain model`: which embedding models there are, which one is in use, and how another comes into use. Choosing one
 * changes the settings and nothing else: recall uses the existing vectors until `brain reindex`.
 */

import type { Command } from 'commander'
import type { Brain } from '../../brain.ts'
import { changeProjectSettings, changeUserSettings } from '../../config/change.ts'
import { checkSetting, explainConfig, placeOf } from '../../config/config.ts'
import { count, counted } from '../../core/counts.ts'
import { isPlainEmbedder } from '../../core/embedders.ts'
import { BrainError, reasonOf } from '../../core/errors.ts'
import { catalogue } from '../../models/catalogue.ts'
import type { Embedder, ModelIdentity } from '../../models/embedder.ts'
import { modelsDirectory } from '../../models/models-directory.ts'
import { sameModel } from '../../models/pool.ts'
import { probe } from '../embedder-probe.ts'
import { interruptible } from '../interrupt.ts'
import { type Progress, withProgress } from '../progress.ts'
import { alignColumns } from '../render/layout.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

const megabytes = (bytes: number): string => `${count(Math.round(bytes / 1_000_000))} MB`

async function list(session: Session): Promise<void> {
  const { findInstalled } = await import('../../models/installed-models.ts')
  const { builtinDimension } = await import('../../models/builtin-model.ts')
  const { embedder: configured } = await session.settings()
  const models = modelsDirectory(session.terminal.environment)
  const rows = [
    { name: 'builtin', language: 'English', dimension: builtinDimension, bytes: 0, installed: true },
    ...catalogue.map((entry) => ({
      name: `fastembed:${entry.name}`,
      language: entry.language,
      dimension: entry.dimension,
      bytes: entry.bytes,
      installed: findInstalled(entry, models) !== undefined,
    })),
  ].map((row) => ({ ...row, configured: row.name === configured }))
  const { style } = session
  const state = ({ name, installed, bytes }: (typeof rows)[number]): string => {
    if (installed) return name === 'builtin' ? 'comes with brain' : 'installed'
    return `${megabytes(bytes)} to download`
  }
  await session.print({ models: rows, embedder: configured }, () =>
    [
      ...alignColumns(
        rows.map((row) => [
          row.configured ? style.green('*') : ' ',
          row.configured ? style.bold(row.name) : row.name,
          row.language,
          state(row),
        ]),
      ),
      style.dim('http is an OpenAI-compatible endpoint, none is recall by keyword alone'),
    ].join('\n'),
  )
}

interface UseOptions {
  readonly from?: string
  readonly mirror?: string
  readonly url?: string
  readonly model?: string
  readonly keyEnv?: string
  readonly user?: boolean
}

/** The settings that make a model the one in use. @throws BrainError `invalid`. */
function toSettings(embedder: string, { url, model, keyEnv }: UseOptions): Record<string, unknown> {
  const given = { 'embedder.url': url, 'embedder.model': model, 'embedder.key_env': keyEnv }
  const settings: Record<string, unknown> = { embedder }
  for (const [setting, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (embedder !== 'http') throw new BrainError('invalid', '--url, --model and --key-env are for http')
    settings[setting] = checkSetting(setting, value)
  }
  return settings
}

/** Brings a model of the catalogue onto this machine, unless it is there. */
async function install(session: Session, name: string, { from, mirror }: UseOptions): Promise<void> {
  const { terminal } = session
  const { useModel } = await import('../../models/providers/fastembed.ts')
  let told = false
  const tell = ({ update }: Progress, done: number, total: number | undefined): void => {
    update({
      doing: `downloading ${name}`,
      done,
      total,
      yield: total === undefined ? megabytes(done) : `${megabytes(done)} of ${megabytes(total)}`,
    })
    if (told || terminal.attended || session.options.json) return
    told = true
    const size = total === undefined ? '' : ` (${megabytes(total)})`
    terminal.stderr.write(`downloading ${name}${size}\n`)
  }
  await interruptible(terminal, (signal) =>
    withProgress(terminal, (progress) =>
      useModel(name, {
        models: modelsDirectory(terminal.environment),
        from: from === undefined ? undefined : session.path(from),
        mirror: mirror ?? (terminal.environment.BRAIN_MODEL_MIRROR || undefined),
        progress: (done, total) => tell(progress, done, total),
        tell: (what) => terminal.stderr.write(`${what}\n`),
        signal,
      }),
    ),
  )
}

/** Says where a setting that wins over the one just made comes from. */
async function warnOfOthers(session: Session, embedder: string): Promise<void> {
  const effective = explainConfig(await session.sources(session.find())).get('embedder')
  if (effective === undefined || effective.value === embedder) return
  session.warn(
    `${placeOf('embedder', effective.source)} says ${String(effective.value)} and wins over what was set`,
  )
}

async function use(session: Session, name: string, options: UseOptions): Promise<void> {
  const plain = isPlainEmbedder(name)
  if (plain && (options.from ?? options.mirror) !== undefined)
    throw new BrainError('invalid', `--from and --mirror are for models that are installed, not for ${name}`)
  const { getModel } = await import('../../models/installed-models.ts')
  const embedder = plain ? name : `fastembed:${getModel(name).name}`
  const settings = toSettings(embedder, options)
  // Found before anything is downloaded.
  const directory = options.user ? session.find() : session.locate()
  if (!plain) await install(session, name, options)
  // What cannot embed is never chosen.
  const identity = await probe(session, settings)
  const { environment } = session.terminal
  const file =
    options.user || directory === undefined
      ? changeUserSettings(environment, settings)
      : changeProjectSettings(directory, environment, settings)
  await warnOfOthers(session, embedder)
  const served =
    directory === undefined
      ? undefined
      : await session.withBrain('model use', ({ store }) => store.index.servedModel())
  const reindex = identity !== undefined && served !== undefined && !sameModel(served, identity)
  const model = identity?.name ?? embedder
  const output = { embedder, model, dimension: identity?.dimension ?? null, file, reindex }
  await session.print(output, () => `${visible(model)} is in use from now on (set in ${visible(file)})`)
  if (reindex && !session.options.json) {
    const rest = `Recall goes on with the vectors of ${visible(served.name)} until you run \`brain reindex\`.`
    await write(session.terminal.stderr, `${rest}\n`)
  }
}

const shownModel = (identity: ModelIdentity | undefined) =>
  identity === undefined ? null : { name: identity.name, dimension: identity.dimension, hash: identity.hash }

interface Current {
  readonly embedder: string
  readonly configured: ReturnType<typeof shownModel>
  readonly problem: string | null
  readonly served: ReturnType<typeof shownModel>
  /** Memories of all projects without a vector of the served model. */
  readonly backlog: number
  /** The same of the configured model: what a reindex would embed. */
  readonly to_reindex: number
}

async function examine({ config, context }: Brain): Promise<Current> {
  const { embedders, store } = context({ project: config.project, agent: config.agent })
  const { embedder: name } = config
  let embedder: Embedder | undefined
  let problem: string | null = null
  try {
    if (name !== 'none') embedder = await embedders.configured()
  } catch (error) {
    problem = reasonOf(error)
  }
  const served = await store.index.servedModel()
  const backlog = served === undefined ? 0 : await store.index.lacking(served)
  const identity = embedder?.identity
  return {
    embedder: name,
    configured: shownModel(identity),
    problem,
    served: shownModel(served),
    backlog,
    to_reindex:
      identity === undefined || (served !== undefined && sameModel(served, identity))
        ? backlog
        : await store.index.lacking(identity),
  }
}

function renderCurrent(current: Current): string {
  const { embedder, configured, problem, served, backlog, to_reindex: toReindex } = current
  const model = (one: Current['served']): string =>
    one === null ? '-' : `${visible(one.name)}, ${one.dimension} dimensions`
  const differ = configured !== null && served !== null && !sameModel(configured, served)
  const rows = [
    ['configured', configured === null ? visible(embedder) : model(configured)],
    ['served', served === null ? 'none: no memory has a vector yet' : model(served)],
    ['backlog', `${counted(backlog, 'memory', 'memories')} without a vector of it`],
  ]
  if (problem !== null) rows.push(['problem', visible(problem)])
  if (differ || (toReindex > 0 && configured !== null))
    rows.push(['next', `\`brain reindex\` embeds ${counted(toReindex, 'memory', 'memories')}`])
  return alignColumns(rows).join('\n')
}

export function configureModel(model: Command, open: () => Session): void {
  model
    .command('list')
    .description('List the models there are, and which of them are installed')
    .action(() => list(open()))

  model
    .command('use')
    .description('Use a model from now on: builtin, http, none, or one that is downloaded once')
    .argument('<name>', 'its name, as `brain model list` shows it')
    .option('--from <directory>', 'take its files from this directory instead of the network')
    .option('--mirror <url>', 'download it from here (else BRAIN_MODEL_MIRROR, else its own host)')
    .option('--url <url>', 'for http: the OpenAI-compatible endpoint')
    .option('--model <name>', 'for http: the model to request')
    .option('--key-env <variable>', 'for http: the environment variable that holds its key')
    .option('--user', 'in your own settings instead, for all your brains')
    .action((name: string, options: UseOptions) => use(open(), name, options))

  model
    .command('current')
    .description('Show the model in use, the one whose vectors recall compares, and what waits for vectors')
    .action(async () => {
      const session = open()
      const current = await session.withBrain('model current', examine)
      await session.print(current, () => renderCurrent(current))
    })
}
