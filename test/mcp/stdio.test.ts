import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveMcp } from '../../src/mcp/stdio.ts'
import { callOperation } from '../../src/operations/call.ts'
import { compiledCode } from '../compiled-code.ts'
import { startTestDaemon } from '../http/daemon.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { standardTools } from './standard-tools.ts'

const brain = fileURLToPath(new URL('../../bin/brain.js', import.meta.url))

const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  BRAIN_EMBEDDER: 'none',
  ...compiledCode,
})

function runBrain(
  directory: string,
  args: readonly string[],
  input = '',
): Promise<{ out: string; err: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [brain, '--dir', directory, ...args], { env: environment() })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    child.on('close', (code) => resolve({ out, err, code }))
    child.stdin.end(input)
  })
}

async function makeBrain(): Promise<string> {
  const directory = temporaryDirectory()
  await runBrain(directory, ['init', '--yes'])
  return directory
}

const line = (message: Record<string, unknown>): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

const initialize = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

const parseLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => JSON.parse(each))

test.each(['legacy', 'auto'] as const)(
  'the official client calls tools of a process, negotiating %s',
  async (mode) => {
    const directory = await makeBrain()
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [brain, '--dir', directory, '--project', 'p', '--agent', 'scout', 'mcp'],
      env: environment(),
      stderr: 'ignore',
    })
    onTestFinished(() => client.close())
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(standardTools)
    const { structuredContent } = await client.callTool({
      name: 'note_about',
      arguments: { subject_agent: 'scout', observation: 'speaks over pipes' },
    })
    expect(structuredContent).toEqual({ id: 1, observer_agent: 'scout', subject_agent: 'scout' })
  },
)

test('with --tools all a record can be listed, shown, edited and forgotten, and beliefs have their ids', async () => {
  const directory = await makeBrain()
  const { out } = await runBrain(
    directory,
    ['mcp', '--tools', 'all'],
    `${initialize}${line({ method: 'notifications/initialized' })}${line({ id: 2, method: 'tools/list' })}`,
  )
  const listed = JSON.stringify(parseLines(out).find(({ id }) => id === 2))
  const names = [...listed.matchAll(/\{"name":"(\w+)"/g)].map(([, name]) => name)
  expect(names).toEqual(expect.arrayContaining(['list', 'show', 'amend', 'forget', 'beliefs', 'prime']))
  expect(names.length).toBeGreaterThan(16)
})

test('every request that came before the end of input has its answer, and nothing else is on standard output', async () => {
  const directory = await makeBrain()
  const calls = Array.from({ length: 20 }, (_, at) =>
    line({
      id: at + 10,
      method: 'tools/call',
      params: { name: 'remember', arguments: { text: `note ${at}` } },
    }),
  )
  const { out, code } = await runBrain(
    directory,
    ['mcp'],
    `${initialize}${line({ method: 'notifications/initialized' })}${calls.join('')}`,
  )
  expect(code).toBe(0)
  const answers = parseLines(out)
  expect(answers).toHaveLength(21)
  expect(answers.every(({ jsonrpc, result }) => jsonrpc === '2.0' && result !== undefined)).toBe(true)
})

test('the process ends when its client is killed', async () => {
  const directory = await makeBrain()
  // A client that starts the server, is answered once, and is then killed without a word.
  const script = `
    const { spawn } = require('node:child_process')
    const server = spawn(process.execPath, [${JSON.stringify(brain)}, '--dir', ${JSON.stringify(directory)}, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] })
    server.stdin.write(${JSON.stringify(initialize)})
    server.stdout.once('data', () => process.stdout.write(String(server.pid)))
  `
  const client = spawn(process.execPath, ['-e', script], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const pid = await new Promise<number>((resolve) =>
    client.stdout.once('data', (chunk) => resolve(Number(chunk))),
  )
  client.kill('SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('without a brain the process says so and exits with 4', async () => {
  const { out, err, code } = await runBrain(temporaryDirectory(), ['mcp'], initialize)
  expect({ out, code }).toEqual({ out: '', code: 4 })
  expect(err).toContain('brain init')
})

type Serving = Parameters<typeof serveMcp>[0]

/** One server in this process. */
function serve(call: Serving['call'], fault: Serving['fault'] = () => {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  return { input, output, served: serveMcp({ tools: 'standard', input, output, call, fault }) }
}

/** Calls the operations of a daemon's brain. */
async function callsOfBrain(): Promise<Serving['call']> {
  const daemon = await startTestDaemon()
  const context = daemon.brain.context({ project: 'default', agent: 'default' })
  return (operation, given) => callOperation(operation, context, given)
}

/** One server in this process, whose calls are answered by the test. */
function open() {
  const waiting: ((state: unknown) => void)[] = []
  const { input, output, served } = serve(
    () => new Promise((resolve) => waiting.push(resolve as (state: unknown) => void)),
  )
  const asked = async (count: number): Promise<void> => {
    await expect.poll(() => waiting.length).toBe(count)
  }
  const answers = () => parseLines(String(output.read() ?? '')).map(({ id, error }) => ({ id, error }))
  return { input, output, waiting, served, asked, answers }
}

const stateCall = (id: number | string): string =>
  line({ id, method: 'tools/call', params: { name: 'state', arguments: {} } })

/** One server in this process: what it writes for these bytes. */
async function answer(bytes: string | Uint8Array): Promise<Record<string, unknown>[]> {
  const { input, output, served } = serve(await callsOfBrain(), (error) => {
    throw error
  })
  input.end(bytes)
  await served
  return parseLines(String(output.read() ?? ''))
}

test('a line that is no JSON is answered, and the next one is served', async () => {
  const answers = await answer(`{"jsonrpc\n\n[]\n${initialize}`)
  expect(answers[0]).toMatchObject({
    id: null,
    error: { code: -32700, message: 'message is not valid JSON' },
  })
  expect(answers[1]).toMatchObject({ id: null, error: { code: -32600 } })
  expect(answers[2]).toMatchObject({ id: 1, result: { serverInfo: { name: 'brain' } } })
})

test('a line over 1 MiB is refused without being kept', async () => {
  const [refused, served] = await answer(`${'x'.repeat(2_000_000)}\n${initialize}`)
  expect(refused).toMatchObject({ error: { message: 'message must be at most 1048576 bytes' } })
  expect(served).toMatchObject({ id: 1, result: {} })
})

test.each([
  ['first', (text: string) => `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"x":"${text}"}}\n`],
  ['last', (text: string) => `{"method":"tools/call","params":{"x":"${text}"},"jsonrpc":"2.0","id":6}\n`],
])('whoever sent a request that is too large is answered, where its id comes %s', async (_, request) => {
  const [refused, served] = await answer(`${request('x'.repeat(2_000_000))}${initialize}`)
  expect(refused).toMatchObject({ id: 6, error: { message: 'message must be at most 1048576 bytes' } })
  expect(served).toMatchObject({ id: 1, result: {} })
})

test('whoever sent a request that is too deep is answered', async () => {
  const [refused] = await answer(
    `{"jsonrpc":"2.0","id":"deep","method":"ping","params":${'['.repeat(99)}${']'.repeat(99)}}\n`,
  )
  expect(refused).toMatchObject({ id: 'deep', error: { code: -32700 } })
})

test('bytes that are not UTF-8 are refused by the name of the member that holds them', async () => {
  const message = line({
    id: 2,
    method: 'tools/call',
    params: { name: 'remember', arguments: { text: 'caf?' } },
  })
  const bytes = Buffer.from(message)
  bytes[bytes.indexOf('?')] = 0xe9
  const [, refused] = await answer(Buffer.concat([Buffer.from(initialize), bytes]))
  expect(refused).toMatchObject({
    id: 2,
    result: { isError: true, content: [{ text: 'text must be well-formed Unicode' }] },
  })
})

test('a number beyond every double is refused, and not taken for none', async () => {
  const params = '{"name":"believe","arguments":{"text":"it holds","confidence":-1e999}}'
  const [, refused] = await answer(
    `${initialize}{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}\n`,
  )
  expect(refused).toMatchObject({
    id: 2,
    result: { isError: true, content: [{ text: 'confidence must be a finite number' }] },
  })
})

test('a message that arrives byte by byte is one message', async () => {
  const { input, output, served } = serve(await callsOfBrain())
  for (const byte of Buffer.from(initialize)) input.write(Buffer.from([byte]))
  input.end()
  await served
  expect(parseLines(String(output.read()))).toHaveLength(1)
})

test('a call of some seconds is answered to a client that is done', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { input, waiting, served, answers } = open()
  input.end(initialize + stateCall(2))
  while (waiting.length === 0 || !input.closed) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(8_000)
  waiting[0]?.({ load: 0 })
  await served
  expect(answers().map(({ id }) => id)).toEqual([1, 2])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the process with 0, leaving no log beside the brain',
  async (signal) => {
    const directory = await makeBrain()
    const child = spawn(process.execPath, [brain, '--dir', directory, 'mcp'], { env: environment() })
    onTestFinished(() => void child.kill('SIGKILL'))
    const call = { name: 'remember', arguments: { text: 'kept' } }
    child.stdin.write(initialize + line({ id: 2, method: 'tools/call', params: call }))
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    await expect.poll(() => out).toContain('"id":2')
    const closed = new Promise((resolve) => child.once('close', (code) => resolve(code)))
    child.kill(signal)
    expect(await closed).toBe(0)
    expect(existsSync(join(directory, '.brain', 'brain.db-wal'))).toBe(false)
  },
)

test('a client that asks and does not read is read no further, and has every answer once it reads', async () => {
  const { input, output, served } = serve(() => Promise.reject(new Error('nothing is called')))
  const asked = 3_000
  input.write(initialize)
  for (let id = 2; id <= asked; id += 1) input.write(line({ id, method: 'tools/list', params: {} }))
  input.end()
  await expect.poll(() => input.isPaused()).toBe(true)
  // What was read before is answered: no more than its bounds, some twelve megabytes.
  expect(output.writableLength).toBeLessThan(30_000_000)
  const answered = new Set<unknown>()
  let text = ''
  for await (const chunk of output.setEncoding('utf8')) {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop() ?? ''
    for (const each of lines) answered.add(JSON.parse(each).id)
    if (answered.size === asked) break
  }
  await served
})

test('SIGTERM ends a process whose client asks and does not read', async () => {
  const directory = await makeBrain()
  const child = spawn(process.execPath, [brain, '--dir', directory, 'mcp'], { env: environment() })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  child.stdin.write(initialize + line({ id: 2, method: 'tools/list', params: {} }).repeat(600))
  // Looked at, not read.
  await new Promise((resolve) => child.stdout.once('readable', () => resolve(0)))
  const closed = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  child.kill('SIGTERM')
  expect(await closed).toBe(0)
})

test('a refusal names the id of what it refuses, and what is wrong with its members', async () => {
  const answers = await answer(
    [
      initialize,
      line({ id: 2, method: 'ping', params: [] }),
      line({ id: 'three', method: 7 }),
      line({ id: 4, method: 'prompts/get', params: {} }),
      line({ id: 5, method: 'subscriptions/listen', params: { notifications: {} } }),
      line({ id: 6, method: 'tools/call', params: { name: 'state', arguments: null } }),
      '\u0000\n',
    ].join(''),
  )
  expect(answers.sort((one, other) => String(one.id).localeCompare(String(other.id)))).toMatchObject([
    { id: 1, result: {} },
    { id: 2, error: { code: -32600 } },
    {
      id: 4,
      error: { code: -32602, message: 'params.name: Invalid input: expected string, received undefined' },
    },
    { id: 5, error: {} },
    {
      id: 6,
      error: { code: -32602, message: 'params.arguments: Invalid input: expected record, received null' },
    },
    { id: null, error: { code: -32700 } },
    { id: 'three', error: { code: -32600 } },
  ])
})

test('a client whose pipe fails is served to the end, and one that reads no more is not', async () => {
  for (const why of [new Error('the pipe broke'), undefined]) {
    const { input, output, served } = open()
    input.write(initialize)
    await expect.poll(() => output.readableLength).toBeGreaterThan(0)
    input.destroy(why)
    await served
  }
  const { input, output, served, asked } = open()
  input.write(initialize + stateCall(2))
  await asked(1)
  output.destroy(new Error('nobody reads'))
  await served
})

test('what a client that is gone has asked for is answered still, all of it', async () => {
  const { input, waiting, served, asked, answers } = open()
  input.write(initialize + stateCall(2) + stateCall(3))
  await asked(2)
  input.destroy()
  let isOver = false
  void served.then(() => {
    isOver = true
  })
  waiting[0]?.({ load: 0 })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isOver).toBe(false)
  waiting[1]?.({ load: 0 })
  await served
  expect(answers().map(({ id }) => id)).toEqual([1, 2, 3])
})

test('a call that never ends holds nobody: neither a client that is done, nor one that took it back', async () => {
  const cancelled = open()
  cancelled.input.write(initialize + stateCall(2))
  await cancelled.asked(1)
  cancelled.input.end(line({ method: 'notifications/cancelled', params: { requestId: 2 } }))
  await cancelled.served
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { input, waiting, served } = open()
  input.end(initialize + stateCall(2))
  while (waiting.length === 0 || !input.closed) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(10_000)
  await served
})

test('a client that asks for a thousand things at once waits for answers with the others, and has them all', async () => {
  const { input, waiting, served, answers } = open()
  const ids = Array.from({ length: 1_500 }, (_, at) => at + 2)
  input.write(initialize)
  for (const id of ids) input.write(stateCall(id))
  input.end()
  await expect.poll(() => input.isPaused()).toBe(true)
  await expect.poll(() => waiting.length).toBeGreaterThan(999)
  expect(waiting.length).toBeLessThan(1_100)
  const answered: unknown[] = []
  let told = 0
  while (answered.length <= ids.length) {
    for (; told < waiting.length; told += 1) waiting[told]?.({ load: 0 })
    await new Promise((resolve) => setImmediate(resolve))
    answered.push(...answers().map(({ id }) => id))
  }
  await served
  expect(new Set(answered)).toEqual(new Set([1, ...ids]))
})

test('a line of exactly 1 MiB is read, with the line end of another system; a last one needs none', async () => {
  const padded = stateCall(2).trimEnd()
  const { input, waiting, served, asked, answers } = open()
  input.write(`${initialize}\r\n${' '.repeat(1_048_576 - padded.length)}${padded}\n`)
  input.end(stateCall(3).trimEnd())
  await asked(2)
  for (const answer of waiting) answer({ load: 0 })
  await served
  expect(answers().map(({ id, error }) => [id, error])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ])
})

test('of a message that is too large and comes in pieces the own id is named, and never that of another', async () => {
  const { input, served, answers } = open()
  const large = `{"method":"ping","params":{"x":"${'x'.repeat(1_048_576)}"},"jsonrpc":"2.0","id":`
  for (const piece of [large, '6', '}\n', 'x'.repeat(1_048_576), ' \n']) input.write(piece)
  // What comes first counts: the other stands in the text of the last member.
  input.write(`{"id":7,"method":"ping","params":{"x":"${'x'.repeat(1_048_576)}","y":{"z":1,"id":8}}\n`)
  input.end()
  await served
  expect(answers().map(({ id }) => id)).toEqual([6, null, 7])
})

test('a fault of ours says nothing to the client, by a tool, a prompt or a resource, and each is told here', async () => {
  const faults: unknown[] = []
  const broken = new Error('/home/ana/brain.db: no such column')
  const { input, output, served } = serve(
    () => Promise.reject(broken),
    (error) => faults.push(error),
  )
  input.end(
    [
      initialize,
      stateCall(2),
      line({ id: 3, method: 'prompts/get', params: { name: 'prime' } }),
      line({ id: 4, method: 'resources/read', params: { uri: 'brain://prime' } }),
    ].join(''),
  )
  await served
  const answers = new Map(parseLines(String(output.read())).map(({ id, ...answer }) => [id, answer]))
  expect(answers.get(2)).toMatchObject({
    result: { isError: true, content: [{ type: 'text', text: 'internal error' }] },
  })
  for (const id of [3, 4])
    expect(answers.get(id)).toMatchObject({ error: { code: -32603, message: 'internal error' } })
  expect(faults).toEqual([broken, broken, broken])
})

test('a tool that the client was not offered is unknown, and runs nothing', async () => {
  const forget = { name: 'forget', arguments: { memory_id: 1 } }
  const { input, waiting, served, answers } = open()
  input.end(initialize + line({ id: 2, method: 'tools/call', params: forget }))
  await served
  expect(answers()[1]).toMatchObject({ id: 2, error: { code: -32602, message: 'unknown tool: forget' } })
  expect(waiting).toEqual([])
})
