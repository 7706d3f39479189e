/**
 * One definition, one answer: every operation, called with the same input through the library, the command
 * line, HTTP and MCP, over a file and over PostgreSQL, gives the same JSON and refuses in the same words.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isDatabase } from '../src/core/store-address.ts'
import { BrainError, openBrain } from '../src/library.ts'
import { operations } from '../src/operations/index.ts'
import type { Operation } from '../src/operations/operation.ts'
import { shapeOf } from '../src/operations/shapes.ts'
import { openStore } from '../src/store/open.ts'
import { createBrainPlace } from './cli/command-line.ts'
import { call, openDaemon, seedDream, type TestDaemon } from './http/daemon.ts'
import { temporaryDirectory } from './models/temporary-directory.ts'
import { startPostgres } from './store/postgres.ts'

type Input = Readonly<Record<string, unknown>>

interface Samples {
  /** Inputs that are answered. */
  readonly answered: readonly Input[]
  /** Inputs that are refused and that a command line can give as well. */
  readonly refused: readonly Input[]
}

/** In the order they run: later ones rely on what earlier ones made, so that ids agree between the brains. */
const samples: Readonly<Record<string, Samples>> = {
  state: { answered: [{}], refused: [] },
  remember: {
    answered: [
      { text: 'the deploy needs a migration' },
      { text: '  grüße 😀 "quoted" ' },
      {
        text: 'staging is frozen',
        tags: ['deploys', 'on hold'],
        expires: '2w',
        cites: ['cited.ts:2-3', 'cited.ts'],
      },
    ],
    refused: [
      { text: '' },
      { text: ' ' },
      { text: 'x'.repeat(65_537) },
      { text: 'x', tags: ['x'.repeat(65)] },
      { text: 'x', expires: 'soon' },
      { text: 'x', cites: ['cited.ts:9'] },
      { text: 'x', cites: ['.brain/brain.db'] },
      { text: 'x', cites: ['a/../../b'] },
      { text: 'x', expires: '999999w' },
    ],
  },
  recall: {
    answered: [
      { query: 'deploy migration' },
      { query: 'grüße', limit: 1 },
      { query: 'nothing like it' },
      {
        query: 'frozen',
        tags: ['deploys', 'x'],
        since: '1w',
        until: 'today',
        agent: 'default',
        kind: 'memory',
      },
      { query: 'frozen', kind: 'flag' },
    ],
    refused: [
      { query: '' },
      { query: 'x', limit: 0 },
      { query: 'x', limit: 51 },
      { query: 'x', limit: 'ten' },
      { query: 'x', limit: 1.5 },
      { query: 'x', since: 'soon' },
      { query: 'x', since: '2026-03-01', until: '2026-02-28' },
      { query: 'x', kind: 'note' },
      { query: 'x', tags: ['x'.repeat(65)] },
    ],
  },
  prime: {
    answered: [{}, { for: 'deploy migration', tokens: 200 }],
    refused: [{ for: '' }, { tokens: 99 }, { tokens: 'x' }],
  },
  recall_dreams: { answered: [{ limit: 1 }, {}], refused: [{ limit: 21 }, { limit: 0 }, { limit: '5x' }] },
  believe: {
    answered: [{ text: 'tests find faults' }, { text: 'reviews help', confidence: 1 }],
    refused: [{ text: '' }, { text: 'x', confidence: 'high' }],
  },
  evidence: {
    answered: [
      { belief_id: 1, kind: 'supporting', strength: 0.6, note: 'found one' },
      { belief_id: 1, kind: 'refuting', strength: 0.1 },
      { belief_id: 1, kind: 'supporting', strength: 0.9, source: 'load test', run: 'r1' },
      { belief_id: 1, kind: 'refuting', strength: 0.9, source: 'load test' },
      { belief_id: 1, kind: 'supporting', strength: 0.2, source: 'load test', independent: true },
    ],
    refused: [
      { belief_id: 99, kind: 'supporting', strength: 0.6 },
      { belief_id: 0, kind: 'supporting', strength: 0.6 },
      { belief_id: 'one', kind: 'supporting', strength: 0.6 },
      { belief_id: 1, kind: 'supporting' },
      { belief_id: 1, strength: 0.6 },
      { belief_id: 1, kind: 'supporting', strength: 0.95 },
      { belief_id: 1, kind: 'supporting', strength: 0.6, note: '' },
      { belief_id: 1, kind: 'supporting', strength: 0.6, run: 'r1' },
      { belief_id: 1, kind: 'supporting', strength: 0.6, source: ' ' },
      { belief_id: 1, kind: 'supporting', strength: 0.6, cites: ['../secret'] },
      { belief_id: 1, kind: 'supporting', strength: 0.6, cites: ['gone.ts'] },
    ],
  },
  evidence_from: {
    answered: [
      { belief_id: 1, report: '<testsuite name="s"><testcase name="a"/></testsuite>', strength: 0.4 },
      { belief_id: 1, report: '1..2\nok 1 - a\nnot ok 2 - b\n', test: 'b', note: 'of today', source: 'tap' },
    ],
    refused: [
      { belief_id: 1, report: '<testsuite name="s"><testcase name="a"/></testsuite>' },
      { belief_id: 1, report: '<testsuite name="s"/>' },
      { belief_id: 1, report: '<!DOCTYPE x><testsuite/>' },
      { belief_id: 1, report: 'all is well' },
      { belief_id: 1, report: ' ' },
      { belief_id: 99, report: '1..1\nok 1\n' },
      { belief_id: 1, report: '1..1\nok 1\n', test: 'x', strength: 1 },
    ],
  },
  evidence_for: { answered: [{ belief_id: 1 }], refused: [{ belief_id: 99 }, { belief_id: 'x' }] },
  revise: {
    answered: [{ belief_id: 2, new_text: 'reviews help most', confidence: 0.9 }],
    refused: [
      { belief_id: 2, new_text: 'again' },
      { belief_id: 99, new_text: 'x' },
      { belief_id: 1, new_text: '' },
    ],
  },
  beliefs: {
    answered: [{}, { limit: 1 }, { status: 'promoted' }, { verdict: 'accumulating' }],
    refused: [{ limit: 101 }, { status: 'unsure' }, { verdict: 'unsure' }],
  },
  predict: {
    answered: [
      { prediction: 'it ships on Friday', domain: 'planning', confidence: 0.8, basis: 'the plan' },
      { prediction: 'it holds', domain: 'planning' },
      { prediction: 'it stays', domain: 'planning', due: '2099-12-31', check: 'true' },
    ],
    refused: [
      { prediction: 'x', domain: 'd', due: 'soon' },
      { prediction: 'x', domain: 'd', due: '2001-01-01' },
      { prediction: 'x', domain: 'd', check: 'true' },
      { prediction: 'x', domain: 'd', due: '2w', check: 'two\nlines' },
      { prediction: '', domain: 'd' },
      { prediction: 'x', domain: 'd', confidence: 1.1 },
      { prediction: 'x' },
      { prediction: 'x', domain: 'd'.repeat(129) },
    ],
  },
  forecast: {
    answered: [
      { prediction_id: 1, confidence: 0.6, note: 'it rains' },
      { prediction_id: 1, confidence: 0 },
    ],
    refused: [
      { prediction_id: 99, confidence: 0.5 },
      { prediction_id: 1, confidence: 1.5 },
      { prediction_id: 1 },
      { prediction_id: 1, confidence: 0.5, note: 'x'.repeat(501) },
    ],
  },
  predictions: {
    answered: [{}, { due: '2099-12-31' }, { standing: 'overdue' }, { standing: 'all', limit: 1, page: 2 }],
    refused: [{ due: 'soon' }, { due: '3d', standing: 'resolved' }, { limit: 501 }],
  },
  predictions_open: { answered: [{}, { limit: 1 }], refused: [{ limit: 51 }] },
  resolve: {
    answered: [
      { prediction_id: 1, outcome: 'partial', actual: 'on Saturday' },
      { prediction_id: 3, outcome: 'annulled', actual: 'dropped' },
    ],
    refused: [
      { prediction_id: 2, outcome: 'annulled', actual: 'x', surprise: 0.5 },
      { prediction_id: 1, outcome: 'correct', actual: 'again' },
      { prediction_id: 99, outcome: 'correct', actual: 'x' },
      { prediction_id: 2, outcome: 'maybe', actual: 'x' },
      { prediction_id: 2, outcome: 'correct', actual: 'x', surprise: 2 },
      { prediction_id: 2, outcome: 'correct' },
    ],
  },
  reopen: {
    answered: [{ kind: 'prediction', id: 1, note: 'not yet' }],
    refused: [
      { kind: 'prediction', id: 1 },
      { kind: 'prediction', id: 99 },
      { kind: 'belief', id: 1 },
    ],
  },
  calibration: {
    answered: [
      {},
      { since_days: 7 },
      { since: '2w', agent: 'default', horizon: '1d-2w', by: 'month', scored: 'first' },
    ],
    refused: [
      { since_days: 0 },
      { since_days: 'week' },
      { since_days: 7, since: '1w' },
      { since: 'soon' },
      { horizon: 'far' },
      { by: 'year' },
    ],
  },
  flag: {
    answered: [{ text: 'never drop the users table', caution: 0.9 }, { text: 'mind the cache' }],
    refused: [{ text: 'x', caution: -0.1 }, { text: '' }],
  },
  assess: {
    answered: [
      { topic: 'drop the users table' },
      { topic: 'paint the fence' },
      { topic: 'it ships on Friday' },
    ],
    refused: [{ topic: '' }],
  },
  assess_feedback: {
    answered: [
      { memory_id: 6, topic: 'paint the fence' },
      { memory_id: 6, topic: 'paint the fence', verdict: 'match' },
    ],
    refused: [
      { memory_id: 1, topic: 'x' },
      { memory_id: 99, topic: 'x' },
      { memory_id: 6, topic: '' },
    ],
  },
  note_about: {
    answered: [
      { subject_agent: 'planner', observation: 'plans in steps', kind: 'pattern' },
      { subject_agent: 'tester', observation: 'tests' },
    ],
    refused: [
      { subject_agent: '', observation: 'x' },
      { subject_agent: 'a', observation: 'x', kind: 'rumour' },
    ],
  },
  outside_views: {
    answered: [{}, { subject_agent: 'planner' }, { limit: 1 }],
    refused: [{ limit: 0 }, { limit: 101 }],
  },
  recall_feedback: {
    answered: [
      { id: 1, verdict: 'right', score: 0.9 },
      { id: 2, verdict: 'wrong', score: 0 },
    ],
    refused: [
      { id: 99, verdict: 'right', score: 0.9 },
      { id: 1, score: 0.9 },
      { id: 1, verdict: 'right', score: 1.1 },
      { id: 1, verdict: 'right', score: 'x' },
    ],
  },
  recall_calibration: { answered: [{}], refused: [] },
  list: {
    answered: [
      {},
      { kinds: 'memory flag', limit: 1, page: 2 },
      { since: '2020-01-01', until: 'today', agent: 'default' },
      { kinds: 'observation', since: '1w' },
      { tags: ['deploys', 'other'], all_tags: true },
      { tags: ['deploys'], pinned: true, expired: true, branch: 'main' },
    ],
    refused: [
      { tags: [''] },
      { tags: ['x'.repeat(65)] },
      { branch: 'x'.repeat(129) },
      { kinds: 'note' },
      { since: 'soon' },
      { until: '2026-02-30' },
      { since: 'today', until: 'yesterday' },
      { limit: 0 },
      { page: 0 },
    ],
  },
  show: {
    answered: [
      { kind: 'memory', id: 1 },
      { kind: 'belief', id: 1 },
      { kind: 'prediction', id: 1 },
      { kind: 'dream', id: 1 },
      { kind: 'observation', id: 1 },
      { kind: 'memory', id: 1, more: [2, 3] },
      { kind: 'evidence', id: 1 },
    ],
    refused: [
      { kind: 'belief', id: 99 },
      { kind: 'evidence', id: 99 },
      { kind: 'dream', id: 0 },
      { kind: 'note', id: 1 },
    ],
  },
  verify: {
    answered: [{ id: 5 }, { kind: 'memory', id: 5, holds: true }],
    refused: [{ id: 1 }, { id: 99 }, { kind: 'evidence', id: 99 }, { kind: 'belief', id: 1 }],
  },
  amend: {
    answered: [
      { memory_id: 1, text: 'the deploy needs two migrations' },
      { memory_id: 1, text: 'the deploy needs a migration', caution: 0.2 },
      { memory_id: 1, caution: 0 },
      { memory_id: 1, text: 'the deploy needs a migration again', if_text: 'the deploy needs a migration' },
    ],
    refused: [
      { memory_id: 1, caution: 0 },
      { memory_id: 1, text: 'x', if_text: 'what it does not say' },
      { memory_id: 1, text: 'x', if_text: '' },
      { memory_id: 1 },
      { memory_id: 99, text: 'x' },
      { memory_id: 1, text: '' },
      { memory_id: 1, caution: 2 },
      { memory_id: 'x', text: 'x' },
    ],
  },
  tag: {
    answered: [
      { memory_id: 1, tags: ['deploys'] },
      { memory_id: 1, tags: ['on hold', 'grüße', 'deploys'] },
    ],
    refused: [
      { memory_id: 99, tags: ['a'] },
      { memory_id: 1 },
      { memory_id: 1, tags: ['x'.repeat(65)] },
      { memory_id: 1, tags: Array.from({ length: 18 }, (_, at) => `t${at}`) },
      { memory_id: 1, tags: Array.from({ length: 21 }, (_, at) => `t${at}`) },
    ],
  },
  untag: {
    answered: [{ memory_id: 1, tags: ['on hold'] }],
    refused: [
      { memory_id: 1, tags: ['on hold'] },
      { memory_id: 99, tags: ['a'] },
    ],
  },
  pin: { answered: [{ memory_id: 1 }, { memory_id: 1 }], refused: [{ memory_id: 99 }, { memory_id: 0 }] },
  unpin: { answered: [{ memory_id: 1 }, { memory_id: 1 }], refused: [{ memory_id: 99 }] },
  expire: {
    answered: [
      { memory_id: 1, when: '2w' },
      { memory_id: 1, when: '2030-01-31' },
      { memory_id: 1, when: 'Never' },
    ],
    refused: [
      { memory_id: 99, when: '2w' },
      { memory_id: 1, when: 'soon' },
      { memory_id: 1, when: '2030-02-30' },
    ],
  },
  dream_feedback: {
    answered: [
      { dream_id: 1, verdict: 'keep' },
      { dream_id: 1, verdict: 'none' },
      { dream_id: 2, verdict: 'dismiss' },
      { dream_id: 2, verdict: 'read' },
    ],
    refused: [{ dream_id: 99, verdict: 'keep' }, { dream_id: 1, verdict: 'love' }, { dream_id: 1 }],
  },
  overview: { answered: [{}, { brief: true }], refused: [] },
  forget: {
    answered: [
      { memory_id: 1 },
      { memory_id: 2, more: [3, 3] },
      { kind: 'flag', memory_id: 6, more: [7, 7] },
      { kind: 'belief', memory_id: 1 },
      { kind: 'prediction', memory_id: 1 },
      { kind: 'observation', memory_id: 1 },
      { kind: 'dream', memory_id: 1 },
    ],
    refused: [
      { memory_id: 1 },
      { memory_id: 99 },
      { memory_id: 'x' },
      { kind: 'flag', memory_id: 4 },
      { kind: 'dream', memory_id: 1 },
      { kind: 'prediction', memory_id: 2, more: [1] },
      { memory_id: 4, if_text: 'what it does not say' },
      { memory_id: 4, more: [5], if_text: 'x' },
    ],
  },
  duplicates: {
    answered: [{}, { limit: 1 }, { merge: true }],
    refused: [{ limit: 0 }, { limit: 101 }, { of: 0 }, { of: 99 }],
  },
}

/** Inputs no command line can spell: members of the wrong JSON type, and members nobody knows. */
function jsonOnly({ members }: Operation): Input[] {
  const unknown: Input[] = [{ nonsense: 1 }, { constructor: null }]
  return [
    ...unknown,
    ...Object.keys(members).flatMap((member) => [{ [member]: { nested: true } }, { [member]: [] }]),
  ]
}

/** What an interface made of one call. */
type Outcome = { readonly output: unknown } | { readonly refusal: string }

interface Interface {
  readonly name: string
  /** Whether it offers the operation at all. */
  offers(operation: Operation): boolean
  /** Whether it can give any JSON, not only what words can spell. */
  readonly speaksJson: boolean
  run(operation: Operation, input: Input): Promise<Outcome>
}

/** Where a brain is kept: in a file beside its settings, or in a database of its own. */
type Keeping = (name: string) => Promise<{ readonly name: string; readonly address?: string }>

const inFile: Keeping = async (name) => ({ name })

const onServer: Keeping = async (name) => {
  const server = await startPostgres()
  onTestFinished(() => server.close(), 120_000)
  const url = new URL(server.url)
  // An address has no password in it.
  vi.stubEnv('PGPASSWORD', url.password)
  url.password = ''
  return { name: `${name} over PostgreSQL`, address: url.href }
}

/** The same dream and project in every brain, since no operation makes a dream. */
async function seed(directory: string, address = join(directory, 'brain.db')): Promise<void> {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(dirname(directory), 'cited.ts'), 'one\ntwo\nthree\n')
  // What is no place to cite is there, whatever keeps the brain.
  if (!existsSync(join(directory, 'brain.db')) && isDatabase(address))
    writeFileSync(join(directory, 'brain.db'), '')
  const store = await openStore(address, {
    durability: 'normal',
    create: true,
    label: 'test',
    warn: () => {},
    password: process.env.PGPASSWORD,
  })
  await seedDream(store, 'two notes meet')
  await seedDream(store, 'a flag echoes')
  await store.close()
}

async function library(keeping: Keeping): Promise<Interface> {
  const { name, address } = await keeping('library')
  const store = address === undefined ? {} : { store: address }
  const dir = temporaryDirectory()
  vi.stubEnv('BRAIN_EMBEDDER', 'none')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const first = await openBrain({ dir, create: true, ...store })
  await first.close()
  await seed(join(dir, '.brain'), address)
  const brain = await openBrain({ dir, ...store })
  onTestFinished(() => brain.close())
  const methods = new Map<string, unknown>(Object.entries(brain))
  return {
    name,
    offers: () => true,
    speaksJson: true,
    run: async ({ name }, input) => {
      const method = methods.get(name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
      if (typeof method !== 'function') throw new Error(`the library has no method for ${name}`)
      try {
        return { output: await method(input) }
      } catch (error) {
        if (error instanceof BrainError) return { refusal: error.message }
        throw error
      }
    },
  }
}

const kebab = (name: string): string => name.replaceAll('_', '-')

/** The words a person would type for this input. */
function toWords({ name, command }: Operation, input: Input): string[] {
  const positional = command.positional ?? []
  const words = [command.name ?? kebab(name)]
  const nameOf = (member: string): string => kebab(command.names?.[member] ?? member)
  const rest: string[] = []
  for (const [member, value] of Object.entries(input)) {
    if (positional.includes(member)) rest[positional.indexOf(member)] = String(value)
    else if (command.flags?.[member]) words.push(`--${value}`)
    else if (Array.isArray(value)) words.push(...value.map((item) => `--${nameOf(member)}=${item}`))
    else if (value === true) words.push(`--${nameOf(member)}`)
    else words.push(`--${nameOf(member)}`, String(value))
  }
  return [...words, '--', ...rest.filter((word) => word !== undefined)]
}

async function commandLine(keeping: Keeping): Promise<Interface> {
  const { name, address } = await keeping('command line')
  const environment = address !== undefined && {
    BRAIN_STORE: address,
    PGPASSWORD: process.env.PGPASSWORD ?? '',
  }
  const place = await createBrainPlace({ ...environment })
  await seed(join(place.directory, '.brain'), address)
  return {
    name,
    offers: () => true,
    speaksJson: false,
    run: async (operation, input) => {
      const { code, stdout, stderr } = await place.run(['--json', ...toWords(operation, input)])
      if (code === 0) {
        expect(stdout).toMatch(/^[^\n]+\n$/)
        return { output: JSON.parse(stdout) }
      }
      expect(stdout).toBe('')
      const last = stderr.trim().split('\n').at(-1) ?? ''
      return { refusal: JSON.parse(last).error }
    },
  }
}

async function daemonWithDream(address: string | undefined): Promise<TestDaemon> {
  const directory = join(temporaryDirectory(), '.brain')
  await seed(directory, address)
  const daemon = await openDaemon(
    directory,
    address === undefined ? {} : { config: { 'store.url': address } },
  )
  onTestFinished(() => daemon.stop())
  return daemon
}

/** An operation this interface does not offer runs all the same, so that later ids agree. */
async function runBeside(daemon: TestDaemon, operation: Operation, input: Input): Promise<Outcome> {
  const caller = { project: 'default', agent: 'default' }
  return { output: await daemon.brain.call(operation, caller, input).catch(() => undefined) }
}

async function http(keeping: Keeping): Promise<Interface> {
  const { name, address } = await keeping('HTTP')
  const daemon = await daemonWithDream(address)
  return {
    name,
    offers: ({ route }) => route !== undefined,
    speaksJson: true,
    run: async (operation, input) => {
      const { route } = operation
      if (route === undefined) return runBeside(daemon, operation, input)
      const query = new URLSearchParams()
      let path: string = route.path
      for (const [member, value] of Object.entries(input)) {
        const inPath = path.includes(`:${member}`)
        const text = Array.isArray(value) ? value.join() : String(value)
        if (inPath) path = path.replace(`:${member}`, encodeURIComponent(text))
        else query.append(member, text)
      }
      // A path needs its member to be a path at all.
      path = path.replace(/:\w+/, 'missing')
      const { status, body } =
        route.method === 'POST'
          ? await call(daemon, route.path, { body: input })
          : await call(daemon, `${path}?${query}`)
      if (status === 200) return { output: body }
      expect(Object.keys(body as object)).toEqual(['error'])
      return { refusal: (body as { error: string }).error }
    },
  }
}

async function mcp(keeping: Keeping): Promise<Interface> {
  const { name, address } = await keeping('MCP')
  const daemon = await daemonWithDream(address)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', daemon.url), {
      requestInit: { headers: { 'x-svc-key': daemon.key } },
    }),
  )
  onTestFinished(() => client.close())
  return {
    name,
    offers: ({ tool }) => tool,
    speaksJson: true,
    run: async (operation, input) => {
      if (!operation.tool) return runBeside(daemon, operation, input)
      const result = await client.callTool({ name: operation.name, arguments: input })
      const [content] = result.content
      const text = content?.type === 'text' ? content.text : expect.unreachable()
      if (result.isError) return { refusal: text }
      expect(JSON.parse(text)).toEqual(result.structuredContent)
      return { output: result.structuredContent }
    },
  }
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/

/** What is each brain's own: how it is reached, by what, and the file that this makes. */
const own = new Set(['version', 'keys', 'size_bytes'])

/** Without the moment it was made at: the brains are filled one after the other. */
const timeless = (outcome: Outcome): unknown =>
  JSON.parse(JSON.stringify(outcome), (name, value) => {
    if (own.has(name)) return 'its own'
    return typeof value === 'string' && timestamp.test(value) ? 'a timestamp' : value
  })

const operationOf = (name: string): Operation =>
  operations.find((operation) => operation.name === name) ?? expect.unreachable(`no operation ${name}`)

async function openInterfaces(keeping: Keeping): Promise<Interface[]> {
  return [await library(keeping), await commandLine(keeping), await http(keeping), await mcp(keeping)]
}

test('every operation has samples, and every sample an operation', () => {
  expect(Object.keys(samples).sort()).toEqual(operations.map(({ name }) => name).sort())
  for (const [name, { answered, refused }] of Object.entries(samples)) {
    expect(answered.length, name).toBeGreaterThan(0)
    // A bare flag takes no value on a command line that could be refused.
    const valued = Object.values(operationOf(name).members).some(
      (member) => shapeOf(member).type !== 'boolean',
    )
    if (valued) expect(refused.length, name).toBeGreaterThan(0)
  }
})

/** Makes every call of the samples through every interface, and holds what each makes of it beside the first. */
async function compare(interfaces: readonly Interface[]): Promise<void> {
  for (const [name, { answered, refused }] of Object.entries(samples)) {
    const operation = operationOf(name)
    const offered = interfaces.filter((each) => each.offers(operation))
    expect(offered.length, name).toBeGreaterThan(1)
    for (const input of [...answered, ...refused]) {
      const outcomes = new Map<string, Outcome>()
      for (const each of interfaces) outcomes.set(each.name, await each.run(operation, input))
      const expected = outcomes.get(interfaces[0]?.name ?? '')
      const shown = JSON.stringify(input).slice(0, 120)
      expect(Object.keys(expected ?? {}), `${name} ${shown}`).toEqual([
        answered.includes(input) ? 'output' : 'refusal',
      ])
      for (const { name: through } of offered) {
        const outcome = outcomes.get(through) ?? expect.unreachable()
        expect(timeless(outcome), `${name} ${shown} through ${through}`).toEqual(
          timeless(expected ?? expect.unreachable()),
        )
      }
    }
  }
}

test('the same call gives the same JSON and the same refusal through every interface', async () => {
  await compare(await openInterfaces(inFile))
})

// Four databases, and a connection for each command: minutes where there is one processor for all of it.
test('and over PostgreSQL', { timeout: 900_000 }, async () => {
  await compare([await library(inFile), ...(await openInterfaces(onServer))])
})

test('what only JSON can spell is refused in the same words wherever JSON is spoken', async () => {
  const interfaces = (await openInterfaces(inFile)).filter(({ speaksJson }) => speaksJson)
  for (const operation of operations) {
    for (const input of jsonOnly(operation)) {
      // A query has no types, so a wrong one cannot be told there from text.
      const offered = interfaces.filter(
        (each) => each.offers(operation) && (each.name !== 'HTTP' || operation.route?.method === 'POST'),
      )
      const outcomes: unknown[] = []
      for (const each of offered) outcomes.push(await each.run(operation, input))
      const [first] = outcomes
      for (const outcome of outcomes)
        expect(outcome, `${operation.name} ${JSON.stringify(input)}`).toEqual(first)
      expect(Object.keys(first as object)).toEqual(['refusal'])
    }
  }
})

test('null stands for an optional member that is absent, through every interface that has null', async () => {
  const interfaces = (await openInterfaces(inFile)).filter(({ speaksJson }) => speaksJson)
  for (const name of ['remember', 'believe', 'predict', 'note_about', 'flag']) {
    const operation = operationOf(name)
    const [input = {}] = samples[name]?.answered ?? []
    const optional = Object.entries(operation.members).filter(([, schema]) => schema.safeParse(null).success)
    const required = Object.fromEntries(
      Object.entries(input).filter(([member]) => !optional.some(([other]) => other === member)),
    )
    const withNulls = { ...required, ...Object.fromEntries(optional.map(([member]) => [member, null])) }
    for (const each of interfaces) {
      const [absent, given] = [await each.run(operation, required), await each.run(operation, withNulls)]
      const unnumbered = (outcome: Outcome) => ({ ...(outcome as { output: object }).output, id: 0 })
      expect(unnumbered(given), `${name} through ${each.name}`).toEqual(unnumbered(absent))
    }
  }
})
