/**
 * Layers of BERT (post-norm, GELU, 384 wide) over the kernels of `simd`: rows of word pieces in, the mean of their last states
 * out. A text can be read after another one, whose keys and values are kept for all that come after it; in the lower layers
 * it may not see that one yet, and goes through them once. Reads its weights once from a model file. Knows
 * arithmetic; words and the use of a vector are its callers' concern.
 */
import { createTransformerKernel, pageBytes, type TransformerKernel } from '../simd/kernels.ts'
import {
  attentionRoom,
  type Layer,
  type Layout,
  type Linear,
  layOut,
  maxPositions,
  type Reading,
  rowsBytes,
  width,
} from './layer-layout.ts'
import type { ModelFile } from './model-file.ts'

/** Rows of a text that others are read after. */
const maxKeptRows = 100

/** A text whose keys and values, layer by layer, are kept: a number of its place, and how many rows it has. */
export interface Kept {
  readonly place: number
  readonly rows: number
}

/** Keys, or values, of a kept text in one layer. */
const keptBytes = maxKeptRows * width * 4

/** Where the keys and values of the rows before a text are. */
interface Before {
  readonly keys: number
  readonly values: number
  readonly rows: number
}
type Own = Omit<Before, 'rows'>
const noneBefore: Before = { keys: 0, values: 0, rows: 0 }

/** A second text's states, and its queries, keys and values in the first layer in which it sees a first one. */
export type Begun = readonly Float32Array[]

const blocksOf = (rows: number): number => Math.ceil(rows / 4)

/** Texts that there is more room for at a time. */
const keptAtOnce = 4

/**
 * Texts for which weights pass through one place, read anew each time: to touch memory for all of them takes as long as
 * reading them four times, and most commands embed one text.
 */
const passingTexts = 3

export class Layers {
  readonly #memory: WebAssembly.Memory
  readonly #places: Layout
  readonly #kernel: TransformerKernel
  readonly #file: ModelFile
  /** Those that are not read yet. */
  #weights: readonly Reading[]
  /** Where they pass through meanwhile: the place of the largest of them. */
  readonly #passing: number
  #texts = 0
  /** Lower layers in which a second text does not see the first one, and those in which it does. */
  readonly #apart: number
  readonly #keptLayers: number

  /**
   * Opens a model's layers, whose file is read from until they have made a few texts' vectors; one that is
   * `typed` has vectors for the types of rows, is to read many texts, and needs nothing more of its file.
   * @throws BrainError `failed` when a tensor is missing or of another shape.
   */
  constructor(file: ModelFile, { typed = false } = {}) {
    const places = layOut(file, typed)
    this.#file = file
    this.#places = places
    this.#weights = places.weights
    this.#passing = places.weights.reduce((one, other) => (other.length > one.length ? other : one)).at
    // Pages that are never touched take no memory: a short text leaves most of the room for long ones alone.
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(places.size / pageBytes) })
    this.#kernel = createTransformerKernel(this.#memory)
    this.#warm()
    this.#read(places.readings)
    if (typed) this.#readWeights()
    this.#apart = new Float32Array(this.#memory.buffer, this.#places.apart, 1)[0] ?? 0
    this.#keptLayers = this.#places.layers.length - this.#apart
  }

  /**
   * Multiplies nothing for a tenth of a millisecond: V8 begins, on another thread, to compile the product well, and is
   * done when the first text needs it instead of half-way through that.
   */
  #warm(): void {
    const { x, queries, quantised } = this.#places
    this.#kernel.multiply(quantised, x, 1, width, this.#passing, x, x, width, queries, false)
  }

  #read(readings: readonly Reading[]): void {
    for (const { offset, length, at } of readings)
      this.#file.read(new Uint8Array(this.#memory.buffer, at, length), offset)
  }

  #readWeights(): void {
    this.#read(this.#weights)
    this.#weights = []
  }

  /** Room for the rows of the next text, until one is kept. */
  get words(): Int8Array {
    return new Int8Array(this.#memory.buffer, this.#places.words, rowsBytes(width, 1))
  }

  /** A scale for each of `words`. */
  get wordScales(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#places.wordScales, maxPositions)
  }

  /** The mean of the last states of the first `rows` (1..256) of `words`. Overwritten by the next call. */
  run(rows: number): Float32Array {
    if (this.#texts === passingTexts) this.#readWeights()
    this.#texts += 1
    this.#begin(rows)
    for (const layer of this.#places.layers) this.#runLayer(layer, rows)
    return this.#mean(rows)
  }

  /** The first `rows` (1..100) of `words` as a second text, as far as it goes before it sees any first one: a copy. */
  begin(rows: number): Begun {
    this.#begin(rows, true)
    for (const [at, layer] of this.#places.layers.entries()) {
      if (at < this.#apart) this.#runLayer(layer, rows)
      if (at === this.#apart) this.#project(layer, rows)
    }
    return this.#parts(rows).map((part) => part.slice())
  }

  /** The mean of the last states of a second text that was `begun`, read after a first one. Overwritten by the next call. */
  readAfter(first: Kept, begun: Begun, rows: number): Float32Array {
    for (const [at, part] of this.#parts(rows).entries()) part.set(begun[at] ?? [])
    for (const [at, layer] of this.#places.layers.entries()) {
      if (at > this.#apart) this.#project(layer, rows)
      if (at >= this.#apart) this.#finishLayer(layer, rows, this.#places, this.#placesOf(first, at))
    }
    return this.#mean(rows)
  }

  /** States, queries, keys and values. */
  #parts(rows: number): Float32Array[] {
    const { x, queries, keys, values } = this.#places
    const floats = 4 * blocksOf(rows) * width
    return [x, queries, keys, values].map((at) => new Float32Array(this.#memory.buffer, at, floats))
  }

  #mean(rows: number): Float32Array {
    const { mean, x } = this.#places
    this.#kernel.mean(x, rows, mean)
    return new Float32Array(this.#memory.buffer, mean, width)
  }

  /** Keeps the text of the first `rows` (1..100) of `words` at a place, in the stead of what was kept there. */
  keep(rows: number, place: number): Kept {
    const { layers } = this.#places
    const kept = { place, rows }
    this.#makeRoom(place)
    this.#begin(rows)
    for (const [at, layer] of layers.entries()) {
      const own = at < this.#apart ? this.#places : this.#placesOf(kept, at)
      // Nothing reads the states behind the last keys and values.
      const isLast = at === layers.length - 1
      this.#project(layer, rows, own, isLast)
      if (!isLast) this.#finishLayer(layer, rows, own)
    }
    return kept
  }

  /** A little at a time: V8 cleans up its whole heap where much memory is made that nobody may need. */
  #makeRoom(place: number): void {
    const { buffer } = this.#memory
    const bytes = this.#keptLayers * 2 * keptBytes
    if (this.#places.kept + (place + 1) * bytes <= buffer.byteLength) return
    const size = this.#places.kept + (place + keptAtOnce) * bytes
    this.#memory.grow(Math.ceil((size - buffer.byteLength) / pageBytes))
  }

  #placesOf({ place, rows }: Kept, layer: number): Before {
    const keys = this.#places.kept + 2 * keptBytes * (place * this.#keptLayers + layer - this.#apart)
    return { keys, values: keys + keptBytes, rows }
  }

  /** The first states; of a text that is read after another, those of the second type. Positions begin anew with each text. */
  #begin(rows: number, isSecond = false): void {
    const { positions, positionScales, types, norm, words, wordScales, x } = this.#places
    this.#kernel.gather(words, wordScales, positions, positionScales, types, isSecond ? 0 : rows, rows, x)
    this.#kernel.normalise(x, blocksOf(rows), norm.gamma, norm.beta)
  }

  #runLayer(layer: Layer, rows: number): void {
    this.#project(layer, rows)
    this.#finishLayer(layer, rows, this.#places)
  }

  /** From states to a layer's keys, values and, unless it is to be kept as it is, queries. */
  #project(layer: Layer, rows: number, own: Own = this.#places, isLast = false): void {
    const { x, queries } = this.#places
    const blocks = blocksOf(rows)
    this.#quantise(x, blocks, width)
    if (!isLast) this.#multiply(layer.query, blocks, queries)
    this.#multiply(layer.key, blocks, own.keys)
    this.#multiply(layer.value, blocks, own.values)
  }

  /** From queries, keys and values to the layer's states. */
  #finishLayer(layer: Layer, rows: number, own: Own, before = noneBefore): void {
    const { x, queries, scratch, hidden } = this.#places
    const kernel = this.#kernel
    const blocks = blocksOf(rows)
    const { keys, values } = own
    kernel.attend(
      queries,
      before.keys,
      before.values,
      before.rows,
      keys,
      values,
      rows,
      queries,
      scratch,
      attentionRoom,
    )
    this.#quantise(queries, blocks, width)
    this.#multiply(layer.output, blocks, x, true)
    kernel.normalise(x, blocks, layer.attentionNorm.gamma, layer.attentionNorm.beta)
    this.#quantise(x, blocks, width)
    this.#multiply(layer.up, blocks, hidden)
    kernel.gelu(hidden, blocks * 4 * layer.up.outputs)
    this.#quantise(hidden, blocks, layer.up.outputs)
    this.#multiply(layer.down, blocks, x, true)
    kernel.normalise(x, blocks, layer.outputNorm.gamma, layer.outputNorm.beta)
  }

  #quantise(from: number, blocks: number, components: number): void {
    const { quantised, rowScales } = this.#places
    this.#kernel.quantise(from, blocks, components, quantised, rowScales)
  }

  #multiply(
    { weights, scales, biases, inputs, outputs }: Linear,
    blocks: number,
    out: number,
    add = false,
  ): void {
    const { quantised, rowScales } = this.#places
    const at = this.#placeOf(weights)
    this.#kernel.multiply(quantised, rowScales, blocks, inputs, at, scales, biases, outputs, out, add)
  }

  /** Where weights are now. */
  #placeOf({ offset, length, at }: Reading): number {
    if (this.#weights.length === 0) return at
    this.#read([{ offset, length, at: this.#passing }])
    return this.#passing
  }
}
