/** beads: issues and, where they were exported with them, the memories of `bd remember`, a line each. */

import { memberOf } from '../../core/json.ts'
import {
  type ForeignFormat,
  type ForeignNote,
  jsonFiles,
  listOf,
  paragraphs,
  readTime,
  someRecord,
  textOf,
  textsOf,
  unknownVersion,
} from './foreign-note.ts'

const known = '0.2x to 1.0'

const isIssue = (one: unknown): boolean =>
  textOf(one, 'title') !== undefined &&
  textOf(one, 'id') !== undefined &&
  textOf(one, 'issue_type') !== undefined &&
  textOf(one, 'status') !== undefined

const isMemory = (one: unknown): boolean =>
  memberOf(one, '_type') === 'memory' &&
  textOf(one, 'key') !== undefined &&
  textOf(one, 'value') !== undefined

function noteOfIssue(one: unknown, path: string): ForeignNote[] {
  const [id, status] = [textOf(one, 'id'), textOf(one, 'status')]
  // A deleted issue leaves a line, for other clones to hear of it.
  if (status === 'tombstone') return []
  const comments = listOf(memberOf(one, 'comments')).flatMap((comment) => textOf(comment, 'text') ?? [])
  const labelled = (label: string, member: string): string | undefined => {
    const text = textOf(one, member)
    return text && `${label}: ${text}`
  }
  return [
    {
      text: paragraphs(
        `Issue ${id} (${textOf(one, 'issue_type')}, ${status}): ${textOf(one, 'title')}`,
        textOf(one, 'description'),
        labelled('Design', 'design'),
        labelled('Accepted when', 'acceptance_criteria'),
        labelled('Notes', 'notes'),
        ...comments.map((comment) => `Comment: ${comment}`),
        labelled('Closed', 'close_reason'),
      ),
      id: `${id} ${textOf(one, 'updated_at') ?? status}`,
      tags: textsOf(memberOf(one, 'labels')),
      createdAt: readTime(memberOf(one, 'created_at')),
      origin: `${path}: ${id}`,
    },
  ]
}

export const beads: ForeignFormat = {
  name: 'beads',
  about: `beads: issues.jsonl, or what bd export writes (${known})`,
  files: [jsonFiles],
  recognises: (file) => someRecord(file, [], (one) => isIssue(one) || isMemory(one)),
  *read(file) {
    for (const one of file.values()) {
      if (isMemory(one)) {
        const key = textOf(one, 'key') ?? ''
        yield {
          text: `${key.replace(/[-_]+/g, ' ')}: ${textOf(one, 'value')}`,
          origin: `${file.path}: ${key}`,
        }
      } else if (isIssue(one)) yield* noteOfIssue(one, file.path)
      else throw unknownVersion(file, `beads with records of type ${textOf(one, '_type') ?? 'none'}`, known)
    }
  },
}
