/**
 * The knowledge graph of MCP's reference memory server: an observation a note, a relation a note. Also the form in which
 * this program writes one, which it reads back as it was.
 */

import { memberOf } from '../../core/json.ts'
import {
  type ForeignFormat,
  type ForeignNote,
  jsonFiles,
  listOf,
  readTime,
  recordsIn,
  textOf,
  textsOf,
} from './foreign-note.ts'

/** Types of entities that are memories of this program: their one observation is the complete text. */
export const ownEntityTypes = { memory: 'brain memory', flag: 'brain flag' } as const

const isOwn = (kind: string | undefined): boolean => Object.values<unknown>(ownEntityTypes).includes(kind)

/** Entities and relations, however a file holds them. */
function* partsOf(values: Iterable<unknown>): Generator<unknown> {
  for (const value of values) {
    const [entities, relations] = [memberOf(value, 'entities'), memberOf(value, 'relations')]
    if (Array.isArray(entities) || Array.isArray(relations))
      yield* [...listOf(entities), ...listOf(relations)]
    else yield* recordsIn([value])
  }
}

const isEntity = (value: unknown): boolean =>
  textOf(value, 'entityType') !== undefined && Array.isArray(memberOf(value, 'observations'))

function notesOf(part: unknown, path: string): ForeignNote[] {
  if (isEntity(part)) {
    const name = textOf(part, 'name') ?? 'unnamed'
    const kind = textOf(part, 'entityType')
    const caution = memberOf(part, 'caution')
    const more = {
      tags: textsOf(memberOf(part, 'tags')),
      createdAt: readTime(memberOf(part, 'created_at')),
      ...(typeof caution === 'number' && caution > 0 && caution <= 1 && { caution }),
      origin: `${path}: ${name}`,
    }
    return textsOf(memberOf(part, 'observations')).map((text) =>
      isOwn(kind) ? { text, ...more } : { text: `${name} (${kind}): ${text}`, origin: more.origin },
    )
  }
  const [from, to, type] = [textOf(part, 'from'), textOf(part, 'to'), textOf(part, 'relationType')]
  if (from === undefined || to === undefined || type === undefined) return []
  return [{ text: `${from} ${type.replaceAll('_', ' ')} ${to}`, origin: `${path}: ${from}` }]
}

/** Whether the first of some values are of a knowledge graph. */
export const isGraph = (values: Iterable<unknown>): boolean =>
  [...partsOf(values)]
    .slice(0, 64)
    .some(
      (part) =>
        isEntity(part) || (textOf(part, 'relationType') !== undefined && textOf(part, 'from') !== undefined),
    )

export const memoryJson: ForeignFormat = {
  name: 'memory-json',
  about: "memory.json of MCP's reference memory server (2025.11)",
  files: [jsonFiles],
  recognises: ({ leading }) => isGraph(leading),
  *read(file) {
    for (const part of partsOf(file.values())) yield* notesOf(part, file.path)
  },
}
