/**
 * A settings file: one JSON object. Reads one without blocking on what is not a regular file, and changes one
 * atomically; knows nothing about the meaning of settings.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { makeDirectories } from '../make-directories.ts'
import { replaceFile } from '../replace-file.ts'
import { cannotKeep, cannotRead, isFileFault } from './file-faults.ts'

/** Far above any settings there can be. */
const longest = 1_048_576

export interface SettingsFile {
  readonly values: Readonly<Record<string, unknown>>
  /** The file's text; empty for a missing file. */
  readonly content: string
}

function readContent(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return ''
    // A pipe or a device would be read for ever.
    if (!found.isFile() || found.size > longest) {
      throw new BrainError('invalid', `${file} is not a settings file: fix or remove it`)
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof BrainError) throw error
    // Below a file there is no other.
    if (isFileFault(error) && error.code === 'ENOTDIR') return ''
    throw cannotRead(file, error)
  }
}

/** The settings in a file; none if it is missing. @throws BrainError `invalid` naming the file. */
export function readSettingsFile(file: string): SettingsFile {
  const content = readContent(file)
  if (content === '') return { values: {}, content }
  let values: unknown
  try {
    values = JSON.parse(content)
  } catch (error) {
    throw new BrainError('invalid', `${file} is not valid JSON: fix or remove it`, { cause: error })
  }
  if (!isObject(values)) {
    throw new BrainError('invalid', `${file} must hold one JSON object: fix or remove it`)
  }
  return { values: { ...values }, content }
}

/** Replaces a settings file atomically, readable only by its owner. Returns the content. @throws BrainError `storage`. */
export function writeSettingsFile(file: string, values: Readonly<Record<string, unknown>>): string {
  const content = `${JSON.stringify(values, undefined, 2)}\n`
  // Where the file is a link, people keep the real one among their own files.
  const target = statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file
  try {
    makeDirectories(dirname(target))
    replaceFile(target, content, { flush: true })
  } catch (error) {
    if (isFileFault(error)) throw cannotKeep(file, error)
    throw error
  }
  return content
}
