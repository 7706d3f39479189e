/**
 * Ownership of a brain. One that is merely found above the working directory may have been put there by anybody who
 * can write to a directory on the way, such as /tmp, in order to read the notes written to it. Knows users by number,
 * and the user's list of trusted brains of others.
 */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { trustFile } from './load.ts'
import { changeSettingsFile, forgetEntry, readSettingsFile } from './settings-file.ts'
import type { Environment } from './user-directories.ts'

export interface User {
  /** The effective user of this process; absent on systems without file owners. */
  readonly uid: number | undefined
  readonly environment: Environment
}

const root = 0

/** Users whose brains count as the user's own: under sudo also the calling user's, as in git. */
function ownUids({ uid, environment }: User): (number | undefined)[] {
  const caller = environment.SUDO_UID
  return uid === root && caller !== undefined && /^\d{1,10}$/.test(caller) ? [root, Number(caller)] : [uid]
}

/** Owners of the directory, of its target if it is a link, and of the database. */
function ownersOf(directory: string): number[] {
  const database = join(directory, 'brain.db')
  const looks = [() => lstatSync(directory), () => statSync(directory), () => lstatSync(database)]
  return looks.flatMap((look) => {
    try {
      return [look().uid]
    } catch {
      // What cannot be looked at has been told by those that can.
      return []
    }
  })
}

/** The other user that owns a `.brain` in whole or in part; undefined if it is the user's own. */
export function foreignOwner(directory: string, user: User): number | undefined {
  if (user.uid === undefined) return undefined
  const own = ownUids(user)
  return ownersOf(directory).find((owner) => !own.includes(owner))
}

/** In words. */
export const nameOfOwner = (uid: number): string => (uid === root ? 'root' : `user ${uid}`)

/** The directories there are in the record begin with a slash. */
const entryOf = (directory: string): string => `owner of ${join(realpathSync(dirname(directory)), '.brain')}`

/** Whether the user trusts this `.brain` as long as it belongs to `owner`. */
export const trustsOwner = (directory: string, owner: number, { environment }: User): boolean =>
  readSettingsFile(trustFile(environment)).values[entryOf(directory)] === owner

export function trustOwner(directory: string, owner: number, { environment }: User): void {
  changeSettingsFile(trustFile(environment), (values) => ({ ...values, [entryOf(directory)]: owner }))
}

/** Removes the trust. Returns whether there was any. */
export function distrustOwner(directory: string, { environment }: User): boolean {
  return forgetEntry(trustFile(environment), entryOf(directory))
}
