/**
 * Room on the disk that holds a brain: enough for a backup beside it, or for writing it anew as a forgotten text or a new
 * model asks. Asks the file system alone, and opens no file.
 */
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { finding } from '../store/findings.ts'
import type { Finding } from '../store/store.ts'
import { sizeOf } from './render/output.ts'

/** Bytes beyond the brain's own size: its log, and what is written meanwhile. */
const spare = 64_000_000

export interface FreeSpace {
  readonly free_bytes: number
  /** What a copy of the brain and what is written meanwhile take. */
  readonly needed_bytes: number
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** The room beside the brain in `directory`; undefined where the system does not tell. */
export function freeSpace(directory: string): FreeSpace | undefined {
  try {
    const { bavail, bsize } = statfsSync(directory)
    const file = join(directory, 'brain.db')
    return { free_bytes: bavail * bsize, needed_bytes: bytesOf(file) + bytesOf(`${file}-wal`) + spare }
  } catch {
    return undefined
  }
}

export const isScarce = ({ free_bytes: free, needed_bytes: needed }: FreeSpace): boolean => free < needed

/** What there is, and what there should be. */
export const tellScarce = ({ free_bytes: free, needed_bytes: needed }: FreeSpace): string =>
  `${sizeOf(free)} free on the disk that holds the brain, of ${sizeOf(needed)} that a backup of it or writing it anew takes`

/** What `doctor` says of it; nothing where the system does not tell. */
export function examineSpace(directory: string): Finding[] {
  const space = freeSpace(directory)
  if (space === undefined) return []
  const told = isScarce(space)
    ? `${tellScarce(space)}: make room there, or take the brain to another disk (\`brain backup FILE\`, then \`brain restore FILE\` there)`
    : `${sizeOf(space.free_bytes)}, more than a backup takes`
  return [finding('free space', !isScarce(space), told)]
}
