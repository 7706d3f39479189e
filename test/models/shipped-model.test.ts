import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { builtinDirectory, openBuiltinModel } from '../../src/models/builtin-model.ts'
import { modelFile, tokenizerFile } from '../../src/models/prepared-files.ts'
import { createBuiltinEmbedder } from '../../src/models/providers/builtin.ts'

interface Reference {
  encode(text: string): Promise<{ getIds(): number[] }>
  disablePadding?(): void
  disableTruncation?(): void
}

interface Session {
  run(feeds: Record<string, unknown>): Promise<Record<string, { data: Float32Array }>>
}

// Both come with fastembed: onnxruntime, and the Rust implementation of the same tokenizer.
const require = createRequire(createRequire(import.meta.url).resolve('fastembed'))
const runtime = require('onnxruntime-node') as {
  InferenceSession: { create(file: string, options: object): Promise<Session> }
  Tensor: new (type: string, data: BigInt64Array, dimensions: number[]) => unknown
}
const { Tokenizer } = require('@anush008/tokenizers') as {
  Tokenizer: { fromString(json: string): Reference }
}

const directory = builtinDirectory()
const model = openBuiltinModel(directory)
afterAll(() => model.close())

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

const texts = [
  'The nightly backup of the orders database failed with ECONNRESET at 03:12.',
  'Rename `user_id_fk` before the migration to v1.8.3!',
  'Grandmother prefers the window seat on long train journeys.',
  'Café Zürich, naïve façade — 25 °C ≈ 77 °F, €5',
  'deploy',
  'a '.repeat(253),
  'supercalifragilisticexpialidocious/antidisestablishmentarianism',
  'mixed 中文 and 日本語 with English words',
  'Straße STRASSE ΟΔΟΣ İstanbul ŉ ǅ ﬁ — “quoted” … ½ ²',
  '한국어 カタカナ ひらがな العربية עברית हिन्दी ไทย \ufdfa',
  '👩‍👩‍👧 🏳️‍🌈 ☕️ e\u0301\u0327 a\u0300b',
  'getUserAccountByEmailAddressOrThrowNotFoundError(x) => XMLHttpRequest',
]

/** Words of the vocabulary in any order, which is all that arithmetic depends on; from 1 to 40 of them. */
function randomTexts(count: number): string[] {
  const random = drawFrom(17)
  const word = (): string => model.vocabulary.piece(Math.floor(random() * model.vocabulary.size))
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(40 * random() ** 2) }, word).join(' '),
  )
}

describe('the shipped model', () => {
  test('is the one that its card describes', () => {
    const card = readFileSync(join(directory, 'MODEL_CARD.md'), 'utf8')
    for (const file of [modelFile, tokenizerFile]) {
      const hash = createHash('sha256')
        .update(readFileSync(join(directory, file)))
        .digest('hex')
      expect(card).toContain(hash)
    }
  })

  test('has 384 dimensions and a row for every piece', () => {
    expect(model.identity).toMatchObject({ name: 'builtin', dimension: 384 })
    expect(model.vocabulary.size).toBe(30_522)
    expect(model.vocabulary.piece(model.vocabulary.unknown)).toBe('[UNK]')
  })

  test('cuts texts into the pieces that the reference tokenizer gives', async () => {
    const settings = JSON.parse(readFileSync(join(directory, tokenizerFile), 'utf8'))
    const reference = Tokenizer.fromString(JSON.stringify({ ...settings, padding: null, truncation: null }))
    for (const text of [...texts, ...randomTexts(300)]) {
      // What spells a special token is text to us.
      if (/\[(unk|cls|sep|pad|mask)\]/i.test(text)) continue
      const ids = (await reference.encode(text)).getIds()
      expect([model.start, ...model.tokenise(text), model.end], text).toEqual(ids)
    }
  })

  test('gives the vectors that onnxruntime gives of the same weights, to a cosine of 0.999', async () => {
    const session = await runtime.InferenceSession.create(join(directory, modelFile), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    })
    for (const text of [...texts, ...randomTexts(1000 - texts.length)]) {
      const pieces = model.tokenise(text)
      if (pieces.every((id) => id === model.vocabulary.unknown)) continue
      const ids = BigInt64Array.from([model.start, ...pieces, model.end], BigInt)
      const tensor = (data: BigInt64Array) => new runtime.Tensor('int64', data, [1, data.length])
      const { sentence_embedding: theirs } = await session.run({
        input_ids: tensor(ids),
        attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
        token_type_ids: tensor(new BigInt64Array(ids.length)),
      })
      expect(cosine(model.embed(text), theirs?.data ?? []), text).toBeGreaterThanOrEqual(0.999)
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
