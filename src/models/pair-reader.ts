/**
 * Reads one text after another: a small transformer over the encoder's word rows. What it makes of a first text it keeps, so
 * that what comes after costs its own length alone, and the lower layers' part of that once for all first texts. Knows
 * what the layers give; what that means is for the models.
 */
import type { Encoder } from './encoder.ts'
import { width } from './layer-layout.ts'
import { type Begun, type Kept, Layers } from './layers.ts'
import type { ModelFile } from './model-file.ts'

/** Word pieces of each text; what is more is left out. */
const maxPieces = 96
const maxHidden = 128
/**
 * First texts that are kept, the latest used: of forty pieces each takes 250 KB of the pair model, whose lowest layer
 * keeps nothing.
 */
const maxKept = 72

/** A layer of `tanh` between the pooled rows and the outputs. */
export class Head {
  readonly #hiddenWeights: Float32Array
  readonly #hiddenBiases: Float32Array
  readonly #weights: Float32Array
  readonly #biases: Float32Array

  /** `inputs` numbers to `outputs` logits. */
  constructor(file: ModelFile, name: string, outputs: number, inputs = width) {
    const [hidden = 0] = file.tensor(`${name}.hidden.bias`, 'float32', [0]).dimensions
    this.#hiddenWeights = readFloats(file, `${name}.hidden.weight`, [hidden, inputs])
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

  /** The outputs as probabilities that sum to 1. */
  probabilities(pooled: Float32Array): Float64Array {
    const outputs = this.outputs(pooled)
    const largest = Math.max(...outputs)
    const powers = outputs.map((output) => Math.exp(output - largest))
    const sum = powers.reduce((total, power) => total + power, 0)
    return powers.map((power) => power / sum)
  }
}

export function readFloats(file: ModelFile, name: string, shape: readonly number[]): Float32Array {
  const { offset, length } = file.tensor(name, 'float32', shape)
  const floats = new Float32Array(length / 4)
  file.read(new Uint8Array(floats.buffer), offset)
  return floats
}

export function multiply(
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

export class PairReader {
  readonly #encoder: Encoder
  readonly #layers: Layers
  /** Kept texts by their pieces, the one used longest ago first. */
  readonly #kept = new Map<string, Kept>()
  /** The second text read last, as it begins. */
  #second: { text: string; rows: number; begun: Begun } | undefined

  /** @throws BrainError `failed` where the file is of another shape. */
  constructor(file: ModelFile, encoder: Encoder) {
    this.#encoder = encoder
    this.#layers = new Layers(file, { typed: true })
  }

  /** Reads texts after a first one: the mean of each one's last states, gone with the next. */
  after(first: string): (second: string) => Float32Array {
    const kept = this.#keep(first)
    return (second) => this.#read(kept, second)
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
    if (this.#second?.text !== text) {
      const rows = this.#copy(this.#encoder.tokenise(text).subarray(0, maxPieces))
      this.#second = { text, rows, begun: this.#layers.begin(rows) }
    }
    return this.#layers.readAfter(first, this.#second.begun, this.#second.rows)
  }

  /** Puts the rows of pieces and of [SEP] where the layers read them; returns how many. */
  #copy(pieces: Iterable<number>): number {
    const framed = Uint16Array.of(...pieces, this.#encoder.end)
    this.#encoder.table.copy(framed, this.#layers.words, this.#layers.wordScales)
    return framed.length
  }
}
