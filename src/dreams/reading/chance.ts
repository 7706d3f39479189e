/** Seeded chance and what unrelated notes look like: the same seed draws the same numbers on every machine. */
import { fnv } from '../../core/fnv.ts'
import type { Concordance } from './concordance.ts'

/** Uniform numbers in 0..1 from a 32-bit seed (mulberry32). */
export function drawFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The similarity of a brain's unrelated notes; undefined without vectors. */
export interface UnrelatedBaseline {
  /** The median cosine of unrelated notes, as far as there are any. */
  readonly unrelated: number
  /** Cosines from which two notes are: in the same field, near, about the same thing, saying much the same, copies. */
  readonly akin: number
  readonly near: number
  readonly alike: number
  readonly close: number
  readonly same: number
}

const samples = 2_000

/** Measures pairs drawn at random, and sets the bands above their similarity. */
export function measureBaseline(concordance: Concordance, seed: number): UnrelatedBaseline | undefined {
  const draw = drawFrom(seed)
  const count = concordance.notes.length
  const seen: number[] = []
  for (let at = 0; at < samples && count > 1; at += 1) {
    const a = Math.floor(draw() * count)
    const b = Math.floor(draw() * count)
    const similarity = a === b ? undefined : concordance.similarity(a, b)
    if (similarity !== undefined) seen.push(similarity)
  }
  if (seen.length < 10) return undefined
  seen.sort((a, b) => a - b)
  const median = seen[Math.floor(seen.length / 2)] ?? 0
  // A small brain on one subject has no unrelated pairs: the steps are fixed, only where they start is learnt.
  const floor = Math.min(median, 0.4)
  return {
    unrelated: floor,
    akin: floor + 0.2,
    near: floor + 0.33,
    alike: floor + 0.38,
    close: floor + 0.45,
    same: Math.max(0.88, floor + 0.5),
  }
}

/** The same in an order by chance; `draw` gives numbers from 0 up to 1. */
function shuffled<T>(items: readonly T[], draw: () => number): T[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(draw() * (at + 1))
    const [one, two] = [mixed[at], mixed[other]]
    if (one !== undefined && two !== undefined) [mixed[at], mixed[other]] = [two, one]
  }
  return mixed
}

/** So many rows are put into every order instead of into some by chance. */
const maxForAll = 5

/** All orders of few rows, of many as many as `drawn` by chance. */
export function* ordersOf<T>(rows: readonly T[], drawn: number, seed: string): Generator<readonly T[]> {
  if (rows.length <= maxForAll) {
    yield* permutations(rows)
    return
  }
  const draw = drawFrom(fnv(seed))
  for (let at = 0; at < drawn; at += 1) yield shuffled(rows, draw)
}

function* permutations<T>(rows: readonly T[]): Generator<readonly T[]> {
  if (rows.length === 0) yield []
  for (const [at, row] of rows.entries()) {
    for (const rest of permutations([...rows.slice(0, at), ...rows.slice(at + 1)])) yield [row, ...rest]
  }
}
