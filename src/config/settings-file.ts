/**
 * A settings file: one JSON object. Reads one without blocking on what is not a regular file, and changes one
 * atomically; knows nothing about the meaning of settings.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { whileLocked } from '../file-lock.ts'
import { makeDirectories } from '../make-directories.ts'
import { replaceFile } from '../replace-file.ts'
import { cannotKeep, cannotRead, isFileFault } from './file-faults.ts'

/** Far above any settings there can be. */
const longest = 1_048_576

type Values = Readonly<Record<string, unknown>>

export interface SettingsFile {
  readonly values: Values
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

/** Where the file is a link, people keep the real one among their own files. */
const targetOf = (file: string): string =>
  statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file

/** Replaces a settings file atomically, readable only by its owner. Returns the content. @throws BrainError `storage`. */
export function writeSettingsFile(file: string, values: Values): string {
  const content = `${JSON.stringify(values, undefined, 2)}\n`
  const target = targetOf(file)
  try {
    makeDirectories(dirname(target))
    replaceFile(target, content, { flush: true })
  } catch (error) {
    if (isFileFault(error)) throw cannotKeep(file, error)
    throw error
  }
  return content
}

/** Does `work`, which reads a settings file and replaces it, while no other process changes it. @throws BrainError `busy`. */
export const whileChanging = <T>(file: string, work: () => T): T => whileLocked(targetOf(file), work)

/** Changes the values of a settings file; undefined leaves it as it is. Returns whether it was changed. @throws BrainError */
export const changeSettingsFile = (file: string, change: (values: Values) => Values | undefined): boolean =>
  whileChanging(file, () => {
    const values = change(readSettingsFile(file).values)
    if (values !== undefined) writeSettingsFile(file, values)
    return values !== undefined
  })

/** Takes one entry out of a settings file. Returns whether it was there. @throws BrainError */
export const forgetEntry = (file: string, name: string): boolean =>
  // Looked at first: where there is no file none is made, nor its directory.
  readSettingsFile(file).values[name] !== undefined &&
  changeSettingsFile(file, ({ [name]: known, ...others }) => (known === undefined ? undefined : others))
