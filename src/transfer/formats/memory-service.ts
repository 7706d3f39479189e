/** mcp-memory-service: its JSON export and its SQLite database, with the sentence in `content` and a hash of it. */

import { memberOf } from '../../core/json.ts'
import {
  databaseFiles,
  type ForeignFormat,
  type ForeignNote,
  jsonFiles,
  readTime,
  recordsIn,
  someRecord,
  textOf,
  textsOf,
  unknownVersion,
} from './foreign-note.ts'

const table = 'memories'
const columns = [
  'content',
  'content_hash',
  'tags',
  'memory_type',
  'created_at',
  'created_at_iso',
  'deleted_at',
]
const known = '8 to 11'

function noteOf(one: unknown, path: string): ForeignNote[] {
  const text = textOf(one, 'content')
  // What was deleted is kept there for other machines to hear of it.
  if (text === undefined || memberOf(one, 'deleted_at') != null) return []
  const tags = memberOf(one, 'tags')
  return [
    {
      text,
      id: textOf(one, 'content_hash'),
      tags: Array.isArray(tags)
        ? textsOf(tags)
        : (textOf(one, 'tags') ?? '').split(',').map((tag) => tag.trim()),
      createdAt: readTime(memberOf(one, 'created_at')) ?? readTime(memberOf(one, 'created_at_iso')),
      origin: `${path}: ${textOf(one, 'content_hash')?.slice(0, 12)}`,
    },
  ]
}

export const memoryService: ForeignFormat = {
  name: 'mcp-memory-service',
  about: `mcp-memory-service: its database or its JSON export (${known})`,
  files: [jsonFiles, databaseFiles],
  recognises: (file) =>
    file.database?.tables.get(table)?.has('content_hash') ??
    someRecord(
      file,
      [table],
      (one) => textOf(one, 'content') !== undefined && textOf(one, 'content_hash') !== undefined,
    ),
  *read(file) {
    const there = file.database?.tables.get(table)
    if (there !== undefined && !(there.has('content') && there.has('tags') && there.has('created_at')))
      throw unknownVersion(file, 'a database of another version of mcp-memory-service', known)
    const records = file.database?.rows(table, columns) ?? recordsIn(file.values(), table)
    for (const one of records) yield* noteOf(one, file.path)
  },
}
