/** qmd: the documents of its collections, out of its index, read as the Markdown that they are. */
import { databaseFiles, type ForeignFormat, readTime, unknownVersion } from './foreign-note.ts'
import { notesInMarkdown } from './markdown.ts'

const known = '1.0 to 2.x'

const columns = ['collection', 'path', 'hash', 'modified_at', 'active']

export const qmd: ForeignFormat = {
  name: 'qmd',
  about: `qmd: the documents of its collections, from index.sqlite (${known})`,
  files: [databaseFiles],
  recognises: ({ database }) =>
    database?.tables.get('documents')?.has('collection') === true && database.tables.has('content'),
  *read(file) {
    const { database } = file
    const lacking = columns.find((column) => !database?.tables.get('documents')?.has(column))
    if (database === undefined || lacking !== undefined || !database.tables.get('content')?.has('doc'))
      throw unknownVersion(file, `an index of qmd without ${lacking ?? 'its texts'}`, known)
    for (const { collection, path, hash, modified_at, active } of database.rows('documents', columns)) {
      // What is gone from its folder stays in the index for a while.
      if (active === 0 || typeof hash !== 'string') continue
      const doc = database.find('content', { column: 'hash', value: hash }, ['doc'])?.doc
      if (typeof doc !== 'string') continue
      yield* notesInMarkdown({ path: `${collection}/${path}`, text: doc, changedAt: readTime(modified_at) })
    }
  },
}
