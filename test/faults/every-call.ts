/**
 * The drill of every crash point: each command is run again and again, and killed in its first system call that changes
 * something, in its second, and so on until it ends by itself; or that call fails, once or from then on. Afterwards the brain
 * opens, is sound, and has what was acknowledged, and nothing half.
 */

import { accessSync, constants, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { type After, plain, type Scene, scenes } from './every-call-scenes.ts'
import { compileNthCall, environmentOf, isDeadly, isEdge, type Point, pointsOf, readMet } from './nth-call.ts'
import { startBrain } from './processes.ts'

export interface EveryCallFigures {
  /** Commands that were interrupted. */
  readonly interrupted: number
  /** Of these, killed. */
  readonly kills: number
  /** System calls there are, by scene, and in how many ways these can be interrupted. */
  readonly calls: string
  readonly seed: number
  readonly faults: string[]
}

export interface EveryCallOptions {
  readonly directory: string
  readonly seed: number
  /** Interruptions of each scene, drawn from all there are; all of them where there are fewer. */
  readonly most: number
  /** Names of scenes; all without. */
  readonly only?: readonly string[]
  /** Only the first and the last of calls that do the same to the same file one after another; all of them without. */
  readonly edges?: boolean
  /** The first call of each that is interrupted, from 1: where an earlier run left off. */
  readonly from?: number
  readonly progress?: (done: {
    interrupted: number
    scene: string
    call: number
    faults: readonly string[]
  }) => void
}

/** Whether crash points can be reached here one by one. */
export const canInterrupt = (): boolean => compileNthCall() !== undefined

/** Memory that is a file system: a trial there waits for no disk, and what a call did is as good as written. */
const inMemory = '/dev/shm'

function isThere(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** `most` of all there are, in the order of the calls; the same for the same seed. */
function draw(points: readonly Point[], { most, random }: { most: number; random: () => number }): Point[] {
  if (points.length <= most) return [...points]
  const left = [...points]
  const drawn = Array.from({ length: most }, () => left.splice(Math.floor(random() * left.length), 1)[0])
  return drawn.flatMap((point) => point ?? []).sort((one, other) => one.n - other.n)
}

class Stage {
  readonly #scene: Scene
  readonly #base: string
  readonly #round: string
  readonly #log: string
  readonly #library: string

  constructor(scene: Scene, { directory, library }: { directory: string; library: string }) {
    this.#scene = scene
    this.#library = library
    this.#base = join(directory, 'base')
    this.#round = join(directory, 'round')
    this.#log = join(directory, 'met')
  }

  async prepare(): Promise<void> {
    rmSync(this.#base, { recursive: true, force: true })
    mkdirSync(this.#base, { mode: 0o700, recursive: true })
    await this.#scene.prepare(this.#base)
  }

  /** Plays the scene once. Returns the call that was met, without a point all there are, and what is wrong afterwards. */
  async play(point?: Point): Promise<{ met: string[]; faults: string[] }> {
    rmSync(this.#round, { recursive: true, force: true })
    cpSync(this.#base, this.#round, { recursive: true, preserveTimestamps: true })
    const words = this.#scene.words.map((word) =>
      word === 'KEY' ? readFileSync(join(this.#round, 'KEY'), 'utf8') : word,
    )
    const interruption = { library: this.#library, root: this.#round, log: this.#log }
    const preload = environmentOf({ ...interruption, ...(point && { point }) })
    const running = startBrain(this.#round, words, {
      environment: { ...(this.#scene.environment ?? plain), ...preload },
      workingDirectory: this.#round,
    })
    running.child.stdin?.end()
    const line = await running.firstLine
    const code = await running.ended
    const said = running.said()
    const met = readMet(this.#log)
    const faults: string[] = []
    if (/unexpected error/.test(said) || (code !== null && code > 5)) faults.push(`said: ${said}`)
    const after: After = { directory: this.#round, code, line, said }
    faults.push(...(await this.#scene.judge(after).catch((error: unknown) => [`the next one: ${error}`])))
    return { met, faults }
  }
}

/** Interrupts every scene. @throws Error where there is no compiler: ask `canInterrupt` first. */
export async function everyCallDrill(options: EveryCallOptions): Promise<EveryCallFigures> {
  const directory = isThere(inMemory) ? mkdtempSync(join(inMemory, 'brain-drill-')) : options.directory
  try {
    return await interruptAll({ ...options, directory })
  } finally {
    if (directory !== options.directory) rmSync(directory, { recursive: true, force: true })
  }
}

async function interruptAll(options: EveryCallOptions): Promise<EveryCallFigures> {
  const { directory, seed, most, only, edges = false, from = 1, progress } = options
  const library = compileNthCall()
  if (library === undefined) throw new Error('no C compiler here')
  const random = drawFrom(seed)
  const faults: string[] = []
  const counted: string[] = []
  let [interrupted, kills] = [0, 0]
  for (const scene of scenes) {
    if (only !== undefined && !only.includes(scene.name)) continue
    const stage = new Stage(scene, { directory, library })
    await stage.prepare()
    const whole = await stage.play()
    faults.push(...whole.faults.map((fault) => `${scene.name}, not interrupted: ${fault}`))
    const points = pointsOf(whole.met).filter(
      (point) => point.n >= from && (!edges || isEdge(whole.met, point)),
    )
    counted.push(`${scene.name} ${whole.met.length} (${points.length})`)
    for (const point of draw(points, { most, random })) {
      const {
        met: [met],
        faults: found,
      } = await stage.play(point)
      // It made fewer calls this time.
      if (met === undefined) continue
      interrupted += 1
      if (isDeadly(point.manner)) kills += 1
      const where = `${scene.name}, ${point.manner} ${point.n} ${met.replace(directory, '')}`
      const told = found.map((fault) => `${where}: ${fault.replaceAll(directory, '')}`)
      faults.push(...told)
      progress?.({ interrupted, scene: scene.name, call: point.n, faults: told })
    }
  }
  return { interrupted, kills, calls: counted.join(', '), seed, faults }
}
