/**
 * MCP over standard input and output: a JSON-RPC message a line, read as strictly as the body of a request.
 * Knows lines; what the messages ask for is the server's to say.
 */
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { BrainError } from '../core/errors.ts'
import { memberOf } from '../core/json.ts'
import { maxRequestBytes } from '../core/limits.ts'
import { parseJson } from '../operations/json.ts'
import { createToolServer, type ToolHost } from './server.ts'
import type { ToolSet } from './tools.ts'

const newline = 0x0a
/** What a line may be full of that is no message: spaces, tabs, and the line ends of other systems. */
const blanks = new Set([0x20, 0x09, 0x0d])

/**
 * How long answers under way are waited for once no more requests can come, in milliseconds: of a client that is done,
 * and of one that is gone.
 */
const drainTime = 10_000
const partingTime = 3_000

/** Bytes of answers that nobody has read yet, and requests under way, above which no more requests are read. */
const maxUnread = 2 ** 22
const maxOpen = 1_000

const parseError = -32_700
const invalidRequest = -32_600

/**
 * What a refusal names: the id of a message that has one, whatever else is wrong with it, so that its sender waits for
 * nothing.
 */
function refusedId(value: unknown): string | number | null {
  const id = memberOf(value, 'id')
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Bytes of a message's two ends in which its id is looked for. */
const endBytes = 512
const idFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")/
const idLast = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*\}\s*$/

/** The id of a message that is too large to be read, where it comes first or last, as clients write it. */
function idAtEnds(head: Buffer, tail: Buffer): string | number | null {
  const first = idFirst.exec(head.subarray(0, endBytes).toString())
  const [, id] = first ?? idLast.exec(tail.subarray(-endBytes).toString()) ?? []
  return id === undefined ? null : (JSON.parse(id) as string | number)
}

/** The id of a message that is JSON, but not as it has to be; null for what is none. */
function idOfWhole(line: Buffer): string | number | null {
  try {
    return refusedId(JSON.parse(line.toString()))
  } catch {
    return null
  }
}

const idOf = (message: JSONRPCMessage): string | number | undefined =>
  'id' in message && message.id !== null ? message.id : undefined

class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  #line: Buffer[] = []
  #length = 0
  /** The end of a line that is over the limit. */
  #tail: Buffer = Buffer.alloc(0)
  #closed = false
  /** Requests that have no answer yet, and how many of the same id. */
  readonly #open = new Map<string | number, number>()
  #drained: (() => void) | undefined
  #held = false

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk))
    let done = false
    this.#input.once('end', () => {
      done = true
      void this.#end(drainTime)
    })
    this.#input.once('error', () => void this.close())
    // Also comes after the end.
    this.#input.once('close', () => {
      if (!done) void this.#end(partingTime)
    })
    // Nobody reads the answers any more.
    this.#output.on('error', () => void this.close())
  }

  #take(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(newline, from)
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end)
      this.#length += piece.length
      // What is over the limit is counted, and but for its ends not kept.
      if (this.#length <= maxRequestBytes) this.#line.push(piece)
      else {
        if (this.#length === piece.length) this.#line.push(piece.subarray(0, endBytes))
        this.#tail = Buffer.concat([this.#tail, piece.subarray(-endBytes)]).subarray(-endBytes)
      }
      if (end === -1) return
      this.#finishLine()
      from = end + 1
      this.#regulate()
    }
  }

  #finishLine(): void {
    const line = Buffer.concat(this.#line)
    const [length, tail] = [this.#length, this.#tail]
    this.#line = []
    this.#length = 0
    this.#tail = Buffer.alloc(0)
    if (length > maxRequestBytes) {
      const refusal = `message must be at most ${maxRequestBytes} bytes`
      this.#refuse(invalidRequest, refusal, idAtEnds(line, tail))
    } else if (!line.every((byte) => blanks.has(byte))) {
      this.#deliver(line)
    }
  }

  #deliver(line: Buffer): void {
    let value: unknown
    try {
      value = parseJson(line)
    } catch (error) {
      this.#refuse(
        parseError,
        error instanceof BrainError ? error.message.replace('body', 'message') : 'parse error',
        idOfWhole(line),
      )
      return
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      this.#refuse(invalidRequest, 'message is not a JSON-RPC message', refusedId(value))
      return
    }
    this.#note(message)
    this.onmessage?.(message)
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    const id = idOf(message)
    if (id !== undefined) this.#open.set(id, (this.#open.get(id) ?? 0) + 1)
    // A cancelled request is never answered.
    const cancelled = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined
    if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#settle(cancelled)
  }

  #settle(id: string | number): void {
    const left = (this.#open.get(id) ?? 0) - 1
    if (left > 0) this.#open.set(id, left)
    else this.#open.delete(id)
    if (this.#open.size === 0) this.#drained?.()
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    const refusal = { jsonrpc: '2.0', id, error: { code, message } }
    this.#output.write(`${JSON.stringify(refusal)}\n`, () => this.#regulate())
  }

  /** Reads on, or waits: a client that asks and does not read would fill the memory with answers. */
  #regulate(): void {
    const full = this.#output.writableLength > maxUnread || this.#open.size > maxOpen
    if (full === this.#held || this.#closed) return
    this.#held = full
    if (full) this.#input.pause()
    else this.#input.resume()
  }

  /** The client is gone or done: what it asked for is still answered, for a reader of a pipe may wait. */
  async #end(timeout: number): Promise<void> {
    this.#finishLine()
    if (this.#open.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
        setTimeout(resolve, timeout).unref()
      })
    }
    await this.close()
  }

  send(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message ? undefined : idOf(message)
    return new Promise((resolve, reject) => {
      this.#output.write(serializeMessage(message), (error) => {
        if (id !== undefined) this.#settle(id)
        this.#regulate()
        if (error) reject(error)
        else resolve()
      })
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#input.pause()
    this.onclose?.()
  }
}

export interface StdioOptions extends ToolHost {
  readonly input: Readable
  readonly output: Writable
  /** Which tools the client is offered. */
  readonly tools: ToolSet
}

/** Serves one client; resolves when its input has ended and every request that came before has its answer. */
export async function serveMcp(options: StdioOptions): Promise<void> {
  const transport = new LineTransport(options.input, options.output)
  await new Promise<void>((resolve) => {
    // Nothing changes that could be subscribed to: who asks is told, and waits for nothing.
    const handle = serveStdio(() => createToolServer(options, options.tools), {
      transport,
      maxSubscriptions: 0,
    })
    // serveStdio has put its own handler there; both are to know.
    const closed = transport.onclose
    transport.onclose = () => {
      closed?.()
      void handle.close().finally(resolve)
    }
  })
}
