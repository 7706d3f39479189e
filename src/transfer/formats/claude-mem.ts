/** claude-mem: its database and what its export script writes. An observation is a note, and so is a session's summary. */

import { memberOf } from '../../core/json.ts'
import {
  databaseFiles,
  type ForeignFile,
  type ForeignFormat,
  type ForeignNote,
  jsonFiles,
  listOf,
  paragraphs,
  readTime,
  textOf,
  textsOf,
  unknownVersion,
} from './foreign-note.ts'

/** Its migrations, by number: the first whose tables are today's, and the last that was read. */
const firstSchema = 4
const lastSchema = 35
const known = `schema ${firstSchema} to ${lastSchema}, versions 5 to 13`

const observationColumns = [
  'text',
  'type',
  'project',
  'title',
  'subtitle',
  'narrative',
  'facts',
  'concepts',
  'files_modified',
  'created_at',
  'created_at_epoch',
]
const summaryParts = {
  investigated: 'Investigated',
  learned: 'Learned',
  completed: 'Completed',
  next_steps: 'Next steps',
  notes: 'Notes',
} as const
const summaryColumns = ['request', 'project', ...Object.keys(summaryParts), 'created_at', 'created_at_epoch']

const timeOf = (one: unknown): number | undefined =>
  readTime(memberOf(one, 'created_at_epoch')) ?? readTime(memberOf(one, 'created_at'))

const tagsOf = (one: unknown, ...more: readonly string[]): string[] => {
  const project = textOf(one, 'project')
  return [...(project === undefined ? [] : [project]), ...more]
}

function noteOfObservation(one: unknown, path: string): ForeignNote[] {
  const title = textOf(one, 'title')
  const facts = textsOf(memberOf(one, 'facts')).map((fact) => `- ${fact}`)
  const files = textsOf(memberOf(one, 'files_modified'))
  const body = paragraphs(
    textOf(one, 'subtitle'),
    textOf(one, 'narrative', 'text'),
    facts.join('\n'),
    files.length > 0 && `Files: ${files.join(', ')}`,
  )
  if (title === undefined && body === '') return []
  const type = textOf(one, 'type')
  return [
    {
      text: paragraphs(
        title === undefined ? undefined : type === undefined ? title : `${title} (${type})`,
        body,
      ),
      tags: tagsOf(one, ...textsOf(memberOf(one, 'concepts'))),
      createdAt: timeOf(one),
      origin: `${path}: ${title ?? 'observation'}`,
    },
  ]
}

function noteOfSummary(one: unknown, path: string): ForeignNote[] {
  const request = textOf(one, 'request')
  const parts = Object.entries(summaryParts).map(([member, label]) => {
    const text = textOf(one, member)
    return text && `${label}: ${text}`
  })
  const body = paragraphs(...parts)
  if (body === '') return []
  return [
    {
      text: paragraphs(request && `Session: ${request}`, body),
      tags: tagsOf(one),
      createdAt: timeOf(one),
      origin: `${path}: session`,
    },
  ]
}

const isExport = (value: unknown): boolean =>
  memberOf(value, 'exportedAtEpoch') !== undefined &&
  Array.isArray(memberOf(value, 'observations')) &&
  Array.isArray(memberOf(value, 'summaries'))

/** @throws BrainError `invalid` for a schema that was not read. */
function requireKnownSchema(file: ForeignFile): void {
  let schema = 0
  for (const { version } of file.database?.rows('schema_versions', ['version']) ?? []) {
    if (typeof version === 'number') schema = Math.max(schema, version)
  }
  if (schema < firstSchema || schema > lastSchema)
    throw unknownVersion(file, `a database of claude-mem of schema ${schema}`, known)
}

export const claudeMem: ForeignFormat = {
  name: 'claude-mem',
  about: `claude-mem: its database or its JSON export (${known})`,
  files: [jsonFiles, databaseFiles],
  recognises: ({ database, leading }) =>
    database === undefined
      ? isExport(leading[0])
      : database.tables.has('schema_versions') &&
        database.tables.get('observations')?.has('project') === true &&
        database.tables.has('session_summaries'),
  *read(file) {
    const { database, path } = file
    if (database === undefined) {
      for (const value of file.values()) {
        for (const one of listOf(memberOf(value, 'observations'))) yield* noteOfObservation(one, path)
        for (const one of listOf(memberOf(value, 'summaries'))) yield* noteOfSummary(one, path)
      }
      return
    }
    requireKnownSchema(file)
    for (const one of database.rows('observations', observationColumns)) yield* noteOfObservation(one, path)
    for (const one of database.rows('session_summaries', summaryColumns)) yield* noteOfSummary(one, path)
  },
}
