/**
 * The operations as MCP tools. Knows tools and how a refusal looks to a model; which wire the messages come
 * over, and whose they are, is told by who makes a server.
 */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { Operation } from '../operations/operation.ts'
import { version } from '../version.ts'
import type { ToolSet } from './tools.ts'

// Loaded after the greeting: a client is answered before the operations are there.
const loadTools = () => import('./tools.ts')
const loadExcerpts = () => import('./excerpts.ts')
const loadPrompts = () => import('./prompts.ts')

const instructions =
  'A project memory. Recall before you start; remember decisions and what surprised you. Assess before risky steps. Beliefs move by evidence; predictions are resolved with what happened. A long text comes as an excerpt: the resource brain://memory/ID has all of it.'

export interface ToolHost {
  /** Runs one operation for the caller this server belongs to. @throws BrainError */
  call<O>(operation: Operation<O>, input: unknown): Promise<O>
  /** Told of faults of ours; the model hears only that there was one. */
  fault(error: unknown): void
}

/** Why, in the words of the HTTP API, and behind that the remedy, where one is known. */
const refusal = (...told: readonly string[]): CallToolResult => ({
  content: told.map((text) => ({ type: 'text', text })),
  isError: true,
})

async function callTool(host: ToolHost, operation: Operation, input: unknown): Promise<CallToolResult> {
  try {
    // Every operation's output is a JSON object.
    const answer = (await host.call(operation, input)) as Record<string, unknown>
    const output =
      operation.whole === true ? answer : await (await loadExcerpts()).shortenTexts(answer, input)
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output }
  } catch (error) {
    if (error instanceof BrainError)
      return refusal(error.message, ...(error.hint === undefined ? [] : [error.hint]))
    host.fault(error)
    return refusal('internal error')
  }
}

/** A refusal that a caller can act on, as the protocol has it. */
async function answered<T>(host: ToolHost, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof BrainError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    host.fault(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error')
  }
}

/** What a schema of the SDK found wrong with a request, in a sentence; undefined for any other error. */
function misfitOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  try {
    // The SDK throws a list of what is wrong, as JSON, for a tool's call behind a few words.
    const found: unknown = JSON.parse(error.message.slice(error.message.indexOf('[')))
    const [first]: unknown[] = Array.isArray(found) ? found : []
    if (!isObject(first) || !('path' in first) || !('message' in first)) return undefined
    const path = Array.isArray(first.path) ? first.path.join('.') : ''
    return `${path}: ${first.message}`
  } catch {
    return undefined
  }
}

type Handlers = Server['_wrapHandler']

/**
 * The SDK's server, but that a request of another shape than its method's is the client's mistake, and told in a
 * sentence. It relies on what the SDK keeps to itself, so tests hold both: the method (`test/mcp/sdk.test.ts`) and the
 * form of its errors (`stdio.test.ts`).
 */
class ToolServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Handlers>): ReturnType<Handlers> {
    const wrapped = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await wrapped(request, context)
      } catch (error) {
        const misfit = misfitOf(error)
        throw misfit === undefined ? error : new ProtocolError(ProtocolErrorCode.InvalidParams, misfit)
      }
    }
  }
}

/** A server of its own for one caller, on one wire, offering one set of tools. */
export function createToolServer(host: ToolHost, set: ToolSet = 'standard'): Server {
  const capabilities = { tools: {}, prompts: {}, resources: {} }
  const server = new ToolServer({ name: 'brain', version }, { capabilities, instructions })
  server.setRequestHandler('prompts/list', async () => ({ prompts: (await loadPrompts()).listPrompts() }))
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const { getPrompt } = await loadPrompts()
    return answered(host, () => getPrompt(host, { name: params.name, given: params.arguments ?? {} }))
  })
  server.setRequestHandler('resources/list', async () => ({
    resources: (await loadPrompts()).listResources(),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await loadPrompts()).listTemplates(),
  }))
  server.setRequestHandler('resources/read', async ({ params }) => {
    const { readResource } = await loadPrompts()
    return answered(host, () => readResource(host, params.uri))
  })
  server.setRequestHandler('tools/list', async () => ({ tools: (await loadTools()).listTools(set) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const operation = (await loadTools()).findTool(params.name, set)
    if (operation === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool: ${params.name}`)
    return callTool(host, operation, params.arguments ?? {})
  })
  return server
}
