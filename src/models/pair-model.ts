/**
 * The model that reads one text after another: whether a plan falls under a flag, and how a newer note stands to an
 * older one. It has layers and heads of its own and the encoder's word rows. What it makes of a first text it keeps, so
 * that what comes after costs its own length alone. Knows logits and probabilities; what follows from them is for its
 * callers.
 */
import { dirname, join } from 'node:path'
import { builtinDirectory } from './builtin-model.ts'
import type { Encoder } from './encoder.ts'
import { type Kept, Layers, width } from './layers.ts'
import type { ModelFile } from './model-file.ts'
import { openModelFile } from './prepared-files.ts'

/** Word pieces of each text; what is more is left out. */
const maxPieces = 96
const maxHidden = 128
/** Numbers between the two steps of the map of a plan's vector. */
const aimRank = 32
/** First texts that are kept, the latest used: of forty pieces each takes 370 KB. */
const maxKept = 48

export const relationKinds = ['reverses', 'same', 'continues', 'other'] as const
/** Probabilities, 0..1, that sum to 1. */
export type Relation = Readonly<Record<(typeof relationKinds)[number], number>>

/** A layer of `tanh` between the pooled rows and the outputs. */
class Head {
  readonly #hiddenWeights: Float32Array
  readonly #hiddenBiases: Float32Array
  readonly #weights: Float32Array
  readonly #biases: Float32Array

  constructor(file: ModelFile, name: string, outputs: number) {
    const [hidden = 0] = file.tensor(`${name}.hidden.bias`, 'float32', [0]).dimensions
    this.#hiddenWeights = readFloats(file, `${name}.hidden.weight`, [hidden, width])
    this.#hiddenBiases = readFloats(file, `${name}.hidden.bias`, [hidden])
    this.#weights = readFloats(file, `${name}.out.weight`, [outputs, hidden])
    this.#biases = readFloats(file, `${name}.out.bias`, [outputs])
    if (hidden > maxHidden)
      throw new RangeError(`${name} has ${hidden} hidden numbers, more than ${maxHidden}`)
  }

  outputs(pooled: Float32Array): Float64Array {
    const hidden = multiply(this.#hiddenWeights, this.#hiddenBiases, pooled).map(Math.tanh)
    return multiply(this.#weights, this.#biases, hidden)
  }
}

function readFloats(file: ModelFile, name: string, shape: readonly number[]): Float32Array {
  const { offset, length } = file.tensor(name, 'float32', shape)
  const floats = new Float32Array(length / 4)
  file.read(new Uint8Array(floats.buffer), offset)
  return floats
}

function multiply(
  weights: Float32Array,
  biases: Float32Array,
  input: Float32Array | Float64Array,
): Float64Array {
  const outputs = Float64Array.from(biases)
  // Loops alone: a command does this a few times, before anything of it is compiled.
  for (let row = 0, at = 0; row < outputs.length; row += 1) {
    let sum = outputs[row] ?? 0
    for (let part = 0; part < input.length; part += 1, at += 1) sum += (weights[at] ?? 0) * (input[part] ?? 0)
    outputs[row] = sum
  }
  return outputs
}

/** The package's model. @throws BrainError `failed` when it is missing or of another shape. */
export const openPairModel = (encoder: Encoder): PairModel =>
  new PairModel(join(dirname(builtinDirectory()), 'brain-pair-v1'), encoder)

export class PairModel {
  readonly #encoder: Encoder
  readonly #layers: Layers
  readonly #judgement: Head
  readonly #relation: Head
  readonly #aimDown: Float32Array
  readonly #aimUp: Float32Array
  /** Kept texts by their pieces, the one used longest ago first. */
  readonly #kept = new Map<string, Kept>()

  /** Reads the model of a directory. @throws BrainError `failed` when it is missing or of another shape. */
  constructor(directory: string, encoder: Encoder) {
    const { file } = openModelFile(directory)
    try {
      this.#encoder = encoder
      this.#layers = new Layers(file, { typed: true })
      this.#judgement = new Head(file, 'head.judge', 1)
      this.#relation = new Head(file, 'head.relation', relationKinds.length)
      this.#aimDown = readFloats(file, 'aim.down', [aimRank, width])
      this.#aimUp = readFloats(file, 'aim.up', [width, aimRank])
    } finally {
      file.close()
    }
  }

  /**
   * The encoder's unit vector of a plan, moved towards those of the flags that such plans fall under, of length 1 again:
   * its cosines with flags' vectors tell better than likeness which flag a plan is about.
   */
  aim(plan: Float32Array): Float32Array {
    const moved = multiply(this.#aimUp, plan, multiply(this.#aimDown, new Float32Array(aimRank), plan))
    const length = Math.sqrt(moved.reduce((total, part) => total + part * part, 0))
    return Float32Array.from(moved, (part) => part / length)
  }

  /** Log odds that a plan falls under a flag, one for each plan. */
  judge(flag: string, plans: readonly string[]): number[] {
    const first = this.#keep(flag)
    return plans.map((plan) => this.#judgement.outputs(this.#read(first, plan))[0] ?? 0)
  }

  /** How a newer note stands to an older one. */
  relate(older: string, newer: string): Relation {
    const outputs = this.#relation.outputs(this.#read(this.#keep(older), newer))
    const largest = Math.max(...outputs)
    const powers = outputs.map((output) => Math.exp(output - largest))
    const sum = powers.reduce((total, power) => total + power, 0)
    const share = (at: number): number => (powers[at] ?? 0) / sum
    return { reverses: share(0), same: share(1), continues: share(2), other: share(3) }
  }

  /** `[CLS] text [SEP]`, in the place of the one used longest ago where it is not kept. */
  #keep(text: string): Kept {
    const pieces = this.#encoder.tokenise(text).subarray(0, maxPieces)
    const key = String.fromCharCode(...pieces)
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    const kept = known ?? this.#layers.keep(this.#copy([this.#encoder.start, ...pieces]), this.#free())
    this.#kept.set(key, kept)
    return kept
  }

  #free(): number {
    if (this.#kept.size < maxKept) return this.#kept.size
    const [[key, { place }] = ['', { place: 0 }]] = this.#kept
    this.#kept.delete(key)
    return place
  }

  /** The mean of the last states of `text [SEP]` behind a first text. */
  #read(first: Kept, text: string): Float32Array {
    return this.#layers.run(this.#copy(this.#encoder.tokenise(text).subarray(0, maxPieces)), first)
  }

  /** Puts the rows of pieces and of [SEP] where the layers read them; returns how many. */
  #copy(pieces: Iterable<number>): number {
    const framed = Uint16Array.of(...pieces, this.#encoder.end)
    this.#encoder.table.copy(framed, this.#layers.words, this.#layers.wordScales)
    return framed.length
  }
}
