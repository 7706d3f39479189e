/**
 * The model drill: random sequences of calls, kills, restarts, copies and changes of keys on a real brain, each step
 * compared with a model of plain lists. A sequence that goes wrong is made as short as it can be.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { Contents } from './contents.ts'
import { Scene } from './scene.ts'
import { compare, type Model, step, type Tally } from './steps.ts'

export interface ModelFigures extends Tally {
  readonly seed: number
  /** The shortest sequence that goes wrong, and how; empty when none does. */
  readonly faults: string[]
}

export interface ModelOptions {
  readonly directory: string
  readonly scenes: number
  /** At most so many steps a scene. */
  readonly steps: number
  readonly seed: number
  /** Milliseconds after which no further sequence is tried, neither to find a fault nor to shorten one. */
  readonly limit?: number
  readonly progress?: (tally: Tally) => void
}

const day = 86_400_000

/** What a scene begins with: notes of several days, dreams that nobody has read, a prediction long resolved. */
function firstLines(now: number): object[] {
  const at = (days: number): string => new Date(now - days * day).toISOString().replace('Z', '+00:00')
  const memory = (id: number, text: string, days: number, caution = 0) => ({
    type: 'memory',
    id,
    text,
    caution,
    agent: 'default',
    created_at: at(days),
  })
  const dream = (id: number, thought: string, sources: number[]) => ({
    type: 'dream',
    id,
    kind: 'bridge',
    thought,
    source_memory_ids: sources,
    novelty: 1,
    origin: `bridge:${sources}`,
    created_at: at(1),
    read_at: null,
  })
  const of = (first: number) => [
    memory(first, 'the deploy of the invoice service fails when the queue is full', 9),
    memory(first + 1, 'the queue fills up on the first day of the month', 5),
    memory(first + 2, 'never restart the queue while an invoice run is under way', 3, 0.9),
    dream(first, 'the first of the month and the failing deploys may be one thing', [first, first + 1]),
    dream(first + 1, 'a warning about the queue meets a note about it', [first + 2, first]),
    dream(first + 2, 'two notes name the queue', [first + 1, first + 2]),
    {
      type: 'prediction',
      id: first,
      prediction: 'glacier melts late',
      domain: 'weather',
      confidence: 0.8,
      basis: null,
      created_at: at(40),
      outcome: 'incorrect',
      actual: 'it came early',
      surprise: 0.8,
      resolved_at: at(20),
    },
  ]
  const [blue, red] = [of(1), of(11)]
  return [
    { type: 'brain', format: 1 },
    { type: 'project', name: 'blue' },
    ...blue,
    { type: 'project', name: 'red' },
    ...red,
    { type: 'end', records: blue.length + red.length },
  ]
}

async function makeTemplate(directory: string): Promise<Scene> {
  mkdirSync(directory, { recursive: true })
  const template = new Scene(directory)
  await template.succeed(['init', '--yes'])
  const file = join(directory, 'first.jsonl')
  writeFileSync(
    file,
    firstLines(Date.now())
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  await template.succeed(['import', file])
  return template
}

/** The command's own check-up of a brain that no process has open. */
async function examine(scene: Scene): Promise<void> {
  const { code, stdout, stderr } = await scene.command(['doctor', '--json'])
  if (code !== 0) throw new Error(`brain doctor: ${stdout}${stderr}`)
}

/** Plays random scenes until one goes wrong or all are over. */
export async function modelDrill(options: ModelOptions): Promise<ModelFigures> {
  const { directory, seed, progress } = options
  const tally: Tally = {
    scenes: 0,
    steps: 0,
    answered: 0,
    refused: 0,
    cutOff: 0,
    cutOffDone: 0,
    kills: 0,
    keysChanged: 0,
    comparedRecords: 0,
  }
  const template = await makeTemplate(join(directory, 'template'))
  const keys: { id: string; text: string; project: string }[] = []
  for (const project of ['blue', 'red']) {
    const { id, key } = JSON.parse(await template.succeed(['key', 'create', '--project', project, '--json']))
    keys.push({ id, text: key, project })
  }
  const lines = await template.dump()
  const commands = fc.commands([step], { maxCommands: options.steps, size: 'max' })
  const property = fc.asyncProperty(commands, async (steps) => {
    tally.scenes += 1
    const place = join(directory, `scene ${tally.scenes}`)
    const scene = Scene.copy(template.directory, place)
    const contents = new Contents()
    contents.load(lines)
    contents.keys.push(...keys.map((key) => ({ ...key, live: true })))
    const model: Model = { contents, marks: { next: 100 }, tally }
    try {
      await fc.asyncModelRun(() => ({ model, real: scene }), steps)
      compare(model, await scene.dump())
      await scene.end('SIGKILL')
      await examine(scene)
    } finally {
      await scene.end('SIGKILL')
      rmSync(place, { recursive: true, force: true })
      rmSync(`${place} carried`, { recursive: true, force: true })
      rmSync(`${place} copy`, { recursive: true, force: true })
      progress?.(tally)
    }
  })
  const details = await fc.check(property, {
    numRuns: options.scenes,
    seed,
    ...(options.limit !== undefined && { interruptAfterTimeLimit: options.limit }),
  })
  const faults = details.failed
    ? [`${details.errorInstance}\n${fc.defaultReportMessage(details) ?? 'it failed'}`]
    : []
  return { seed, ...tally, faults }
}
