/**
 * The load drill: a daemon under steady load for minutes. Measures how its resident memory moves once it has
 * settled, how long it takes to stop while requests are under way, and that it keeps what it acknowledged.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf, lookOver } from './inspection.ts'
import { createLedger } from './ledger.ts'
import { sleep, startBrain } from './processes.ts'

export interface LoadFigures {
  readonly milliseconds: number
  readonly requests: number
  /** Answers of 500 and above, and connections that broke. */
  readonly failures: number
  /** Resident memory at the end of the first fifth and at the end, in MB. */
  readonly settled: number
  readonly last: number
  /** Least-squares slope of resident memory after the first fifth, in MB a minute. */
  readonly slope: number
  /** Notes remembered before it settled: a daemon keeps their vectors, so later writes are of other kinds. */
  readonly notes: number
  /** From SIGTERM, with requests under way, to the end of the process. */
  readonly millisecondsToStop: number
  readonly exitCode: number | null
  readonly faults: string[]
}

/** Resident megabytes of a process (Linux). */
function residentOf(pid: number): number {
  const pages = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(pages ?? Number.NaN) / 1024
}

/** Slope of the least-squares line through the points, y a unit of x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [middle, level] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0)
  return points.reduce((sum, [x, y]) => sum + (x - middle) * (y - level), 0) / spread
}

interface Target {
  readonly url: string
  readonly key: string
}

async function send({ url, key }: Target, path: string, body?: object): Promise<number> {
  const reply = await fetch(`${url}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'x-svc-key': key, ...(body && { 'content-type': 'application/json' }) },
  })
  await reply.arrayBuffer()
  return reply.status
}

/** What clients ask for besides remembering, every call that writes among them. */
const requests: readonly (readonly [string, object?])[] = [
  ['/v1/recall', { query: 'what do we know about the cache and the build' }],
  ['/v1/recall', { query: 'number 17 under load', limit: 30 }],
  ['/v1/assess', { topic: 'drop the users table' }],
  ['/v1/state'],
  ['/v1/beliefs'],
  ['/v1/calibration'],
  ['/v1/believe', { text: 'the cache is the bottleneck' }],
  ['/v1/evidence', { belief_id: 1, kind: 'supporting', strength: 0.1 }],
  ['/v1/predict', { prediction: 'the build takes an hour', domain: 'infra' }],
  ['/v1/note_about', { subject_agent: 'planner', observation: 'estimates run low' }],
  ['/v1/outside_views'],
]

/** With fewer requests answered there was no load to speak of. */
const fewest = 40

export async function loadDrill(directory: string, milliseconds: number): Promise<LoadFigures> {
  const ledgers = join(directory, 'ledgers')
  mkdirSync(ledgers, { recursive: true })
  await startBrain(directory, ['init', '--yes']).ended
  const line = await startBrain(directory, ['key', 'create', '--json']).firstLine
  const { key } = JSON.parse(line ?? '{}') as { key: string }
  const daemon = startBrain(directory, ['serve', '--port', '0', '--json', '--no-dreams', '--log', 'off'])
  const { url } = JSON.parse((await daemon.firstLine) ?? '{}') as { url: string }
  const target = { url, key }
  const pid = daemon.child.pid ?? 0

  const started = Date.now()
  let stopping = false
  let answered = 0
  let failures = 0
  let remembered = 0
  const client = async (number: number): Promise<void> => {
    const note = createLedger(join(ledgers, `client-${number}.ledger`))
    for (let at = 0; !stopping; at += 1) {
      const texts = [`client ${number} note number ${at} under load about the cache and the build`]
      try {
        const settling = Date.now() - started < milliseconds / 5
        if (settling && at % 3 === 0) {
          note({ action: 'add', state: 'begun', texts })
          if ((await send(target, '/v1/remember', { text: texts[0] })) === 200) {
            note({ action: 'add', state: 'acknowledged', texts })
            remembered += 1
          } else failures += 1
        } else {
          const [path, body] = requests[(at + number) % requests.length] ?? ['/v1/state']
          if ((await send(target, path, body)) >= 500) failures += 1
        }
        answered += 1
      } catch {
        if (!stopping) failures += 1
        return
      }
    }
  }
  const clients = [1, 2, 3, 4].map(client)
  const samples: [number, number][] = []
  // A busy machine takes longer to be under load at all.
  while (Date.now() - started < milliseconds || (answered < fewest && failures === 0)) {
    await sleep(Math.min(2_000, milliseconds / 50))
    samples.push([(Date.now() - started) / 60_000, residentOf(pid)])
  }
  const settledFrom = milliseconds / 5 / 60_000
  const settled = samples.filter(([minute]) => minute >= settledFrom)

  const asked = Date.now()
  stopping = true
  daemon.child.kill('SIGTERM')
  const exitCode = await daemon.ended
  const millisecondsToStop = Date.now() - asked
  await Promise.all(clients)
  const looked = await lookOver(join(directory, '.brain', 'brain.db'), ledgers)
  return {
    milliseconds,
    requests: answered,
    failures,
    settled: settled[0]?.[1] ?? Number.NaN,
    last: settled.at(-1)?.[1] ?? Number.NaN,
    slope: slopeOf(settled),
    notes: remembered,
    millisecondsToStop,
    exitCode,
    faults: faultsOf(looked),
  }
}
