/** A small model of the shipped one's shape, with random rows, in a directory of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Tensor, writeModel } from './onnx-writer.ts'

/** Reproducible numbers in 0..1 (the mulberry32 generator). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** [PAD], [UNK], punctuation, letters alone and inside a word, and some words and pieces. */
export const pieces: readonly string[] = [
  '[PAD]',
  '[UNK]',
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  ...letters,
  ...[...letters].map((letter) => `##${letter}`),
  ...[
    'the',
    'deploy',
    'database',
    'connection',
    'timeout',
    'note',
    'running',
    'run',
    'user',
    'cafe',
    'naive',
  ],
  ...['##ing', '##ed', '##tion', 'straße', '中', '文', '€', 'οδοσ', '##€'],
]

export const tokenizerJson = (vocabulary: readonly string[] = pieces): string =>
  JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
    },
  })

export interface StaticTensors {
  readonly table: Int8Array
  readonly scale: Float32Array
}

/** Random rows; those of [PAD] and [UNK] have no meaning. */
export function randomTensors(size: number, dimension: number, seed = 1): StaticTensors {
  const random = createRandom(seed)
  const table = Int8Array.from({ length: size * dimension }, () => Math.round(random() * 254) - 127)
  const scale = Float32Array.from({ length: size }, (_, id) => (id < 2 ? 0 : 0.001 + random() / 100))
  return { table, scale }
}

/** The ONNX file: one lookup, one sum. */
export function writeStaticModel(
  { table, scale }: StaticTensors,
  change: Partial<Record<string, Tensor>> = {},
): Buffer {
  const size = scale.length
  const dimension = table.length / size
  const tokens = ['batch', 'tokens'] as const
  return writeModel({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: 'int64',
      dimensions: tokens,
    })),
    outputs: [{ name: 'last_hidden_state', type: 'float32', dimensions: ['batch', 1, dimension] }],
    initializers: [
      change.table ?? { name: 'table', type: 'int8', dimensions: [size, dimension], data: table },
      change.scale ?? { name: 'scale', type: 'float32', dimensions: [size, 1], data: scale },
      { name: 'one', type: 'int64', dimensions: [1], data: BigInt64Array.of(1n) },
    ],
    nodes: [
      { op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['rows'] },
      { op: 'Cast', inputs: ['rows'], outputs: ['wide'], attributes: { to: 1 } },
      { op: 'Gather', inputs: ['scale', 'input_ids'], outputs: ['scales'] },
      { op: 'Mul', inputs: ['wide', 'scales'], outputs: ['scaled'] },
      { op: 'Cast', inputs: ['attention_mask'], outputs: ['mask'], attributes: { to: 1 } },
      { op: 'Unsqueeze', inputs: ['mask', 'one'], outputs: ['weights'] },
      { op: 'MatMul', inputs: ['weights', 'scaled'], outputs: ['last_hidden_state'] },
    ],
  })
}

/** Puts a model of the tests' pieces into a directory, with the side files that fastembed asks for. */
export function installStaticModel(
  directory: string,
  tensors = randomTensors(pieces.length, 32),
): StaticTensors {
  writeFileSync(join(directory, 'model.onnx'), writeStaticModel(tensors))
  writeFileSync(join(directory, 'tokenizer.json'), tokenizerJson())
  writeFileSync(
    join(directory, 'config.json'),
    JSON.stringify({ pad_token_id: 0, vocab_size: pieces.length }),
  )
  const special = { pad_token: '[PAD]', unk_token: '[UNK]' }
  writeFileSync(
    join(directory, 'tokenizer_config.json'),
    JSON.stringify({ ...special, model_max_length: 512 }),
  )
  writeFileSync(join(directory, 'special_tokens_map.json'), JSON.stringify(special))
  return tensors
}
