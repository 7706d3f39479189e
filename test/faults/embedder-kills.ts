/**
 * The embedder drill's kills: the process that runs a transformer is killed under an embedding, its daemon is killed
 * over it, and a move to another model is killed again and again.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { installTransformer } from '../models/tiny-transformer.ts'
import { startEndpoint } from './endpoint.ts'
import { type EmbedderTally, emptyTally, Household } from './household.ts'
import { kill, sleep } from './processes.ts'

export interface KillOptions {
  readonly directory: string
  /** How often each of them is killed. */
  readonly rounds: number
  readonly seed: number
  readonly progress?: (tally: EmbedderTally) => void
}

interface Play {
  readonly directory: string
  readonly rounds: number
  readonly tally: EmbedderTally
  readonly random: () => number
}

/** State letter and parent of a process (Linux); undefined once it is gone. */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statusOf(child)?.parent === pid)

/** One that nobody has asked after yet has ended, too. */
const isGone = (pid: number): boolean => ['Z', 'X', undefined].includes(statusOf(pid)?.state)

async function untilGone(pids: readonly number[], limit = 10_000): Promise<boolean> {
  const deadline = Date.now() + limit
  while (!pids.every(isGone)) {
    if (Date.now() > deadline) return false
    await sleep(50)
  }
  return true
}

/** Long enough for an embedding to be under way for a while. */
const longText = (at: number): string =>
  `${at} the user deployed the database again and again. `.repeat(900).trim()

/** A text whose embedding is under way for as long as the machine takes; the process that makes it. */
async function embedding(
  household: Household,
  at: number,
): Promise<{ kept: Promise<boolean>; children: number[] }> {
  const kept = household.remember(longText(at))
  const daemon = household.daemon.running.child.pid ?? 0
  for (let tries = 0; tries < 100; tries += 1) {
    const children = childrenOf(daemon)
    if (children.length > 0) return { kept, children }
    await sleep(10)
  }
  return { kept, children: [] }
}

/** A transformer's process is killed under its daemon, and the daemon over its transformer. */
async function playTransformer({ directory, rounds, tally, random }: Play): Promise<void> {
  const household = await Household.make(directory, { name: "a transformer's process", tally })
  const from = join(directory, 'from')
  installTransformer(from, { modelFile: 'model_optimized.onnx' })
  const used = await household.command(['model', 'use', 'bge-small-en-v1.5', '--from', from, '--json'])
  household.hold(used.code === 0, `brain model use ended with ${used.code}: ${used.said}`)
  await household.start()
  household.hold(await household.remember('the first text'), 'the model does not embed')
  let failed = 0
  for (let round = 0; round < rounds; round += 1) {
    const { kept, children } = await embedding(household, round)
    await sleep(random() * 150)
    for (const child of children) process.kill(child, 'SIGKILL')
    tally.kills += children.length
    if (!(await kept)) failed += 1
    household.hold(await untilGone(children), 'a killed process goes on')
    household.hold(await household.remember(`right after kill ${round}`), 'the model was not started again')
  }
  tally.outages += failed
  const said = household.said()
  // Each success in between makes the next failure news; healing in the background may meet one, too.
  household.hold(said.length <= rounds && (failed === 0 || said.length > 0), `it said: ${said.join(' | ')}`)
  await endOverTransformer(household, { tally, rounds, random })
  await household.healed()
  const children = childrenOf(household.daemon.running.child.pid ?? 0)
  await household.close()
  household.hold(await untilGone(children), 'a process outlived its daemon that was told to stop')
}

/** No process of a model outlives the daemon that was killed over it. */
async function endOverTransformer(
  household: Household,
  { tally, rounds, random }: Pick<Play, 'tally' | 'rounds' | 'random'>,
): Promise<void> {
  for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
    const { kept, children } = await embedding(household, 1_000 + round)
    await sleep(random() * 100)
    const lost = kept.catch(() => false)
    await household.stop('SIGKILL')
    tally.kills += 1
    await lost
    household.hold(children.length > 0, 'no process of a model was found')
    household.hold(await untilGone(children), `a process outlived its daemon that was killed: ${children}`)
    await household.start()
  }
}

const notes = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `note ${at} about subject ${at % 17} and place ${at % 23}`)

/** A move to another model is killed at any moment and gone on with; others read and write meanwhile. */
async function playMove({ directory, rounds, tally, random }: Play): Promise<void> {
  const household = await Household.make(directory, { name: 'a move to another model', tally })
  const endpoint = await startEndpoint(25)
  try {
    const texts = notes(600)
    const file = join(directory, 'notes.txt')
    writeFileSync(file, texts.join('\n'))
    await household.import(file, texts)
    // On a busy machine an import ends before all have their vectors.
    await household.command(['reindex', '--json'])
    await household.start()
    let kept = 0
    for (const model of ['http', 'builtin']) {
      // Where the endpoint is has to be known until nothing of it is served any more.
      household.use({ environment: { ...endpoint.environment, BRAIN_EMBEDDER: model } })
      let code: number | null = null
      for (let round = 0; code === null; round += 1) {
        const running = household.begin(['reindex', '--json'])
        const killing =
          round < rounds ? sleep(150 + random() * 700).then(() => kill(running)) : Promise.resolve()
        const seen = texts[Math.floor(random() * texts.length)] ?? ''
        kept += 1
        household.hold(await household.rememberByCommand(`kept in a move ${kept}`), 'a text got no vector')
        await household.find(seen)
        await killing
        code = await running.ended
        if (code === null) tally.kills += 1
        else household.hold(code === 0, `brain reindex ended with ${code}: ${running.said()}`)
      }
      // The daemon's settings are those it was started with.
      await household.stop('SIGTERM')
      await household.start()
      await household.healed()
    }
    await household.close()
  } finally {
    await endpoint.stop()
  }
}

/** Plays both, one after the other. */
export async function embedderKillDrill(options: KillOptions): Promise<EmbedderTally> {
  const tally = emptyTally()
  const random = drawFrom(options.seed)
  for (const [name, play] of Object.entries({ transformer: playTransformer, move: playMove })) {
    await play({ directory: join(options.directory, name), rounds: options.rounds, tally, random })
    options.progress?.(tally)
  }
  return tally
}
