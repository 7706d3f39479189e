import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import { TokenTable } from '../../src/models/token-table.ts'
import { normalise } from '../../src/models/vectors.ts'
import { bytesField, numberField, type Tensor } from './onnx-writer.ts'
import { createRandom, randomTensors, type StaticTensors, writeStaticModel } from './static-model.ts'
import { temporaryDirectory } from './temporary-directory.ts'

function openTable(tensors: StaticTensors): TokenTable {
  const file = join(temporaryDirectory(), 'model.onnx')
  writeFileSync(file, writeStaticModel(tensors))
  return new TokenTable(file)
}

function refusal(bytes: Uint8Array | undefined): string {
  const file = join(temporaryDirectory(), 'model.onnx')
  if (bytes) writeFileSync(file, bytes)
  try {
    new TokenTable(file).close()
  } catch (error) {
    if (error instanceof BrainError && error.kind === 'failed') return error.message
    throw error
  }
  return 'opened'
}

const row = ({ table, scale }: StaticTensors, id: number): number[] => {
  const dimension = table.length / scale.length
  return [...table.subarray(id * dimension, (id + 1) * dimension)].map((value) => value * (scale[id] ?? 0))
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

describe('the token table', () => {
  test('a sum of rows is the sum of the scaled int8 rows', () => {
    const tensors = randomTensors(50, 48)
    const table = openTable(tensors)
    const sum = table.sum(Uint16Array.of(3, 49, 3))
    const [third, last] = [row(tensors, 3), row(tensors, 49)]
    for (const [index, value] of sum.entries()) {
      expect(value).toBeCloseTo(2 * (third[index] ?? 0) + (last[index] ?? 0), 5)
    }
    table.close()
  })

  test('rows are the same whether read one by one or all at once', () => {
    const tensors = randomTensors(2000, 16)
    const table = openTable(tensors)
    // The table is read as a whole after some hundreds of single rows: both ways are met here.
    for (let id = 1999; id >= 2; id -= 1) {
      expect([...table.sum(Uint16Array.of(id))]).toEqual([...Float32Array.from(row(tensors, id))])
    }
    table.close()
  })

  test('rows are the same when many were asked for at once, in whatever order', () => {
    // Longer than what one read takes.
    const tensors = randomTensors(2000, 256)
    const many = Array.from({ length: 600 }, (_, at) => 1999 - 3 * at)
    const table = openTable(tensors)
    expect([...table.sum(Uint16Array.of(7))]).toEqual([...Float32Array.from(row(tensors, 7))])
    table.need([Uint16Array.from(many.slice(300)), Uint16Array.from(many), Uint16Array.of(7)])
    for (const id of [...many, 7, 8])
      expect([...table.sum(Uint16Array.of(id))]).toEqual([...Float32Array.from(row(tensors, id))])
    table.close()
  })

  test('a closed table reads nothing', () => {
    const tensors = randomTensors(1000, 16)
    const table = openTable(tensors)
    table.close()
    expect(() => table.need([Uint16Array.from({ length: 900 }, (_, id) => id)])).toThrow('already closed')
    expect(() => table.sum(Uint16Array.of(1))).toThrow('already closed')
  })

  test('a sum is the same to the last bit before and after the whole table is read', () => {
    const tensors = randomTensors(600, 64, 5)
    const [single, whole] = [openTable(tensors), openTable(tensors)]
    whole.need([Uint16Array.from({ length: 600 }, (_, id) => id)])
    const ids = fc.array(fc.integer({ min: 0, max: 299 }), { maxLength: 60 })
    fc.assert(
      fc.property(ids, (text) => {
        expect([...whole.sum(Uint16Array.from(text))]).toEqual([...single.sum(Uint16Array.from(text))])
      }),
    )
    expect(() => whole.sum(Uint16Array.of(600))).toThrow(RangeError)
    single.close()
    whole.close()
  })

  test('similarity is the cosine of two rows, whatever their scales', () => {
    const tensors = randomTensors(300, 64, 5)
    const table = openTable(tensors)
    const id = fc.integer({ min: 2, max: 299 })
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [rowA, rowB] = [row(tensors, a), row(tensors, b)]
        const cosine = dot(rowA, rowB) / Math.sqrt(dot(rowA, rowA) * dot(rowB, rowB))
        expect(table.similarity(a, b)).toBeCloseTo(cosine, 5)
        expect(table.norm(a)).toBeCloseTo(Math.sqrt(dot(rowA, rowA)), 5)
      }),
    )
    table.close()
  })

  test('a piece without meaning is like nothing, itself included', () => {
    const table = openTable(randomTensors(10, 16))
    expect(table.norm(1)).toBe(0)
    expect(table.similarity(1, 1)).toBe(0)
    expect(table.similarity(5, 1)).toBe(0)
    table.close()
  })

  test('the cosine of a text is that of the sum of its rows', () => {
    const tensors = randomTensors(300, 64, 7)
    const table = openTable(tensors)
    const ids = fc
      .array(fc.integer({ min: 0, max: 299 }), { maxLength: 1100 })
      .map((all) => Uint16Array.from(all))
    fc.assert(
      fc.property(ids, fc.integer({ min: 2, max: 299 }), (text, id) => {
        const vector = table.sum(Uint16Array.of(id))
        normalise(vector)
        const sum = table.sum(text)
        const expected = normalise(sum) ? dot([...sum], [...vector]) : undefined
        const cosine = table.cosine(vector, text)
        if (expected === undefined || text.length > 1024) expect(cosine).toBeUndefined()
        else expect(cosine).toBeCloseTo(expected, 5)
      }),
    )
    table.close()
  })

  test('two matchers used in turns give what each gives alone', () => {
    const random = createRandom(3)
    const pick = (count: number) => Uint16Array.from({ length: count }, () => Math.floor(random() * 500))
    const table = openTable(randomTensors(500, 32))
    const [a, b, text] = [pick(64), pick(3), pick(200)]
    const [first, second] = [table.match(a), table.match(b)]
    const [bestA, bestB] = [new Float32Array(64), new Float32Array(3)]
    for (const id of text) {
      first.bestSimilarities(Uint16Array.of(id), bestA)
      second.bestSimilarities(Uint16Array.of(id), bestB)
    }
    first.bestSimilarities(text, bestA)
    second.bestSimilarities(text, bestB)
    const highest = (matched: number) => Math.max(0, ...[...text].map((id) => table.similarity(matched, id)))
    for (const [index, id] of a.entries()) expect(bestA[index]).toBeCloseTo(highest(id), 5)
    for (const [index, id] of b.entries()) expect(bestB[index]).toBeCloseTo(highest(id), 5)
    expect(first.similarity(63, text[0] ?? 0)).toBeCloseTo(table.similarity(a[63] ?? 0, text[0] ?? 0), 5)
    table.close()
  })
})

describe('a model file that cannot be used is refused with its reason', () => {
  const tensors = randomTensors(40, 16)
  const good = writeStaticModel(tensors)

  test('missing', () => expect(refusal(undefined)).toMatch(/cannot be opened/))
  test('empty', () => expect(refusal(new Uint8Array())).toMatch(/no tensor named table/))
  test('text', () =>
    expect(refusal(Buffer.from('version https://git-lfs.github.com/spec/v1\n'))).not.toBe('opened'))

  test('truncated anywhere', () => {
    for (let length = 1; length < good.length - 30; length += 37) {
      expect(refusal(good.subarray(0, length)), `${length} bytes`).not.toBe('opened')
    }
  })

  test('garbage of any kind never opens and never crashes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(refusal(bytes)).not.toBe('opened')
      }),
      {
        numRuns: 200,
      },
    )
  })

  test('one garbled byte is refused or changes nothing but values', () => {
    const random = createRandom(11)
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(good)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      expect(refusal(bytes)).toBeTypeOf('string')
    }
  })

  const wrong: [string, Partial<Record<string, Tensor>>, RegExp][] = [
    [
      'a float table',
      { table: { name: 'table', type: 'float32', dimensions: [40, 16], data: new Float32Array(640) } },
      /table is float32 \[40, 16\]/,
    ],
    [
      'a table of one dimension',
      { table: { name: 'table', type: 'int8', dimensions: [640], data: tensors.table } },
      /table is int8 \[640\]/,
    ],
    [
      'a table whose bytes are fewer than its shape says',
      { table: { name: 'table', type: 'int8', dimensions: [40, 32], data: tensors.table } },
      /wrong length/,
    ],
    [
      'too few scales',
      { scale: { name: 'scale', type: 'float32', dimensions: [39], data: new Float32Array(39) } },
      /scale is float32 \[39\]/,
    ],
    [
      'no scale',
      { scale: { name: 'scales', type: 'float32', dimensions: [40], data: new Float32Array(40) } },
      /no tensor named scale/,
    ],
  ]
  test.each(wrong)('%s', (_, change, reason) => {
    expect(refusal(writeStaticModel(tensors, change))).toMatch(reason)
  })

  test('a scale of shape [pieces] is as good as [pieces, 1]', () => {
    const scale: Tensor = { name: 'scale', type: 'float32', dimensions: [40], data: tensors.scale }
    expect(refusal(writeStaticModel(tensors, { scale }))).toBe('opened')
  })

  test('an extent packed as newer writers do is read', () => {
    const packed = Buffer.concat([
      bytesField(1, Buffer.of(40, 16)),
      numberField(2, 3),
      bytesField(8, 'table'),
      bytesField(9, new Uint8Array(tensors.table.buffer)),
    ])
    const file = join(temporaryDirectory(), 'model.onnx')
    const scale = Buffer.concat([
      numberField(1, 40),
      numberField(2, 1),
      bytesField(8, 'scale'),
      bytesField(9, new Uint8Array(tensors.scale.buffer)),
    ])
    writeFileSync(file, bytesField(7, Buffer.concat([bytesField(5, packed), bytesField(5, scale)])))
    expect(refusal(readFileSync(file))).toBe('opened')
  })
})
