/**
 * Layers of BERT (post-norm, GELU, 384 wide) over the kernels of `simd`: rows of word pieces in, the mean of their last states
 * out. A text can be read after another one, whose keys and values are kept for all that come after it; in the lower layers
 * it may not see that one yet, and goes through them once. Reads its weights once, by name, from a model file. Knows
 * arithmetic; words and the use of a vector are its callers' concern.
 */
import { createTransformerKernel, pageBytes, type TransformerKernel } from '../simd/kernels.ts'
import type { ModelFile } from './model-file.ts'

export const width = 384
/** Word pieces of a text, [CLS] and [SEP] included. */
export const maxPositions = 256
const alignment = 16

/** What is read from the file, and where it goes. */
interface Reading {
  readonly offset: number
  readonly length: number
  readonly at: number
}

interface Linear {
  readonly weights: Reading
  readonly scales: number
  readonly biases: number
  readonly outputs: number
  readonly inputs: number
}

interface Norm {
  readonly gamma: number
  readonly beta: number
}

interface Layer {
  readonly query: Linear
  readonly key: Linear
  readonly value: Linear
  readonly output: Linear
  readonly up: Linear
  readonly down: Linear
  readonly attentionNorm: Norm
  readonly outputNorm: Norm
}

/** Lays out a memory: places one after the other, and what is to be read into them. */
class Plan {
  /** All but `weights`, which are nearly all of the file. */
  readonly readings: Reading[] = []
  readonly weights: Reading[] = []
  readonly file: ModelFile
  size = 0

  constructor(file: ModelFile) {
    this.file = file
  }

  reserve(bytes: number): number {
    const start = this.size
    this.size += Math.ceil(bytes / alignment) * alignment
    return start
  }

  #find(name: string, type: 'float32' | 'int8', shape: readonly number[]): Reading {
    const { offset, length } = this.file.tensor(name, type, shape)
    return { offset, length, at: this.reserve(length) }
  }

  read(name: string, type: 'float32' | 'int8', shape: readonly number[]): number {
    const reading = this.#find(name, type, shape)
    this.readings.push(reading)
    return reading.at
  }

  linear(name: string, inputs: number, outputs: number): Linear {
    const weights = this.#find(`${name}.weight`, 'int8', [outputs, inputs])
    this.weights.push(weights)
    return {
      weights,
      scales: this.read(`${name}.scale`, 'float32', [outputs]),
      biases: this.read(`${name}.bias`, 'float32', [outputs]),
      ...{ outputs, inputs },
    }
  }

  norm(name: string): Norm {
    return {
      gamma: this.read(`${name}.gamma`, 'float32', [width]),
      beta: this.read(`${name}.beta`, 'float32', [width]),
    }
  }

  layer(name: string): Layer {
    // A narrowed model has fewer numbers inside.
    const [inner = 0] = this.file.tensor(`${name}.up.weight`, 'int8', [0, width]).dimensions
    return {
      query: this.linear(`${name}.query`, width, width),
      key: this.linear(`${name}.key`, width, width),
      value: this.linear(`${name}.value`, width, width),
      output: this.linear(`${name}.output`, width, width),
      up: this.linear(`${name}.up`, width, inner),
      down: this.linear(`${name}.down`, inner, width),
      attentionNorm: this.norm(`${name}.attentionNorm`),
      outputNorm: this.norm(`${name}.outputNorm`),
    }
  }
}

const linears = ['query', 'key', 'value', 'output', 'up', 'down']
const norms = ['attentionNorm', 'outputNorm']
/** Names of all tensors of the layers. */
export const layerTensors = (file: ModelFile): readonly string[] =>
  Array.from({ length: countLayers(file) }, (_, at) => [
    ...linears.flatMap((name) => ['weight', 'scale', 'bias'].map((part) => `layer.${at}.${name}.${part}`)),
    ...norms.flatMap((name) => ['gamma', 'beta'].map((part) => `layer.${at}.${name}.${part}`)),
  ]).flat()

/** How many layers a file has; one that lacks some of its tensors has none to read them by. */
const countLayers = ({ tensors }: ModelFile): number =>
  Math.max(1, tensors.filter(({ name }) => /^layer\.\d+\.query\.weight$/.test(name)).length)

/** Rows of a text that others are read after. */
const maxKeptRows = 100

/** A text whose keys and values, layer by layer, are kept: a number of its place, and how many rows it has. */
export interface Kept {
  readonly place: number
  readonly rows: number
}

/** Blocks of rows that attention has room for: two texts' last ones may be filled up, and it takes them by two. */
const attentionRoom = maxPositions / 4 + 2
/** Of a block the four rows' scores, and one head's keys and values. */
const attentionBytes = 4 * 16 + 2 * 32 * 16

const rowsBytes = (components: number, bytes: number): number => maxPositions * components * bytes

/** Keys, or values, of a kept text in one layer. */
const keptBytes = maxKeptRows * width * 4

/** The weights' places, and those of what is computed. */
function layOut(plan: Plan, count: number, typed: boolean) {
  const layers = Array.from({ length: count }, (_, at) => plan.layer(`layer.${at}`))
  const widest = Math.max(width, ...layers.map(({ up }) => up.outputs))
  return {
    layers,
    positions: plan.read('position.weight', 'int8', [maxPositions, width]),
    positionScales: plan.read('position.scale', 'float32', [maxPositions]),
    // A model without token types adds zeros.
    types: typed ? plan.read('type', 'float32', [2, width]) : plan.reserve(2 * width * 4),
    apart: plan.file.has('apart') ? plan.read('apart', 'float32', [1]) : plan.reserve(4),
    norm: plan.norm('norm'),
    mean: plan.reserve(width * 4),
    words: plan.reserve(rowsBytes(width, 1)),
    wordScales: plan.reserve(rowsBytes(1, 4)),
    x: plan.reserve(rowsBytes(width, 4)),
    queries: plan.reserve(rowsBytes(width, 4)),
    keys: plan.reserve(rowsBytes(width, 4)),
    values: plan.reserve(rowsBytes(width, 4)),
    scratch: plan.reserve(attentionRoom * attentionBytes),
    rowScales: plan.reserve(rowsBytes(1, 4)),
    quantised: plan.reserve(rowsBytes(widest, 2)),
    hidden: plan.reserve(rowsBytes(widest, 4)),
    // Last, since there is room for them only when they are there.
    kept: plan.reserve(0),
  }
}

/** Where the keys and values of the rows before a text are. */
interface Before {
  readonly keys: number
  readonly values: number
  readonly rows: number
}
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
  readonly #places: ReturnType<typeof layOut>
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
    const plan = new Plan(file)
    this.#file = file
    this.#places = layOut(plan, countLayers(file), typed)
    this.#weights = plan.weights
    this.#passing = plan.weights.reduce((one, other) => (other.length > one.length ? other : one)).at
    // Pages that are never touched take no memory: a short text leaves most of the room for long ones alone.
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(plan.size / pageBytes) })
    this.#kernel = createTransformerKernel(this.#memory)
    this.#warm()
    this.#read(plan.readings)
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

  /** Where the positions of what is read after a text begin: anew, if it is read alone in lower layers. */
  offsetAfter({ rows }: Kept): number {
    return this.#apart > 0 ? 0 : rows
  }

  /** The first `rows` (1..100) of `words` as a second text, as far as it goes before it sees any first one: a copy. */
  begin(rows: number, offset: number): Begun {
    this.#begin(rows, offset)
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
    const { layers, queries, x } = this.#places
    const kept = { place, rows }
    this.#makeRoom(place)
    this.#begin(rows)
    for (const [at, layer] of layers.entries()) {
      if (at < this.#apart) {
        this.#runLayer(layer, rows)
        continue
      }
      const { keys, values } = this.#placesOf(kept, at)
      this.#quantise(x, blocksOf(rows), width)
      this.#multiply(layer.key, blocksOf(rows), keys)
      this.#multiply(layer.value, blocksOf(rows), values)
      // Nothing reads the states behind the last keys and values.
      if (at === layers.length - 1) break
      this.#multiply(layer.query, blocksOf(rows), queries)
      this.#finishLayer(layer, rows, { keys, values })
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

  /** The first states; of a text that is read after another, those of the second type, its positions from an `offset` on. */
  #begin(rows: number, offset?: number): void {
    const { positions, positionScales, types, norm, words, wordScales, x } = this.#places
    const from = offset ?? 0
    const [at, scales] = [positions + from * width, positionScales + from * 4]
    this.#kernel.gather(words, wordScales, at, scales, types, offset === undefined ? rows : 0, rows, x)
    this.#kernel.normalise(x, blocksOf(rows), norm.gamma, norm.beta)
  }

  #runLayer(layer: Layer, rows: number): void {
    this.#project(layer, rows)
    this.#finishLayer(layer, rows, this.#places)
  }

  /** From states to a layer's queries, keys and values. */
  #project(layer: Layer, rows: number): void {
    const { x, queries, keys, values } = this.#places
    const blocks = blocksOf(rows)
    this.#quantise(x, blocks, width)
    this.#multiply(layer.query, blocks, queries)
    this.#multiply(layer.key, blocks, keys)
    this.#multiply(layer.value, blocks, values)
  }

  /** From queries, keys and values to the layer's states. */
  #finishLayer(layer: Layer, rows: number, own: Omit<Before, 'rows'>, before = noneBefore): void {
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
