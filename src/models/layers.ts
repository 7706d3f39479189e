/**
 * Three layers of BERT (post-norm, GELU, 384 wide) over the kernels of `simd`: rows of word pieces in, the mean of their last states out.
 * Reads its weights once, by name, from a model file. Knows arithmetic; words and what a vector is good for are its callers' matter.
 */
import { createTransformerKernel, type TransformerKernel } from '../simd/kernels.ts'
import type { ModelFile } from './model-file.ts'

export const width = 384
const hiddenWidth = 1536
const layerCount = 3
/** Word pieces of a text, [CLS] and [SEP] included. */
export const maxPositions = 256
const pageBytes = 65_536
const alignment = 16

interface Linear {
  readonly weights: number
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

/** What is read from the file, and where it goes. */
interface Reading {
  readonly offset: number
  readonly length: number
  readonly at: number
}

/** Lays out a memory: places one after the other, and what is to be read into them. */
class Plan {
  readonly readings: Reading[] = []
  readonly #file: ModelFile
  size = 0

  constructor(file: ModelFile) {
    this.#file = file
  }

  reserve(bytes: number): number {
    const start = this.size
    this.size += Math.ceil(bytes / alignment) * alignment
    return start
  }

  read(name: string, type: 'float32' | 'int8', shape: readonly number[]): number {
    const { offset, length } = this.#file.tensor(name, type, shape)
    const at = this.reserve(length)
    this.readings.push({ offset, length, at })
    return at
  }

  linear(name: string, inputs: number, outputs: number): Linear {
    return {
      weights: this.read(`${name}.weight`, 'int8', [outputs, inputs]),
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
    return {
      query: this.linear(`${name}.query`, width, width),
      key: this.linear(`${name}.key`, width, width),
      value: this.linear(`${name}.value`, width, width),
      output: this.linear(`${name}.output`, width, width),
      up: this.linear(`${name}.up`, width, hiddenWidth),
      down: this.linear(`${name}.down`, hiddenWidth, width),
      attentionNorm: this.norm(`${name}.attentionNorm`),
      outputNorm: this.norm(`${name}.outputNorm`),
    }
  }
}

const linears = ['query', 'key', 'value', 'output', 'up', 'down']
const norms = ['attentionNorm', 'outputNorm']
/** Names of all tensors of the layers. */
export const layerTensors: readonly string[] = Array.from({ length: layerCount }, (_, at) => [
  ...linears.flatMap((name) => ['weight', 'scale', 'bias'].map((part) => `layer.${at}.${name}.${part}`)),
  ...norms.flatMap((name) => ['gamma', 'beta'].map((part) => `layer.${at}.${name}.${part}`)),
]).flat()

const rowsBytes = (components: number, bytes: number): number => maxPositions * components * bytes

/** The weights' places, and those of what is computed. */
function layOut(plan: Plan, typed: boolean) {
  return {
    positionRows: plan.read('position.weight', 'int8', [maxPositions, width]),
    positionScales: plan.read('position.scale', 'float32', [maxPositions]),
    positions: plan.reserve(rowsBytes(width, 4)),
    // Without types of its own a model adds zeros.
    types: typed ? plan.read('type', 'float32', [2, width]) : plan.reserve(2 * width * 4),
    norm: plan.norm('norm'),
    layers: Array.from({ length: layerCount }, (_, at) => plan.layer(`layer.${at}`)),
    mean: plan.reserve(width * 4),
    words: plan.reserve(rowsBytes(width, 1)),
    wordScales: plan.reserve(rowsBytes(1, 4)),
    x: plan.reserve(rowsBytes(width, 4)),
    queries: plan.reserve(rowsBytes(width, 4)),
    keys: plan.reserve(rowsBytes(width, 4)),
    values: plan.reserve(rowsBytes(width, 4)),
    scratch: plan.reserve(4 * maxPositions * 4),
    rowScales: plan.reserve(rowsBytes(1, 4)),
    quantised: plan.reserve(rowsBytes(hiddenWidth, 2)),
    hidden: plan.reserve(rowsBytes(hiddenWidth, 4)),
  }
}

export class Layers {
  /** Room for the rows of the next text: int8, and a scale each. */
  readonly words: Int8Array
  readonly wordScales: Float32Array
  readonly #places: ReturnType<typeof layOut>
  readonly #kernel: TransformerKernel
  readonly #mean: Float32Array
  readonly #positionRows: Int8Array
  readonly #positionScales: Float32Array
  readonly #positions: Float32Array
  /** Positions whose vectors are restored. */
  #restored = 0

  /**
   * Reads a model's weights; `typed` when it has vectors for the types of rows.
   * @throws BrainError `failed` when one is missing or of another shape.
   */
  constructor(file: ModelFile, typed = false) {
    const plan = new Plan(file)
    const places = layOut(plan, typed)
    // Pages that are never touched take no memory: a short text leaves most of the room for long ones alone.
    const memory = new WebAssembly.Memory({ initial: Math.ceil(plan.size / pageBytes) })
    const { buffer } = memory
    for (const { offset, length, at } of plan.readings) file.read(new Uint8Array(buffer, at, length), offset)
    this.#places = places
    this.#kernel = createTransformerKernel(memory)
    this.words = new Int8Array(buffer, places.words, rowsBytes(width, 1))
    this.wordScales = new Float32Array(buffer, places.wordScales, maxPositions)
    this.#mean = new Float32Array(buffer, places.mean, width)
    this.#positionRows = new Int8Array(buffer, places.positionRows, rowsBytes(width, 1))
    this.#positionScales = new Float32Array(buffer, places.positionScales, maxPositions)
    this.#positions = new Float32Array(buffer, places.positions, rowsBytes(width, 1))
  }

  /**
   * The mean of the last states of the first `rows` (1..256) of `words`, of which those from `boundary` on are of the second type. Overwritten by
   * the next call.
   */
  run(rows: number, boundary = rows): Float32Array {
    const { positions, types, norm, layers, mean, words, wordScales, x } = this.#places
    const kernel = this.#kernel
    const blocks = Math.ceil(rows / 4)
    this.#restorePositions(rows)
    kernel.gather(words, wordScales, positions, types, boundary, rows, x)
    kernel.normalise(x, blocks, norm.gamma, norm.beta)
    for (const layer of layers) this.#runLayer(layer, rows)
    kernel.mean(x, rows, mean)
    return this.#mean
  }

  /** Floats of the vectors of the first positions; those of later ones are not made before a text is so long. */
  #restorePositions(rows: number): void {
    for (; this.#restored < rows; this.#restored += 1) {
      const scale = this.#positionScales[this.#restored] ?? 0
      const end = (this.#restored + 1) * width
      for (let at = end - width; at < end; at += 1) {
        this.#positions[at] = (this.#positionRows[at] ?? 0) * scale
      }
    }
  }

  #runLayer(layer: Layer, rows: number): void {
    const { x, queries, keys, values, scratch, hidden } = this.#places
    const kernel = this.#kernel
    const blocks = Math.ceil(rows / 4)
    this.#quantise(x, blocks, width)
    this.#multiply(layer.query, blocks, queries)
    this.#multiply(layer.key, blocks, keys)
    this.#multiply(layer.value, blocks, values)
    kernel.attend(queries, keys, values, rows, queries, scratch)
    this.#quantise(queries, blocks, width)
    this.#multiply(layer.output, blocks, x, true)
    kernel.normalise(x, blocks, layer.attentionNorm.gamma, layer.attentionNorm.beta)
    this.#quantise(x, blocks, width)
    this.#multiply(layer.up, blocks, hidden)
    kernel.gelu(hidden, blocks * 4 * hiddenWidth)
    this.#quantise(hidden, blocks, hiddenWidth)
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
    this.#kernel.multiply(quantised, rowScales, blocks, inputs, weights, scales, biases, outputs, out, add)
  }
}
