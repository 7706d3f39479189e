/**
 * Lines for a JSON-RPC server, drawn from a seed, each with what has to come of it: messages after the server's own lists, and
 * such as no client should send. Knows JSON-RPC (jsonrpc.org/specification) and MCP's framing, a message a line.
 */
import fc from 'fast-check'
import { fitting, misfitting, type Schema } from './schemas.ts'

/** What answers a line: nothing, a response with this id, a refusal that names none, or one that may stay out. */
export type Expected =
  | { readonly kind: 'silence' }
  | { readonly kind: 'answer'; readonly id: string | number }
  | { readonly kind: 'anonymous' }

export interface Line {
  readonly bytes: Buffer
  readonly expected: Expected
  /** The request that it takes back, which then may have an answer or none. */
  readonly cancels?: string | number
}

export interface ToolListed {
  readonly name: string
  readonly inputSchema: Schema
}

const silence: Expected = { kind: 'silence' }
const anonymous: Expected = { kind: 'anonymous' }

const spell = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** Names of methods there are, and of none. */
const methods = [
  ...['ping', 'tools/list', 'prompts/list', 'prompts/get', 'resources/list', 'resources/templates/list'],
  ...['resources/read', 'resources/subscribe', 'completion/complete', 'logging/setLevel', 'server/discover'],
  ...['subscriptions/listen', 'initialize', 'sampling/createMessage', 'elicitation/create', 'roots/list'],
  ...['notifications/initialized', 'tasks/get', 'tools/call', '', '__proto__', 'constructor', 'toString'],
  ...['rpc.discover', '\u0000', '\u202e', 'x'.repeat(5_000), '../tools/list', 'tools/call '],
]

const envelopes = ['2026-07-28', '2099-01-01', '', 7].map((version) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'drill', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}))

const parameters = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { name: 'prime' },
    { name: 'before-you-start', arguments: { task: 'sail' } },
    { uri: 'brain://prime' },
    { uri: 'brain://memory/1' },
    { uri: 'brain://memory/99999999999999999999' },
    { uri: 'file:///etc/passwd' },
    { uri: 'brain://../../etc/passwd' },
    { cursor: 'x' },
    { ref: { type: 'ref/prompt', name: 'prime' }, argument: { name: 'work', value: 'x' } },
    { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '' } },
    { protocolVersion: '2025-06-18', capabilities: 7, clientInfo: null },
    { notifications: { resourceSubscriptions: ['brain://prime'], toolsListChanged: true } },
    { requestId: 1, reason: 'x'.repeat(9_000) },
    { _meta: { progressToken: { a: [] } } },
    ...envelopes.map((meta) => ({ _meta: meta })),
  ),
  fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
)

/** Of each request another one, as numbers and as texts. */
const idOf = (at: number): fc.Arbitrary<string | number> =>
  fc.constantFrom<string | number>(
    at,
    -at,
    `id ${at}`,
    `\u202e\u{1f600} ${at}`,
    `${at}${'9'.repeat(4_000)}`,
    Number.MAX_SAFE_INTEGER - at,
  )

/** A request that JSON-RPC takes; whether the server does is told in its answer. */
function requests(at: number, tools: readonly ToolListed[]): fc.Arbitrary<Line> {
  const calls = fc.constantFrom(...tools).chain(({ name, inputSchema }) =>
    fc.record({
      name: fc.constant(name),
      arguments: fc.oneof(fitting(inputSchema), misfitting(inputSchema)),
    }),
  )
  const asked = fc.oneof(
    { weight: 3, arbitrary: calls.map((params) => ({ method: 'tools/call', params: params as unknown })) },
    { weight: 2, arbitrary: fc.record({ method: fc.constantFrom(...methods), params: parameters }) },
    { weight: 1, arbitrary: fc.constantFrom(...methods).map((method) => ({ method })) },
  )
  return fc.tuple(idOf(at), asked).map(([id, request]) => ({
    bytes: spell({ jsonrpc: '2.0', id, ...request }),
    expected: { kind: 'answer', id },
  }))
}

/** More members, and deeper, than a message may be. */
const crowded = Object.fromEntries(Array.from({ length: 20_000 }, (_, member) => [`a${member}`, 1]))
const deep = Array.from({ length: 99 }).reduce<object>((inner) => ({ a: inner }), {})

/** Requests with an id, and something that JSON-RPC or the protocol does not allow. */
const refused = (at: number): fc.Arbitrary<Line> =>
  fc
    .tuple(
      idOf(at),
      fc.constantFrom<object>(
        { jsonrpc: '1.0', method: 'ping' },
        { jsonrpc: 2, method: 'ping' },
        { method: 'ping' },
        { jsonrpc: '2.0', method: 7 },
        { jsonrpc: '2.0', method: ['ping'] },
        { jsonrpc: '2.0', method: null },
        { jsonrpc: '2.0' },
        { jsonrpc: '2.0', method: 'ping', params: [] },
        { jsonrpc: '2.0', method: 'ping', params: 'x' },
        { jsonrpc: '2.0', method: 'tools/call', params: null },
        { jsonrpc: '2.0', method: 'ping', result: {} },
        { jsonrpc: '2.0', method: 'ping', extra: true },
        { jsonrpc: '2.0', method: 'ping', params: crowded },
        { jsonrpc: '2.0', method: 'ping', params: deep },
      ),
    )
    .map(([id, message]) => ({ bytes: spell({ id, ...message }), expected: { kind: 'answer', id } }))

const idless = fc
  .constantFrom<unknown>(
    ...[null, true, 7, 'ping', [], {}, [[]], [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    Array.from({ length: 300 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: [1], method: 'ping' },
    { jsonrpc: '2.0', id: true, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized', params: 'x' },
    { jsonrpc: '3.0', method: 'notifications/initialized' },
  )
  .map((message) => ({ bytes: spell(message), expected: anonymous }))

/** Bytes that are no message at all. */
const noise = fc
  .oneof(
    fc.constantFrom(
      ...[
        '{',
        '}',
        '{"jsonrpc":"2.0","id":1,"method":"ping"',
        '"',
        'Content-Length: 52',
        'nul',
        '{]',
        "{'a':1}",
      ],
      ...['\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"method":"ping"}}'],
      ...['{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}', '\u0000', 'x'],
      ...['['.repeat(100_000), '{"a":'.repeat(50_000), '{"id":1e999', `"${'x'.repeat(2_000_000)}"`],
      ...['NaN', '+1'],
    ),
  )
  .map((text) => ({ bytes: Buffer.from(`${text}\n`), expected: anonymous }))

/** Bytes that are not UTF-8, outside of any text. */
const garbage = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.concat([Buffer.from([0xff]), bytes]).map((byte) => (byte === 0x0a ? 0x0b : byte)))
  .map((bytes) => ({ bytes: Buffer.concat([bytes, Buffer.from('\n')]), expected: anonymous }))

/** What has no answer: blank lines, notifications, and answers to what nobody asked. */
const unanswered = fc
  .constantFrom<Buffer>(
    ...['\n', '\r\n', '   \n', '\t\n\n'].map((text) => Buffer.from(text)),
    ...[
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/unheard-of', params: { a: [1] } },
      { jsonrpc: '2.0', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'x', progress: -1 } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } },
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 5, result: {} },
      { jsonrpc: '2.0', id: 'nobody', error: { code: 1, message: 'x' } },
    ].map(spell),
  )
  .map((bytes): Line => ({ bytes, expected: silence }))

const cancelling = (at: number): fc.Arbitrary<Line> =>
  fc.integer({ min: 1, max: Math.max(1, at) }).map((requestId) => ({
    bytes: spell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
    expected: silence,
    cancels: requestId,
  }))

/** The line at this place of a session, from 1. */
export const lineAt = (at: number, tools: readonly ToolListed[]): fc.Arbitrary<Line> =>
  fc.oneof(
    { weight: 10, arbitrary: requests(at, tools) },
    { weight: 2, arbitrary: refused(at) },
    { weight: 2, arbitrary: idless },
    { weight: 2, arbitrary: noise },
    { weight: 1, arbitrary: garbage },
    { weight: 2, arbitrary: unanswered },
    { weight: 1, arbitrary: cancelling(at) },
  )
