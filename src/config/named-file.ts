/**
 * Reads a file named by the user or found in a repository, without blocking or exhausting memory on what is not a
 * regular file: a pipe that nobody writes, an endless device. Knows kinds of files; nothing about their content.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { BrainError } from '../core/errors.ts'
import { cannotRead } from './file-faults.ts'

/**
 * The bytes of a regular file of at most `limit` bytes, or the first `most` of them. @throws BrainError `invalid`
 * naming the file.
 */
export function readNamedFile(file: string, limit: number, most = limit): Buffer {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw cannotRead(file, error)
  }
  try {
    const found = fstatSync(descriptor)
    if (found.isDirectory())
      throw new BrainError('invalid', `cannot read ${file}: it is a directory: name a file`)
    if (!found.isFile())
      throw new BrainError('invalid', `cannot read ${file}: it is no regular file: name one that is`)
    if (found.size > limit) throw new BrainError('invalid', `${file} is larger than ${limit} bytes`)
    const bytes = Buffer.alloc(Math.min(found.size, most))
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, length)
    return bytes.subarray(0, length)
  } catch (error) {
    throw error instanceof BrainError ? error : cannotRead(file, error)
  } finally {
    closeSync(descriptor)
  }
}
