/**
 * Cursor. Its rules (`.cursor/rules/*.mdc`, `.cursorrules`) are Markdown. Its database is refused by name: what is in it is
 * documented nowhere, and the memories that versions 1.0 to 2.0 kept were taken out again with 2.1.
 */
import { BrainError } from '../../core/errors.ts'
import { databaseFiles, type ForeignFormat } from './foreign-note.ts'
import { notesInMarkdown } from './markdown.ts'

const isLegacyRules = (path: string): boolean => /(?:^|[\\/])\.cursorrules$/.test(path)

export const cursor: ForeignFormat = {
  name: 'cursor',
  about:
    'Cursor: rules (.mdc, .cursorrules; 2.x); its database is refused, its form being documented nowhere',
  files: [/\.mdc$/i, /^\.cursorrules$/i, databaseFiles],
  recognises: ({ path, database }) =>
    /\.mdc$/i.test(path) ||
    isLegacyRules(path) ||
    (database?.tables.has('ItemTable') === true && database.tables.has('cursorDiskKV')),
  *read(file) {
    const { path, changedAt, database } = file
    if (database !== undefined) {
      throw new BrainError(
        'invalid',
        `${path} is Cursor's own database, whose form is documented nowhere: let Cursor write its memories into rules, and import .cursor/rules`,
      )
    }
    yield* notesInMarkdown({ path, text: file.text(), changedAt })
  },
}
