import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddingModel, FlagEmbedding } from 'fastembed'
import { afterAll, describe, expect, test } from 'vitest'
import { BuiltinModel, builtinDirectory, modelFile, tokenizerFile } from '../../src/models/builtin-model.ts'
import { createBuiltinEmbedder } from '../../src/models/providers/builtin.ts'

const directory = builtinDirectory()
const model = new BuiltinModel(directory)
afterAll(() => model.close())

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

const texts = [
  'The nightly backup of the orders database failed with ECONNRESET at 03:12.',
  'Rename `user_id_fk` before the migration to v1.8.3!',
  'Grandmother prefers the window seat on long train journeys.',
  'Café Zürich, naïve façade — 25 °C ≈ 77 °F, €5',
  'deploy',
  'a '.repeat(100),
  'supercalifragilisticexpialidocious/antidisestablishmentarianism',
  'mixed 中文 and 日本語 with English words',
]

describe('the shipped model', () => {
  test('is the one that its card describes', () => {
    const card = readFileSync(join(directory, 'MODEL_CARD.md'), 'utf8')
    for (const file of [modelFile, tokenizerFile]) {
      const hash = createHash('sha256')
        .update(readFileSync(join(directory, file)))
        .digest('hex')
      expect(card).toContain(`| SHA-256 of \`${file}\` | \`${hash}\` |`)
    }
  })

  test('has a table of 256 dimensions with a row for every piece, and none for what it does not know', () => {
    expect(model.identity).toMatchObject({ name: 'builtin', dimension: 256 })
    expect(model.vocabulary.size).toBe(32_000)
    expect(model.vocabulary.piece(model.vocabulary.unknown)).toBe('[UNK]')
    expect(model.table.norm(model.vocabulary.unknown)).toBe(0)
  })

  test('gives the vectors that onnxruntime gives, through fastembed', async () => {
    const theirs = await FlagEmbedding.init({
      model: EmbeddingModel.CUSTOM,
      modelAbsoluteDirPath: directory,
      modelName: modelFile,
    })
    for await (const batch of theirs.embed(texts)) {
      expect(batch).toHaveLength(texts.length)
      for (const [index, vector] of batch.entries()) {
        const text = texts[index] ?? ''
        expect(cosine(model.embed(text), Float32Array.from(vector)), text).toBeGreaterThanOrEqual(0.9999999)
      }
    }
  })

  test('is nearer to a paraphrase than to another matter', async () => {
    const embedder = createBuiltinEmbedder(model)
    const [query, near, far] = await Promise.all(
      [
        'our database lost its connection',
        'the SQL server dropped the link',
        'she likes the window seat',
      ].map((text) => embedder.embedQuery(text)),
    )
    if (!query || !near || !far) throw new Error('three texts give three vectors')
    expect(cosine(query.vector, near.vector)).toBeGreaterThan(cosine(query.vector, far.vector) + 0.1)
  })
})
