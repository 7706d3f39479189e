/** Puts a file in the place of another, whole or not at all. Knows only that. */
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { draftOf } from './draft-name.ts'

interface Replacing {
  /** Its owner's alone unless said otherwise. */
  readonly mode?: number
  /** Whether it is on the disk before it has its name. */
  readonly flush?: boolean
}

/** What root writes into another user's directory is that user's, who could not read it otherwise. */
function leaveToOwner(descriptor: number, directory: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(directory)
  if (uid !== 0) fchownSync(descriptor, uid, gid)
}

/** Writes `content` beside `path` and gives it that name. @throws the system's error, with nothing left behind. */
export function replaceFile(
  path: string,
  content: string,
  { mode = 0o600, flush = false }: Replacing = {},
): void {
  // No store's draft has this number: whoever opens a brain clears away what a killed process left of either.
  const draft = draftOf(path, 0)
  try {
    // What a process of our number left, or a repository brought.
    rmSync(draft, { force: true })
    const descriptor = openSync(draft, 'wx', mode)
    try {
      leaveToOwner(descriptor, dirname(path))
      writeFileSync(descriptor, content, { flush })
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, path)
  } finally {
    // Gone when it has its name; where it never was, a path that leads nowhere is no second fault.
    if (existsSync(draft)) rmSync(draft, { force: true })
  }
}
