/**
 * Which shared files a brain has had to do with: each was given or taken by it. By them a record that was forgotten here is
 * told from one that is new, and what was read is not read again. Stands in `.brain`, holds names alone, and counts for
 * nothing once another database stands there.
 */
import { isFileFault } from '../../config/file-faults.ts'
import { BrainError } from '../../core/errors.ts'
import { readPlain } from '../../direct-files.ts'
import { fillFile } from '../files.ts'
import { isName } from './items.ts'

/** Longer ones are none of ours. */
const maxBytes = 512 * 1024 * 1024

/** What is known of a file: its kind and, of an event, what it belongs to. */
export interface KnownFile {
  readonly type: string
  readonly of?: string
  /** Whether this brain gave it, and took it from nobody. */
  readonly given?: true
}

/** Whose files they are. */
export interface Holder {
  /** Tells this brain from another in its place. */
  readonly identity: string
  readonly project: string
}

function readText(file: string): string {
  try {
    return readPlain(file, maxBytes)?.bytes.toString() ?? ''
  } catch (error) {
    // What was lost is found out again.
    if (isFileFault(error)) return ''
    throw error
  }
}

/** @throws BrainError `invalid` where another project of this brain is shared through the folder. */
export function readKnownFiles(file: string, holder: Holder): Map<string, KnownFile> {
  const known = new Map<string, KnownFile>()
  const [identity, project, ...lines] = readText(file).split('\n')
  if (identity !== holder.identity) return known
  if (project !== holder.project && project !== undefined) {
    throw new BrainError(
      'invalid',
      `project ${project} of this brain is shared here: name it with --project ${project}`,
    )
  }
  for (const line of lines) {
    const [name, type = '', ...more] = line.split(' ')
    const of = more.find(isName)
    if (isName(name))
      known.set(name, { type, ...(of && { of }), ...(more.includes('given') && { given: true }) })
  }
  return known
}

/** Replaces what is known, whole or not at all. */
export const writeKnownFiles = (
  file: string,
  { identity, project }: Holder,
  known: ReadonlyMap<string, KnownFile>,
): Promise<void> =>
  fillFile(file, async (put) => {
    await put(`${identity}\n${project}\n`)
    await put(
      [...known]
        .map(
          ([name, { type, of, given }]) =>
            `${[name, type, of ?? [], given ? 'given' : []].flat().join(' ')}\n`,
        )
        .join(''),
    )
  })
