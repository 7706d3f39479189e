/** Prompts and resources: texts that a person or a client asks for by name. Each is made of what operations answer. */
import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { predictionsOpen } from '../operations/predictions-open.ts'
import { prime } from '../operations/prime.ts'
import { show } from '../operations/show.ts'
import type { ToolHost } from './server.ts'

const primeUri = 'brain://prime'

interface PromptEntry {
  readonly prompt: Prompt
  readonly write: (host: ToolHost, given: Readonly<Record<string, string>>) => Promise<string>
}

/** What prime says of a piece of work. */
async function primeText(host: ToolHost, work: string | undefined): Promise<string> {
  const { text } = await host.call(prime, { for: work ?? null })
  return text === '' ? 'This project has no memories yet.' : text
}

const entries: readonly PromptEntry[] = [
  {
    prompt: {
      name: 'prime',
      title: 'What this project knows',
      description: 'What a session should know before it starts',
      arguments: [{ name: 'work', description: 'The work at hand, in plain words', required: false }],
    },
    write: (host, { work }) => primeText(host, work),
  },
  {
    prompt: {
      name: 'review-predictions',
      title: 'Review open predictions',
      description: 'Go through the open predictions and resolve those that have come out',
    },
    write: async (host) => {
      const { predictions } = await host.call(predictionsOpen, { limit: 50 })
      if (predictions.length === 0) return 'No prediction is open.'
      const lines = predictions.map(
        ({ id, prediction, domain, confidence, created_at }) =>
          `- ${id} (${domain}, confidence ${confidence}, ${created_at.slice(0, 10)}): ${prediction}`,
      )
      return `These predictions are open. Find out what came of each, and call resolve for those that are decided, with what really happened:\n${lines.join('\n')}`
    },
  },
  {
    prompt: {
      name: 'before-you-start',
      title: 'Before you start',
      description: 'Look at what is known of a task, and at the warnings it comes near',
      arguments: [{ name: 'task', description: 'What is about to be done', required: true }],
    },
    write: async (host, { task }) =>
      `The task: ${task ?? ''}\n\n${await primeText(host, task)}\n\nCall recall for what is missing and assess for every step that is hard to undo, then say what you will do.`,
  },
]

export const listPrompts = (): Prompt[] => entries.map(({ prompt }) => prompt)

/** @throws ProtocolError for a prompt that is not there, or lacks what it needs. */
export async function getPrompt(
  host: ToolHost,
  { name, given }: { name: string; given: Readonly<Record<string, string>> },
): Promise<GetPromptResult> {
  const entry = entries.find(({ prompt }) => prompt.name === name)
  if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt: ${name}`)
  const missing = entry.prompt.arguments?.find((one) => one.required === true && !given[one.name]?.trim())
  if (missing !== undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required`)
  }
  const text = await entry.write(host, given)
  return {
    ...(entry.prompt.description !== undefined && { description: entry.prompt.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

export const listResources = (): Resource[] => [
  {
    uri: primeUri,
    name: 'prime',
    title: 'What this project knows',
    description: 'What a session should know before it starts',
    mimeType: 'text/plain',
  },
]

/** Kinds of records that a client reads whole by their id. */
const recordKinds = ['memory', 'belief'] as const

export const listTemplates = (): ResourceTemplateType[] =>
  recordKinds.map((kind) => ({
    uriTemplate: `brain://${kind}/{id}`,
    name: kind,
    title: `A ${kind} by its id`,
    description: `The ${kind} whole, with where it came from and its history`,
    mimeType: 'application/json',
  }))

/** The record that an address names; undefined for any other address. */
function recordAt(uri: string): { kind: string; id: number } | undefined {
  const [, kind = '', id] = /^brain:\/\/([a-z]+)\/([1-9]\d{0,15})$/.exec(uri) ?? []
  return recordKinds.some((one) => one === kind) ? { kind, id: Number(id) } : undefined
}

/** @throws ProtocolError for a resource that is not there. */
export async function readResource(host: ToolHost, uri: string): Promise<ReadResourceResult> {
  if (uri === primeUri)
    return { contents: [{ uri, mimeType: 'text/plain', text: await primeText(host, undefined) }] }
  const named = recordAt(uri)
  if (named === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown resource: ${uri}`)
  const { record } = await host.call(show, named)
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(record) }] }
}
