/** engram (Gentleman-Programming): its database and what `engram export` writes. An observation is a note. */

import { memberOf } from '../../core/json.ts'
import {
  databaseFiles,
  type ForeignFormat,
  type ForeignNote,
  jsonFiles,
  listOf,
  paragraphs,
  readTime,
  textOf,
  unknownVersion,
} from './foreign-note.ts'

/** What an export calls its own form. */
const exportVersion = '0.1.0'
const known = `export ${exportVersion}, databases of 1.x`

const required = ['type', 'title', 'content', 'created_at', 'deleted_at']
const columns = [...required, 'sync_id', 'updated_at', 'project', 'topic_key']

function noteOf(one: unknown, path: string): ForeignNote[] {
  const content = textOf(one, 'content')
  if (content === undefined || textOf(one, 'deleted_at') !== undefined) return []
  const [title, sync] = [textOf(one, 'title'), textOf(one, 'sync_id')]
  const tags = [textOf(one, 'project'), textOf(one, 'type'), textOf(one, 'topic_key')]
  return [
    {
      id: sync && `${sync} ${textOf(one, 'updated_at') ?? ''}`.trim(),
      text: title === undefined || content.startsWith(title) ? content : paragraphs(title, content),
      tags: tags.filter((tag) => tag !== undefined),
      createdAt: readTime(memberOf(one, 'created_at')),
      origin: `${path}: ${title ?? 'observation'}`,
    },
  ]
}

const isExport = (value: unknown): boolean =>
  textOf(value, 'version') !== undefined &&
  textOf(value, 'exported_at') !== undefined &&
  Array.isArray(memberOf(value, 'sessions')) &&
  memberOf(value, 'observations') !== undefined &&
  memberOf(value, 'prompts') !== undefined

export const engram: ForeignFormat = {
  name: 'engram',
  about: `engram: its database or its JSON export (${known})`,
  files: [jsonFiles, databaseFiles],
  recognises: ({ database, leading }) =>
    database === undefined
      ? isExport(leading[0])
      : database.tables.has('user_prompts') &&
        database.tables.has('sessions') &&
        database.tables.get('observations')?.has('session_id') === true,
  *read(file) {
    const { database, path } = file
    if (database !== undefined) {
      const there = database.tables.get('observations')
      const missing = required.find((column) => !there?.has(column))
      if (missing !== undefined)
        throw unknownVersion(file, `a database of engram without the column ${missing}`, known)
      for (const one of database.rows('observations', columns)) yield* noteOf(one, path)
      return
    }
    for (const value of file.values()) {
      const version = textOf(value, 'version')
      if (version !== exportVersion)
        throw unknownVersion(file, `an export of engram of version ${version}`, known)
      for (const one of listOf(memberOf(value, 'observations'))) yield* noteOf(one, path)
    }
  },
}
