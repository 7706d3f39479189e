/**
 * The drill of `brain mcp`: sessions of lines drawn from a seed, written in pieces cut anywhere. It never dies, there
 * is nothing but JSON-RPC on its standard output, and every request that has an id is answered once.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { compiledCode } from '../compiled-code.ts'
import { startBrain } from '../faults/processes.ts'
import { type Line, lineAt, type ToolListed } from './mcp-lines.ts'

export interface McpFigures {
  readonly sessions: number
  readonly lines: number
  readonly answers: number
  readonly seed: number
  readonly faults: string[]
}

export interface McpOptions {
  readonly directory: string
  readonly seed: number
  readonly sessions: number
  /** Lines in each. */
  readonly each: number
  readonly progress?: (sessions: number, faults: number) => void
}

const environment = { BRAIN_EMBEDDER: 'none', BRAIN_DURABILITY: 'normal' }

/** Milliseconds in which a session has to end once its input has. */
const limit = 60_000

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly said: string
}

/** Writes `pieces` to a server, each by itself, and hears it to its end. */
async function converse(directory: string, pieces: readonly Buffer[]): Promise<Ended> {
  const child = spawn(process.execPath, [resolve('bin/brain.js'), 'mcp', '--tools', 'all'], {
    env: {
      PATH: process.env.PATH,
      HOME: join(directory, 'home'),
      BRAIN_DIR: directory,
      ...compiledCode,
      ...environment,
    },
    stdio: 'pipe',
  })
  const [out, said]: Buffer[][] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out?.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said?.push(chunk))
  // What it says by dying is told by its code.
  child.stdin.on('error', () => {})
  const alarm = setTimeout(() => child.kill('SIGKILL'), limit)
  const ended = new Promise<number | null>((settle) => {
    child.once('close', settle)
    child.once('error', () => settle(null))
  })
  for (const piece of pieces) {
    child.stdin.write(piece)
    await new Promise((settle) => setImmediate(settle))
  }
  child.stdin.end()
  const code = await ended
  clearTimeout(alarm)
  const text = (chunks: Buffer[] = []): string => Buffer.concat(chunks).toString('utf8')
  return { code, out: text(out), said: text(said) }
}

interface Response {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

function parse(line: string): Response | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** What is wrong with one line of standard output; undefined for a response as JSON-RPC has it. */
function misshapen(response: Response | undefined): string | undefined {
  if (response === undefined || response.jsonrpc !== '2.0') return 'is no JSON-RPC'
  if (response.method !== undefined) return undefined
  if ((response.result === undefined) === (response.error === undefined))
    return 'has a result and an error, or neither'
  const { error } = response
  if (error === undefined) return undefined
  if (!Number.isInteger(error.code) || typeof error.message !== 'string')
    return 'has an error without code and message'
  if (/\n\s+at |\/src\/|node_modules|SQLITE|SELECT /.test(error.message)) return 'shows what is inside'
  // Of the client's making is everything that it sends here.
  return error.code === -32_603 ? `is a fault: ${error.message}` : undefined
}

const keyOf = (id: unknown): string => JSON.stringify(id)

/** What is wrong with what came of `lines`. */
function judge(lines: readonly Line[], { code, out, said }: Ended): string[] {
  const faults: string[] = []
  if (code !== 0) faults.push(`ended with ${code}: ${said.slice(0, 300)}`)
  if (/fault:|\n\s+at |unexpected error/.test(said)) faults.push(`said: ${said.slice(0, 400)}`)
  const counts = new Map<string, number>()
  for (const line of out.split('\n').filter((text) => text !== '')) {
    const response = parse(line)
    const wrong = misshapen(response)
    if (wrong !== undefined) faults.push(`${line.slice(0, 200)} ${wrong}`)
    if (response?.method === undefined) {
      const key = keyOf(response?.id)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const cancelled = new Set(lines.flatMap(({ cancels }) => (cancels === undefined ? [] : [keyOf(cancels)])))
  let nameless = 0
  for (const { expected, bytes } of lines) {
    if (expected.kind === 'anonymous') nameless += 1
    if (expected.kind !== 'answer') continue
    const key = keyOf(expected.id)
    const times = counts.get(key) ?? 0
    counts.delete(key)
    if (times === 1 || (times === 0 && cancelled.has(key))) continue
    faults.push(`answered ${times} times: ${bytes.toString('utf8').slice(0, 300)}`)
  }
  const refusals = counts.get('null') ?? 0
  counts.delete('null')
  if (refusals !== nameless) faults.push(`${refusals} refusals without an id of ${nameless}`)
  for (const key of counts.keys()) faults.push(`answered what nobody asked: ${key.slice(0, 100)}`)
  return faults
}

/** How a client greets: as ever, as of the newest revision, in a wrong way, or not at all. */
const greetings = fc.constantFrom<readonly Line[]>(
  ...[
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'd', version: '1' } },
    },
    {
      method: 'initialize',
      params: { protocolVersion: '1900-01-01', capabilities: {}, clientInfo: { name: 'd', version: '1' } },
    },
    { method: 'initialize', params: {} },
    {
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'd', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  ].map((greeting): readonly Line[] => [
    {
      bytes: Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 'greeting', ...greeting })}\n`),
      expected: { kind: 'answer', id: 'greeting' },
    },
  ]),
  [],
)

/** Cuts bytes into pieces, at the places told as parts of a thousand. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => Math.floor((place * bytes.length) / 1_000)), bytes.length]
  return ends.sort((one, other) => one - other).map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
}

async function listTools(directory: string): Promise<ToolListed[]> {
  const { out } = await converse(directory, [
    Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })}\n`),
  ])
  const { result } = JSON.parse(out) as { result: { tools: ToolListed[] } }
  return result.tools
}

/** Talks to as many servers, one after another, over one brain. */
export async function mcpDrill({
  directory,
  seed,
  sessions,
  each,
  progress,
}: McpOptions): Promise<McpFigures> {
  mkdirSync(join(directory, 'home'), { recursive: true })
  const initialised = startBrain(directory, ['init', '--yes'], { environment })
  initialised.child.stdin?.end()
  await initialised.ended
  const tools = await listTools(directory)
  const faults: string[] = []
  let [lines, answers] = [0, 0]
  for (let session = 0; session < sessions; session += 1) {
    const drawn = fc.tuple(
      greetings,
      fc.tuple(...Array.from({ length: each }, (_, at) => lineAt(at + 1, tools))),
      fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 40 }),
      // A last line without its end is a message as well, or half of one.
      fc.boolean(),
    )
    const [[greeting, rest, places, unended] = [[], [], [], false]] = fc.sample(drawn, {
      seed: seed + session,
      numRuns: 1,
    })
    const said = [...greeting, ...rest]
    const whole = Buffer.concat(said.map(({ bytes }) => bytes))
    const bytes = unended && whole.at(-1) === 0x0a ? whole.subarray(0, -1) : whole
    const ended = await converse(directory, cut(bytes, places))
    lines += said.length
    answers += ended.out.split('\n').length - 1
    faults.push(...judge(said, ended).map((fault) => `seed ${seed + session}: ${fault}`))
    progress?.(session + 1, faults.length)
  }
  return { sessions, lines, answers, seed, faults }
}
