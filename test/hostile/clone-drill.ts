/**
 * The drill of hostile repositories: brains drawn from a grammar are cloned, and every command is run in them. Each ends in time
 * and in words, and nothing outside of the repository is read, changed or reached for: files there are compared by content and
 * times, and endpoints that a repository names are listened at.
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { compiledCode } from '../compiled-code.ts'
import { startBrain } from '../faults/processes.ts'
import { type Random, spoil } from './clones.ts'

/** Mulberry32. */
export function randomness(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const rpc = (method: string, id: number | undefined, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params })}\n`

const mcpLines = [
  rpc('initialize', 1, {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'drill', version: '1' },
  }),
  rpc('notifications/initialized', undefined, {}),
  rpc('tools/call', 2, { name: 'recall', arguments: { query: 'cache' } }),
  rpc('tools/call', 3, { name: 'remember', arguments: { text: 'a note' } }),
].join('')

const hook = (event: string): string =>
  JSON.stringify({
    session_id: 'a',
    hook_event_name: event,
    cwd: '.',
    prompt: 'the cache',
    source: 'startup',
  })

/** Commands, with what they are given on standard input. */
const commands: readonly (readonly [line: string, input?: string])[] = [
  ['recall cache'],
  ['remember note'],
  ['state'],
  ['status'],
  [''],
  ['list'],
  ['show 1'],
  ['forget 1'],
  ['export'],
  ['export --all --output ../exported'],
  ['import -', '{"text":"a note"}\n'],
  ['backup ../copy.db'],
  ['restore .brain/before-restore-1.db'],
  ['key list'],
  ['key create'],
  ['dream'],
  ['dreams'],
  ['reindex'],
  ['init --yes'],
  ['doctor'],
  ['doctor --fix'],
  ['config list'],
  ['config set project other'],
  ['believe tides'],
  ['beliefs'],
  ['predict rain 0.5'],
  ['calibration'],
  ['gut-check sail'],
  ['prime'],
  ['hook claude-code SessionStart', hook('SessionStart')],
  ['hook claude-code UserPromptSubmit', hook('UserPromptSubmit')],
  ['hook claude-code SessionEnd', hook('SessionEnd')],
  ['mcp', mcpLines],
  ['serve --port 0 --no-dreams'],
]

const secret = 'a secret of the other cache'

/** When what lies outside was last read and written, in seconds; the first reading after that changes the former. */
const [readAt, writtenAt] = [1_000_000, 2_000_000]

/** Everything below a directory: kinds, modes, times, contents, and whether somebody read them. */
function take(directory: string): Map<string, string> {
  const seen = new Map<string, string>()
  const visit = (path: string): void => {
    const found = lstatSync(path)
    const { mode, size, mtimeMs, atimeMs } = found
    const unread = !found.isFile() || atimeMs === readAt * 1_000
    const content = found.isFile() ? readFileSync(path).toString('latin1') : ''
    if (found.isFile()) utimesSync(path, readAt, mtimeMs / 1_000)
    seen.set(path, `${mode} ${size} ${Math.round(mtimeMs)} ${unread ? 'unread' : 'read'} ${content}`)
    if (found.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name))
  }
  visit(directory)
  return seen
}

const differences = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))

export interface CloneFigures {
  readonly clones: number
  readonly commands: number
  /** Commands that did what was asked, since what was spoiled is harmless. */
  readonly succeeded: number
  /** Milliseconds. */
  readonly slowest: number
  readonly seed: number
  readonly faults: string[]
}

export interface CloneOptions {
  readonly directory: string
  readonly seed: number
  readonly clones: number
  /** Commands run in each; all without. */
  readonly each?: number
  /** Milliseconds in which each has to end. */
  readonly limit: number
  readonly progress?: (figures: { clones: number; faults: number }) => void
}

class Scenery {
  readonly directory: string
  readonly repository: string
  readonly outside: string
  readonly home: string

  constructor(directory: string) {
    this.directory = directory
    this.repository = join(directory, 'work', 'repository')
    this.outside = join(directory, 'outside')
    this.home = join(directory, 'home')
  }

  /** A brain like any other, and another project's. */
  async prepare(): Promise<void> {
    for (const [name, texts] of [
      ['template', ['the cache is warm', 'tides turn twice', 'never sail without a chart']],
      ['other', [secret]],
    ] as const) {
      const place = join(this.directory, name)
      mkdirSync(place)
      const run = (...words: string[]) => this.#end(place, words)
      await run('init', '--yes')
      for (const text of texts) await run('remember', text, '--caution', '0.4')
      await run('key', 'create')
    }
  }

  async #end(place: string, words: readonly string[]): Promise<void> {
    const running = startBrain(place, words, { environment: { BRAIN_EMBEDDER: 'none' } })
    running.child.stdin?.end()
    await running.ended
  }

  /** A clone that nobody has opened yet, and what lies beside it. */
  lay(): void {
    for (const path of [join(this.directory, 'work'), this.outside, this.home])
      rmSync(path, { recursive: true, force: true })
    mkdirSync(this.repository, { recursive: true })
    mkdirSync(join(this.repository, '.brain'), { mode: 0o700 })
    mkdirSync(join(this.outside, 'old'), { recursive: true })
    mkdirSync(this.home)
    for (const name of ['brain.db', '.gitignore'])
      cpSync(join(this.directory, 'template', '.brain', name), join(this.repository, '.brain', name))
    mkdirSync(join(this.outside, 'brain'), { mode: 0o700 })
    for (const name of ['brain.db', '.gitignore'])
      cpSync(join(this.directory, 'other', '.brain', name), join(this.outside, 'brain', name))
    writeFileSync(join(this.outside, 'precious'), 'mine')
    writeFileSync(join(this.outside, 'secret'), secret)
    writeFileSync(join(this.outside, 'old', 'thesis'), 'mine as well')
    for (const path of ['precious', 'secret', 'old/thesis', 'brain/brain.db', 'brain/.gitignore'])
      utimesSync(join(this.outside, path), readAt, writtenAt)
  }
}

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly took: number
}

/** Runs a command as the user who cloned the repository. */
function run(
  { repository, home }: Scenery,
  [line, input]: (typeof commands)[number],
  limit: number,
): Promise<Ended> {
  const words = line.split(' ').filter((word) => word !== '')
  const started = Date.now()
  const child = spawn(process.execPath, [resolve('bin/brain.js'), ...words], {
    cwd: repository,
    env: { PATH: process.env.PATH, HOME: home, ...compiledCode },
    stdio: 'pipe',
  })
  let output = ''
  const hear = (chunk: Buffer): void => {
    output += chunk.toString('utf8')
    // A daemon that listens has nothing more to show.
    if (/is listening on/.test(output)) child.kill('SIGTERM')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const alarm = setTimeout(() => child.kill('SIGKILL'), limit)
  return new Promise((settle) => {
    const end = (code: number | null): void => {
      clearTimeout(alarm)
      settle({ code, output, took: Date.now() - started })
    }
    child.once('close', end)
    // A process of its own that it left behind would hold its pipes open for ever.
    child.once('exit', () =>
      setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), limit).unref(),
    )
    // One that never ran closes nothing.
    child.once('error', (error) => {
      output += `could not be started: ${error.message}`
      end(null)
    })
  })
}

/** Clones as many brains, and runs commands in each of them. */
export async function cloneDrill(options: CloneOptions): Promise<CloneFigures> {
  const { directory, seed, clones, each, limit, progress } = options
  const scenery = new Scenery(directory)
  await scenery.prepare()
  let reached = 0
  const listener = createServer((socket) => {
    reached += 1
    socket.destroy()
  })
  const port = await new Promise<number>((listening) =>
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address()
      listening(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )
  const faults: string[] = []
  let [ran, succeeded, slowest] = [0, 0, 0]
  for (let clone = 0; clone < clones; clone += 1) {
    const random = randomness(seed + clone)
    scenery.lay()
    const spoilt = spoil({
      brain: join(scenery.repository, '.brain'),
      outside: scenery.outside,
      endpoint: `http://127.0.0.1:${port}/steal`,
      random,
    })
    // What spoiling itself wrote or read through a link is none of the commands'.
    take(scenery.outside)
    const before = take(scenery.outside)
    const list = [...commands]
    for (let at = 0; list.length > 0 && at < (each ?? commands.length); at += 1) {
      const [command] = list.splice(random(list.length), 1)
      if (command === undefined) break
      const where = `seed ${seed + clone}, ${JSON.stringify(spoilt)}, brain ${command[0]}`
      const { code, output, took } = await run(scenery, command, limit)
      ran += 1
      slowest = Math.max(slowest, took)
      if (code === 0) succeeded += 1
      if (took >= limit) faults.push(`${where}: did not end in ${limit} ms`)
      else if (code === null || code > 5) faults.push(`${where}: ended with ${code}: ${output.slice(0, 200)}`)
      if (/unexpected error|\bfault: /.test(output)) faults.push(`${where}: ${output.slice(0, 300)}`)
      if (output.includes(secret)) faults.push(`${where}: gave out what lies outside`)
      if (/[\u001b\u009b\u202e]/.test(output)) faults.push(`${where}: sent control characters`)
      const changed = differences(before, take(scenery.outside))
      if (changed.length > 0) faults.push(`${where}: touched ${changed.join(', ').replaceAll(directory, '')}`)
      if (reached > 0) faults.push(`${where}: reached for an endpoint`)
      reached = 0
      if (faults.length > 0 && changed.length > 0) break
    }
    progress?.({ clones: clone + 1, faults: faults.length })
  }
  listener.close()
  return { clones, commands: ran, succeeded, slowest, seed, faults }
}
