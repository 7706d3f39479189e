/**
 * Texts embedded a second, notes of 15 to 40 tokens: the built-in model, fastembed with its defaults, and ours over
 * the same model file: `node bench/embed.js`. The transformer has BGE-small's shape and random weights: speed
 * does not depend on what they say.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddingModel, FlagEmbedding } from 'fastembed'
import { printMachine, printTable } from './measure.js'
import { createNotes, createRandom } from './notes.js'
import { importSource } from './source.js'

const random = createRandom(3)
const words = ['the', 'deploy', 'database', 'connection', 'timeout', 'note', 'running', 'run', 'user', 'cafe']
const short = () =>
  Array.from(
    { length: 15 + Math.floor(random() * 26) },
    () => words[Math.floor(random() * words.length)],
  ).join(' ')

/** Texts a second of one call over all of them. */
async function rate(texts, embed) {
  const start = performance.now()
  await embed(texts)
  return (1000 * texts.length) / (performance.now() - start)
}

const { openBuiltinModel } = await importSource('src/models/builtin-model.ts')
const builtin = openBuiltinModel('models/brain-encoder-v1')
const notes = createNotes(4)
const many = Array.from({ length: 500 }, notes.note)
const own = await rate(many, async (texts) => texts.map((text) => builtin.embed(text)))
builtin.close()

const directory = mkdtempSync(join(tmpdir(), 'brain-embed-'))
const { installTransformer } = await importSource('test/models/tiny-transformer.ts')
const shape = { dimension: 384, layers: 12, inner: 1536, positions: 512 }
installTransformer(directory, { modelFile: 'model_optimized.onnx', shape })
const defaults = await FlagEmbedding.init({
  model: EmbeddingModel.CUSTOM,
  modelAbsoluteDirPath: directory,
  modelName: 'model_optimized.onnx',
})
const few = Array.from({ length: 64 }, short)
const theirs = await rate(few, async (texts) => {
  for await (const _ of defaults.embed(texts)) {
    // Each batch is only waited for.
  }
})

const { Transformer } = await importSource('src/models/providers/transformer.ts')
// The transformer starts this program from beside itself.
copyFileSync(
  'src/models/providers/transformer-process.js',
  'node_modules/.cache/bench/transformer-process.js',
)
const transformer = new Transformer({
  directory,
  modelFile: 'model_optimized.onnx',
  pooling: 'first',
  window: 512,
})
const some = Array.from({ length: 256 }, short)
await transformer.count(some.slice(0, 1))
const ours = await rate(some, async (texts) => transformer.embed(texts, await transformer.count(texts)))
await transformer.close()
rmSync(directory, { recursive: true, force: true })

printMachine()
printTable(
  'Texts a second',
  ['embedder', 'texts a second', 'ratio'],
  [
    ['fastembed, its defaults, BGE-small shape', theirs, 1],
    ['brain with fastembed models, BGE-small shape', ours, ours / theirs],
    ['brain, built-in model', own, own / theirs],
  ],
)
