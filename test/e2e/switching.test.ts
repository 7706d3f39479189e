/** From one embedding model to another while shells and a daemon use the brain: nobody restarts, nothing is lost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { childEnvironment, createBrainPlace, type Place, program } from '../cli/command-line.ts'
import { call } from '../http/daemon.ts'
import { writeTar } from '../models/tar-writer.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { installTransformer } from '../models/tiny-transformer.ts'
import { model, vectorOf } from '../store/test-embedder.ts'

/** No embedder is named but in the settings. */
const open = { BRAIN_EMBEDDER: '' }

interface Endpoint {
  readonly url: string
  /** Every text it was asked for. */
  readonly asked: string[]
  /** Milliseconds it takes over a request. */
  delay: number
  stop(): void
}

/** An embeddings endpoint whose vectors know nothing but equal words. */
async function startEndpoint(): Promise<Endpoint> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { input }: { input: string[] } = JSON.parse(text)
    asked.push(...input)
    const data = input.map((one, index) => ({ index, embedding: [...vectorOf(one, model)] }))
    setTimeout(() => response.end(JSON.stringify({ data })), endpoint.delay)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port')
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    delay: 0,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  onTestFinished(endpoint.stop)
  return endpoint
}

function start(place: Place, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: place.directory,
    env: { ...childEnvironment(place.directory), ...open },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child
}

/** A daemon in a process of its own, which read its settings when it started. */
async function startDaemon(place: Place): Promise<(path: string, body: unknown) => Promise<unknown>> {
  const { stdout } = await place.run(['key', 'create'])
  const daemon = start(place, 'serve', '--port', '0', '--json', '--log', 'off', '--no-dreams')
  if (daemon.stdout === null) throw new Error('its output is piped')
  const [line] = await once(createInterface({ input: daemon.stdout }), 'line')
  const { url } = JSON.parse(line)
  return async (path, body) => (await call({ url, key: stdout.trim() }, path, { body })).body
}

const json = async (place: Place, ...words: string[]) => {
  const { code, stdout, stderr } = await place.run([...words, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const notes = (count: number): string =>
  Array.from({ length: count }, (_, at) => `note ${at} about subject${at}\n`).join('')

describe('another model', () => {
  test('takes over from the built-in one under a running daemon, through a kill and a dead endpoint', async () => {
    const place = await createBrainPlace(open)
    const endpoint = await startEndpoint()
    await json(place, 'remember', 'the server crashed at night')
    await place.run(['import', '-'], { stdin: notes(150) })
    const ask = await startDaemon(place)
    const old = { mode: 'semantic', results: [{ text: 'the server crashed at night' }] }
    const question = { query: 'machine outage', limit: 1 }
    expect(await ask('/v1/recall', question)).toMatchObject(old)

    const used = await place.run(['model', 'use', 'http', '--url', endpoint.url, '--model', 'toy'])
    expect(used.stderr).toContain('Recall goes on with the vectors of builtin until you run `brain reindex`')
    expect(await json(place, 'recall', question.query, '--limit', '1')).toMatchObject(old)
    expect(await json(place, 'model', 'current')).toMatchObject({
      configured: { name: 'http:toy', dimension: 16 },
      served: { name: 'builtin' },
      backlog: 0,
      to_reindex: 151,
    })

    endpoint.delay = 20
    const killed = start(place, 'reindex')
    await expect.poll(() => endpoint.asked.length).toBeGreaterThan(40)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const halfway = await json(place, 'model', 'current')
    expect(halfway).toMatchObject({ served: { name: 'builtin' }, backlog: 0 })
    expect(halfway.to_reindex).toBeLessThan(151)
    expect(halfway.to_reindex).toBeGreaterThan(0)
    expect(await ask('/v1/recall', question)).toMatchObject(old)

    endpoint.asked.length = 0
    const second = start(place, 'reindex')
    const exited = once(second, 'exit')
    await expect.poll(() => endpoint.asked.length).toBeGreaterThan(1)
    expect(await ask('/v1/remember', { text: 'noted meanwhile' })).toMatchObject({ semantic: true })
    expect(await exited).toEqual([0, null])
    // What the first run had done was not done again.
    expect(endpoint.asked.filter((text) => text.startsWith('note '))).toHaveLength(halfway.to_reindex)
    expect(await json(place, 'model', 'current')).toMatchObject({
      served: { name: 'http:toy' },
      backlog: 0,
      to_reindex: 0,
    })

    const found = { mode: 'semantic', results: [{ text: 'noted meanwhile' }] }
    expect(await ask('/v1/recall', { query: 'noted meanwhile', limit: 1 })).toMatchObject(found)
    expect(await json(place, 'recall', 'noted meanwhile', '--limit', '1')).toMatchObject(found)
    expect(endpoint.asked.filter((text) => text === 'noted meanwhile')).toHaveLength(3)
    expect(await ask('/v1/remember', { text: 'noted after it' })).toMatchObject({ semantic: true })
    expect(endpoint.asked.at(-1)).toBe('noted after it')
    expect((await place.run(['doctor'])).code).toBe(0)

    endpoint.stop()
    expect(await place.run(['reindex'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/endpoint at 127\.0\.0\.1:\d+ cannot be reached; check embedder\.url/),
    })
    expect(await ask('/v1/remember', { text: 'noted without it' })).toMatchObject({ semantic: false })
    await place.run(['model', 'use', 'builtin'])
    expect(await json(place, 'reindex')).toMatchObject({ model: 'builtin', embedded: 154, switched: true })
    expect(await ask('/v1/recall', question)).toMatchObject(old)
  })

  test('of fastembed comes from a directory, and is missed with one warning when it is gone', async () => {
    const place = await createBrainPlace(open)
    const from = temporaryDirectory()
    installTransformer(from, { modelFile: 'model_optimized.onnx' })
    await json(place, 'remember', 'the user is running')
    const use = ['model', 'use', 'bge-small-en-v1.5', '--from', from]
    expect(await json(place, ...use)).toMatchObject({
      embedder: 'fastembed:bge-small-en-v1.5',
      dimension: 32,
      reindex: true,
    })
    expect((await place.run(['model', 'list'])).stdout).toMatch(
      /^\* +fastembed:bge-small-en-v1\.5 +English +installed$/m,
    )
    expect((await place.run(['reindex'])).stdout).toBe(
      'embedded 1 memory: recall uses fastembed:bge-small-en-v1.5\n',
    )
    expect(await json(place, 'recall', 'running')).toMatchObject({ mode: 'semantic', results: [{ id: 1 }] })

    rmSync(resolve(place.directory, 'home', '.cache'), { recursive: true })
    const missed = await place.run(['recall', 'running', '--json'])
    expect(JSON.parse(missed.stdout)).toMatchObject({ mode: 'keyword', results: [{ id: 1 }] })
    expect(missed.stderr).toBe(
      'brain: recall is by keyword only: the model bge-small-en-v1.5 is not installed; run brain model use bge-small-en-v1.5\n',
    )
    expect(await json(place, 'remember', 'the user walks')).toMatchObject({ semantic: false })

    await place.run(['model', 'use', 'builtin'])
    const left = await place.run(['recall', 'running', '--json'])
    expect(JSON.parse(left.stdout)).toMatchObject({ mode: 'keyword' })
    expect(left.stderr).toMatch(/^brain: recall is by keyword only: .*; run brain reindex to embed.*\n$/)
    expect(await json(place, 'reindex')).toMatchObject({ embedded: 2, switched: true })
    expect(await json(place, 'recall', 'running')).toMatchObject({ mode: 'semantic' })
  })

  test('of the same name but another content is never compared, and brain reindex mends it', async () => {
    const place = await createBrainPlace(open)
    const store = await openSqliteStore(join(place.directory, '.brain', 'brain.db'), {
      durability: 'normal',
      create: false,
      label: 'test',
      warn: () => {},
    })
    const identity = { name: 'builtin', hash: 'of an older package', dimension: 256 }
    const passage = { start: 0, end: 1, vector: vectorOf('x', identity), tokens: new Uint16Array() }
    await store.memories.add('default', {
      text: 'the server crashed at night',
      caution: 0,
      agent: 'a',
      createdAt: 1,
      embedding: { model: identity, passages: [passage] },
    })
    await store.close()
    const before = await place.run(['recall', 'machine outage', '--json'])
    expect(JSON.parse(before.stdout)).toEqual({ mode: 'keyword', results: [], keyword_extra: [] })
    expect(before.stderr).toBe(
      'brain: recall is by keyword only: the vectors here are of another builtin; run brain reindex to embed them with the model in use\n',
    )
    await json(place, 'reindex')
    expect(await json(place, 'recall', 'machine outage')).toMatchObject({
      mode: 'semantic',
      results: [{ id: 1 }],
    })
  })

  test('that is not understood, not reachable or not complete is not chosen', async () => {
    const place = await createBrainPlace(open)
    const embedder = async () => (await place.run(['config', 'get', 'embedder'])).stdout
    for (const [words, message] of [
      [['http'], /needs embedder\.url/],
      [['http', '--url', 'http://127.0.0.1:1/v1', '--model', 'm'], /cannot be reached/],
      [['bge-small-en-v1.5', '--from', '.'], /lacks model_optimized\.onnx/],
      [['bge-small-en-v1.5', '--mirror', 'ftp://x'], /http or https/],
      [['builtin', '--url', 'http://127.0.0.1:1'], /are for http/],
    ] as const) {
      const { code, stderr } = await place.run(['model', 'use', ...words])
      expect(code).toBeGreaterThan(0)
      expect(stderr).toMatch(message)
    }
    expect(await embedder()).toBe('builtin\n')
    const overruled = await place.run(['model', 'use', 'none'], {
      environment: { BRAIN_EMBEDDER: 'builtin' },
    })
    expect(overruled.stderr).toContain('BRAIN_EMBEDDER says builtin and wins')
    expect(await embedder()).toBe('none\n')
  })
})

/** A host of model archives that stops after the first bytes until it is let go. */
async function startHost(archive: Buffer) {
  const ranges: (string | undefined)[] = []
  let held = true
  const server = createServer((request, response) => {
    const { range } = request.headers
    ranges.push(range)
    const from = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    response.writeHead(range ? 206 : 200, {
      etag: '"one"',
      'content-length': archive.length - from,
      ...(range && { 'content-range': `bytes ${from}-${archive.length - 1}/${archive.length}` }),
    })
    if (held) response.write(archive.subarray(0, 1_000))
    else response.end(archive.subarray(from))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port')
  return {
    mirror: `http://127.0.0.1:${address.port}/models`,
    ranges,
    release: () => {
      held = false
    },
  }
}

test('a download that Ctrl-C ended chooses nothing and goes on where it stopped', async () => {
  const place = await createBrainPlace(open)
  const from = temporaryDirectory()
  installTransformer(from, { modelFile: 'model_optimized.onnx' })
  const entries = readdirSync(from).map((name) => ({
    name: `m/${name}`,
    content: readFileSync(join(from, name)),
  }))
  const host = await startHost(gzipSync(writeTar(entries)))
  const use = ['model', 'use', 'bge-small-en', '--mirror', host.mirror]
  let interrupt = (): void => {}
  const ended = place.run(use, {
    onInterrupt: (listener) => {
      interrupt = listener
      return () => {}
    },
  })
  const part = resolve(place.directory, 'home/.cache/brain/models/fast-bge-small-en.tar.gz.part')
  await expect.poll(() => host.ranges.length).toBe(1)
  await expect
    .poll(() => {
      try {
        return readFileSync(part).length
      } catch {
        return 0
      }
    })
    .toBe(1_000)
  interrupt()
  expect((await ended).code).toBe(130)
  expect(readdirSync(resolve(part, '..')).sort()).toEqual([
    'fast-bge-small-en.tar.gz.part',
    'fast-bge-small-en.tar.gz.part.json',
  ])
  expect((await place.run(['config', 'get', 'embedder'])).stdout).toBe('builtin\n')

  host.release()
  const environment = { BRAIN_MODEL_MIRROR: host.mirror }
  expect((await place.run(['model', 'use', 'bge-small-en'], { environment })).code).toBe(0)
  expect(host.ranges).toEqual([undefined, 'bytes=1000-'])
  expect(readdirSync(resolve(part, '..'))).toEqual(['bge-small-en'])
})
