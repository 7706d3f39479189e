/** A real transformer in ONNX, with random weights: embeddings, one layer of attention, a feed-forward layer. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { type Node, type Tensor, writeModel } from './onnx-writer.ts'
import { pieces, tokenizerJson } from './tiny-vocabulary.ts'

export interface TransformerShape {
  readonly dimension: number
  readonly layers: number
  readonly inner: number
  /** Longest text in tokens. */
  readonly positions: number
  /** Whether it takes `token_type_ids`, as BERT does and XLM-R does not. */
  readonly types: boolean
}

const tiny: TransformerShape = { dimension: 32, layers: 1, inner: 64, positions: 512, types: true }

const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']
const transformerPieces: readonly string[] = [...specials, ...pieces.slice(2)]

function writeGraph(shape: TransformerShape, seed: number): Buffer {
  const random = drawFrom(seed)
  const { dimension, inner, layers, positions } = shape
  const initializers: Tensor[] = []
  const nodes: Node[] = []
  const weight = (name: string, dimensions: readonly number[], size = 0.3): string => {
    const count = dimensions.reduce((product, extent) => product * extent, 1)
    const data = Float32Array.from({ length: count }, () => (random() * 2 - 1) * size)
    initializers.push({ name, type: 'float32', dimensions, data })
    return name
  }
  const constant = (name: string, value: readonly number[], data = Float32Array.from(value)): string => {
    initializers.push({ name, type: 'float32', dimensions: value.length === 1 ? [] : [value.length], data })
    return name
  }
  const whole = (name: string, value: readonly number[]): string => {
    const data = BigInt64Array.from(value, BigInt)
    initializers.push({ name, type: 'int64', dimensions: [value.length], data })
    return name
  }
  let made = 0
  const node = (op: string, inputs: readonly string[], attributes: Node['attributes'] = {}): string => {
    const output = `node${made++}`
    nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }
  const normalised = (name: string, input: string): string => {
    const scale = constant(`${name}_scale`, new Array<number>(dimension).fill(1))
    const shift = constant(`${name}_shift`, new Array<number>(dimension).fill(0))
    return node('LayerNormalization', [input, scale, shift], { axis: 2, epsilon: { float: 1e-5 } })
  }
  const dense = (name: string, input: string, from: number, to: number): string =>
    node('MatMul', [input, weight(name, [from, to], 1 / Math.sqrt(from) + 0.1)])

  whole('zero', [0])
  whole('one', [1])
  // Positions of the tokens at hand: the first rows of a table, as many as there are tokens.
  const tokens = node('Gather', [node('Shape', ['input_ids']), whole('second', [1])])
  const places = node('Slice', [weight('positions', [positions, dimension]), 'zero', tokens, 'zero'])
  let sum = node('Add', [
    node('Gather', [weight('words', [transformerPieces.length, dimension], 1), 'input_ids']),
    places,
  ])
  if (shape.types)
    sum = node('Add', [sum, node('Gather', [weight('types', [2, dimension]), 'token_type_ids'])])
  let hidden = normalised('embedded', sum)
  // 0 where a token is, a large negative number where padding is: [batch, 1, tokens].
  const present = node('Unsqueeze', [node('Cast', ['attention_mask'], { to: 1 }), 'one'])
  const bias = node('Mul', [node('Sub', [present, constant('unit', [1])]), constant('far', [1e4])])
  const root = constant('root', [1 / Math.sqrt(dimension)])
  for (let layer = 0; layer < layers; layer += 1) {
    const [query = '', key = '', value = ''] = ['q', 'k', 'v'].map((part) =>
      dense(`${part}${layer}`, hidden, dimension, dimension),
    )
    const scores = node('Mul', [node('MatMul', [query, node('Transpose', [key], { perm: [0, 2, 1] })]), root])
    const attention = node('Softmax', [node('Add', [scores, bias])], { axis: 2 })
    const mixed = dense(`o${layer}`, node('MatMul', [attention, value]), dimension, dimension)
    const attended = normalised(`attended${layer}`, node('Add', [hidden, mixed]))
    const wide = node('Relu', [dense(`in${layer}`, attended, dimension, inner)])
    const narrow = dense(`out${layer}`, wide, inner, dimension)
    hidden = normalised(`fed${layer}`, node('Add', [attended, narrow]))
  }
  nodes.push({ op: 'Identity', inputs: [hidden], outputs: ['last_hidden_state'] })
  const names = ['input_ids', 'attention_mask', ...(shape.types ? ['token_type_ids'] : [])]
  return writeModel({
    inputs: names.map((name) => ({ name, type: 'int64', dimensions: ['batch', 'tokens'] })),
    outputs: [{ name: 'last_hidden_state', type: 'float32', dimensions: ['batch', 'tokens', dimension] }],
    initializers,
    nodes,
  })
}

/** tokenizer.json that puts [CLS] before and [SEP] after each text. */
function transformerTokenizer(): string {
  const tokenizer = JSON.parse(tokenizerJson(transformerPieces))
  const special = (id: number, content: string) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })
  tokenizer.added_tokens = specials.map((content, id) => special(id, content))
  const token = (id: string) => ({ SpecialToken: { id, type_id: 0 } })
  const text = { Sequence: { id: 'A', type_id: 0 } }
  tokenizer.post_processor = {
    type: 'TemplateProcessing',
    single: [token('[CLS]'), text, token('[SEP]')],
    pair: [token('[CLS]'), text, token('[SEP]'), { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  }
  return JSON.stringify(tokenizer)
}

export interface TransformerFiles {
  readonly modelFile: string
  readonly seed?: number
  readonly shape?: Partial<TransformerShape>
}

/** Writes a transformer with all the files that fastembed asks for. */
export function installTransformer(
  directory: string,
  { modelFile, seed = 1, shape = {} }: TransformerFiles,
): void {
  mkdirSync(directory, { recursive: true })
  const full = { ...tiny, ...shape }
  const named = { pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]' }
  const files: Record<string, string | Buffer> = {
    [modelFile]: writeGraph(full, seed),
    'tokenizer.json': transformerTokenizer(),
    'config.json': JSON.stringify({ pad_token_id: 0, vocab_size: transformerPieces.length }),
    'tokenizer_config.json': JSON.stringify({ ...named, model_max_length: full.positions }),
    'special_tokens_map.json': JSON.stringify(named),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
}
