/** The OpenAPI 3.1 document, from the same definitions that validate the requests. */
import { unnamedAgent } from '../core/agent-names.ts'
import { count } from '../core/counts.ts'
import type { Kind } from '../core/errors.ts'
import { maxNameLength, maxRequestBytes } from '../core/limits.ts'
import { operations } from '../operations/index.ts'
import { inputSchema, isRequired, memberSchema, outputSchema } from '../operations/json-schema.ts'
import type { Operation } from '../operations/operation.ts'
import { version } from '../version.ts'
import { statuses } from './statuses.ts'

type Json = Record<string, unknown>

const refusal = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** What any operation may be refused with; null for kinds that are told by the operations that have them, or elsewhere. */
const refusalSentences = {
  invalid: 'The input breaks a rule; the message names the member.',
  unauthorized: '`invalid or missing API key`',
  forbidden: '`host not allowed` or `origin not allowed`',
  refused: null,
  'no-endpoint': null,
  method: null,
  'too-large': `The body is over ${count(maxRequestBytes)} bytes.`,
  'media-type': '`content type must be application/json`',
  overloaded: null,
  busy: '`store is busy, try again`; see `Retry-After`.',
  storage: null,
  'no-brain': null,
  failed: "`internal error`; the log has the detail under the answer's `X-Request-Id`.",
} as const satisfies Record<Kind, string | null>

/** By HTTP status. */
const refusals = Object.fromEntries(
  (Object.keys(refusalSentences) as Kind[]).flatMap((kind) => {
    const sentence = refusalSentences[kind]
    return sentence === null ? [] : [[statuses[kind], refusal(sentence)]]
  }),
)

/** The operation's own errors, by HTTP status. */
const refusalsOf = (errors: NonNullable<Operation['errors']>): Record<string, Json> =>
  Object.fromEntries(
    (Object.entries(errors) as [Kind, readonly string[]][]).map(([kind, sentences]) => [
      statuses[kind],
      refusal(`${sentences.map((sentence) => `\`${sentence}\``).join(', ')}; X is the id given.`),
    ]),
  )

/** Headers kept with whatever a request records, and their meaning. */
const circumstances = {
  Session: "What the caller's agent calls its session.",
  Branch: 'The branch of the directory it works in.',
  Commit: 'The commit of that directory.',
}

function toOperation(operation: Operation): Json {
  const { name, summary, members, output, route, errors = {} } = operation
  const inPath = new Set([...(route?.path ?? '').matchAll(/:(\w+)/g)].map(([, member]) => member))
  const parameters = Object.entries(members).map(([member, schema]) => {
    const shape = memberSchema(schema, { nullable: false })
    return {
      name: member,
      in: inPath.has(member) ? 'path' : 'query',
      required: inPath.has(member) || isRequired(schema),
      // A list is given once, with commas between its entries.
      ...(shape.type === 'array' && { style: 'form', explode: false }),
      schema: shape,
    }
  })
  const posts = route?.method === 'POST'
  return {
    operationId: name,
    summary,
    parameters: [
      ...(posts ? [] : parameters),
      { $ref: '#/components/parameters/Agent' },
      ...(operation.effect === 'write' ? Object.keys(circumstances) : []).map((header) => ({
        $ref: `#/components/parameters/${header}`,
      })),
    ],
    ...(posts && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: inputSchema(members, { nullable: true }) } },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: outputSchema(output()) } },
      },
      ...refusals,
      ...refusalsOf(errors),
    },
  }
}

function toPaths(): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    if (operation.route === undefined) continue
    const path = operation.route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.route.method.toLowerCase()]: toOperation(operation) }
  }
  return paths
}

/** The document of `/v1/openapi.json`. Same definitions, same document. */
export function createOpenApi(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'brain',
      version,
      summary: 'A store of notes for software agents',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Of whichever daemon gave the document.
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: {
      '/health': {
        get: {
          operationId: 'health',
          summary: 'Tell that the daemon is up, and its version.',
          security: [],
          responses: {
            200: {
              description: 'It is.',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { status: { const: 'ok' }, version: { type: 'string' } },
                    required: ['status', 'version'],
                  },
                },
              },
            },
          },
        },
      },
      ...toPaths(),
    },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-svc-key' } },
      parameters: {
        Agent: {
          name: 'x-svc-agent',
          in: 'header',
          required: false,
          description: "The calling agent's name, UTF-8.",
          schema: { type: 'string', minLength: 1, maxLength: maxNameLength, default: unnamedAgent },
        },
        ...Object.fromEntries(
          Object.entries(circumstances).map(([header, description]) => [
            header,
            {
              name: `x-svc-${header.toLowerCase()}`,
              in: 'header',
              required: false,
              description,
              schema: { type: 'string', minLength: 1, maxLength: maxNameLength },
            },
          ]),
        ),
      },
      schemas: {
        Error: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
      },
    },
  }
}
