/** The operations that are tools, and how clients see them. */
import type { Tool } from '@modelcontextprotocol/server'
import { operations } from '../operations/index.ts'
import { inputSchema, outputSchema } from '../operations/json-schema.ts'
import type { Operation } from '../operations/operation.ts'

const tools: ReadonlyMap<string, Operation> = new Map(
  operations.filter(({ tool }) => tool).map((operation) => [operation.name, operation]),
)

/** Of what a member holds only these are told: the list is read into a model's context, and the reference has the rest. */
const told = new Set(['type', 'enum', 'const', 'anyOf', 'items'])

function outlineMember(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(outlineMember)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([keyword]) => told.has(keyword))
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, outlineMember(value)]))
}

/** An output's members and their types, without what stands inside them. */
function outlineOutput({ output }: Operation): Tool['outputSchema'] {
  const { properties, required } = outputSchema(output())
  const members = Object.entries(properties ?? {})
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([member, schema]) => [member, outlineMember(schema)])),
    required,
    // An object schema by construction; the protocol's type wants that spelled out.
  } as Tool['outputSchema']
}

let listed: Tool[] | undefined

/** Made once, since it depends on nothing. */
export function listTools(): Tool[] {
  listed ??= [...tools.values()].map((operation) => {
    const { name, summary, members, effect } = operation
    return {
      name,
      description: summary,
      // An object schema by construction; the protocol's type wants that spelled out.
      inputSchema: inputSchema(members, { nullable: false }) as Tool['inputSchema'],
      outputSchema: outlineOutput(operation),
      ...(effect === 'read' && { annotations: { readOnlyHint: true } }),
    }
  })
  return listed
}

export const findTool = (name: string): Operation | undefined => tools.get(name)
