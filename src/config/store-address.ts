/**
 * The address of a brain that is not in a file, from the caller, the environment or the user's own settings, and its
 * password. No project can set either, since notes would go wherever a cloned repository says.
 */
import { readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { BrainError } from '../core/errors.ts'
import { type Config, environmentName } from './config.ts'
import { cannotRead, isFileFault } from './file-faults.ts'
import { userSettingsFile } from './load.ts'
import { readSettingsFile } from './settings-file.ts'
import { type Environment, homeOf } from './user-directories.ts'

/** Longer files hold no password. */
const maxBytes = 4_096
/** Permission bits that let others read or write. */
const others = 0o077

/** The effective address, not validated; undefined if the brain is in a file. */
export function findStoreAddress(environment: Environment, asked?: string): string | undefined {
  const named = asked ?? (environment[environmentName('store.url')] || undefined)
  if (named !== undefined) return named
  const own = readSettingsFile(userSettingsFile(environment)).values['store.url']
  return own == null ? undefined : String(own)
}

/**
 * The password that goes with the address; undefined where the driver is to look into `~/.pgpass`.
 * @throws BrainError `invalid` naming a file that cannot be read, or that others can.
 */
export function readStorePassword(config: Config, environment: Environment): string | undefined {
  const named = config['store.password_file']
  if (named === null) return environment.PGPASSWORD || undefined
  const home = homeOf(environment)
  const file = named.startsWith('~/') ? join(home, named.slice(2)) : named
  if (!isAbsolute(file))
    throw new BrainError('invalid', 'store.password_file must be an absolute path, or begin with ~/')
  try {
    const found = statSync(file)
    if (!found.isFile() || found.size > maxBytes)
      throw new BrainError(
        'invalid',
        `${file} holds no password: give store.password_file a file with one line`,
      )
    if (platform() !== 'win32' && (found.mode & others) !== 0)
      throw new BrainError('invalid', `${file} can be read by others: run \`chmod 600 ${file}\``)
    const [password = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1)
    if (password !== '') return password
    throw new BrainError('invalid', `${file} is empty: put the password into its first line`)
  } catch (error) {
    throw isFileFault(error) ? cannotRead(file, error) : error
  }
}
