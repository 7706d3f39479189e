/**
 * The crash drill: processes of every kind are killed at random moments, or inside a chosen write or sync, and
 * after each kill the brain must open, be sound, and hold what was acknowledged.
 */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { faultsOf, lookOver } from './inspection.ts'
import { createLedger } from './ledger.ts'
import type { Task } from './plan.ts'
import { canTrace, kill, type Running, sleep, startBrain, startWorker } from './processes.ts'

export interface CrashFigures {
  readonly kills: number
  /** Of these, inside a system call chosen by number. */
  readonly killsInSystemCalls: number
  /** Acknowledged writes looked for after the last kill. */
  readonly checked: number
  readonly memories: number
  /** In words; empty when every promise held. */
  readonly faults: string[]
}

export type Victim =
  | Task['work']
  | 'command'
  | 'daemon'
  | 'mcp'
  | 'import command'
  | 'reindex command'
  | 'backup'

/** Those that are workers of the drill; the others are the product's own commands. */
const isWork = (victim: Victim): victim is Task['work'] =>
  ['mixed', 'import', 'reindex', 'upgrade'].includes(victim)

interface Scene {
  readonly directory: string
  readonly file: string
  readonly ledgers: string
  readonly random: () => number
}

/** One-shot commands, one after another, until one is killed. */
async function crashCommand(scene: Scene, name: string): Promise<void> {
  const note = createLedger(join(scene.ledgers, `${name}.ledger`))
  const doomed = Math.floor(scene.random() * 3)
  for (let at = 0; at <= doomed; at += 1) {
    const texts = [`${name} ${at} by the command line`]
    note({ action: 'add', state: 'begun', texts })
    const running = startBrain(scene.directory, ['remember', ...texts, '--json'])
    const killing = at === doomed ? sleep(scene.random() * 250).then(() => kill(running)) : undefined
    const line = await running.firstLine
    if (line?.startsWith('{"id":')) note({ action: 'add', state: 'acknowledged', texts })
    await (killing ?? running.ended)
  }
}

/** An import killed on the way is gone on with by the next one: all of it is there then, once. */
async function crashImport(scene: Scene, name: string): Promise<void> {
  const note = createLedger(join(scene.ledgers, `${name}.ledger`))
  const texts = Array.from({ length: 600 }, (_, at) => `${name} line ${at} of a file to import`)
  const source = join(scene.directory, `${name}.jsonl`)
  writeFileSync(source, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''))
  note({ action: 'add', state: 'begun', texts })
  const words = ['import', source, '--json']
  const staging = join(scene.directory, '.brain', 'import.db')
  const running = startBrain(scene.directory, words)
  // A busy machine begins late: killed before, every one of them would show nothing.
  while (!existsSync(staging) && running.child.exitCode === null && running.child.signalCode === null)
    await sleep(5)
  await sleep(scene.random() * 700)
  await kill(running)
  // Without the staging area it was over.
  if (!existsSync(staging)) return
  if ((await startBrain(scene.directory, words).ended) === 0) {
    note({ action: 'add', state: 'acknowledged', texts })
  }
}

/** A command that adds nothing, killed on the way. */
async function crashCommandOf(scene: Scene, words: readonly string[]): Promise<void> {
  const running = startBrain(scene.directory, words)
  await sleep(60 + scene.random() * 500)
  await kill(running)
}

/** A backup killed on the way is not there, or whole. Returns what is wrong with it. */
async function crashBackup(scene: Scene, name: string): Promise<string[]> {
  const copies = join(scene.directory, `${name} copies`)
  mkdirSync(copies, { mode: 0o700 })
  const copy = join(copies, 'copy.db')
  await crashCommandOf(scene, ['backup', copy])
  const faults = existsSync(copy) ? faultsOf(await lookOver(copy, scene.ledgers)) : []
  rmSync(copies, { recursive: true, force: true })
  return faults.filter((fault) => !fault.startsWith('leftovers')).map((fault) => `in the copy: ${fault}`)
}

/** Clients of a server write until the server is killed under them. */
async function crashUnder(
  scene: Scene,
  { name, running, write }: { name: string; running: Running; write: (text: string) => Promise<boolean> },
): Promise<void> {
  const note = createLedger(join(scene.ledgers, `${name}.ledger`))
  let alive = true
  const client = async (number: number): Promise<void> => {
    for (let at = 0; alive; at += 1) {
      const texts = [`${name} ${number} ${at} by a client`]
      note({ action: 'add', state: 'begun', texts })
      const done = await write(texts[0] ?? '').catch(() => false)
      if (!done) return
      note({ action: 'add', state: 'acknowledged', texts })
    }
  }
  const clients = [1, 2, 3, 4, 5, 6].map(client)
  await sleep(50 + scene.random() * 400)
  alive = false
  await kill(running)
  await Promise.all(clients)
}

async function crashDaemon(scene: Scene, name: string, key: string): Promise<void> {
  const running = startBrain(scene.directory, [
    'serve',
    '--port',
    '0',
    '--json',
    '--no-dreams',
    '--log',
    'off',
  ])
  const line = await running.firstLine
  const { url } = JSON.parse(line ?? '{}') as { url?: string }
  if (url === undefined) throw new Error(`the daemon did not start: ${line}`)
  await crashUnder(scene, {
    name,
    running,
    write: async (text) => {
      const reply = await fetch(`${url}/v1/remember`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-svc-key': key },
        body: JSON.stringify({ text }),
      })
      return reply.status === 200
    },
  })
}

async function crashMcp(scene: Scene, name: string): Promise<void> {
  const running = startBrain(scene.directory, ['mcp'])
  const { stdin, stdout } = running.child
  const waiting = new Map<number, (answer: boolean) => void>()
  let buffered = ''
  stdout?.on('data', (chunk: Buffer) => {
    const lines = (buffered + chunk.toString('utf8')).split('\n')
    buffered = lines.pop() ?? ''
    for (const line of lines) {
      const { id, result } = JSON.parse(line) as { id: number; result?: { isError?: boolean } }
      waiting.get(id)?.(result !== undefined && result.isError !== true)
    }
  })
  stdin?.on('error', () => {})
  void running.ended.then(() => {
    for (const settle of waiting.values()) settle(false)
  })
  let last = 0
  const send = (method: string, params: object): Promise<boolean> => {
    last += 1
    const id = last
    return new Promise((settle) => {
      waiting.set(id, settle)
      stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }
  const clientInfo = { name: 'drill', version: '1' }
  await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  await crashUnder(scene, {
    name,
    running,
    write: (text) =>
      running.child.exitCode === null
        ? send('tools/call', { name: 'remember', arguments: { text } })
        : Promise.resolve(false),
  })
}

async function crashWorkers(
  scene: Scene,
  { name, work, traced }: { name: string; work: Task['work']; traced: boolean },
): Promise<number> {
  const task = (number: number): Task => ({
    file: scene.file,
    ledgers: scene.ledgers,
    name: `${name}-${number}`,
    work,
    seed: Math.floor(scene.random() * 2 ** 31),
    limit: 20_000,
  })
  if (traced) {
    const call = scene.random() < 0.6 ? 'pwrite64' : 'fsync,fdatasync'
    const n = 1 + Math.floor(scene.random() * (call === 'pwrite64' ? 120 : 12))
    const ended = (await startWorker({ ...task(1), limit: 1_500 }, { call, n })).ended
    return (await ended) === null ? 1 : 0
  }
  const workers = await Promise.all([startWorker(task(1)), startWorker(task(2))])
  // Sometimes before they have opened the brain.
  if (scene.random() < 0.8) await Promise.all(workers.map(({ firstLine }) => firstLine))
  await sleep(scene.random() * 150)
  await Promise.all(workers.map(kill))
  return workers.length
}

interface Crash {
  readonly victim: Victim
  readonly name: string
  readonly traced: boolean
  readonly key: string
}

async function crash(
  scene: Scene,
  { victim, name, traced, key }: Crash,
): Promise<{ kills: number; faults: string[] }> {
  if (isWork(victim)) return { kills: await crashWorkers(scene, { name, work: victim, traced }), faults: [] }
  switch (victim) {
    case 'command':
      await crashCommand(scene, name)
      break
    case 'daemon':
      await crashDaemon(scene, name, key)
      break
    case 'mcp':
      await crashMcp(scene, name)
      break
    case 'import command':
      await crashImport(scene, name)
      break
    case 'reindex command':
      await crashCommandOf(scene, ['reindex'])
      break
    case 'backup':
      return { kills: 1, faults: await crashBackup(scene, name) }
  }
  return { kills: 1, faults: [] }
}

export interface CrashOptions {
  readonly directory: string
  readonly rounds: number
  readonly seed: number
  readonly victims: readonly Victim[]
  readonly progress?: (figures: CrashFigures) => void
}

/** Kills `rounds` times, in turn one of each of `victims`, and looks the brain over after each. */
export async function crashDrill(options: CrashOptions): Promise<CrashFigures> {
  const { directory, victims } = options
  const scene: Scene = {
    directory,
    file: join(directory, '.brain', 'brain.db'),
    ledgers: join(directory, 'ledgers'),
    random: drawFrom(options.seed),
  }
  mkdirSync(scene.ledgers, { recursive: true })
  await startBrain(directory, ['init', '--yes']).ended
  const line = await startBrain(directory, ['key', 'create', '--json']).firstLine
  const { key } = JSON.parse(line ?? '{}') as { key: string }
  const tracing = canTrace()
  let figures: CrashFigures = { kills: 0, killsInSystemCalls: 0, checked: 0, memories: 0, faults: [] }
  for (let round = 0; round < options.rounds; round += 1) {
    const victim = victims[round % victims.length] ?? 'mixed'
    const name = `${victim}-${round}`
    const traced = tracing && Math.floor(round / victims.length) % 2 === 1
    const { kills, faults } = await crash(scene, { victim, name, traced, key })
    const looked = await lookOver(scene.file, scene.ledgers)
    figures = {
      kills: figures.kills + kills,
      killsInSystemCalls: figures.killsInSystemCalls + (traced && isWork(victim) ? kills : 0),
      checked: looked.checked,
      memories: looked.memories,
      faults: [
        ...figures.faults,
        ...[...faults, ...faultsOf(looked)].map((fault) => `after ${name}: ${fault}`),
      ],
    }
    options.progress?.(figures)
    if (figures.faults.length > 0) break
  }
  return figures
}
