/**
 * The contention drill: eight processes of every kind on one brain at once. No lock error may surface, nothing
 * acknowledged may be missing, and everybody's work has to go on.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf, lookOver } from './inspection.ts'
import { createLedger } from './ledger.ts'
import type { Task } from './plan.ts'
import { sleep, startBrain, startWorker } from './processes.ts'

export interface ContentionFigures {
  readonly processes: number
  readonly milliseconds: number
  readonly operations: number
  /** Answers that said the store was busy or the database locked. */
  readonly lockErrors: number
  /** The longest that one acknowledged write took, in milliseconds. */
  readonly slowest: number
  readonly checked: number
  readonly faults: string[]
}

interface Tally {
  operations: number
  slowest: number
  readonly refusals: string[]
}

interface Scene {
  readonly directory: string
  readonly ledgers: string
  readonly deadline: number
  readonly tally: Tally
}

/** Repeats a write until the deadline; it gives undefined when it was acknowledged, else what was said. */
async function repeat(
  { ledgers, deadline, tally }: Scene,
  name: string,
  write: (text: string) => Promise<string | undefined>,
): Promise<void> {
  const note = createLedger(join(ledgers, `${name}.ledger`))
  for (let at = 0; Date.now() < deadline; at += 1) {
    const texts = [`${name} ${at} among others`]
    note({ action: 'add', state: 'begun', texts })
    const started = Date.now()
    const refusal = await write(texts[0] ?? '')
    tally.slowest = Math.max(tally.slowest, Date.now() - started)
    tally.operations += 1
    if (refusal === undefined) note({ action: 'add', state: 'acknowledged', texts })
    else tally.refusals.push(`${name}: ${refusal}`)
  }
}

const byCommand = (scene: Scene, name: string): Promise<void> =>
  repeat(scene, name, async (text) => {
    const running = startBrain(scene.directory, ['remember', text, '--json'])
    const line = await running.firstLine
    const code = await running.ended
    return code === 0 && line?.startsWith('{"id":') ? undefined : `exit ${code}: ${running.said()}`
  })

const byClient = (scene: Scene, name: string, { url, key }: { url: string; key: string }): Promise<void> =>
  repeat(scene, name, async (text) => {
    const reply = await fetch(`${url}/v1/remember`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-key': key },
      body: JSON.stringify({ text }),
    })
    return reply.status === 200 ? undefined : `${reply.status} ${await reply.text()}`
  })

/** Five library processes, two shells in a loop and a daemon with four clients, for `milliseconds`. */
export async function contentionDrill(directory: string, milliseconds: number): Promise<ContentionFigures> {
  const file = join(directory, '.brain', 'brain.db')
  const ledgers = join(directory, 'ledgers')
  mkdirSync(ledgers, { recursive: true })
  await startBrain(directory, ['init', '--yes']).ended
  const { key } = JSON.parse(
    (await startBrain(directory, ['key', 'create', '--json']).firstLine) ?? '{}',
  ) as { key: string }
  const daemon = startBrain(directory, ['serve', '--port', '0', '--json', '--no-dreams', '--log', 'off'])
  const { url } = JSON.parse((await daemon.firstLine) ?? '{}') as { url: string }

  const task = (number: number): Task => ({
    file,
    ledgers,
    name: `worker-${number}`,
    work: number === 5 ? 'reindex' : 'mixed',
    seed: number,
    limit: milliseconds,
  })
  const workers = await Promise.all([1, 2, 3, 4, 5].map((number) => startWorker(task(number))))
  const said = workers.map(async ({ child, ended }) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    const code = await ended
    return code === 0 ? [] : [`a worker ended with ${code}: ${output.trim()}`]
  })
  const tally: Tally = { operations: 0, slowest: 0, refusals: [] }
  const scene: Scene = { directory, ledgers, deadline: Date.now() + milliseconds, tally }
  await Promise.all([
    byCommand(scene, 'shell-1'),
    byCommand(scene, 'shell-2'),
    ...[1, 2, 3, 4].map((number) => byClient(scene, `client-${number}`, { url, key })),
  ])
  const complaints = [...tally.refusals, ...(await Promise.all(said)).flat()]
  await sleep(10)
  daemon.child.kill('SIGTERM')
  const code = await daemon.ended
  const looked = await lookOver(file, ledgers)
  return {
    processes: 8,
    milliseconds,
    operations: Math.max(tally.operations, looked.checked),
    lockErrors: complaints.filter((complaint) => /busy|locked/.test(complaint)).length,
    slowest: tally.slowest,
    checked: looked.checked,
    faults: [
      ...complaints,
      ...(code === 0 ? [] : [`the daemon ended with ${code}: ${daemon.said()}`]),
      ...faultsOf(looked),
    ],
  }
}
