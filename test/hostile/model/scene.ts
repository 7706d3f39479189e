/**
 * A real brain on disk, with the processes that work on it: a daemon, MCP servers and commands. Knows how a call
 * reaches it by each of them and how to end them; what they should answer is not known here.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { operations } from '../../../src/operations/index.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import { environmentIn } from '../../faults/processes.ts'
import type { Line } from './contents.ts'
import type { Ask } from './searches.ts'

export type Via = 'http' | 'mcp' | 'command'

/** What came of a call; lost when its process ended first. */
export type Reply =
  | { readonly output: Line }
  | { readonly refusal: string }
  | { readonly lost: true }
  | { readonly fault: string }

const operationOf = (name: string): Operation => {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

const kebab = (name: string): string => name.replaceAll('_', '-')

function toWords({ operation, input, project, agent }: Ask): string[] {
  const { command } = operationOf(operation)
  const positional = command.positional ?? []
  const options = Object.entries(input).filter(([member]) => !positional.includes(member))
  return [
    ...['--json', '--project', project],
    // Of a track record the option says whose it is to be.
    ...(operation === 'calibration' ? [] : ['--agent', agent]),
    command.name ?? kebab(operation),
    ...options.flatMap(([member, value]) => [`--${kebab(member)}`, String(value)]),
    '--',
    ...positional.flatMap((member) => (input[member] === undefined ? [] : [String(input[member])])),
  ]
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

class ToolServer {
  readonly child: ChildProcess
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #asked = 0

  constructor(child: ChildProcess) {
    this.child = child
    child.stdin?.on('error', () => {})
    if (child.stdout) createInterface(child.stdout).on('line', (line) => this.#receive(line))
    child.once('close', () => {
      for (const settle of this.#waiting.values()) settle({ lost: true })
      this.#waiting.clear()
    })
    const clientInfo = { name: 'model', version: '1' }
    void this.#send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  }

  call({ operation, input }: Ask): Promise<Reply> {
    return this.#send('tools/call', { name: operation, arguments: input })
  }

  #send(method: string, params: object): Promise<Reply> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((settle) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) return settle({ lost: true })
      this.#waiting.set(id, settle)
      this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }

  #receive(line: string): void {
    const { id, result, error } = JSON.parse(line)
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) settle?.({ fault: `MCP: ${JSON.stringify(error)}` })
    else if (result.isError) settle?.({ refusal: String(result.content?.[0]?.text) })
    else settle?.({ output: result.structuredContent ?? {} })
  }
}

export class Scene {
  readonly directory: string
  #daemon: ChildProcess | undefined
  #url = ''
  readonly #servers = new Map<string, ToolServer>()
  readonly #commands = new Set<ChildProcess>()

  constructor(directory: string) {
    this.directory = directory
  }

  /** A brain of its own, as it is in `template`. */
  static copy(template: string, directory: string): Scene {
    mkdirSync(directory, { recursive: true })
    // Not cpSync, which from Node 24 on opens to all what was for its owner only.
    execFileSync('cp', ['-a', `${template}/.`, directory])
    return new Scene(directory)
  }

  #spawn(
    words: readonly string[],
    directory: string,
    environment: Record<string, string> = {},
  ): ChildProcess {
    const env = environmentIn(directory, environment)
    return spawn(process.execPath, [resolve('bin/brain.js'), ...words], { env, stdio: 'pipe' })
  }

  /** Runs a command to its end, on this brain or on another one. */
  async command(
    words: readonly string[],
    {
      directory = this.directory,
      environment = {},
    }: { directory?: string; environment?: Record<string, string> } = {},
  ): Promise<Ran> {
    const child = this.#spawn(words, directory, environment)
    this.#commands.add(child)
    child.stdin?.end()
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
    const [code] = (await once(child, 'close')) as [number | null]
    this.#commands.delete(child)
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString().trim() }
  }

  /** The same for a command that must succeed. */
  async succeed(words: readonly string[], directory?: string): Promise<string> {
    const { code, stdout, stderr } = await this.command(words, directory === undefined ? {} : { directory })
    if (code !== 0) throw new Error(`brain ${words.join(' ')}: exit ${code}: ${stderr}`)
    return stdout
  }

  /** Everything that is in it. */
  async dump(directory?: string): Promise<Line[]> {
    const lines = (await this.succeed(['export', '--all'], directory)).trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line) as Line)
  }

  /** Starts the daemon, where none runs. */
  async start(): Promise<void> {
    if (this.#daemon !== undefined) return
    const child = this.#spawn(
      ['serve', '--port', '0', '--json', '--no-dreams', '--log', 'off'],
      this.directory,
    )
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const line = await new Promise<string>((settle) => {
      if (child.stdout) createInterface(child.stdout).once('line', settle)
      child.once('close', () => settle(''))
    })
    if (line === '') throw new Error(`the daemon did not start: ${said}`)
    this.#url = JSON.parse(line).url
    this.#daemon = child
  }

  /** Ends every process, and says what is wrong with the way they ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<string[]> {
    const daemon = this.#daemon
    const children = [daemon, ...[...this.#servers.values()].map(({ child }) => child), ...this.#commands]
    this.#daemon = undefined
    this.#servers.clear()
    const codes = await Promise.all(
      children.map(async (child) => {
        if (child === undefined) return null
        if (child.exitCode === null && child.signalCode === null) {
          child.kill(signal)
          await once(child, 'close')
        }
        return child.exitCode
      }),
    )
    return signal === 'SIGKILL' || daemon === undefined || codes[0] === 0
      ? []
      : [`the daemon ended with ${codes[0]} after ${signal}`]
  }

  /** Calls by one of the ways, or by HTTP where that way does not offer it; `key` is for HTTP alone. */
  async ask(
    ask: Ask,
    how: { readonly via: Via; readonly key: string; readonly bare?: boolean },
  ): Promise<Reply> {
    const { route, tool } = operationOf(ask.operation)
    if (how.via === 'command' || route === undefined) return this.#askCommand(ask, how.bare === true)
    if (how.via === 'mcp' && tool) return this.#askTool(ask)
    return this.#askHttp(ask, how.key)
  }

  #askTool(ask: Ask): Promise<Reply> {
    const name = JSON.stringify([ask.project, ask.agent])
    const known = this.#servers.get(name)
    if (known) return known.call(ask)
    const child = this.#spawn(['mcp', '--project', ask.project, '--agent', ask.agent], this.directory)
    const server = new ToolServer(child)
    this.#servers.set(name, server)
    return server.call(ask)
  }

  async #askCommand(ask: Ask, bare: boolean): Promise<Reply> {
    const environment: Record<string, string> = bare ? { BRAIN_EMBEDDER: 'none' } : {}
    const { code, stdout, stderr } = await this.command(toWords(ask), { environment })
    // Said is done: it speaks after its commit.
    if (stdout.endsWith('}\n') && (code === 0 || code === null)) return { output: JSON.parse(stdout) }
    if (code === 3) return { refusal: JSON.parse(stderr).error }
    return code === null || code === 130 || code === 143
      ? { lost: true }
      : { fault: `exit ${code}: ${stderr}` }
  }

  async #askHttp({ operation, input, agent }: Ask, key: string): Promise<Reply> {
    const { route } = operationOf(operation)
    if (route === undefined || this.#daemon === undefined) return { lost: true }
    const path = route.path.replace(/:(\w+)/, (_, member: string) => String(input[member]))
    const query = Object.entries(input).filter(([member]) => !route.path.includes(`:${member}`))
    // Headers are bytes: what is beyond ASCII goes as UTF-8.
    const headers = { 'x-svc-key': key, 'x-svc-agent': Buffer.from(agent).toString('latin1') }
    const [url, init] =
      route.method === 'POST'
        ? [
            path,
            {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/json' },
              body: JSON.stringify(input),
            },
          ]
        : [
            `${path}?${new URLSearchParams(query.map(([member, value]): [string, string] => [member, String(value)]))}`,
            { headers },
          ]
    let status: number
    let body: Line
    try {
      const response = await fetch(this.#url + url, init)
      status = response.status
      body = (await response.json()) as Line
    } catch {
      return { lost: true }
    }
    if (status === 200) return { output: body }
    return status === 404 || status === 401
      ? { refusal: String(body.error) }
      : { fault: `${status}: ${body.error}` }
  }
}
