/** An encoder and a pair model of the shipped ones' shape, with few words and random weights, in a directory of their own. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { roles, standings } from '../../src/models/night-model.ts'
import { type Tensor, writeModel } from './onnx-writer.ts'
import { pieces as plainPieces, tokenizerJson } from './tiny-vocabulary.ts'

const width = 384
/** How wide layers are inside: as published, and narrowed. */
const innerWidths = { wide: 1536, narrow: 768 }

export const pieces: readonly string[] = [...plainPieces, '[CLS]', '[SEP]']

/** The tensors of a model by their names. */
export interface Weights {
  readonly tensors: readonly Tensor[]
  has(name: string): boolean
  float(name: string): Float32Array
  int8(name: string): Int8Array
  /** A word's row times its scale. */
  word(id: number): Float32Array
}

const find = (tensors: readonly Tensor[], name: string): Tensor['data'] => {
  const tensor = tensors.find((one) => one.name === name)
  if (tensor === undefined) throw new RangeError(`there is no ${name}`)
  return tensor.data
}

function toWeights(tensors: readonly Tensor[], words: readonly Tensor[]): Weights {
  return {
    tensors,
    has: (name) => tensors.some((tensor) => tensor.name === name),
    float: (name) => find(tensors, name) as Float32Array,
    int8: (name) => find(tensors, name) as Int8Array,
    word: (id) => {
      const scale = (find(words, 'word.scale') as Float32Array)[id] ?? 0
      const rows = find(words, 'word.weight') as Int8Array
      return Float32Array.from(rows.subarray(id * width, (id + 1) * width), (value) => value * scale)
    },
  }
}

/** Components made at random; longer tensors repeat them, which no row or column is as long as. */
const made = 65_521

/** Weights about as large as those of a trained model, so that attention and norms have something to do. */
function createTensors(random: () => number) {
  // Twice, so that what goes over the end begins anew.
  const spread = new Float32Array(2 * made)
  for (let at = 0; at < made; at += 1) spread[at] = random() * 2 - 1
  spread.copyWithin(made, 0, made)
  let from = 0
  const next = (length: number): Float32Array => {
    from = (from + 7919) % made
    return spread.subarray(from, from + length)
  }
  const lengthOf = (dimensions: readonly number[]): number =>
    dimensions.reduce((product, extent) => product * extent, 1)
  const floats = (name: string, dimensions: readonly number[], size: number, mean = 0): Tensor => {
    const data = next(lengthOf(dimensions)).map((value) => mean + value * size)
    return { name, type: 'float32', dimensions, data }
  }
  const bytes = (name: string, dimensions: readonly number[]): Tensor => {
    const data = new Int8Array(lengthOf(dimensions))
    const tile = new Int8Array(made)
    for (const [at, value] of next(made).entries()) tile[at] = Math.round(value * 127)
    for (let at = 0; at < data.length; at += made) data.set(tile.subarray(0, data.length - at), at)
    return { name, type: 'int8', dimensions, data }
  }
  const linear = (name: string, inputs: number, outputs: number): Tensor[] => [
    bytes(`${name}.weight`, [outputs, inputs]),
    floats(`${name}.scale`, [outputs], 0.0004, 0.0008),
    floats(`${name}.bias`, [outputs], 0.1),
  ]
  const norm = (name: string): Tensor[] => [
    floats(`${name}.gamma`, [width], 0.3, 1),
    floats(`${name}.beta`, [width], 0.1),
  ]
  const layer = (name: string, inner: number): Tensor[] => [
    ...['query', 'key', 'value', 'output'].flatMap((part) => linear(`${name}.${part}`, width, width)),
    ...linear(`${name}.up`, width, inner),
    ...linear(`${name}.down`, inner, width),
    ...norm(`${name}.attentionNorm`),
    ...norm(`${name}.outputNorm`),
  ]
  const body = (layers: number, inner: number): Tensor[] => [
    bytes('position.weight', [256, width]),
    floats('position.scale', [256], 0.0001, 0.0002),
    ...norm('norm'),
    ...Array.from({ length: layers }, (_, at) => layer(`layer.${at}`, inner)).flat(),
  ]
  /** Layers of a model that reads one text after another; in so many of the lower ones the second does not see the first. */
  const reader = (layers: number, inner: number, apart?: number): Tensor[] => {
    const parts = [...body(layers, inner), floats('type', [2, width], 0.05)]
    const told: Tensor[] =
      apart === undefined
        ? []
        : [{ name: 'apart', type: 'float32', dimensions: [1], data: Float32Array.of(apart) }]
    return [...parts, ...told]
  }
  const head = (name: string, outputs: number, inputs = width): Tensor[] => [
    floats(`${name}.hidden.weight`, [16, inputs], 0.1),
    floats(`${name}.hidden.bias`, [16], 0.1),
    floats(`${name}.out.weight`, [outputs, 16], 0.5),
    floats(`${name}.out.bias`, [outputs], 0.1),
  ]
  return { floats, bytes, body, reader, head }
}

const write = (directory: string, tensors: readonly Tensor[]): void =>
  writeFileSync(
    join(directory, 'model.onnx'),
    writeModel({ inputs: [], outputs: [], initializers: tensors, nodes: [] }),
  )

const encoders = new Map<number, readonly Tensor[]>()

/** The tensors of an encoder, made once for each seed. */
function encoderTensors(seed: number): readonly Tensor[] {
  const known = encoders.get(seed)
  if (known !== undefined) return known
  const { bytes, floats, body } = createTensors(drawFrom(seed))
  const rows = bytes('word.weight', [pieces.length, width])
  const tensors = [rows, floats('word.scale', [pieces.length], 0.0002, 0.0005), ...body(3, innerWidths.wide)]
  encoders.set(seed, tensors)
  return tensors
}

export interface EncoderOptions {
  readonly seed?: number
  /** Tensors that stand in the place of those of their names. */
  readonly change?: Readonly<Record<string, Tensor>>
}

/** Puts an encoder into a directory. */
export function installEncoder(directory: string, options: EncoderOptions = {}): Weights {
  const tensors = encoderTensors(options.seed ?? 1).map((tensor) => options.change?.[tensor.name] ?? tensor)
  write(directory, tensors)
  writeFileSync(join(directory, 'tokenizer.json'), tokenizerJson(pieces))
  return toWeights(tensors, tensors)
}

/** How wide a reader is inside, and in how many of its lower layers a second text does not see the first. */
const readers = { narrow: [innerWidths.narrow, 1], wide: [innerWidths.wide, undefined] } as const
const pairs = new Map<keyof typeof readers, readonly Tensor[]>()

/** The tensors of a pair model, made once for each shape. */
function pairTensors(shape: keyof typeof readers): readonly Tensor[] {
  const known = pairs.get(shape)
  if (known !== undefined) return known
  const { floats, reader, head } = createTensors(drawFrom(2))
  const [inner, apart] = readers[shape]
  const tensors = [
    ...reader(3, inner, apart),
    ...head('head.judge', 1),
    ...head('head.relation', 4),
    floats('aim.down', [32, width], 0.05),
    floats('aim.up', [width, 32], 0.05),
  ]
  pairs.set(shape, tensors)
  return tensors
}

let nights: readonly Tensor[] | undefined

/** The tensors of a model of the night, of more layers than the others, made once. */
function nightTensors(): readonly Tensor[] {
  if (nights !== undefined) return nights
  const { reader, head } = createTensors(drawFrom(3))
  nights = [
    ...reader(6, innerWidths.wide),
    ...head('head.night', standings.length),
    ...head('head.role', roles.length, 2 * width),
  ]
  return nights
}

/** Puts a model of the night beside it, into another directory. */
export function installNightModel(directory: string, encoder: Weights): Weights {
  const tensors = nightTensors()
  write(directory, tensors)
  return toWeights(tensors, encoder.tensors)
}

/** Puts a pair model beside it, into another directory: narrow as the shipped one, or wide as the first one was. */
export function installPairModel(
  directory: string,
  encoder: Weights,
  shape: keyof typeof readers = 'narrow',
): Weights {
  const tensors = pairTensors(shape)
  write(directory, tensors)
  return toWeights(tensors, encoder.tensors)
}
