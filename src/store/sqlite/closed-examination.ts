/** What can be said of a brain that cannot be opened. Knows no more than SQLite does of the file, and changes nothing. */
import type { Finding } from '../store.ts'
import { loadDatabase } from './binding.ts'

/** SQLite's own complaints about a file, if it can be read as a database at all. */
export async function examineClosed(file: string): Promise<Finding[]> {
  const check = 'database'
  try {
    const database = loadDatabase(file, { readonly: true, fileMustExist: true, timeout: 0 })
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
    return [{ check, ok: false, detail: (error as Error).message, fixable: false }]
  }
}
