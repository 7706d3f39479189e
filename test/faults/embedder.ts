/**
 * The embedder drill: whatever becomes of the embedder (its file, its endpoint, its process), every call is answered
 * in bounded time, with one warning, and what was kept meanwhile gets its vector later.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installEncoder } from '../models/tiny-models.ts'
import { type EndpointFault, endpointFaults, startEndpoint } from './endpoint.ts'
import { type EmbedderTally, emptyTally, Household } from './household.ts'
import { type HowToStart, sleep } from './processes.ts'

/** One way in which an embedder fails, and how it is made well again. */
interface Outage {
  readonly name: string
  readonly directory: string
  readonly how: HowToStart
  spoil(): unknown
  mend(household: Household): unknown
  /** Whether a process that has opened it before does not notice. */
  readonly unnoticed?: boolean
}

const topics = [
  'the cache is warm',
  'invoices go out on monday',
  'the queue fills at noon',
  'ana signs contracts',
]

/** How the memories that were kept meanwhile get their vectors. */
export type Healing = 'by the daemon' | 'by command'

interface Play {
  readonly tally: EmbedderTally
  readonly healing: Healing
}

/** The daemon's own, and something for a machine that does other things. */
const roundOfHealing = 17_000

/** Calls of every kind while the embedder fails. */
async function suffer(household: Household, name: string): Promise<void> {
  for (const [at, topic] of topics.entries()) {
    const text = `${topic} under trouble ${at}`
    household.hold(!(await household.remember(text)), 'a text got a vector while the embedder failed')
    household.hold((await household.recall(text)) === 'keyword', 'recall was not by keyword')
  }
  await household.flag(`never touch the fence near ${name}`)
  const { verdict } = await household.call('/v1/assess', { topic: `touch the fence near ${name}` })
  household.hold(verdict !== 'clear', 'a flag in the very words of the topic was overlooked')
  const byCommand = await household.rememberByCommand(`${name} seen by a command`)
  household.hold(!byCommand, 'a command gave a text a vector while the embedder failed')
}

async function playOutage(outage: Outage, { tally, healing }: Play): Promise<void> {
  const { name, directory, how } = outage
  tally.outages += 1
  const household = await Household.make(directory, { name, tally, how })
  await household.start()
  for (const topic of topics) household.hold(await household.remember(topic), 'a text got no vector at first')
  if (outage.unnoticed) await household.stop('SIGTERM')
  await outage.spoil()
  if (outage.unnoticed) await household.start()
  await suffer(household, name)
  // Healing is tried in vain, and is no news either.
  if (healing === 'by the daemon') await sleep(roundOfHealing)
  const said = household.said()
  household.hold(said.length === 1, `the daemon said ${said.length} lines: ${said.join(' | ')}`)
  await outage.mend(household)
  if (healing === 'by command') {
    const { code, said } = await household.command(['reindex', '--json'])
    household.hold(code === 0, `brain reindex ended with ${code}: ${said.join(' | ')}`)
  }
  await household.healed()
  await household.close()
}

/** Every way in which an endpoint can fail. */
export const allEndpointFaults: readonly EndpointFault[] = [
  'is down',
  // The keys of that very table.
  ...(Object.keys(endpointFaults) as EndpointFault[]),
]

/** An endpoint that fails in one way under a daemon and a command. */
async function playEndpoint(directory: string, fault: EndpointFault, play: Play): Promise<void> {
  const endpoint = await startEndpoint()
  try {
    await playOutage(
      {
        name: `an endpoint that ${fault}`,
        directory,
        how: { environment: endpoint.environment },
        spoil: () => endpoint.turn(fault),
        mend: () => endpoint.turn(undefined),
      },
      play,
    )
  } finally {
    await endpoint.stop()
  }
}

type Damage = (file: string) => void

const cutTo =
  (share: number): Damage =>
  (file) =>
    truncateSync(file, Math.floor(readFileSync(file).length * share))

/** What may have become of the built-in model's file. */
const modelDamages = {
  missing: (file) => rmSync(file),
  empty: (file) => truncateSync(file, 0),
  'of one byte': (file) => truncateSync(file, 1),
  'cut in its head': (file) => truncateSync(file, 300),
  'cut by half': cutTo(0.5),
  'cut near its end': cutTo(0.999),
  'noise from its beginning': (file) => {
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 0, 4_096))
  },
  'noise alone': (file) => writeFileSync(file, Buffer.alloc(9_000, 0x5a)),
  'a directory': (file) => {
    rmSync(file)
    mkdirSync(file)
  },
} as const satisfies Record<string, Damage>

export type ModelDamage = keyof typeof modelDamages | 'another model'

export const allModelDamages: readonly ModelDamage[] = [
  'another model',
  // The keys of that very table.
  ...(Object.keys(modelDamages) as ModelDamage[]),
]

/** A package of its own, whose files may be spoilt. */
function installPackage(directory: string): string {
  const installed = join(directory, 'package')
  mkdirSync(installed, { recursive: true })
  for (const part of ['bin', 'dist', 'models', 'native', 'package.json']) {
    cpSync(part, join(installed, part), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'))
  return installed
}

async function moveTo(household: Household, model: string): Promise<void> {
  const { code, said } = await household.command(['reindex', '--json'])
  household.hold(code === 0, `brain reindex to ${model} ended with ${code}: ${said}`)
  for (const topic of topics) {
    household.hold((await household.recall(topic)) === 'semantic', `recall is not by meaning in ${model}`)
  }
}

/** A built-in model whose file is damaged while nobody looks. */
async function playModel(directory: string, damage: ModelDamage, play: Play): Promise<void> {
  const installed = installPackage(directory)
  const models = join(installed, 'models', 'brain-encoder-v1')
  const file = join(models, 'model.onnx')
  await playOutage(
    {
      name: `a built-in model that is ${damage}`,
      directory: join(directory, 'brain'),
      how: { installed },
      unnoticed: true,
      spoil: () => (damage === 'another model' ? installEncoder(models) : modelDamages[damage](file)),
      mend: async (household) => {
        const other = damage === 'another model'
        // It is a model after all: the brain can move to it, and back.
        if (other) await moveTo(household, 'the other model')
        rmSync(models, { recursive: true })
        cpSync(join('models', 'brain-encoder-v1'), models, { recursive: true })
        if (!other) return
        await household.stop('SIGTERM')
        await household.start()
        await moveTo(household, 'the model of the package')
      },
    },
    play,
  )
}

export interface EmbedderOptions {
  readonly directory: string
  readonly faults: readonly EndpointFault[]
  readonly damages: readonly ModelDamage[]
  readonly healing: Healing
  readonly progress?: (tally: EmbedderTally) => void
}

/** So many brains at a time: most of an outage is waiting. */
const together = 3

/** Plays every fault and damage that is named, each on a brain of its own. */
export async function embedderDrill(options: EmbedderOptions): Promise<EmbedderTally> {
  const tally = emptyTally()
  const play = { tally, healing: options.healing }
  const scenes = [
    ...options.faults.map((fault) => (place: string) => playEndpoint(place, fault, play)),
    ...options.damages.map((damage) => (place: string) => playModel(place, damage, play)),
  ]
  const waiting = scenes.entries()
  const player = async (): Promise<void> => {
    for (const [at, scene] of waiting) {
      const place = join(options.directory, String(at))
      mkdirSync(place)
      await scene(place)
      rmSync(place, { recursive: true, force: true })
      options.progress?.(tally)
    }
  }
  await Promise.all(Array.from({ length: together }, player))
  return tally
}
