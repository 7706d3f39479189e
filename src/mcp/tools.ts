/** The operations that are tools, and how clients see them. */
import type { Tool } from '@modelcontextprotocol/server'
import { operations } from '../operations/index.ts'
import { inputSchema } from '../operations/json-schema.ts'
import type { Operation } from '../operations/operation.ts'

const tools: ReadonlyMap<string, Operation> = new Map(
  operations.filter(({ tool }) => tool).map((operation) => [operation.name, operation]),
)

let listed: Tool[] | undefined

/** Made once, since it depends on nothing. */
export function listTools(): Tool[] {
  listed ??= [...tools.values()].map(({ name, summary, members, effect }) => ({
    name,
    description: summary,
    // An object schema by construction; the protocol's type wants that spelled out.
    inputSchema: inputSchema(members, { nullable: false }) as Tool['inputSchema'],
    ...(effect === 'read' && { annotations: { readOnlyHint: true } }),
  }))
  return listed
}

export const findTool = (name: string): Operation | undefined => tools.get(name)
