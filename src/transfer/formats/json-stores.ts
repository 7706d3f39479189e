/** Stores of other memory tools as JSON or JSON Lines: each format recognised by its own members. */
import { BrainError } from '../../core/errors.ts'
import {
  type ForeignFormat,
  type ForeignNote,
  memberOf,
  readTime,
  textOf,
  tryJson,
  tryJsonLines,
} from './foreign-note.ts'

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A file as JSON or as lines of JSON. */
const valuesOf = (text: string): unknown[] => {
  const whole = tryJson(text)
  return whole === undefined ? (tryJsonLines(text) ?? []) : [whole]
}

const isTyped = (value: unknown, ...types: readonly string[]): boolean =>
  types.some((type) => memberOf(value, 'type') === type)

/** Entities and relations, however the file holds them. */
function readGraph(text: string): { entities: unknown[]; relations: unknown[] } {
  const values = valuesOf(text)
  const [only] = values
  if (values.length === 1 && Array.isArray(memberOf(only, 'entities'))) {
    return { entities: listOf(memberOf(only, 'entities')), relations: listOf(memberOf(only, 'relations')) }
  }
  return {
    entities: values.filter((value) => isTyped(value, 'entity')),
    relations: values.filter((value) => isTyped(value, 'relation')),
  }
}

/** The knowledge graph of MCP's reference memory server: an observation a note, a relation a note. */
export const memoryJson: ForeignFormat = {
  name: 'memory-json',
  about: "memory.json of MCP's reference memory server (2025.11)",
  recognises: ({ text }) => {
    const { entities, relations } = readGraph(text)
    return [...entities, ...relations].some(
      (value) =>
        Array.isArray(memberOf(value, 'observations')) || textOf(value, 'relationType') !== undefined,
    )
  },
  read: ({ path, text }) => {
    const { entities, relations } = readGraph(text)
    const observations = entities.flatMap((entity): ForeignNote[] => {
      const name = textOf(entity, 'name') ?? 'unnamed'
      const kind = textOf(entity, 'entityType')
      const label = kind === undefined ? name : `${name} (${kind})`
      return listOf(memberOf(entity, 'observations'))
        .filter((one): one is string => typeof one === 'string' && one.trim() !== '')
        .map((one) => ({ text: `${label}: ${one.trim()}`, origin: `${path}: ${name}` }))
    })
    const related = relations.flatMap((relation): ForeignNote[] => {
      const [from, to, type] = [
        textOf(relation, 'from'),
        textOf(relation, 'to'),
        textOf(relation, 'relationType'),
      ]
      if (from === undefined || to === undefined || type === undefined) return []
      return [{ text: `${from} ${type.replaceAll('_', ' ')} ${to}`, origin: `${path}: ${from}` }]
    })
    return [...observations, ...related]
  },
}

/** Where a tool's export keeps its records: the list itself, or the member that holds it. */
function recordsIn(text: string, members: readonly string[]): unknown[] {
  const values = valuesOf(text)
  const [only] = values
  if (values.length !== 1) return values
  if (Array.isArray(only)) return only
  const held = members.map((member) => memberOf(only, member)).find(Array.isArray)
  return held ?? values
}

/** mem0: an array, or the answer of its API, with the sentence in `memory`. */
export const mem0: ForeignFormat = {
  name: 'mem0',
  about: 'mem0: an array of memories, or the answer of its API (v1, v2)',
  recognises: ({ text }) =>
    recordsIn(text, ['results', 'memories']).some(
      (one) => textOf(one, 'memory') !== undefined && textOf(one, 'id') !== undefined,
    ),
  read: ({ path, text }) =>
    recordsIn(text, ['results', 'memories']).flatMap((one): ForeignNote[] => {
      const memory = textOf(one, 'memory')
      if (memory === undefined) return []
      const createdAt = readTime(memberOf(one, 'created_at')) ?? readTime(memberOf(one, 'updated_at'))
      return [{ text: memory, createdAt, origin: `${path}: ${textOf(one, 'id') ?? ''}` }]
    }),
}

/** mcp-memory-service: its JSON export, with the sentence in `content` and a hash of it. */
export const memoryService: ForeignFormat = {
  name: 'mcp-memory-service',
  about: 'mcp-memory-service: its JSON export (8)',
  recognises: ({ text }) =>
    recordsIn(text, ['memories']).some(
      (one) => textOf(one, 'content') !== undefined && textOf(one, 'content_hash') !== undefined,
    ),
  read: ({ path, text }) =>
    recordsIn(text, ['memories']).flatMap((one): ForeignNote[] => {
      const content = textOf(one, 'content')
      if (content === undefined) return []
      const tags = listOf(memberOf(one, 'tags')).filter((tag) => typeof tag === 'string')
      const createdAt = readTime(memberOf(one, 'created_at')) ?? readTime(memberOf(one, 'created_at_iso'))
      const tail = tags.length > 0 ? `\n\nTags: ${tags.join(', ')}` : ''
      return [{ text: `${content}${tail}`, createdAt, origin: `${path}: ${textOf(one, 'content_hash')}` }]
    }),
}

/** beads: issues, a line each. */
export const beads: ForeignFormat = {
  name: 'beads',
  about: 'beads: issues.jsonl (0.4x)',
  recognises: ({ text }) =>
    (tryJsonLines(text) ?? []).some(
      (one) =>
        textOf(one, 'title') !== undefined &&
        textOf(one, 'issue_type') !== undefined &&
        textOf(one, 'status') !== undefined,
    ),
  read: ({ path, text }) => {
    const issues = tryJsonLines(text)
    if (issues === undefined) throw new BrainError('invalid', `${path} is not a JSON object a line`)
    return issues.flatMap((one): ForeignNote[] => {
      const [id, title] = [textOf(one, 'id'), textOf(one, 'title')]
      if (title === undefined) return []
      const parts = [
        `Issue ${id ?? ''} (${textOf(one, 'issue_type')}, ${textOf(one, 'status')}): ${title}`,
        textOf(one, 'description'),
        textOf(one, 'close_reason', 'notes'),
      ]
      return [
        {
          text: parts.filter((part) => part !== undefined).join('\n\n'),
          createdAt: readTime(memberOf(one, 'created_at')),
          origin: `${path}: ${id ?? title}`,
        },
      ]
    })
  },
}
