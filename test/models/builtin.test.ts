import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type BuiltinModel, openBuiltinModel } from '../../src/models/builtin-model.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { EmbeddingThreads } from '../../src/models/embedding-threads.ts'
import { ModelFile } from '../../src/models/model-file.ts'
import {
  indexFile,
  makeIndex,
  makeWordMean,
  vocabularyFile,
  wordMeanFile,
} from '../../src/models/prepared-files.ts'
import { createBuiltinEmbedder } from '../../src/models/providers/builtin.ts'
import { compactVocabulary } from '../../src/models/vocabulary.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder, pieces } from './tiny-models.ts'
import { tokenizerJson } from './tiny-vocabulary.ts'

function install(): { directory: string; model: BuiltinModel; embedder: Embedder } {
  const directory = temporaryDirectory()
  installEncoder(directory)
  const model = openBuiltinModel(directory)
  return { directory, model, embedder: createBuiltinEmbedder(model) }
}

const norm = (vector: Float32Array): number => Math.hypot(...vector)
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

describe('the built-in embedder', () => {
  test('a short text is one passage that spans it, with its pieces', async () => {
    const { embedder, model } = install()
    const text = '  Database timeout! '
    const [passages] = await embedder.embedTexts([text])
    expect(passages).toHaveLength(1)
    expect(passages?.[0]).toMatchObject({ start: 0, end: text.length })
    expect([...(passages?.[0]?.tokens ?? [])].map((id) => model.vocabulary.piece(id))).toEqual([
      'database',
      'timeout',
      '!',
    ])
  })

  test('too little memory for it is not called a broken model', async () => {
    const directory = temporaryDirectory()
    installEncoder(directory)
    class NoMemory {
      constructor() {
        throw new RangeError('WebAssembly.Memory(): could not allocate memory')
      }
    }
    const memory = vi.spyOn(WebAssembly, 'Memory').mockImplementation(NoMemory as never)
    onTestFinished(() => memory.mockRestore())
    const asked = async () => createBuiltinEmbedder(openBuiltinModel(directory)).embedQuery('a question')
    await expect(asked()).rejects.toThrow('there is too little memory for the built-in model')
  })

  test('a query and a text of the same words have the same vector', async () => {
    const { embedder } = install()
    const [passages] = await embedder.embedTexts(['deploy the database'])
    const query = await embedder.embedQuery('Deploy the DATABASE')
    expect([...query.vector]).toEqual([...(passages?.[0]?.vector ?? [])])
  })

  test('what was embedded a moment ago has the same vector, and each caller one of its own', async () => {
    const { embedder } = install()
    const texts = ['deploy', 'the database', 'a timeout', 'deploy the', 'database timeout']
    const first = await Promise.all(texts.map((text) => embedder.embedQuery(text)))
    const expected = first.map(({ vector }) => vector.slice())
    for (const { vector } of first) vector.fill(0)
    for (const [at, text] of [...texts.entries(), ...[...texts.entries()].reverse()]) {
      const { vector } = await embedder.embedQuery(text)
      expect(vector).toEqual(expected[at])
      vector.fill(1)
    }
    const [[passage] = []] = await embedder.embedTexts(['deploy'])
    expect(passage?.vector).toEqual(expected[0])
  })

  test('any text gets finite unit vectors over passages that cover it', async () => {
    const { embedder } = install()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 600 }), async (text) => {
        const [passages = []] = await embedder.embedTexts([text])
        expect(passages[0]?.start).toBe(0)
        expect(passages.at(-1)?.end).toBe(text.length)
        for (const passage of passages) expect(norm(passage.vector)).toBeCloseTo(1, 5)
      }),
      { numRuns: 60 },
    )
  })

  test('a long text is split into overlapping passages within the window', async () => {
    const { embedder } = install()
    const text = Array.from({ length: 500 }, (_, index) => `note ${index} running`).join(' ')
    const [passages = []] = await embedder.embedTexts([text])
    expect(passages.length).toBeGreaterThan(5)
    for (const [index, passage] of passages.entries()) {
      expect(passage.tokens.length).toBeLessThanOrEqual(254)
      expect(passage.start).toBeLessThanOrEqual(passages[index - 1]?.end ?? 0)
      if (index > 0) expect(passage.start).toBeLessThan(passages[index - 1]?.end ?? 0)
      if (index > 0) expect(passage.start).toBeGreaterThan(passages[index - 1]?.start ?? 0)
    }
    expect(passages.at(-1)?.end).toBe(text.length)
  })

  test('threads are given one of the passages that are all the same, and each has a vector of its own', async () => {
    const { model } = install()
    const embedder = createBuiltinEmbedder(model, { threadsFrom: 1 })
    onTestFinished(() => embedder.close())
    const given = vi.spyOn(EmbeddingThreads.prototype, 'embed')
    onTestFinished(() => given.mockRestore())
    const [passages = []] = await embedder.embedTexts(['.'.repeat(6_400)])
    expect(passages.length).toBeGreaterThanOrEqual(100)
    // The last may be shorter.
    expect(given.mock.calls.flatMap(([framed]) => framed).length).toBeLessThanOrEqual(2)
    expect(new Set(passages.map(({ vector }) => vector)).size).toBe(passages.length)
    expect(passages[1]?.vector).toEqual(passages[0]?.vector)
  })

  test('a long text without a single space is split between characters', async () => {
    const { embedder } = install()
    const text = '😀a'.repeat(2000)
    const [passages = []] = await embedder.embedTexts([text])
    expect(passages.length).toBeGreaterThan(1)
    for (const { start, end } of passages) expect(text.slice(start, end).isWellFormed()).toBe(true)
  })

  test('texts of unknown script are like those that share their characters, and like no other', async () => {
    const { embedder } = install()
    const [one, near, far] = await Promise.all(
      ['データベースの接続', 'データベースの停止', '오늘은 날씨가 좋다'].map((text) =>
        embedder.embedQuery(text),
      ),
    )
    if (!one || !near || !far) throw new Error('three texts give three vectors')
    expect(cosine(one.vector, near.vector)).toBeGreaterThan(0.4)
    expect(Math.abs(cosine(one.vector, far.vector))).toBeLessThan(0.4)
  })

  test('what the build made is taken as long as it is of this very model', () => {
    const { directory, model } = install()
    const file = new ModelFile(join(directory, 'model.onnx'))
    const told = 'a'.repeat(32)
    const norm = model.table.norm(5)
    const mean = new Float32Array(384).fill(1)
    writeFileSync(join(directory, indexFile), makeIndex(file, told))
    writeFileSync(join(directory, wordMeanFile), makeWordMean(file, mean))
    const prepared = openBuiltinModel(directory)
    expect(prepared.identity.hash).toBe(told)
    expect(prepared.table.norm(5)).not.toBe(norm)
    writeFileSync(join(directory, indexFile), 'garbled')
    writeFileSync(join(directory, wordMeanFile), 'garbled')
    const again = openBuiltinModel(directory)
    expect(again.identity).toEqual(model.identity)
    expect(again.table.norm(5)).toBe(norm)
    writeFileSync(join(directory, indexFile), makeIndex(file, told))
    installEncoder(directory, { seed: 3 })
    expect(openBuiltinModel(directory).identity.hash).not.toBe(told)
    // The same weights in a longer file may stand elsewhere.
    installEncoder(directory)
    appendFileSync(join(directory, 'model.onnx'), Buffer.of(0x72, 0))
    expect(openBuiltinModel(directory).identity).toEqual(model.identity)
    installEncoder(directory)
    writeFileSync(join(directory, indexFile), makeIndex(new ModelFile(join(directory, 'model.onnx'))))
    const damaged = openSync(join(directory, 'model.onnx'), 'r+')
    writeSync(damaged, Buffer.alloc(16, 7), 0, 16, 0)
    closeSync(damaged)
    expect(() => openBuiltinModel(directory)).toThrow('not an ONNX file')
  })

  test('its identity changes with the vectors and with the vocabulary, and with nothing else', () => {
    const { model } = install()
    expect(install().model.identity).toEqual(model.identity)
    const directory = temporaryDirectory()
    installEncoder(directory, { seed: 9 })
    expect(openBuiltinModel(directory).identity.hash).not.toBe(model.identity.hash)
    const swapped = pieces.with(70, 'other')
    installEncoder(directory)
    writeFileSync(join(directory, 'tokenizer.json'), tokenizerJson(swapped))
    expect(openBuiltinModel(directory).identity.hash).not.toBe(model.identity.hash)
  })

  test('the compact vocabulary serves as well as the tokenizer file', () => {
    const { directory, model } = install()
    writeFileSync(join(directory, vocabularyFile), compactVocabulary(tokenizerJson(pieces)))
    rmSync(join(directory, 'tokenizer.json'))
    const compact = openBuiltinModel(directory)
    expect(compact.identity).toEqual(model.identity)
    expect([...compact.tokenise('running the café')]).toEqual([...model.tokenise('running the café')])
  })

  test('a cancelled bulk stops', async () => {
    const { embedder } = install()
    const texts = new Array<string>(50_000).fill('deploy the database and note the timeout of the connection')
    await expect(embedder.embedTexts(texts, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})

describe('a damaged installation is refused with its remedy', () => {
  const refused = (damage: (directory: string) => void): (() => unknown) => {
    const { directory } = install()
    damage(directory)
    return () => openBuiltinModel(directory)
  }
  const remedy = /reinstall brain/

  test('no model file', () => {
    expect(refused((directory) => rmSync(join(directory, 'model.onnx')))).toThrow(remedy)
  })
  test('no tokenizer', () => {
    expect(refused((directory) => rmSync(join(directory, 'tokenizer.json')))).toThrow(remedy)
  })
  test('a truncated model file', () => {
    expect(refused((directory) => truncateSync(join(directory, 'model.onnx'), 2000))).toThrow(remedy)
  })
  test('a tokenizer that is no JSON', () => {
    expect(refused((directory) => writeFileSync(join(directory, 'tokenizer.json'), '{"model":'))).toThrow(
      remedy,
    )
  })
  test('a tokenizer of another kind', () => {
    const json = tokenizerJson(pieces).replace('BertPreTokenizer', 'Whitespace')
    expect(refused((directory) => writeFileSync(join(directory, 'tokenizer.json'), json))).toThrow(remedy)
  })
  test('a vocabulary of another size than the table', () => {
    const json = tokenizerJson([...pieces, 'more'])
    expect(refused((directory) => writeFileSync(join(directory, 'tokenizer.json'), json))).toThrow(remedy)
  })
  test('a truncated vocabulary file without its source', () => {
    expect(
      refused((directory) => {
        rmSync(join(directory, 'tokenizer.json'))
        writeFileSync(
          join(directory, vocabularyFile),
          compactVocabulary(tokenizerJson(pieces)).subarray(0, 900),
        )
      }),
    ).toThrow(remedy)
  })
  test.each([
    ['damaged', compactVocabulary(tokenizerJson(pieces)).subarray(0, 900)],
    ['of another tokenizer', compactVocabulary(tokenizerJson(pieces.with(70, 'otherwise')))],
  ])('a vocabulary file that is %s is passed over for its source', (_, bytes) => {
    const { directory, model } = install()
    writeFileSync(join(directory, vocabularyFile), bytes)
    expect(openBuiltinModel(directory).identity).toEqual(model.identity)
  })
  test('a garbled vocabulary file never hangs and never crashes', async () => {
    const { directory } = install()
    const file = new ModelFile(join(directory, 'model.onnx'))
    writeFileSync(join(directory, indexFile), makeIndex(file, 'a'.repeat(32)))
    const good = compactVocabulary(readFileSync(join(directory, 'tokenizer.json'), 'utf8'))
    rmSync(join(directory, 'tokenizer.json'))
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), (at, value) => {
        const bytes = good.slice()
        bytes[at] = value
        writeFileSync(join(directory, vocabularyFile), bytes)
        try {
          const model = openBuiltinModel(directory)
          model.embed('running the database 中 zebra')
          model.close()
        } catch (error) {
          expect(String(error)).toMatch(remedy)
        }
      }),
      { numRuns: 200 },
    )
  })
})
