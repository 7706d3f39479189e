/**
 * The operations as MCP tools. Knows tools and how a refusal looks to a model; which wire the messages come
 * over, and whose they are, is told by who makes a server.
 */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { BrainError } from '../core/errors.ts'
import type { Operation } from '../operations/operation.ts'
import { version } from '../version.ts'

// Loaded after the greeting: a client is answered before the operations are there.
const loadTools = () => import('./tools.ts')

const instructions =
  'A project memory. Recall before you start; remember decisions and what surprised you. Assess before risky steps. Beliefs move by evidence; predictions are resolved with what happened.'

export interface ToolHost {
  /** Runs one operation for the caller this server belongs to. @throws BrainError */
  call(operation: Operation, input: unknown): Promise<unknown>
  /** Told of faults of ours; the model hears only that there was one. */
  fault(error: unknown): void
}

const refusal = (message: string): CallToolResult => ({
  content: [{ type: 'text', text: message }],
  isError: true,
})

async function callTool(host: ToolHost, operation: Operation, input: unknown): Promise<CallToolResult> {
  try {
    // Every operation's output is a JSON object.
    const output = (await host.call(operation, input)) as Record<string, unknown>
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output }
  } catch (error) {
    if (error instanceof BrainError) return refusal(error.message)
    host.fault(error)
    return refusal('internal error')
  }
}

/** A server of its own for one caller, on one wire. */
export function createToolServer(host: ToolHost): Server {
  const server = new Server({ name: 'brain', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', async () => ({ tools: (await loadTools()).listTools() }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const operation = (await loadTools()).findTool(params.name)
    if (operation === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool: ${params.name}`)
    return callTool(host, operation, params.arguments ?? {})
  })
  return server
}
