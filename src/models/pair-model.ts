/**
 * The model that reads one text after another: whether a plan falls under a flag, and how a newer note stands to an
 * older one. Knows logits and probabilities; what follows from them is for its callers.
 */
import { dirname, join } from 'node:path'
import { builtinDirectory } from './builtin-model.ts'
import type { Encoder } from './encoder.ts'
import { width } from './layer-layout.ts'
import { Head, multiply, PairReader, readFloats } from './pair-reader.ts'
import { openModelFile } from './prepared-files.ts'

export const relationKinds = ['reverses', 'same', 'continues', 'other'] as const
/** Probabilities, 0..1, that sum to 1. */
export type Relation = Readonly<Record<(typeof relationKinds)[number], number>>

/** Where the package has the model, beside the encoder. */
export const pairModelDirectory = (): string => join(dirname(builtinDirectory()), 'brain-pair-v1')

/** The package's model. @throws BrainError `failed` when it is missing or of another shape. */
export const openPairModel = (encoder: Encoder): PairModel => new PairModel(pairModelDirectory(), encoder)

export class PairModel {
  readonly #reader: PairReader
  readonly #judgement: Head
  readonly #relation: Head
  readonly #aimDown: Float32Array
  readonly #aimUp: Float32Array

  /** Reads the model of a directory. @throws BrainError `failed` when it is missing or of another shape. */
  constructor(directory: string, encoder: Encoder) {
    const { file } = openModelFile(directory)
    try {
      this.#reader = new PairReader(file, encoder)
      this.#judgement = new Head(file, 'head.judge', 1)
      this.#relation = new Head(file, 'head.relation', relationKinds.length)
      const [rank = 0] = file.tensor('aim.down', 'float32', [0, width]).dimensions
      this.#aimDown = readFloats(file, 'aim.down', [rank, width])
      this.#aimUp = readFloats(file, 'aim.up', [width, rank])
    } finally {
      file.close()
    }
  }

  /**
   * The encoder's unit vector of a plan, moved towards those of the flags that such plans fall under, of length 1 again:
   * its cosines with flags' vectors tell better than likeness which flag a plan is about.
   */
  aim(plan: Float32Array): Float32Array {
    const moved = multiply(
      this.#aimUp,
      plan,
      multiply(this.#aimDown, new Float32Array(this.#aimDown.length / width), plan),
    )
    const length = Math.sqrt(moved.reduce((total, part) => total + part * part, 0))
    return Float32Array.from(moved, (part) => part / length)
  }

  /** Log odds that a plan falls under a flag, one for each plan. */
  judge(flag: string, plans: readonly string[]): number[] {
    const read = this.#reader.after(flag)
    return plans.map((plan) => this.#judgement.outputs(read(plan))[0] ?? 0)
  }

  /** How a newer note stands to an older one. */
  relate(older: string, newer: string): Relation {
    const read = this.#reader.after(older)(newer)
    const [reverses = 0, same = 0, continues = 0, other = 0] = this.#relation.probabilities(read)
    return { reverses, same, continues, other }
  }
}
