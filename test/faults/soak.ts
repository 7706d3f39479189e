/**
 * The soak: a daemon with many clients, commands of a second machine whose clock is another, kills, restarts, and clocks that are
 * set forward and back under way. At the end the clock is right again, and everything acknowledged is there, nothing is dated as
 * if it were still to come where that matters, and the brain is sound. What came too late on a busy machine is counted by its
 * kind and bounded, and no fault by itself; an acknowledged write that is lost and an answer that is false are.
 */

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { faultsOf, lookOver } from './inspection.ts'
import { createLedger } from './ledger.ts'
import { compilePreload } from './preload.ts'
import { kill, type Served, serveBrain, sleep, startBrain } from './processes.ts'
import { SoakClient } from './soak-client.ts'

export interface SoakFigures {
  readonly calls: number
  /** Writes, the second machine's included. */
  readonly acknowledged: number
  readonly forgotten: number
  /** Answers that were compared with what had been acknowledged before. */
  readonly compared: number
  /**
   * Calls and commands that came too late, or whose connection was cut off by nobody, by kind: 408 are requests that
   * clients were too slow to send.
   */
  readonly late: string
  readonly kills: number
  readonly restarts: number
  readonly clockSteps: number
  /** Commands of the second machine. */
  readonly commands: number
  /** Acknowledged additions and forgettings that were looked for at the end, and what of them was not so. */
  readonly checked: number
  readonly lost: number
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
  /** Told of each fault when it is found, and of the figures every few seconds. */
  readonly progress?: (done: { fault?: string; figures: string }) => void
}

/** Of all calls, this part may come too late. */
const lateAtMost = 0.05

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
  readonly #begun = new Set<string>()
  readonly #late = new Map<string, number>()
  readonly faults: string[] = []
  readonly counts = {
    calls: 0,
    acknowledged: 0,
    forgotten: 0,
    compared: 0,
    kills: 0,
    restarts: 0,
    clockSteps: 0,
    commands: 0,
    checked: 0,
    lost: 0,
  }

  constructor(options: SoakOptions, library: string | undefined) {
    const { directory, seed } = options
    this.#options = options
    this.#random = drawFrom(seed)
    mkdirSync(join(directory, 'ledgers'), { recursive: true })
    this.#note = createLedger(join(directory, 'ledgers', 'soak.ledger'))
    this.#here = new Clock(join(directory, 'here'), library)
    this.#there = new Clock(join(directory, 'there'), library)
  }

  /** How much came too late, by kind. */
  late(): string {
    return [...this.#late].map(([kind, times]) => `${times} of ${kind}`).join(', ') || 'none'
  }

  #fault(sentence: string): void {
    this.faults.push(sentence)
    this.#tell(sentence)
  }

  #tell(fault?: string): void {
    const { calls, acknowledged, kills, restarts } = this.counts
    const figures = `${calls} calls, ${acknowledged} writes, ${kills} kills, ${restarts} restarts, late: ${this.late()}`
    this.#options.progress?.({ figures, ...(fault !== undefined && { fault }) })
  }

  #countLate(kind: string): void {
    this.#late.set(kind, (this.#late.get(kind) ?? 0) + 1)
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

  /** Another machine's command on the same brain. */
  async #visit(number: number): Promise<void> {
    const text = `visit ${number} of another machine`
    this.#begun.add(text)
    this.#note({ action: 'add', state: 'begun', texts: [text] })
    const { code, line, said } = await this.#command(['remember', text, '--json'], this.#there)
    this.counts.commands += 1
    if (code !== 0) {
      this.#refused('remember', { code, said })
      return
    }
    this.#note({ action: 'add', state: 'acknowledged', texts: [text] })
    this.counts.acknowledged += 1
    const { id } = JSON.parse(line) as { id: number }
    if (number % 2 === 1) return
    this.#note({ action: 'forget', state: 'begun', texts: [text] })
    const forgotten = await this.#command(['forget', String(id), '--json'], this.#there)
    const { said: answer } = forgotten
    if (forgotten.code !== 0) this.#refused('forget', forgotten)
    if (forgotten.code !== 0 && !/ is forgotten, but/.test(answer)) return
    this.#note({ action: 'forget', state: 'acknowledged', texts: [text] })
    this.counts.forgotten += 1
  }

  /** A command that waited for longer than it may is late; whatever else it is refused for is a fault. */
  #refused(command: string, { code, said }: { code: number | null; said: string }): void {
    if (code === 5 && /store is busy, try again/.test(said)) this.#countLate(`${command}, busy`)
    else if (code === 5 && / is forgotten, but/.test(said)) this.#countLate(`${command}, not cleared yet`)
    else this.#fault(`${command} of another machine ended with ${code}: ${said}`)
  }

  async #end(how: 'killed' | 'stopped'): Promise<void> {
    const { running } = this.#served ?? {}
    this.#served = undefined
    if (running === undefined) return
    const { exitCode, signalCode } = running.child
    if (exitCode !== null || signalCode !== null)
      this.#fault(`the daemon ended by itself with ${exitCode ?? signalCode}: ${running.said()}`)
    if (how === 'killed') {
      await kill(running)
      this.counts.kills += 1
      return
    }
    running.child.kill('SIGTERM')
    const code = await running.ended
    this.counts.restarts += 1
    if (code !== 0) this.#fault(`the daemon ended with ${code}: ${running.said()}`)
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
        // Where it did not start it is tried again, before long.
        await this.#serve().catch((error: unknown) => this.#fault(String(error)))
      }
      if (at % 10 === 0) this.#tell()
    }
  }

  async run(): Promise<void> {
    const { milliseconds, clients } = this.#options
    await this.#command(['init', '--yes'], this.#here)
    const made = await this.#command(['key', 'create', '--json'], this.#here)
    this.#key = (JSON.parse(made.line) as { key: string }).key
    await this.#serve()
    const timer = setTimeout(() => {
      this.#over = true
    }, milliseconds)
    const together = {
      random: this.#random,
      note: this.#note,
      daemon: () => this.#served,
      over: () => this.#over,
      fault: (sentence: string) => this.#fault(sentence),
      late: (kind: string) => this.#countLate(kind),
      // A few hundred calls a second of all of them, so that the daemon gets to answer them.
      pause: 6 * clients,
      begun: this.#begun,
      forgotten: new Map<string, number>(),
      nextForgetting: 0,
      counts: this.counts,
    }
    await Promise.all([
      ...Array.from({ length: clients }, (_, number) => new SoakClient(number, together).run()),
      this.#disturb(),
    ])
    clearTimeout(timer)
    await this.#end('stopped')
    for (const clock of [this.#here, this.#there]) clock.set(0)
    await this.#judge()
    await this.#lookOver()
    for (const clock of [this.#here, this.#there]) clock.close()
  }

  /** Whether all is there, once every process is gone. */
  async #lookOver(): Promise<void> {
    const { directory } = this.#options
    const looked = await lookOver(join(directory, '.brain', 'brain.db'), join(directory, 'ledgers'))
    for (const fault of faultsOf(looked)) this.#fault(fault)
    this.counts.checked = looked.checked
    this.counts.lost = looked.lost.length
    const late = [...this.#late.values()].reduce((sum, times) => sum + times, 0)
    if (late > this.counts.calls * lateAtMost) this.#fault(`${late} of ${this.counts.calls} came too late`)
  }

  /** What depends on the time of day, once that is right again. */
  async #judge(): Promise<void> {
    const state = await this.#command(['state', '--json'], this.#here)
    const { last_active } = JSON.parse(state.line) as { last_active: string | null }
    const soon = Date.now() + 6 * 60_000
    if (last_active !== null && Date.parse(last_active) > soon)
      this.#fault(`last active at ${last_active}, which is still to come`)
    for (const words of [['recall', 'soak'], ['dream'], ['dreams'], ['list'], ['status']]) {
      const { code, said } = await this.#command(words, this.#here)
      if (code !== 0) this.#fault(`${words[0]} ended with ${code}: ${said}`)
    }
  }
}

/** Lets a brain be used and abused for so long. */
export async function soakDrill(options: SoakOptions): Promise<SoakFigures> {
  const library = compilePreload('clock')
  const soak = new Soak(options, library)
  await soak.run()
  const clocks = library === undefined ? 'left alone' : 'stepped'
  return { ...soak.counts, late: soak.late(), clocks, seed: options.seed, faults: soak.faults }
}
