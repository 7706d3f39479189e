/**
 * Changes settings on the user's behalf. What the user sets in a project is trusted, but not together with settings
 * that came with the project.
 */
import { BrainError } from '../core/errors.ts'
import { isPersonal } from './config.ts'
import { projectSettingsFile, requireOwnFile, trustFile, userSettingsFile } from './load.ts'
import { changeSettingsFile, readSettingsFile, whileChanging, writeSettingsFile } from './settings-file.ts'
import { guardedOf, mayNeedTrust, TrustRecord } from './trust.ts'
import type { Environment } from './user-directories.ts'

/** Validated values by setting; undefined removes a setting. */
export type Changes = Readonly<Record<string, unknown>>

/** Changes the user's own settings. Returns the file. @throws BrainError */
export function changeUserSettings(environment: Environment, changes: Changes): string {
  const file = userSettingsFile(environment)
  changeSettingsFile(file, (values) => ({ ...values, ...changes }))
  return file
}

/** Changes the settings in a `.brain` directory. Returns the file. @throws BrainError */
export function changeProjectSettings(directory: string, environment: Environment, changes: Changes): string {
  for (const [name, value] of Object.entries(changes)) {
    if (isPersonal(name) && value !== undefined)
      throw new BrainError('invalid', `${name} is for your own settings alone: add --user`)
  }
  const file = projectSettingsFile(directory)
  requireOwnFile(file)
  whileChanging(file, () => {
    const before = readSettingsFile(file)
    const record = new TrustRecord(trustFile(environment))
    const trusted =
      Object.keys(guardedOf(file, before.values)).length === 0 || record.holds(directory, before.content)
    const values = Object.fromEntries(
      Object.entries({ ...before.values, ...changes }).filter(([, value]) => value !== undefined),
    )
    const content = writeSettingsFile(file, values)
    if (trusted && mayNeedTrust(values)) record.add(directory, content)
  })
  return file
}
