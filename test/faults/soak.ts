/**
 * The soak: a daemon with many clients, commands of a second machine whose clock is another, kills, restarts, and clocks that are
 * set forward and back under way. At the end the clock is right again, and everything acknowledged is there, nothing is dated as
 * if it were still to come where that matters, and the brain is sound.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf, lookOver } from './inspection.ts'
import { createLedger } from './ledger.ts'
import { createRandom } from './plan.ts'
import { compilePreload } from './preload.ts'
import { kill, type Served, serveBrain, sleep, startBrain } from './processes.ts'

export interface SoakFigures {
  readonly calls: number
  readonly acknowledged: number
  /** Requests that clients were too slow to send: on a busy machine they wait for the processor, too. */
  readonly late: number
  readonly kills: number
  readonly restarts: number
  readonly clockSteps: number
  /** Commands of the second machine. */
  readonly commands: number
  /** Without a C compiler clocks stay as they are. */
  readonly clocks: 'stepped' | 'left alone'
  readonly seed: number
  readonly faults: string[]
}

export interface SoakOptions {
  readonly directory: string
  readonly seed: number
  readonly milliseconds: number
  readonly clients: number
}

const hour = 3_600

/** By how many seconds clocks are wrong: a time zone, a day, a year, a battery that ran out. */
const wrongBy = [
  0,
  0,
  60,
  -60,
  hour,
  -hour,
  26 * hour,
  -26 * hour,
  400 * 24 * hour,
  -400 * 24 * hour,
] as const

/** A clock that other processes read, which can be set while they run. */
class Clock {
  readonly environment: Readonly<Record<string, string>>
  readonly #descriptor: number

  constructor(file: string, library: string | undefined) {
    writeFileSync(file, Buffer.alloc(8))
    this.#descriptor = openSync(file, 'r+')
    this.environment = library === undefined ? {} : { LD_PRELOAD: library, CLOCK_FILE: file }
  }

  set(seconds: number): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(seconds))
    writeSync(this.#descriptor, bytes, 0, 8, 0)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

class Soak {
  readonly #options: SoakOptions
  readonly #random: () => number
  readonly #note: ReturnType<typeof createLedger>
  readonly #here: Clock
  readonly #there: Clock
  readonly #plain = { BRAIN_EMBEDDER: 'none' }
  #served: Served | undefined
  #over = false
  #key = ''
  readonly faults: string[] = []
  readonly counts = { calls: 0, acknowledged: 0, late: 0, kills: 0, restarts: 0, clockSteps: 0, commands: 0 }

  constructor(options: SoakOptions, library: string | undefined) {
    const { directory, seed } = options
    this.#options = options
    this.#random = createRandom(seed)
    mkdirSync(join(directory, 'ledgers'), { recursive: true })
    this.#note = createLedger(join(directory, 'ledgers', 'soak.ledger'))
    this.#here = new Clock(join(directory, 'here'), library)
    this.#there = new Clock(join(directory, 'there'), library)
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }

  async #command(
    words: readonly string[],
    clock: Clock,
  ): Promise<{ code: number | null; line: string; said: string }> {
    const environment = { ...this.#plain, ...clock.environment }
    const running = startBrain(this.#options.directory, words, { environment })
    running.child.stdin?.end()
    const line = (await running.firstLine) ?? ''
    return { code: await running.ended, line, said: running.said() }
  }

  async #serve(): Promise<void> {
    const environment = { ...this.#plain, ...this.#here.environment }
    this.#served = await serveBrain(this.#options.directory, { environment, key: this.#key })
  }

  /** A client adds, forgets what it added, and asks. */
  async #client(number: number): Promise<void> {
    const own: { id: number; text: string }[] = []
    for (let at = 0; !this.#over; at += 1) {
      const served = this.#served
      if (served === undefined) {
        await sleep(20)
        continue
      }
      this.counts.calls += 1
      try {
        await this.#call(served, {
          own,
          name: `client ${number} note ${at} of the soak`,
          turn: this.#random(),
        })
      } catch {
        // Killed under way: what came of it the ledger leaves open.
        await sleep(20)
      }
    }
  }

  async #call(
    served: Served,
    { own, name, turn }: { own: { id: number; text: string }[]; name: string; turn: number },
  ): Promise<void> {
    if (turn < 0.6) {
      this.#note({ action: 'add', state: 'begun', texts: [name] })
      const { status, body } = await served.call('/v1/remember', { text: name })
      this.#expect(status, body)
      if (status !== 200) return
      this.#note({ action: 'add', state: 'acknowledged', texts: [name] })
      this.counts.acknowledged += 1
      own.push({ id: Number(body.id), text: name })
      return
    }
    const path = this.#pick(['/v1/state', '/v1/dreams', '/v1/beliefs', '/v1/records?limit=5'])
    const { status, body } =
      turn < 0.8 ? await served.call('/v1/recall', { query: name }) : await served.call(path ?? '/health')
    this.#expect(status, body)
  }

  #expect(status: number, body: unknown): void {
    // A brain that is held for long, or a daemon on its way out.
    if (status === 200 || status === 503) return
    if (status === 408) {
      this.counts.late += 1
      return
    }
    this.faults.push(`answered ${status}: ${JSON.stringify(body)}`)
  }

  /** Another machine's command on the same brain. */
  async #visit(number: number): Promise<void> {
    const text = `visit ${number} of another machine`
    this.#note({ action: 'add', state: 'begun', texts: [text] })
    const { code, line, said } = await this.#command(['remember', text, '--json'], this.#there)
    this.counts.commands += 1
    if (code !== 0) {
      this.faults.push(`a command of another machine ended with ${code}: ${said}`)
      return
    }
    this.#note({ action: 'add', state: 'acknowledged', texts: [text] })
    const { id } = JSON.parse(line) as { id: number }
    if (number % 2 === 1) return
    this.#note({ action: 'forget', state: 'begun', texts: [text] })
    const forgotten = await this.#command(['forget', String(id), '--json'], this.#there)
    if (forgotten.code === 0) this.#note({ action: 'forget', state: 'acknowledged', texts: [text] })
    else if (forgotten.code !== 5) this.faults.push(`forget ended with ${forgotten.code}: ${forgotten.said}`)
  }

  async #end(how: 'killed' | 'stopped'): Promise<void> {
    const { running } = this.#served ?? {}
    this.#served = undefined
    if (running === undefined) return
    if (how === 'killed') {
      await kill(running)
      this.counts.kills += 1
      return
    }
    running.child.kill('SIGTERM')
    const code = await running.ended
    this.counts.restarts += 1
    if (code !== 0) this.faults.push(`the daemon ended with ${code}: ${running.said()}`)
  }

  async #disturb(): Promise<void> {
    for (let at = 0; !this.#over; at += 1) {
      await sleep(150 + this.#random() * 900)
      const turn = this.#random()
      if (turn < 0.3) {
        this.#here.set(this.#pick(wrongBy) ?? 0)
        this.#there.set(this.#pick(wrongBy) ?? 0)
        this.counts.clockSteps += 2
      } else if (turn < 0.55) {
        await this.#visit(at)
      } else {
        await this.#end(turn < 0.85 ? 'killed' : 'stopped')
        await this.#serve()
      }
    }
  }

  async run(): Promise<void> {
    const { directory, milliseconds, clients } = this.#options
    await this.#command(['init', '--yes'], this.#here)
    const made = await this.#command(['key', 'create', '--json'], this.#here)
    this.#key = (JSON.parse(made.line) as { key: string }).key
    await this.#serve()
    const timer = setTimeout(() => {
      this.#over = true
    }, milliseconds)
    await Promise.all([
      ...Array.from({ length: clients }, (_, number) => this.#client(number)),
      this.#disturb(),
    ])
    clearTimeout(timer)
    await this.#end('stopped')
    for (const clock of [this.#here, this.#there]) clock.set(0)
    await this.#judge()
    const looked = await lookOver(join(directory, '.brain', 'brain.db'), join(directory, 'ledgers'))
    this.faults.push(...faultsOf(looked))
    for (const clock of [this.#here, this.#there]) clock.close()
  }

  /** What depends on the time of day, once that is right again. */
  async #judge(): Promise<void> {
    const state = await this.#command(['state', '--json'], this.#here)
    const { last_active } = JSON.parse(state.line) as { last_active: string | null }
    const soon = Date.now() + 6 * 60_000
    if (last_active !== null && Date.parse(last_active) > soon)
      this.faults.push(`last active at ${last_active}, which is still to come`)
    for (const words of [['recall', 'soak'], ['dream'], ['dreams'], ['list'], ['status']]) {
      const { code, said } = await this.#command(words, this.#here)
      if (code !== 0) this.faults.push(`${words[0]} ended with ${code}: ${said}`)
    }
  }
}

/** Lets a brain be used and abused for so long. */
export async function soakDrill(options: SoakOptions): Promise<SoakFigures> {
  const library = compilePreload('clock')
  const soak = new Soak(options, library)
  await soak.run()
  const clocks = library === undefined ? 'left alone' : 'stepped'
  return { ...soak.counts, clocks, seed: options.seed, faults: soak.faults }
}
