/** `brain config`: lists, reads and changes settings, of the project or of the user. */
import { Argument, type Command } from 'commander'
import { changeProjectSettings, changeUserSettings } from '../../config/change.ts'
import {
  checkSetting,
  type EffectiveSetting,
  explainConfig,
  isSettingName,
  placeOf,
  type SettingName,
  settingNames,
} from '../../config/config.ts'
import { projectSettingsFile, userSettingsFile } from '../../config/load.ts'
import { readSettingsFile } from '../../config/settings-file.ts'
import { BrainError } from '../../core/errors.ts'
import { alignColumns } from '../render/layout.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'

const readAll = async (session: Session): Promise<Map<SettingName, EffectiveSetting>> =>
  explainConfig(await session.sources(session.find()))

function requireSetting(name: string): SettingName {
  if (isSettingName(name)) return name
  // The check knows how to refuse an unknown name.
  checkSetting(name, undefined)
  throw new BrainError('invalid', `unknown setting: ${name}`)
}

const shown = (value: unknown): string => (value === null ? '-' : visible(String(value)))

async function list(session: Session): Promise<void> {
  const settings = [...(await readAll(session))].map(([name, setting]) => ({ name, ...setting }))
  const { style } = session
  await session.print({ settings }, () =>
    alignColumns(
      settings.map(({ name, value, source }) => [
        source === 'default' ? name : style.bold(name),
        shown(value),
        style.dim(placeOf(name, source)),
      ]),
    ).join('\n'),
  )
}

async function get(session: Session, name: string): Promise<void> {
  const key = requireSetting(name)
  const { value, source } = (await readAll(session)).get(key) ?? { value: null, source: 'default' }
  await session.print({ name: key, value, source }, () => (value === null ? '' : visible(String(value))))
}

/** Changes one setting; undefined takes it out. Returns the file it is in. */
function change(
  session: Session,
  name: SettingName,
  { value, user }: { value: unknown; user: boolean },
): string {
  const { environment } = session.terminal
  if (user) return changeUserSettings(environment, { [name]: value })
  return changeProjectSettings(session.locate(), environment, { [name]: value })
}

/** Lists the settings for help and completion; an unknown one is refused in the words of the settings. */
function keyArgument(): Argument {
  const argument = new Argument('<key>', 'name of the setting')
  argument.argChoices = [...settingNames]
  return argument
}

export function configureConfig(config: Command, open: () => Session): void {
  config
    .command('list')
    .description('List every setting with its value and where it comes from')
    .action(() => list(open()))

  config
    .command('get')
    .description('Print the effective value of a setting')
    .addArgument(keyArgument())
    .action((key: string) => get(open(), key))

  config
    .command('set')
    .description("Set a setting in the project's .brain/config.json")
    .addArgument(keyArgument())
    .argument('<value>', 'its value')
    .option('--user', 'in your own settings instead, for all your brains')
    .action(async (key: string, text: string, options: { user?: boolean }) => {
      const session = open()
      const name = requireSetting(key)
      const value = checkSetting(name, text)
      const { requireKnownModel, warnOfEmbedder } = await import('../embedder-probe.ts')
      await requireKnownModel({ [name]: value })
      const file = change(session, name, { value, user: options.user ?? false })
      await session.print({ name, value, file }, () => `set ${name} to ${shown(value)} in ${visible(file)}`)
      await warnOfEmbedder(session, { [name]: value })
    })

  config
    .command('unset')
    .description("Take a setting out of the project's .brain/config.json")
    .addArgument(keyArgument())
    .option('--user', 'from your own settings instead')
    .action(async (key: string, options: { user?: boolean }) => {
      const session = open()
      const name = requireSetting(key)
      const user = options.user ?? false
      const file = user
        ? userSettingsFile(session.terminal.environment)
        : projectSettingsFile(session.locate())
      const isSet = readSettingsFile(file).values[name] !== undefined
      if (isSet) change(session, name, { value: undefined, user })
      await session.print({ name, value: null, file }, () =>
        isSet ? `took ${name} out of ${visible(file)}` : `${name} was not set in ${visible(file)}`,
      )
    })
}
