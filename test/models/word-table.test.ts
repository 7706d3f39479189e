import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { ModelFile } from '../../src/models/model-file.ts'
import { WordTable } from '../../src/models/word-table.ts'
import { bytesField, numberField, type Tensor, writeModel } from './onnx-writer.ts'
import { temporaryDirectory } from './temporary-directory.ts'

interface Rows {
  readonly table: Int8Array
  readonly scale: Float32Array
}

/** Random rows; the first two have no meaning. */
function randomRows(size: number, dimension: number, seed = 1): Rows {
  const random = drawFrom(seed)
  const table = Int8Array.from({ length: size * dimension }, () => Math.round(random() * 254) - 100)
  const scale = Float32Array.from({ length: size }, (_, id) => (id < 2 ? 0 : 0.001 + random() / 100))
  return { table, scale }
}

function write({ table, scale }: Rows, change: Partial<Record<string, Tensor>> = {}): Buffer {
  const size = scale.length
  return writeModel({
    ...{ inputs: [], outputs: [], nodes: [] },
    initializers: [
      change.table ?? {
        name: 'word.weight',
        type: 'int8',
        dimensions: [size, table.length / size],
        data: table,
      },
      change.scale ?? { name: 'word.scale', type: 'float32', dimensions: [size], data: scale },
    ],
  })
}

function openBytes(bytes: Uint8Array | undefined): { table: WordTable; close(): void } {
  const path = join(temporaryDirectory(), 'model.onnx')
  if (bytes) writeFileSync(path, bytes)
  const file = new ModelFile(path)
  return { table: new WordTable(file), close: () => file.close() }
}

function refusal(bytes: Uint8Array | undefined): string {
  try {
    openBytes(bytes).close()
  } catch (error) {
    if (error instanceof BrainError && error.kind === 'failed') return error.message
    throw error
  }
  return 'opened'
}

const rowOf = ({ table, scale }: Rows, id: number): number[] => {
  const dimension = table.length / scale.length
  return [...table.subarray(id * dimension, (id + 1) * dimension)].map((value) => value * (scale[id] ?? 0))
}

/** The row that a piece is compared by: what it has beside the mean of all. */
function centred(rows: Rows): (id: number) => number[] {
  const all = Array.from(rows.scale, (_, id) => rowOf(rows, id))
  const mean = (all[0] ?? []).map((_, at) => all.reduce((sum, row) => sum + (row[at] ?? 0), 0) / all.length)
  return (id) => (all[id] ?? []).map((value, at) => value - (mean[at] ?? 0))
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

/** What the table has of a piece: its int8 row and its scale. */
function copied(table: WordTable, id: number): { row: number[]; scale: number } {
  const row = new Int8Array(table.dimension)
  const scale = new Float32Array(1)
  table.copy(Uint16Array.of(id), row, scale)
  return { row: [...row], scale: scale[0] ?? 0 }
}

const stored = ({ table, scale }: Rows, id: number) => {
  const dimension = table.length / scale.length
  return { row: [...table.subarray(id * dimension, (id + 1) * dimension)], scale: scale[id] ?? 0 }
}

describe('the word table', () => {
  test('however many rows were asked for one by one, those are read and no others', () => {
    const rows = randomRows(2000, 16)
    const { table, close } = openBytes(write(rows))
    for (let id = 1999; id >= 1500; id -= 1) expect(copied(table, id)).toEqual(stored(rows, id))
    close()
    for (let id = 1500; id < 2000; id += 1) expect(copied(table, id)).toEqual(stored(rows, id))
    expect(() => copied(table, 1499)).toThrow('already closed')
  })

  test('rows are the same when many were asked for at once, in whatever order', () => {
    // Longer than what one read takes.
    const rows = randomRows(2000, 256)
    const many = Array.from({ length: 600 }, (_, at) => 1999 - 3 * at)
    const { table, close } = openBytes(write(rows))
    expect(copied(table, 7)).toEqual(stored(rows, 7))
    table.need([Uint16Array.from(many.slice(300)), Uint16Array.from(many), Uint16Array.of(7)])
    for (const id of [...many, 7, 8]) expect(copied(table, id)).toEqual(stored(rows, id))
    close()
  })

  test('more rows than there is room for at first are kept as well', () => {
    const rows = randomRows(20_000, 16)
    const { table, close } = openBytes(write(rows))
    const matcher = table.match(Uint16Array.of(5))
    expect(matcher.similarity(0, 5)).toBeCloseTo(1, 5)
    const all = Uint16Array.from({ length: 20_000 }, (_, id) => id)
    table.need([all.subarray(0, 5990)])
    for (let id = 5990; id < 6100; id += 1) expect(copied(table, id)).toEqual(stored(rows, id))
    table.need([all])
    for (const id of [5, 5999, 12_345, 19_999]) expect(copied(table, id)).toEqual(stored(rows, id))
    expect(matcher.similarity(0, 5)).toBeCloseTo(1, 5)
    close()
  })

  test('a closed file is read no more, and a piece that does not exist is refused', () => {
    const { table, close } = openBytes(write(randomRows(1000, 16)))
    expect(() => copied(table, 1000)).toThrow(RangeError)
    close()
    expect(() => table.need([Uint16Array.from({ length: 900 }, (_, id) => id)])).toThrow('already closed')
    expect(() => copied(table, 1)).toThrow('already closed')
  })

  test('similarity is the cosine of two rows without the mean of all, whatever their scales', () => {
    const rows = randomRows(300, 64, 5)
    const { table, close } = openBytes(write(rows))
    const own = centred(rows)
    const id = fc.integer({ min: 2, max: 299 })
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [rowA, rowB] = [own(a), own(b)]
        const cosine = dot(rowA, rowB) / Math.sqrt(dot(rowA, rowA) * dot(rowB, rowB))
        expect(table.similarity(a, b)).toBeCloseTo(cosine, 4)
        expect(table.norm(a)).toBeCloseTo(Math.sqrt(dot(rowA, rowA)), 4)
      }),
    )
    close()
  })

  test('a piece is as like itself as can be, and one without meaning like nothing', () => {
    const { table, close } = openBytes(write(randomRows(10, 16)))
    expect(table.similarity(5, 5)).toBeCloseTo(1, 5)
    expect(table.norm(1)).toBe(0)
    expect(table.similarity(1, 1)).toBeCloseTo(0, 9)
    expect(table.similarity(5, 1)).toBeCloseTo(0, 9)
    close()
  })

  test('two matchers used in turns give what each gives alone', () => {
    const random = drawFrom(3)
    const pick = (count: number) => Uint16Array.from({ length: count }, () => Math.floor(random() * 500))
    const { table, close } = openBytes(write(randomRows(500, 32)))
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
    close()
  })

  test('more rows than there is room for cosines are compared as well', () => {
    const rows = randomRows(5000, 16, 8)
    const { table, close } = openBytes(write(rows))
    const matcher = table.match(Uint16Array.from({ length: 64 }, (_, at) => at + 2))
    const best = new Float32Array(64)
    const all = Uint16Array.from({ length: 5000 }, (_, id) => id)
    matcher.bestSimilarities(all, best)
    for (const value of best) expect(value).toBeCloseTo(1, 5)
    expect(matcher.similarity(0, 4999)).toBeCloseTo(table.similarity(2, 4999), 5)
    close()
  })
})

describe('a model file that cannot be used is refused with its reason', () => {
  const rows = randomRows(40, 16)
  const good = write(rows)

  test('missing', () => expect(refusal(undefined)).toMatch(/cannot be opened/))
  test('empty', () => expect(refusal(new Uint8Array())).toMatch(/no tensor named word\.weight/))
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
      { numRuns: 200 },
    )
  })

  test('one garbled byte is refused or changes nothing but values', () => {
    const random = drawFrom(11)
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(good)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      expect(refusal(bytes)).toBeTypeOf('string')
    }
  })

  const wrong: [string, Partial<Record<string, Tensor>>, RegExp][] = [
    [
      'a float table',
      { table: { name: 'word.weight', type: 'float32', dimensions: [40, 16], data: new Float32Array(640) } },
      /word\.weight is float32 \[40, 16\]/,
    ],
    [
      'a table of one dimension',
      { table: { name: 'word.weight', type: 'int8', dimensions: [640], data: rows.table } },
      /word\.weight is int8 \[640\]/,
    ],
    [
      'a table whose bytes are fewer than its shape says',
      { table: { name: 'word.weight', type: 'int8', dimensions: [40, 32], data: rows.table } },
      /in 640 bytes/,
    ],
    [
      'rows that no step of the kernel fits',
      { table: { name: 'word.weight', type: 'int8', dimensions: [40, 8], data: new Int8Array(320) } },
      /word\.weight is \[40, 8\]/,
    ],
    [
      'too few scales',
      { scale: { name: 'word.scale', type: 'float32', dimensions: [39], data: new Float32Array(39) } },
      /word\.scale is float32 \[39\]/,
    ],
    [
      'no scale',
      { scale: { name: 'scales', type: 'float32', dimensions: [40], data: new Float32Array(40) } },
      /no tensor named word\.scale/,
    ],
  ]
  test.each(wrong)('%s', (_, change, reason) => {
    expect(refusal(write(rows, change))).toMatch(reason)
  })

  test('an extent packed as newer writers do is read', () => {
    const packed = Buffer.concat([
      bytesField(1, Buffer.of(40, 16)),
      numberField(2, 3),
      bytesField(8, 'word.weight'),
      bytesField(9, new Uint8Array(rows.table.buffer)),
    ])
    const scale = Buffer.concat([
      numberField(1, 40),
      numberField(2, 1),
      bytesField(8, 'word.scale'),
      bytesField(9, new Uint8Array(rows.scale.buffer)),
    ])
    expect(refusal(bytesField(7, Buffer.concat([bytesField(5, packed), bytesField(5, scale)])))).toBe(
      'opened',
    )
  })
})
