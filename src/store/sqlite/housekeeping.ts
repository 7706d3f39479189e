/** The files of a brain: permissions, and leftovers of dead processes. Knows names and permissions; opens nothing. */

import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { counted } from '../../core/counts.ts'
import { healthy } from '../findings.ts'
import { directories, isOurs } from './directory-check.ts'
import { findDrafts } from './drafts.ts'
import type { Examined } from './examination.ts'
import { findOrphans } from './presence.ts'

const modeOf = (path: string): number | undefined => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  return mode === undefined ? undefined : mode & 0o777
}

/** Makes directories and files accessible only to their owner: others' bits are removed, the owner's stay as they are. */
export function examinePermissions(file: string): Examined {
  const check = 'permissions'
  if (process.platform === 'win32') return healthy(check, "Windows' own rules hold")
  const directory = dirname(file)
  const paths = [
    directory,
    ...[...directories].map((name) => join(directory, name)),
    ...readdirSync(directory, { withFileTypes: true })
      // Not where a link leads.
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      // Drafts come and go, and nobody else could ever read them.
      .filter((name) => name.startsWith(basename(file)) || (isOurs(name) && !name.startsWith('.')))
      .map((name) => join(directory, name))
      // One with a second name somewhere may be another's under that.
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.nlink === 1),
  ]
  const open = paths.filter((path) => ((modeOf(path) ?? 0) & 0o077) !== 0)
  if (open.length === 0) return healthy(check, 'for their owner only')
  return {
    check,
    ok: false,
    detail: `others may look into ${open.map((path) => basename(path)).join(', ')}`,
    mend: () => {
      for (const path of open) chmodSync(path, (modeOf(path) ?? 0) & 0o700)
    },
  }
}

/** Files of dead processes: incomplete copies, and markers of open brains. */
export function examineLeftovers(file: string): Examined {
  const check = 'leftovers'
  const directory = dirname(file)
  const left = [...findDrafts(directory), ...findOrphans(join(directory, 'run'))]
  if (left.length === 0) return healthy(check, 'none')
  return {
    check,
    ok: false,
    detail: `${counted(left.length, 'file')} of processes that are gone`,
    mend: () => {
      for (const path of left) rmSync(path, { force: true })
    },
  }
}
