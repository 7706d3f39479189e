import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { listTools } from '../../src/mcp/tools.ts'
import { operations } from '../../src/operations/index.ts'
import { call, startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { standardTools } from './standard-tools.ts'

const toolNames = [
  'remember',
  'recall',
  'recall_dreams',
  'believe',
  'revise',
  'evidence',
  'evidence_for',
  'flag',
  'assess',
  'predict',
  'resolve',
  'predictions_open',
  'calibration',
  'state',
  'note_about',
  'outside_views',
]

type Era = 'legacy' | 'auto'

async function connect(
  daemon: Pick<TestDaemon, 'url' | 'key'>,
  { era = 'legacy', headers = {} }: { era?: Era; headers?: Record<string, string> } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', daemon.url), {
      requestInit: { headers: { 'x-svc-key': daemon.key, ...headers } },
    }),
  )
  onTestFinished(() => client.close())
  return client
}

test('exactly the sixteen tools of the specification are listed, readable in one context', async () => {
  const client = await connect(await startTestDaemon())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([...toolNames].sort())
  // 3,000 tokens of four characters.
  expect(JSON.stringify(tools).length).toBeLessThan(12_000)
  for (const { description, inputSchema, title, annotations } of tools) {
    expect(description?.length).toBeGreaterThan(20)
    expect(inputSchema.type).toBe('object')
    expect(title).toMatch(/^[A-Z]/)
    const hints = Object.keys(annotations ?? {}).sort()
    expect(hints).toEqual(
      annotations?.readOnlyHint
        ? ['openWorldHint', 'readOnlyHint']
        : ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint'],
    )
  }
})

test('a tool whose schema allows no other members takes none, and one that takes others does not deny it', async () => {
  const client = await connect(await startTestDaemon())
  const { tools } = await client.listTools()
  for (const { name, inputSchema } of tools) {
    const operation = operations.find((one) => one.name === name)
    const listed = Object.keys(inputSchema.properties ?? {})
    const closed = inputSchema.additionalProperties === false
    expect([name, closed]).toEqual([name, Object.keys(operation?.members ?? {}).length === listed.length])
    const { content, isError } = await client.callTool({ name, arguments: { nonesuch: 1 } })
    expect([name, isError, JSON.stringify(content)]).toEqual([
      name,
      true,
      expect.stringContaining('nonesuch'),
    ])
  }
})

test('a tool says when to call it, and whether it reads', async () => {
  const { tools } = await (await connect(await startTestDaemon())).listTools()
  const find = (name: string) => tools.find((tool) => tool.name === name)
  expect(find('assess')?.description).toContain('before any migration, deployment, deletion')
  expect(find('recall')?.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
  expect(find('recall_dreams')?.annotations?.readOnlyHint).toBe(false)
  expect(find('revise')?.annotations?.destructiveHint).toBe(true)
})

test('prompts and resources give what operations answer', async () => {
  const client = await connect(await startTestDaemon())
  await client.callTool({ name: 'remember', arguments: { text: 'The queue is on Redis Streams' } })
  await client.callTool({ name: 'predict', arguments: { prediction: 'it holds', domain: 'infra' } })
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['prime', 'review-predictions', 'before-you-start'])
  const textOf = async (name: string, given?: Record<string, string>) =>
    JSON.stringify((await client.getPrompt({ name, ...(given && { arguments: given }) })).messages)
  expect(await textOf('prime')).toContain('Redis Streams')
  expect(await textOf('review-predictions')).toContain('it holds')
  expect(await textOf('before-you-start', { task: 'move the queue' })).toContain('The task: move the queue')
  await expect(client.getPrompt({ name: 'before-you-start' })).rejects.toThrow('task is required')
  await expect(client.getPrompt({ name: 'nope' })).rejects.toThrow('unknown prompt: nope')
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['brain://prime'])
  const { contents } = await client.readResource({ uri: 'brain://prime' })
  expect(contents[0]).toMatchObject({
    mimeType: 'text/plain',
    text: expect.stringContaining('Redis Streams'),
  })
  await expect(client.readResource({ uri: 'brain://nope' })).rejects.toThrow('unknown resource')
})

test('a record is read whole by its address, and no other kind of address is', async () => {
  const daemon = await startTestDaemon()
  const client = await connect(daemon)
  const whole = `The deploy keys are in the vault. ${'And so on. '.repeat(200)}`
  await client.callTool({ name: 'remember', arguments: { text: whole } })
  await client.callTool({ name: 'believe', arguments: { text: 'the vault is safe' } })
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'brain://memory/{id}',
    'brain://belief/{id}',
  ])
  const read = async (uri: string) => {
    const [found] = (await client.readResource({ uri })).contents
    return JSON.parse(String(found && 'text' in found ? found.text : ''))
  }
  expect(await read('brain://memory/1')).toMatchObject({ kind: 'memory', id: 1, text: whole })
  expect(await read('brain://belief/1')).toMatchObject({
    kind: 'belief',
    text: 'the vault is safe',
    events: [],
  })
  await expect(client.readResource({ uri: 'brain://memory/9' })).rejects.toThrow('memory 9 not found')
  for (const uri of ['brain://memory/0', 'brain://memory/1/2', 'brain://key/1', 'brain://memory/x'])
    await expect(client.readResource({ uri })).rejects.toThrow('unknown resource')
  const other = await connect({ ...daemon, key: await daemon.keyOf('other') })
  await expect(other.readResource({ uri: 'brain://memory/1' })).rejects.toThrow('another project')
})

test('a long text reaches a model as the part around what was asked, over HTTP whole', async () => {
  const daemon = await startTestDaemon()
  const client = await connect(daemon)
  const filler = 'Nothing of this matters to anybody. '.repeat(40)
  const text = `${filler}The deploy keys are in the vault. ${filler}`
  const kept = await client.callTool({ name: 'remember', arguments: { text } })
  expect(kept.structuredContent).toMatchObject({ text })
  await client.callTool({ name: 'remember', arguments: { text: 'deploy on Tuesdays' } })
  const { structuredContent, content } = await client.callTool({
    name: 'recall',
    arguments: { query: 'deploy keys' },
  })
  const { results } = structuredContent as { results: Record<string, unknown>[] }
  const [long, short] = [results.find(({ id }) => id === 1), results.find(({ id }) => id === 2)]
  expect(long).toMatchObject({ truncated: true, excerpt: expect.stringContaining('in the vault') })
  expect(String(long?.excerpt).length).toBeLessThanOrEqual(600)
  expect(long).not.toHaveProperty('text')
  expect(short).toMatchObject({ text: 'deploy on Tuesdays' })
  expect(short).not.toHaveProperty('truncated')
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  const { body } = await call(daemon, '/v1/recall', { body: { query: 'deploy keys' } })
  expect(body).toMatchObject({ results: expect.arrayContaining([expect.objectContaining({ id: 1, text })]) })
})

test('every output is as the list of tools says, by the judgement of the client', async () => {
  const daemon = await startTestDaemon()
  const client = await connect(daemon)
  const { tools } = await client.listTools()
  // Having read the list, the client refuses a result that breaks its schema, and one that has none.
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: input })
    expect(isError ?? false, name).toBe(false)
    const { properties } = tools.find((tool) => tool.name === name)?.outputSchema ?? {}
    const unlisted = operations.find((operation) => operation.name === name)?.unlisted ?? []
    const members = Object.keys(structuredContent ?? {}).filter((member) => !unlisted.includes(member))
    expect(Object.keys(properties ?? {}), name).toEqual(members)
    used.add(name)
  }
  const used = new Set<string>()
  for (const name of ['recall_dreams', 'predictions_open', 'calibration', 'state', 'outside_views'])
    await use(name)
  await use('remember', { text: 'tools speak' })
  await use('flag', { text: 'never drop the users table' })
  await use('recall', { query: 'tools' })
  await use('assess', { topic: 'drop the users table' })
  await use('believe', { text: 'the cache is warm' })
  await use('evidence', { belief_id: 1, kind: 'supporting', strength: 0.5 })
  await use('evidence_for', { belief_id: 1 })
  await use('revise', { belief_id: 1, new_text: 'the cache is hot' })
  await use('predict', { prediction: 'users will be dropped', domain: 'infra' })
  await use('resolve', { prediction_id: 1, outcome: 'incorrect', actual: 'they were not' })
  await use('assess', { topic: 'drop the users table' })
  await use('calibration', { since_days: 1 })
  await use('note_about', { subject_agent: 'planner', observation: 'plans' })
  expect([...used].sort()).toEqual([...toolNames].sort())
  const refused = await client.callTool({ name: 'resolve', arguments: { prediction_id: 1 } })
  expect(refused).toMatchObject({ isError: true, content: [{ text: 'outcome is required' }] })
})

test('tools that change nothing say so; recall_dreams, which marks, does not', async () => {
  const client = await connect(await startTestDaemon())
  const { tools } = await client.listTools()
  const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)
  expect(readOnly.sort()).toEqual(
    ['recall', 'evidence_for', 'assess', 'predictions_open', 'calibration', 'state', 'outside_views'].sort(),
  )
})

test.each<Era>(['legacy', 'auto'])('a client that negotiates %s calls a tool', async (era) => {
  const daemon = await startTestDaemon()
  const client = await connect(daemon, { era })
  const output = await client.callTool({ name: 'remember', arguments: { text: 'tools speak' } })
  expect(output.isError ?? false).toBe(false)
  expect(output.structuredContent).toEqual({ id: 1, text: 'tools speak', semantic: false })
  expect(output.content).toEqual([{ type: 'text', text: JSON.stringify(output.structuredContent) }])
  const recalled = await client.callTool({ name: 'recall', arguments: { query: 'tools' } })
  expect(recalled.structuredContent).toMatchObject({ results: [{ text: 'tools speak' }] })
})

test('a refused call is a result that says why, in the words of the HTTP API', async () => {
  const daemon = await startTestDaemon()
  const client = await connect(daemon)
  for (const [name, input] of [
    ['remember', {}],
    ['remember', { text: 'x', more: 1 }],
    ['recall', { query: '' }],
    ['recall', { query: 'x', limit: 51 }],
    ['recall', { query: 'x', limit: '5' }],
    ['recall', { query: 'a\u0000b' }],
  ] as const) {
    const output = await client.callTool({ name, arguments: input })
    const reply = await call(daemon, `/v1/${name}`, { body: input })
    expect(output.isError).toBe(true)
    expect(reply.status).toBe(400)
    const [why] = output.content as readonly unknown[]
    expect(why).toEqual({ type: 'text', text: (reply.body as { error: string }).error })
  }
})

test('a refused call tells the remedy behind why', async () => {
  const client = await connect(await startTestDaemon())
  await client.callTool({ name: 'believe', arguments: { text: 'the cache is warm' } })
  await client.callTool({ name: 'revise', arguments: { belief_id: 1, new_text: 'the cache is hot' } })
  const evidence = { belief_id: 1, kind: 'supporting', strength: 0.5 }
  const refused = await client.callTool({ name: 'evidence', arguments: evidence })
  expect((refused.content as readonly { text: string }[]).map(({ text }) => text)).toEqual([
    'belief 1 is superseded',
    expect.stringContaining('Belief 2 replaced it'),
  ])
})

test('a lone surrogate sent to a tool is refused by the name of its member', async () => {
  const daemon = await startTestDaemon()
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"text":"\\ud800"}}}`
  const response = await fetch(`${daemon.url}/mcp`, {
    method: 'POST',
    headers: {
      'x-svc-key': daemon.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body,
  })
  expect(await response.text()).toContain('text must be well-formed Unicode')
})

test('an unknown tool is an error of the protocol', async () => {
  const client = await connect(await startTestDaemon())
  await expect(client.callTool({ name: 'drop_everything', arguments: {} })).rejects.toThrow(
    'unknown tool: drop_everything',
  )
})

test('the agent of a tool call is the one its headers name', async () => {
  const client = await connect(await startTestDaemon(), { headers: { 'x-svc-agent': 'reviewer' } })
  const { structuredContent } = await client.callTool({
    name: 'note_about',
    arguments: { subject_agent: 'planner', observation: 'plans in small steps' },
  })
  expect(structuredContent).toMatchObject({ observer_agent: 'reviewer', subject_agent: 'planner' })
})

test('tools answer for the project of the key and no other', async () => {
  const daemon = await startTestDaemon()
  const mine = await connect(daemon)
  await mine.callTool({ name: 'remember', arguments: { text: 'only mine' } })
  const other = await connect({ ...daemon, key: await daemon.keyOf('other') })
  const { structuredContent } = await other.callTool({ name: 'recall', arguments: { query: 'only mine' } })
  expect(structuredContent).toMatchObject({ results: [] })
})

test('who asks for every operation is told every member', () => {
  const membersOf = (set: 'standard' | 'all') =>
    Object.keys(listTools(set).find(({ name }) => name === 'remember')?.inputSchema.properties ?? {})
  expect(membersOf('standard')).toEqual(['text'])
  expect(membersOf('all')).toEqual(['text', 'tags', 'expires', 'cites'])
})

test('/mcp stands behind the same guard, key and bounds as the API', async () => {
  const daemon = await startTestDaemon()
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = { accept: 'application/json, text/event-stream' }
  expect(await call({ ...daemon, key: 'no' }, '/mcp', { body: message, headers })).toMatchObject({
    status: 401,
    body: { error: 'invalid or missing API key' },
  })
  expect(
    (await call(daemon, '/mcp', { body: message, headers: { ...headers, origin: 'http://evil' } })).status,
  ).toBe(403)
  const get = await call(daemon, '/mcp')
  expect(get).toMatchObject({ status: 405, body: { error: 'GET is not allowed here' } })
  expect(get.headers.get('allow')).toBe('POST')
  expect((await call(daemon, '/mcp', { method: 'DELETE' })).status).toBe(405)
  const big = await call(daemon, '/mcp', { body: { ...message, params: 'x'.repeat(1_048_576) }, headers })
  expect(big.status).toBe(413)
  const plain = await fetch(`${daemon.url}/mcp`, {
    method: 'POST',
    headers: { 'x-svc-key': daemon.key },
    body: '{}',
  })
  expect(plain.status).toBe(415)
})

test.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client that speaks %s is answered in its version',
  async (protocolVersion) => {
    const daemon = await startTestDaemon()
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const response = await fetch(`${daemon.url}/mcp`, {
      method: 'POST',
      headers: {
        'x-svc-key': daemon.key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    })
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
    expect(JSON.parse(data)).toMatchObject({ id: 1, result: { protocolVersion } })
  },
)

/** The envelope that every request of the revision without sessions carries. */
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** One request of that revision, and what answers it: an event or a plain answer. */
async function request(
  { url, key }: TestDaemon,
  { method, params = {}, name }: { method: string; params?: Record<string, unknown>; name?: string },
) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'x-svc-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  })
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}

test('the revision without sessions needs no greeting, over HTTP: each request stands by itself', async () => {
  const daemon = await startTestDaemon()
  const ask = (method: string, params: Record<string, unknown>, name?: string) =>
    request(daemon, { method, params, ...(name !== undefined && { name }) })
  const discovered = await ask('server/discover', {})
  expect(discovered.result.supportedVersions).toContain('2026-07-28')
  expect(discovered.result.capabilities).toMatchObject({ tools: {}, prompts: {}, resources: {} })
  const kept = await ask('tools/call', { name: 'remember', arguments: { text: 'no greeting' } }, 'remember')
  expect(kept.result.structuredContent).toEqual({ id: 1, text: 'no greeting', semantic: false })
  expect((await ask('tools/list', {})).result.tools).toHaveLength(standardTools)
  expect(
    (await ask('resources/read', { uri: 'brain://prime' }, 'brain://prime')).result.contents[0].text,
  ).toContain('no greeting')
})

test('a message that is none is refused as its sender’s fault, and is none of ours in the log', async () => {
  const daemon = await startTestDaemon()
  const headers = { accept: 'application/json, text/event-stream' }
  expect(await call(daemon, '/mcp', { body: { no: 'message' }, headers })).toMatchObject({ status: 400 })
  expect(daemon.log()).not.toContain('"level":"error"')
})

test('a subscription is refused: it would never end', async () => {
  const daemon = await startTestDaemon()
  const params = { notifications: { toolsListChanged: true } }
  const answer = await request(daemon, { method: 'subscriptions/listen', params })
  expect(answer).toMatchObject({ id: 1, error: { message: expect.any(String) } })
})
