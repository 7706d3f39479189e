/**
 * The scores of the last recall that a person was shown, kept next to the brain: what `brain recall feedback` is about. Ids and
 * numbers alone, so that nothing of a forgotten text stays here.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { memberOf } from '../core/json.ts'
import { direct } from '../direct-files.ts'

interface LastRecall {
  /** As `nameOfStore` names it: one directory may have the settings of several. Absent where a file holds the brain. */
  readonly database?: string | undefined
  readonly project: string
  /** Scores by memory id. */
  readonly scores: Readonly<Record<string, number>>
}

const fileOf = (directory: string): string => join(directory, 'last-recall.json')

/** Keeps the scores; where the brain's directory cannot be written, nothing is kept. */
export function keepLastRecall(directory: string, recall: LastRecall): void {
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | direct
    const descriptor = openSync(fileOf(directory), flags, 0o600)
    try {
      // Written over, then cut: to empty a file that was just written waits for the disk, 9 ms of every recall on ext4.
      ftruncateSync(descriptor, writeSync(descriptor, JSON.stringify(recall)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Nobody asked for it, and a score can be named.
  }
}

/** The score a memory had in the last recall of a project; undefined when it was not shown there. */
export function lastScoreOf(
  directory: string,
  { database, project, id }: Omit<LastRecall, 'scores'> & { readonly id: number },
): number | undefined {
  try {
    const descriptor = openSync(fileOf(directory), constants.O_RDONLY | direct)
    try {
      const kept: unknown = JSON.parse(readFileSync(descriptor, 'utf8'))
      if (memberOf(kept, 'project') !== project || memberOf(kept, 'database') !== database) return undefined
      const score = memberOf(memberOf(kept, 'scores'), String(id))
      return typeof score === 'number' ? score : undefined
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
