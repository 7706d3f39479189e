/**
 * Where a model's layers lie in a memory: their weights, by name from a model file, and room for what is computed. Knows
 * names, shapes and places; what is done there is for `layers.ts`.
 */
import type { ModelFile } from './model-file.ts'

export const width = 384
/** Word pieces of a text, [CLS] and [SEP] included. */
export const maxPositions = 256
const alignment = 16

/** What is read from the file, and where it goes. */
export interface Reading {
  readonly offset: number
  readonly length: number
  readonly at: number
}

export interface Linear {
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

export interface Layer {
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
  size = 0
  readonly #file: ModelFile

  constructor(file: ModelFile) {
    this.#file = file
  }

  reserve(bytes: number): number {
    const start = this.size
    this.size += Math.ceil(bytes / alignment) * alignment
    return start
  }

  #find(name: string, type: 'float32' | 'int8', shape: readonly number[]): Reading {
    const { offset, length } = this.#file.tensor(name, type, shape)
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
    const [inner = 0] = this.#file.tensor(`${name}.up.weight`, 'int8', [0, width]).dimensions
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

/** Blocks of rows that attention has room for: two texts' last ones may be filled up, and it takes them by two. */
export const attentionRoom = maxPositions / 4 + 2
/** Of a block the four rows' scores, and one head's keys and values. */
const attentionBytes = 4 * 16 + 2 * 32 * 16

export const rowsBytes = (components: number, bytes: number): number => maxPositions * components * bytes

export type Layout = ReturnType<typeof layOut>

/**
 * The weights' places, and those of what is computed, in the order in which they lie; a `typed` model has vectors for the
 * types of rows. @throws BrainError `failed` when a tensor is missing or of another shape.
 */
export function layOut(file: ModelFile, typed: boolean) {
  const plan = new Plan(file)
  const layers = Array.from({ length: countLayers(file) }, (_, at) => plan.layer(`layer.${at}`))
  const widest = Math.max(width, ...layers.map(({ up }) => up.outputs))
  const places = {
    layers,
    positions: plan.read('position.weight', 'int8', [maxPositions, width]),
    positionScales: plan.read('position.scale', 'float32', [maxPositions]),
    // A model without token types adds zeros.
    types: typed ? plan.read('type', 'float32', [2, width]) : plan.reserve(2 * width * 4),
    apart: file.has('apart') ? plan.read('apart', 'float32', [1]) : plan.reserve(4),
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
  return { ...places, size: plan.size, readings: plan.readings, weights: plan.weights }
}
