/**
 * Opens files where anybody may have put something else: never through a link, and never waiting for who reads or writes a
 * pipe. Knows only that.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Flags of `open` beside those that say what for; Windows has neither. */
export const direct = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of a plain file, and when it was written; undefined of anything else and of more than `maxBytes`. @throws
 * the system's error.
 */
export function readPlain(path: string, maxBytes: number): { bytes: Buffer; written: number } | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | direct)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile() || found.size > maxBytes) return undefined
    return { bytes: readFileSync(descriptor), written: found.mtimeMs }
  } finally {
    closeSync(descriptor)
  }
}
