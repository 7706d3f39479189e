/** Findings about a brain that cannot be opened. Knows no more than SQLite does about the file, and changes nothing. */
import { dirname } from 'node:path'
import { BrainError } from '../../core/errors.ts'
import type { Finding } from '../store.ts'
import { loadDatabase } from './binding.ts'
import { requireModest, requireModestFile } from './bounds.ts'
import { openImage } from './copy.ts'
import { DirectoryCheck, type Provenance, requireDirectory } from './directory-check.ts'
import { hasLog, resolveFile } from './inspection.ts'
import { migrations } from './migrations.ts'
import { requireOwnSchema } from './own-schema.ts'

/** Opens what a look at its surroundings lets through. @throws BrainError `storage` for what might harm its reader. */
function openUnharmed(path: string, provenance: Provenance): ReturnType<typeof loadDatabase> | undefined {
  requireDirectory(dirname(path))
  const file = resolveFile(path)
  if (file === undefined) return undefined
  const { isUnknown } = DirectoryCheck.lookOver(file, provenance)
  if (isUnknown) requireModestFile(file)
  // A connection to the file would leave an empty log beside it.
  const database = hasLog(file) ? loadDatabase(file, { readonly: true, timeout: 0 }) : openImage(file)
  try {
    // Of one moment, as in `open.ts`.
    database.transaction(() => {
      const version = Math.min(Number(database.pragma('user_version', { simple: true })), migrations.length)
      requireOwnSchema(database, { file, version, steps: migrations })
      if (isUnknown) requireModest(database, file)
    })()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * SQLite's own complaints about a file, if it can be read as a database at all. Nothing of one that SQLite should not be
 * shown: why not, its opening has told.
 */
export async function examineClosed(path: string, provenance: Provenance): Promise<Finding[]> {
  const check = 'database'
  try {
    const database = openUnharmed(path, provenance)
    if (database === undefined) return []
    try {
      const rows = database.pragma('integrity_check(5)') as { integrity_check: string }[]
      const complaints = rows
        .flatMap((row) => row.integrity_check.split('\n'))
        .filter((complaint) => !complaint.startsWith('***'))
      const ok = complaints.every((complaint) => complaint === 'ok')
      return [{ check, ok, detail: ok ? 'every page is sound' : complaints.join('; '), fixable: false }]
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof BrainError) return []
    return [{ check, ok: false, detail: (error as Error).message, fixable: false }]
  }
}
