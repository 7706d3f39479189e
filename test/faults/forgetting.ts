/**
 * A property of forgetting: after each of many random steps, no six bytes in a row of what was forgotten stand in any file
 * of the brain, unless a living text has them, too. SQLite leaves copies where rows once stood, so what matters is the
 * order of steps, and that is drawn.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { randomness } from '../hostile/clone-drill.ts'
import { forget } from '../store/by-project.ts'
import { embed } from '../store/test-embedder.ts'

const piece = 6

/** Each run of six bytes as a number. */
function* piecesOf(bytes: Uint8Array): Generator<number> {
  let window = 0
  for (let at = 0; at < bytes.length; at += 1) {
    window = (window % 2 ** 40) * 256 + (bytes[at] ?? 0)
    if (at >= piece - 1) yield window
  }
}

/** Where in a table of a million a run of four bytes stands. */
const slotOf = (window: number): number => Math.imul(window, 0x9e3779b1) >>> 12

/** A run of six bytes that is among `wanted` and not among `spared`, as text. */
function findPiece(
  bytes: Uint8Array,
  wanted: ReadonlySet<number>,
  spared: ReadonlySet<number>,
): string | undefined {
  // The last four bytes of each, so that megabytes are gone through without looking into the sets.
  const table = new Uint8Array(2 ** 20)
  for (const number of wanted) table[slotOf((number % 2 ** 32) | 0)] = 1
  let window = 0
  for (let at = 0; at < bytes.length; at += 1) {
    window = (window << 8) | (bytes[at] ?? 0)
    if (table[slotOf(window)] === 0 || at < piece - 1) continue
    const [number = 0] = piecesOf(bytes.subarray(at - piece + 1, at + 1))
    if (wanted.has(number) && !spared.has(number)) return Buffer.from(number.toString(16), 'hex').toString()
  }
  return undefined
}

/** Every file of the brain; read by another process, so that this one keeps its locks. */
const allBytes = (directory: string): Buffer =>
  execFileSync('sh', ['-c', 'find "$1" -type f -exec cat {} +', 'sh', directory], { maxBuffer: 2 ** 30 })

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

function drawText(random: (below: number) => number): string {
  const word = (): string =>
    Array.from({ length: 4 + random(9) }, () => letters[random(letters.length)]).join('')
  return Array.from({ length: 3 + random(random(4) === 0 ? 400 : 60) }, word).join(' ')
}

export interface Forgettings {
  /** Empty, and there. */
  readonly directory: string
  readonly seed: number
  /** Of a hundred notes. */
  readonly flags: number
  readonly steps: number
}

/**
 * Adds, edits, tags, forgets, keeps copies beside the brain as upgrades and restorations do, and opens it anew. Returns
 * the steps after which pieces of a forgotten text were left, with one of them, and what is wrong with the brain.
 */
export async function playForgetting({ directory, seed, flags, steps }: Forgettings): Promise<string[]> {
  const random = randomness(seed)
  const file = join(directory, 'brain.db')
  const open = () =>
    openSqliteStore(file, {
      durability: 'normal',
      create: true,
      label: 'drill',
      warn: () => {},
    })
  let store = await open()
  const living = new Map<number, string>()
  const forgotten = new Set<number>()
  const left: string[] = []
  // A word of the schema may be a word of a text, too.
  const own = new Set(piecesOf(allBytes(directory)))
  const add = async (count: number): Promise<void> => {
    const texts = Array.from({ length: count }, () => drawText(random))
    const added = await store.memories.addMany(
      'mine',
      texts.map((text) => ({
        text,
        caution: random(100) < flags ? 0.5 : 0,
        agent: 'a',
        createdAt: 1,
        embedding: embed(text),
        // Of the text, so that what stands beside a memory is looked for, too.
        circumstances: { session: text.slice(0, 40), branch: text.slice(-20) },
        citations: [
          { path: text.slice(0, 60), firstLine: 1, lastLine: 9, hash: text.slice(-40), stampedAt: 1 },
        ],
      })),
    )
    for (const { id, text } of added) {
      living.set(id, text)
      for (const number of piecesOf(Buffer.from(text))) forgotten.delete(number)
    }
  }
  /** Edits some and tags some: what they said before and their tags go with them. */
  const change = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const ids = [...living.keys()]
      const id = ids[random(ids.length)] ?? 0
      const [text, tag] = [drawText(random), drawText(random).slice(0, 60)]
      const caution = random(100) < flags ? 0.5 : 0
      await store.memories.amend('mine', id, () => ({
        text,
        caution,
        agent: 'a',
        now: 2,
        embedding: embed(text),
      }))
      await store.memories.mark('mine', id, () => ({ tags: [tag] }))
      living.set(id, `${living.get(id)}\n${text}\n${tag}`)
      for (const number of piecesOf(Buffer.from(`${text}\n${tag}`))) forgotten.delete(number)
    }
  }
  await add(60 + random(60))
  for (let step = 0; step < steps; step += 1) {
    if (random(3) === 0) await add(1 + random(12))
    if (random(2) === 0) await change(1 + random(8))
    if (random(6) === 0) await store.maintenance.backup(join(directory, `before-restore-${step}.db`))
    if (random(8) === 0) {
      await store.close()
      store = await open()
    }
    const ids = [...living.keys()]
    const id = ids[random(ids.length)] ?? 0
    const text = living.get(id) ?? ''
    living.delete(id)
    await forget(store, 'mine', id)
    for (const number of piecesOf(Buffer.from(text))) forgotten.add(number)
    for (const other of living.values())
      for (const number of piecesOf(Buffer.from(other))) forgotten.delete(number)
    const found = findPiece(allBytes(directory), forgotten, own)
    if (found !== undefined) left.push(`seed ${seed}, step ${step}: ${found}`)
  }
  const findings = await store.maintenance.check()
  await store.close()
  const wrong = findings.filter(({ ok }) => !ok)
  return [...left, ...wrong.map(({ check, detail }) => `seed ${seed}: ${check}: ${detail}`)]
}

export interface ForgettingFigures {
  readonly scenes: number
  readonly forgotten: number
  readonly seed: number
  readonly faults: string[]
}

/** Plays as many scenes, one with few flags and one with many in turn. */
export async function forgettingDrill({
  directory,
  seed,
  scenes,
  progress,
}: {
  directory: string
  seed: number
  scenes: number
  progress?: (scenes: number, faults: number) => void
}): Promise<ForgettingFigures> {
  const faults: string[] = []
  const steps = 40
  for (let scene = 0; scene < scenes; scene += 1) {
    const place = join(directory, String(scene))
    mkdirSync(place, { mode: 0o700 })
    const flags = scene % 2 === 0 ? 5 : 60
    faults.push(...(await playForgetting({ directory: place, seed: seed + scene, flags, steps })))
    rmSync(place, { recursive: true })
    progress?.(scene + 1, faults.length)
  }
  return { scenes, forgotten: scenes * steps, seed, faults }
}
