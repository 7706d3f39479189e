/** The operations that are tools, and how clients see them. */
import type { Tool } from '@modelcontextprotocol/server'
import { isObject } from '../core/json.ts'
import { operations } from '../operations/index.ts'
import { inputSchema, outputSchema } from '../operations/json-schema.ts'
import type { Operation } from '../operations/operation.ts'

/** Which operations a client is offered: the sixteen of the specification, or all there are. */
export type ToolSet = 'standard' | 'all'

const isOffered = (operation: Operation, set: ToolSet): boolean => operation.tool || set === 'all'

/** Of what a member holds only these are told: the list is read into a model's context, and the reference has the rest. */
const told = new Set(['type', 'anyOf', 'items'])

type Keeps = (keyword: string, schema: Readonly<Record<string, unknown>>) => boolean

/** A schema and those inside it, each with the keywords that are kept. */
function reduce(schema: unknown, keeps: Keeps): unknown {
  if (Array.isArray(schema)) return schema.map((one) => reduce(one, keeps))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).filter(([keyword]) => keeps(keyword, schema))
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, reduce(value, keeps)]))
}

/** An output's members and their types, without what stands inside them; that all are always there is in the reference. */
function outlineOutput({ output }: Operation, unlisted: readonly string[]): Tool['outputSchema'] {
  const { properties } = outputSchema(output())
  const members = Object.entries(properties ?? {}).filter(([member]) => !unlisted.includes(member))
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([member, schema]) => [member, reduce(schema, (keyword) => told.has(keyword))]),
    ),
    // An object schema by construction; the protocol's type wants that spelled out.
  } as Tool['outputSchema']
}

const boundsId: Keeps = (keyword, { minimum, maximum }) =>
  /^(?:minimum|maximum)$/.test(keyword) && minimum === 1 && maximum === Number.MAX_SAFE_INTEGER

/**
 * An input without the smallest and the largest id there is, which every id would name. One that has members beyond those
 * listed does not say that there are no others.
 */
function outlineInput({ members }: Operation, unlisted: readonly string[]): Tool['inputSchema'] {
  const listed = Object.entries(members).filter(([member]) => !unlisted.includes(member))
  const { additionalProperties, ...rest } = inputSchema(Object.fromEntries(listed), { nullable: false })
  const schema = { ...rest, ...(listed.length === Object.keys(members).length && { additionalProperties }) }
  // An object schema by construction, as above.
  return reduce(schema, (keyword, inner) => !boundsId(keyword, inner)) as Tool['inputSchema']
}

const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const listed = new Map<ToolSet, Tool[]>()

/** The tools of a set, made once since they depend on nothing. */
export function listTools(set: ToolSet): Tool[] {
  const known = listed.get(set)
  if (known !== undefined) return known
  const made = operations
    .filter((operation) => isOffered(operation, set))
    .map((operation) => describeTool(operation, set))
  listed.set(set, made)
  return made
}

/** Who asks for all operations is told all of their members, too. */
function describeTool(operation: Operation, set: ToolSet): Tool {
  const unlisted = set === 'all' ? [] : (operation.unlisted ?? [])
  const { name, summary, guidance, effect, idempotent, destructive } = operation
  const reads = effect === 'read'
  return {
    name,
    title: titleOf(name),
    description: guidance === undefined ? summary : `${summary} ${guidance}`,
    inputSchema: outlineInput(operation, unlisted),
    outputSchema: outlineOutput(operation, unlisted),
    annotations: {
      readOnlyHint: reads,
      // What only reads destroys nothing, whoever calls it twice.
      ...(!reads && { destructiveHint: destructive === true, idempotentHint: idempotent === true }),
      // Nothing but the brain is touched.
      openWorldHint: false,
    },
  }
}

/** The operation behind a tool of a set; undefined where the set has none of that name. */
export const findTool = (name: string, set: ToolSet): Operation | undefined =>
  operations.find((operation) => operation.name === name && isOffered(operation, set))
