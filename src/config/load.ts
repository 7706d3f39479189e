/**
 * The effective settings of a directory: reads the project's and the user's files and ranks them with the caller's and
 * the environment's. Settings that an untrusted project may not make are dropped here, for every interface alike.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { BrainError } from '../core/errors.ts'
import {
  type Config,
  defaults,
  fromEnvironment,
  isPersonal,
  resolveConfig,
  type SettingSource,
} from './config.ts'
import { personalBrainDirectory } from './locate.ts'
import { readSettingsFile } from './settings-file.ts'
import { baseDirectory, dataDirectory, type Environment } from './user-directories.ts'

export const userSettingsFile = (environment: Environment): string =>
  join(baseDirectory(environment, 'XDG_CONFIG_HOME', '.config'), 'brain', 'config.json')

export const trustFile = (environment: Environment): string =>
  join(dataDirectory(environment), 'trusted.json')

export const projectSettingsFile = (directory: string): string => join(directory, 'config.json')

export interface ConfigPlace {
  /** The `.brain` directory; absent where there is none. */
  readonly directory?: string
  readonly environment: Environment
  /** What the caller asks for; comes first. */
  readonly asked: SettingSource
  /** Told once when settings of an untrusted project are left out. */
  readonly warn: (message: string) => void
}

/** @throws BrainError `storage` for a link: it may have come with a cloned repository, and lead anywhere. */
export function requireOwnFile(file: string): void {
  try {
    if (!lstatSync(file).isSymbolicLink()) return
  } catch {
    // What cannot be looked at is told by who reads it.
    return
  }
  throw new BrainError(
    'storage',
    `${file} is a symbolic link, which no brain makes: look where it leads, and remove it`,
  )
}

const leaveOut = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([setting]) => !names.includes(setting)))

async function readProjectSettings(
  place: ConfigPlace & { directory: string },
  own: SettingSource,
): Promise<SettingSource> {
  const file = projectSettingsFile(place.directory)
  requireOwnFile(file)
  const { values: found, content } = readSettingsFile(file)
  if (content === '') return { name: file, values: found }
  const personal = Object.keys(found).filter(isPersonal)
  const values = leaveOut(found, personal)
  if (personal.length > 0)
    place.warn(`${personal.join(', ')} in ${file} ignored: it is for your own settings (--user) alone`)
  // Few projects have settings, and hashing is not needed without.
  const { guardedOf, mayNeedTrust, TrustRecord } = await import('./trust.ts')
  const asked = { ...defaults, ...own.values }
  if (!mayNeedTrust(values, asked)) return { name: file, values }
  // Before git's list of tracked files, which may be long, is read.
  if (new TrustRecord(trustFile(place.environment)).holds(place.directory, content))
    return { name: file, values }
  const names = Object.keys(guardedOf(file, values, asked))
  if (names.length === 0) return { name: file, values }
  place.warn(
    `${names.join(', ')} in ${file} ignored: settings that came with a project can send your notes elsewhere, put others in the place of your warnings or let pass what you want stopped; \`brain trust\` allows them`,
  )
  return { name: file, values: leaveOut(values, names) }
}

/** The sources of settings, in order of precedence. @throws BrainError `invalid` naming a file that is not a settings file. */
export async function loadSources(place: ConfigPlace): Promise<SettingSource[]> {
  const { asked, environment, directory } = place
  const userFile = userSettingsFile(environment)
  const own = { name: userFile, values: readSettingsFile(userFile).values }
  const sources = [
    asked,
    fromEnvironment(environment),
    ...(directory === undefined ? [] : [await readProjectSettings({ ...place, directory }, own)]),
    own,
  ]
  if (directory !== personalBrainDirectory(environment)) return sources
  // What goes with a person stays in a file of theirs, wherever the brains of projects are.
  return sources.map(({ name, values }) => ({ name, values: leaveOut(values, ['store.url']) }))
}

/** The effective settings. @throws BrainError `invalid` naming source and setting. */
export const loadConfig = async (place: ConfigPlace): Promise<Config> =>
  resolveConfig(await loadSources(place))
