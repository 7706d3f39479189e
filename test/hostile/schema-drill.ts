/**
 * The drill of what our interfaces say of themselves: every endpoint of the OpenAPI document and every MCP tool is
 * asked with values that fit its schema and values that nearly do. What does not fit is refused; what is answered fits
 * the schema of answers; nothing is a fault.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Served, serveBrain, startBrain } from '../faults/processes.ts'
import { findMisfit, fitting, misfitting, type Schema } from './schemas.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}

interface Described {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { readonly schema: Schema } } }>
  >
}

/** One thing that can be asked, by whichever interface. */
interface Target {
  readonly name: string
  readonly input: Schema
  readonly output: Schema | undefined
  ask(input: Record<string, unknown>): Promise<{ status: number; body: unknown }>
}

const asObject = (members: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
  required: members.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
})

/** As a query spells it: a value that no query can hold is spelt as JSON. */
const spell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function endpointOf(
  served: Served,
  { path, method, described }: { path: string; method: string; described: Described },
): Target {
  const members = (described.parameters ?? []).flatMap((parameter) =>
    'name' in parameter && parameter.in !== 'header' ? [parameter] : [],
  )
  const body = described.requestBody?.content['application/json'].schema
  const inPath = new Set(members.filter((member) => member.in === 'path').map(({ name }) => name))
  return {
    name: `${method.toUpperCase()} ${path}`,
    input: body ?? asObject(members),
    output: described.responses['200']?.content?.['application/json'].schema,
    ask: (input) => {
      if (method === 'post') return served.call(path, input)
      const query = new URLSearchParams()
      let filled = path
      for (const [name, value] of Object.entries(input)) {
        if (inPath.has(name)) {
          // An empty part of a path leads elsewhere.
          const part = encodeURIComponent(spell(value).toWellFormed()) || '%20'
          filled = filled.replace(`{${name}}`, part === '.' || part === '..' ? '%20' : part)
        } else query.append(name, spell(value).toWellFormed().slice(0, 3_000))
      }
      return served.call(`${filled.replaceAll(/\{\w+\}/g, '1')}?${query}`)
    },
  }
}

/** What a call of a JSON-RPC method answers, over HTTP. */
async function remoteCall(
  served: Served,
  key: string,
  message: object,
): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: {
      'x-svc-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify(message),
  })
  const text = await reply.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return { status: reply.status, body: data === '' ? undefined : JSON.parse(data) }
}

interface ToolAnswer {
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: unknown }
  readonly error?: { readonly code: number }
}

async function toolsOf(served: Served, key: string): Promise<Target[]> {
  const listed = await remoteCall(served, key, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const { result } = listed.body as {
    result: { tools: { name: string; inputSchema: Schema; outputSchema?: Schema }[] }
  }
  return result.tools.map(({ name, inputSchema, outputSchema }) => ({
    name: `tool ${name}`,
    input: inputSchema,
    output: outputSchema,
    ask: async (input) => {
      // The protocol's own library takes this one out before anybody sees it.
      const { ['__proto__']: _, ...passed } = input
      for (const member of Object.keys(input)) if (!Object.hasOwn(passed, member)) delete input[member]
      const params = { name, arguments: passed }
      const { status, body } = await remoteCall(served, key, {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params,
      })
      const answer = body as ToolAnswer
      if (answer.error !== undefined)
        return { status: answer.error.code === -32_603 ? 500 : 400, body: { error: '' } }
      if (answer.result?.isError === true) return { status: 400, body: { error: '' } }
      return { status, body: answer.result?.structuredContent }
    },
  }))
}

export interface SchemaFigures {
  readonly targets: number
  readonly calls: number
  readonly answered: number
  readonly refused: number
  readonly seed: number
  readonly faults: string[]
}

export interface SchemaOptions {
  readonly directory: string
  readonly seed: number
  /** Calls of each kind for each target. */
  readonly each: number
}

/** What was sent, as it is judged: a tool takes null for a member that was not given, which its list does not say. */
function asJudged({ name }: Target, input: unknown): unknown {
  const sent: unknown = JSON.parse(JSON.stringify(input))
  if (!name.startsWith('tool') || typeof sent !== 'object' || sent === null) return sent
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

/** What is wrong with an answer; undefined for nothing. */
function judge(target: Target, input: unknown, reply: { status: number; body: unknown }): string | undefined {
  const { status, body } = reply
  if (status >= 500) return `${status} ${JSON.stringify(body)}`
  if (status !== 200) {
    const keys = Object.keys(body as object)
    return keys.length === 1 && keys[0] === 'error' ? undefined : `a refusal with ${keys.join(', ')}`
  }
  // Spellings of a query are decoded before they are judged.
  const misfit = target.name.startsWith('GET') ? undefined : findMisfit(target.input, asJudged(target, input))
  // Tools take members that their list leaves out for brevity.
  const unlisted = target.name.startsWith('tool') && misfit?.endsWith(' as well') === true
  if (misfit !== undefined && !unlisted) return `taken although ${misfit}`
  const wrong = target.output && findMisfit(target.output, body)
  return wrong && `an answer of which ${wrong}`
}

async function fuzz(
  target: Target,
  { seed, each, count }: { seed: number; each: number; count: (status: number) => void },
): Promise<string[]> {
  const faults: string[] = []
  for (const inputs of [fitting(target.input), misfitting(target.input)]) {
    const property = fc.asyncProperty(inputs, async (input) => {
      const reply = await target.ask(input as Record<string, unknown>)
      count(reply.status)
      const wrong = judge(target, input, reply)
      if (wrong !== undefined) throw new Error(wrong)
    })
    const found = await fc.check(property, { seed, numRuns: each, interruptAfterTimeLimit: 60_000 })
    if (!found.failed || found.counterexample === null) continue
    const shown = JSON.stringify(found.counterexample).slice(0, 300)
    faults.push(
      `${target.name} ${shown}: ${found.errorInstance instanceof Error ? found.errorInstance.message : ''}`,
    )
  }
  return faults
}

/** Asks everything there is. */
export async function schemaDrill({ directory, seed, each }: SchemaOptions): Promise<SchemaFigures> {
  mkdirSync(join(directory, 'home'), { recursive: true })
  const environment = { BRAIN_EMBEDDER: 'none', BRAIN_DURABILITY: 'normal' }
  const end = async (...words: string[]): Promise<string> => {
    const running = startBrain(directory, words, { environment })
    running.child.stdin?.end()
    return (await running.firstLine) ?? ''
  }
  await end('init', '--yes')
  const { key } = JSON.parse(await end('key', 'create', '--json')) as { key: string }
  const served = await serveBrain(directory, { environment, key })
  const faults: string[] = []
  let [answered, refused] = [0, 0]
  const count = (status: number): void => {
    if (status === 200) answered += 1
    else refused += 1
  }
  try {
    const document = (await served.call('/v1/openapi.json')).body as {
      paths: Record<string, Record<string, Described>>
    }
    const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => endpointOf(served, { path, method, described })),
    )
    const targets = [...endpoints, ...(await toolsOf(served, key))]
    for (const target of targets) faults.push(...(await fuzz(target, { seed, each, count })))
    const health = await served.call('/health')
    if (health.status !== 200) faults.push(`not well afterwards: ${JSON.stringify(health.body)}`)
    served.running.child.kill('SIGTERM')
    const code = await served.running.ended
    if (code !== 0) faults.push(`the daemon ended with ${code}`)
    if (/fault|Error/.test(served.running.said())) faults.push(`the daemon said: ${served.running.said()}`)
    return { targets: targets.length, calls: answered + refused, answered, refused, seed, faults }
  } finally {
    served.running.child.kill('SIGKILL')
  }
}
